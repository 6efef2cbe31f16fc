#include "technique.hpp"

#include "deep.hpp"
#include "grid.hpp"

namespace gridmill {
namespace {

enum Technique : std::uint8_t { kNone, kNaked, kHidden, kLocked, kSubset, kSearch };

constexpr unsigned kDigits = 0x1FF;                                  // all nine, a bit each
constexpr unsigned kRow = 0x1FF, kThrice = 1u | 1u << 9 | 1u << 18;  // the first row of a band, its first column
constexpr unsigned kBox = 7 * kThrice;                               // its first box

// Of three rows and three boxes, bit 3 * row + box each: where the digit may be, given where it seemed to.
//
// It is once in each row and once in each box. So what can stay is in one of six arrangements, and that is what pointing
// and claiming leave: a row with one box takes it from the other rows, a box with one row takes that from the others.
struct Arranged {
    std::uint16_t of[512];
};
constexpr Arranged make_arranged() {
    constexpr unsigned ways[6] = {0421, 0241, 0412, 0142, 0214, 0124};
    Arranged made{};
    for (unsigned seemed = 0; seemed < 512; ++seemed)
        for (const unsigned way : ways)
            if ((seemed & way) == way) made.of[seemed] = std::uint16_t(made.of[seemed] | way);
    return made;
}
constexpr Arranged kArranged = make_arranged();

// Each bit 3 * row + box as the three cells of that row and box in a band.
struct Spread {
    std::uint32_t of[512];
};
constexpr Spread make_spread() {
    Spread made{};
    for (unsigned three = 0; three < 512; ++three)
        for (int bit = 0; bit < 9; ++bit)
            if (three >> bit & 1) made.of[three] |= 7u << 3 * bit;
    return made;
}
constexpr Spread kSpread = make_spread();

// The 27 cells of each band, and one word that stays empty.
typedef std::uint32_t Bands __attribute__((vector_size(16)));
constexpr std::uint32_t kBand = (1u << 27) - 1;
constexpr Bands kAll = {kBand, kBand, kBand, 0};

// Of each cell itself, and what its digit leaves to that digit: all cells that share no unit with it, and it.
struct Cells {
    alignas(16) std::uint32_t self[kCells][4], survivors[kCells][4];
};
constexpr Cells make_cells() {
    Cells made{};
    for (int cell = 0; cell < kCells; ++cell) {
        made.self[cell][cell / 27] = 1u << cell % 27;
        for (int band = 0; band < 3; ++band) made.survivors[cell][band] = kBand;
        for (const std::uint8_t peer : kMap.peer[cell]) made.survivors[cell][peer / 27] &= ~(1u << peer % 27);
    }
    return made;
}
constexpr Cells kCellBands = make_cells();

Bands loaded(const std::uint32_t (&words)[4]) {
    Bands bands;
    std::memcpy(&bands, words, sizeof bands);
    return bands;
}
Bands one(int cell) { return loaded(kCellBands.self[cell]); }
Bands survivors(int cell) { return loaded(kCellBands.survivors[cell]); }

bool any(Bands bands) {
    std::uint64_t words[2];
    std::memcpy(words, &bands, sizeof words);
    return words[0] | words[1];
}

// Those of some cells, of each band, that are alone there.
Bands alone(Bands cells) { return cells & Bands((cells & (cells - 1)) == 0); }

template <class Do>
void each(Bands cells, const Do& act) {
    for (int band = 0; band < 3; ++band)
        for (std::uint32_t left = cells[band]; left; left &= left - 1) act(27 * band + __builtin_ctz(left));
}

class Puzzle {
  public:
    // Places the givens of a board. False: they contradict each other.
    bool load(const std::uint8_t* packed) {
        Bands given[9] = {}, all = {};
        for (Bands& may : may_) may = kAll;
        left_ = kCells;
        for (int cell = 0; cell < kCells; ++cell) {
            const int digit = cell % 2 ? packed[cell / 2] & 15 : packed[cell / 2] >> 4;
            if (!digit) continue;
            given[digit - 1] |= one(cell);
            may_[digit - 1] &= survivors(cell);
            --left_;
        }
        for (const Bands& cells : given) all |= cells;
        open_ = kAll & ~all;
        Bands lost = {};
        for (int digit = 0; digit < 9; ++digit) {
            lost |= given[digit] & ~may_[digit];
            may_[digit] &= open_ | given[digit];
        }
        return !any(lost);
    }

    // Always the easiest that gets on; so when a harder one does, all easier ones together have come to their end.
    Technique hardest() {
        Technique needed = kNaked;
        const auto get_on = [&](Technique technique, bool moved) {
            if (moved && needed < technique) needed = technique;
            return moved;
        };
        unlooked_ = unlocked_ = kDigits;
        while (left_)
            if (!place_naked() && !get_on(kHidden, place_hidden()) && !get_on(kLocked, lock()) &&
                !get_on(kSubset, part()))
                return kSearch;
        return needed;
    }

  private:
    bool may(int cell, int digit) const { return may_[digit][cell / 27] >> cell % 27 & 1; }

    // Puts a digit into a cell that has no other, and takes it from the peers.
    void place(int cell, int digit) {
        open_ &= ~one(cell);
        --left_;
        may_[digit] &= survivors(cell);
        stir(1u << digit);
    }

    bool remove(int digit, Bands cells) {
        if (!any(may_[digit] & cells)) return false;
        may_[digit] &= ~cells;
        stir(1u << digit);
        return true;
    }

    void stir(unsigned digits) {
        unlooked_ |= digits;
        unlocked_ |= digits;
    }

    bool place_naked() {
        Bands once = {}, twice = {};
        for (const Bands& may : may_) {
            twice |= once & may;
            once |= may;
        }
        const Bands lone = once & ~twice & open_;
        if (!any(lone)) return false;
        for (int digit = 0; digit < 9; ++digit)
            each(lone & may_[digit], [&](int cell) {
                if (may(cell, digit)) place(cell, digit);  // else a cell before it has taken it
            });
        return true;
    }

    bool place_hidden() {
        bool moved = false;
        for (int digit = 0; digit < 9; ++digit) {
            if (!(unlooked_ >> digit & 1)) continue;
            unlooked_ &= ~(1u << digit);
            each(lone(may_[digit] & open_), [&](int cell) {
                if (!may(cell, digit)) return;
                clear_for(cell, digit);
                place(cell, digit);
                moved = true;
            });
        }
        return moved;
    }

    void clear_for(int cell, int digit) {
        const Bands others = ~one(cell);
        unsigned lost = 0;
        for (int other = 0; other < 9; ++other) {
            if (other == digit) continue;
            lost |= unsigned(may(cell, other)) << other;
            may_[other] &= others;
        }
        stir(lost);
    }

    // The cells that are the only ones of their row, column or box.
    static Bands lone(Bands may) {
        Bands found = {}, once = {}, twice = {};
        for (int third = 0; third < 3; ++third) {
            found |= alone(may & kRow << 9 * third) | alone(may & kBox << 3 * third);
            const Bands row = may >> 9 * third & kRow;
            twice |= once & row;
            once |= row;
        }
        const unsigned more = twice[0] | twice[1] | twice[2] | (once[0] & once[1]) | ((once[0] | once[1]) & once[2]);
        const unsigned columns = (once[0] | once[1] | once[2]) & ~more;
        return found | (may & columns * kThrice);
    }

    bool lock() {
        bool moved = false;
        for (int digit = 0; digit < 9; ++digit) {
            if (!(unlocked_ >> digit & 1)) continue;
            unlocked_ &= ~(1u << digit);
            moved |= remove(digit, ~locked_in_rows(may_[digit]));
            moved |= remove(digit, ~locked_in_columns(may_[digit]));
        }
        return moved;
    }

    static Bands locked_in_rows(Bands may) {
        const Bands three = (may | may >> 1 | may >> 2) & 0111111111;      // one bit for three cells,
        const Bands rows = (three | three >> 2 | three >> 4) & kBox;       // three side by side in each row,
        const Bands seemed = (rows | rows >> 6 | rows >> 12) & kRow;       // all side by side
        Bands left = {};
        for (int band = 0; band < 3; ++band) left[band] = kSpread.of[kArranged.of[seemed[band]]];
        return left;
    }

    static Bands locked_in_columns(Bands may) {
        const Bands columns = (may | may >> 9 | may >> 18) & kRow;  // of each band those in which the digit may be
        Bands left = {};
        for (int stack = 0; stack < 9; stack += 3) {
            const Bands three = columns >> stack & 7;
            const unsigned stay = kArranged.of[three[0] | three[1] << 3 | three[2] << 6];
            left |= Bands{stay & 7, stay >> 3 & 7, stay >> 6, 0} << stack;
        }
        return left * kThrice;
    }

    bool part() {
        std::uint16_t cells[kCells] = {};
        for (int digit = 0; digit < 9; ++digit)
            each(may_[digit] & open_, [&](int cell) { cells[cell] = std::uint16_t(cells[cell] | 1u << digit); });
        bool moved = false;
        for (const auto& unit : kMap.unit) moved |= part(unit, cells);
        return moved;
    }

    // As many cells as there are digits for them have these for themselves. So where others have one of the digits, they
    // lose it. These are the naked subsets, of every size: the hidden ones are those of the cells that are left.
    bool part(const std::uint8_t (&unit)[9], std::uint16_t (&cells)[kCells]) {
        std::uint8_t open[9];
        int many = 0;
        for (const std::uint8_t cell : unit)
            if (cells[cell]) open[many++] = cell;
        if (many < 4) return false;  // what there is in three are singles
        std::uint16_t digits[512];  // of each set of open cells
        digits[0] = 0;
        for (int at = 0; at < many; ++at)
            for (unsigned set = 0, with = 1u << at; set < with; ++set)
                digits[set | with] = std::uint16_t(digits[set] | cells[open[at]]);
        bool moved = false;
        for (unsigned set = 1; set + 1 < 1u << many; ++set) {
            if (kSizes.of[digits[set]] != kSizes.of[set]) continue;
            for (int at = 0; at < many; ++at)
                if (!(set >> at & 1)) moved |= take(open[at], digits[set], cells);
        }
        return moved;
    }

    bool take(int cell, unsigned digits, std::uint16_t (&cells)[kCells]) {
        const unsigned lost = cells[cell] & digits;
        cells[cell] = std::uint16_t(cells[cell] & ~lost);
        for (unsigned left = lost; left; left &= left - 1) remove(__builtin_ctz(left), one(cell));
        return lost != 0;
    }

    Bands may_[9];                  // where each digit may stand or stands
    Bands open_;                    // cells without a digit
    int left_;                      // how many those are
    unsigned unlooked_, unlocked_;  // digits that have changed since hidden singles, locked candidates were looked for
};

}  // namespace

void rate(const std::uint8_t* boards, std::size_t records, std::uint8_t* techniques) {
    Puzzle puzzle;
    std::uint8_t board[kPacked];  // a copy: the bytes may change while they are looked at
    for (std::size_t record = 0; record < records; ++record) {
        std::memcpy(board, boards + record * kPacked, kPacked);
        techniques[record] = !is_board(board) ? kNone : puzzle.load(board) ? puzzle.hardest() : kSearch;
    }
}

}  // namespace gridmill

#include "canon.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "deep.hpp"

namespace gridmill {
namespace {

constexpr std::size_t kPacked = 41;
constexpr unsigned kUnnamed = 15;  // a digit without a name yet: behind all that have one

// A way to begin the form: which rows come first, and as much of the order of columns as they decide.
//
// Columns that have held nothing but blanks come first in their stack, in any order, and stacks of nothing but such
// columns come first, in any order; `blank` counts them in each stack.
struct Way {
    std::uint8_t column[9];  // at each place of the form
    std::uint8_t blank[3];
    std::uint8_t name[10];   // of each digit, 0 for none
    std::uint8_t names;      // how many are given
    std::uint8_t turned;     // whether rows are the board's columns
    std::uint8_t band;       // the board's, of the rows that come next
    std::uint16_t used;      // the board's rows that have their place
};

// Three cells of a row, four bits each, the first one highest, as small as their columns may be ordered.
struct Triple {
    unsigned cells;
    std::uint8_t order[3];  // of the columns
};

unsigned named(const Way& way, unsigned digit) { return digit == 0 ? 0 : way.name[digit] ? way.name[digit] : kUnnamed; }

void put_in_order(unsigned (&cells)[3], std::uint8_t (&order)[3], int first, int second) {
    if (cells[first] <= cells[second]) return;
    std::swap(cells[first], cells[second]);
    std::swap(order[first], order[second]);
}

// The cells of `row` in the stack at place `stack` of the form.
Triple triple(const Way& way, const std::uint8_t* row, int stack) {
    unsigned cells[3];
    Triple made;
    for (int at = 0; at < 3; ++at) {
        made.order[at] = way.column[3 * stack + at];
        cells[at] = named(way, row[made.order[at]]);
    }
    const int blank = way.blank[stack];
    if (blank > 1) put_in_order(cells, made.order, 0, 1);
    if (blank > 2) {
        put_in_order(cells, made.order, 1, 2);
        put_in_order(cells, made.order, 0, 1);
    }
    made.cells = cells[0] << 8 | cells[1] << 4 | cells[2];
    return made;
}

// One row at the next place of a way.
struct Step {
    Triple triples[3];
    int open;           // of them the first ones, smallest first, are of stacks without any order
    std::uint64_t key;  // the row as it would stand in the form, four bits a cell
};

std::uint64_t with_names(std::uint64_t key, unsigned names) {
    for (int shift = 32; shift >= 0; shift -= 4)
        if ((key >> shift & 15) == kUnnamed) key ^= std::uint64_t(kUnnamed ^ ++names) << shift;
    return key;
}

Step step(const Way& way, const std::uint8_t* row) {
    Step made;
    for (int stack = 0; stack < 3; ++stack) made.triples[stack] = triple(way, row, stack);
    made.open = (way.blank[0] == 3) + (way.blank[1] == 3) + (way.blank[2] == 3);
    const auto smaller = [](const Triple& one, const Triple& other) { return one.cells < other.cells; };
    if (made.open > 1) std::sort(made.triples, made.triples + made.open, smaller);
    std::uint64_t key = 0;
    for (const Triple& each : made.triples) key = key << 12 | each.cells;
    made.key = with_names(key, way.names);
    return made;
}

class Search {
  public:
    // Writes the form of a board; false: its givens clash.
    bool find(const std::uint8_t* packed, std::uint8_t* form) {
        if (!load(packed)) return false;
        begin();
        std::memset(form, 0, kPacked);
        for (int place = 0; place < 9; ++place) {
            extend(place);
            for (int at = 0; at < 9; ++at) {
                const int cell = 9 * place + at;
                const unsigned name = least_ >> (32 - 4 * at) & 15;
                form[cell / 2] = std::uint8_t(form[cell / 2] | name << (cell % 2 ? 0 : 4));
            }
        }
        return true;
    }

  private:
    bool load(const std::uint8_t* packed) {
        std::memset(is_empty_, 1, sizeof is_empty_);
        std::uint16_t seen[27] = {};
        bool good = true;
        for (int cell = 0; cell < 81; ++cell) {
            const std::uint8_t digit = cell % 2 ? packed[cell / 2] & 15 : packed[cell / 2] >> 4;
            const int row = cell / 9, column = cell % 9;
            rows_[0][row][column] = rows_[1][column][row] = digit;
            if (!digit) continue;
            is_empty_[0][row] = is_empty_[1][column] = false;
            for (const int unit : {row, 9 + column, 18 + row / 3 * 3 + column / 3}) {
                good &= !(seen[unit] >> digit & 1);
                seen[unit] = std::uint16_t(seen[unit] | 1 << digit);
            }
        }
        return good;
    }

    void begin() {
        ways_.clear();
        for (std::uint8_t turned = 0; turned < 2; ++turned) {
            Way way{};
            for (std::uint8_t place = 0; place < 9; ++place) way.column[place] = place;
            std::memset(way.blank, 3, sizeof way.blank);
            way.turned = turned;
            ways_.push_back(way);
        }
    }

    // Gives the next row to all ways, and keeps those with the smallest; `place` counts from 0.
    void extend(int place) {
        next_.clear();
        least_ = ~std::uint64_t(0);
        for (const Way& way : ways_) {
            if (place % 3) {
                extend_in_band(way, place);
                continue;
            }
            bool was_empty = false;
            for (std::uint8_t band = 0; band < 3; ++band) {
                if (way.used >> 3 * band & 7) continue;
                const bool* const empty = &is_empty_[way.turned][3 * band];
                const bool all = empty[0] && empty[1] && empty[2];
                if (all && std::exchange(was_empty, true)) continue;  // which of two empty bands comes first is the same
                Way begun = way;
                begun.band = band;
                extend_in_band(begun, place);
            }
        }
        std::swap(ways_, next_);
    }

    void extend_in_band(const Way& way, int place) {
        bool was_empty = false;
        for (int row = 3 * way.band; row < 3 * way.band + 3; ++row) {
            if (way.used >> row & 1) continue;
            if (is_empty_[way.turned][row] && std::exchange(was_empty, true)) continue;
            const Step made = step(way, rows_[way.turned][row]);
            if (made.key > least_) continue;
            if (made.key < least_) {
                least_ = made.key;
                next_.clear();
            }
            if (place == 8) continue;  // nothing depends on how it goes on
            Way longer = way;
            longer.used = std::uint16_t(longer.used | 1 << row);
            add(longer, rows_[way.turned][row], made, 0, 0);
        }
    }

    // Adds the ways that `way` becomes with the row of `made`, whose places from `stack` on are still to be laid down;
    // `taken`: the triples that have their place.
    void add(const Way& way, const std::uint8_t* row, const Step& made, int stack, unsigned taken) {
        if (stack == 3) {
            next_.push_back(way);
            return;
        }
        const unsigned cells = made.triples[stack].cells;
        if (cells == 0 || stack >= made.open) {
            lay_all(way, row, made, stack, taken, stack);
            return;
        }
        for (int same = 0; same < made.open; ++same)
            if (!(taken >> same & 1) && made.triples[same].cells == cells) lay_all(way, row, made, stack, taken, same);
    }

    // Lays down a triple in every order of the digits that have no name and stand in columns without any order.
    void lay_all(const Way& way, const std::uint8_t* row, const Step& made, int stack, unsigned taken, int which) {
        Triple triple = made.triples[which];
        const int blank = way.blank[stack];
        int first = 0;
        while (first < blank && (triple.cells >> (8 - 4 * first) & 15) != kUnnamed) ++first;
        std::sort(triple.order + first, triple.order + std::max(first, blank));
        do {
            Way longer = way;
            lay(longer, row, stack, triple);
            add(longer, row, made, stack + 1, taken | 1u << which);
        } while (std::next_permutation(triple.order + first, triple.order + std::max(first, blank)));
    }

    static void lay(Way& way, const std::uint8_t* row, int stack, const Triple& triple) {
        int blank = 0;
        for (int at = 0; at < 3; ++at) {
            const std::uint8_t digit = row[triple.order[at]];
            way.column[3 * stack + at] = triple.order[at];
            blank += at < way.blank[stack] && !digit;
            if (digit && !way.name[digit]) way.name[digit] = ++way.names;
        }
        way.blank[stack] = std::uint8_t(blank);
    }

    std::uint8_t rows_[2][9][9];  // of the board, and of it turned
    bool is_empty_[2][9];
    std::vector<Way> ways_, next_;
    std::uint64_t least_;
};

}  // namespace

void find_forms(const std::uint8_t* boards, std::size_t records, std::uint8_t* forms) {
    const auto search = std::make_unique<Search>();
    for (std::size_t at = 0; at < records * kPacked; at += kPacked)
        if (!is_board(boards + at) || !search->find(boards + at, forms + at)) std::memset(forms + at, 0xFF, kPacked);
}

}  // namespace gridmill

#include "verify.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the box check below counts on little-endian lanes"
#endif

namespace gridmill {
namespace {

enum Code : std::uint8_t { hole = 0, unique, solved, multiple, none, clash, undecided };

// A cell as a set: bit d-1 for the digit d, nothing for a blank or for a half byte that is no digit.
using Cell = std::uint16_t;
constexpr Cell kAllDigits = 0x1FF;
constexpr std::uint64_t kAllDigitsInFourLanes = 0x01FF'01FF'01FF'01FF;

constexpr Cell cell_of(unsigned half) { return half >= 1 && half <= 9 ? Cell(1u << (half - 1)) : Cell(0); }

// The two cells of every byte, the first in the low lane, so that one 32-bit store lays down both.
constexpr std::array<std::uint32_t, 256> make_pairs() {
    std::array<std::uint32_t, 256> pairs{};
    for (unsigned byte = 0; byte < 256; ++byte)
        pairs[byte] = cell_of(byte >> 4) | std::uint32_t(cell_of(byte & 15)) << 16;
    return pairs;
}
constexpr auto kPairs = make_pairs();

struct Cells {
    alignas(8) std::array<Cell, 82> at;  // 81 cells, and the half byte that pads the last one

    explicit Cells(const std::uint8_t* packed) {
        for (std::size_t byte = 0; byte < kPacked; ++byte)
            std::memcpy(&at[2 * byte], &kPairs[packed[byte]], sizeof(std::uint32_t));
    }
};

// One row, or the union of some: cells 1-4, 5-8 and 9, a 16-bit lane each.
struct Row {
    std::uint64_t left = 0, middle = 0;
    Cell right = 0;

    static Row load(const Cell* cells) {
        Row row;
        std::memcpy(&row.left, cells, 8);
        std::memcpy(&row.middle, cells + 4, 8);
        row.right = cells[8];
        return row;
    }
    Row operator|(const Row& other) const {
        Row both;
        both.left = left | other.left;
        both.middle = middle | other.middle;
        both.right = right | other.right;
        return both;
    }
    bool every_lane_has_all() const {
        return left == kAllDigitsInFourLanes && middle == kAllDigitsInFourLanes && right == kAllDigits;
    }
    bool lanes_together_have_all() const {
        std::uint64_t four = left | middle;
        four |= four >> 32;
        return Cell(four | four >> 16 | right) == kAllDigits;
    }
    bool thirds_have_all() const {
        const Cell first = Cell(left | left >> 16 | left >> 32);
        const Cell second = Cell(left >> 48 | middle | middle >> 16);
        const Cell third = Cell(middle >> 32 | middle >> 48 | right);
        return first == kAllDigits && second == kAllDigits && third == kAllDigits;
    }
};

// Nine cells whose union is all nine digits hold each digit once: so no counting is needed.
bool is_solved_grid(const std::uint8_t* packed) {
    const Cells cells(packed);
    Row columns;
    bool good = (packed[kPacked - 1] & 15) == 0;
    for (int band = 0; band < 3; ++band) {
        Row boxes;
        for (int line = 0; line < 3; ++line) {
            const Row row = Row::load(&cells.at[27 * band + 9 * line]);
            good &= row.lanes_together_have_all();
            boxes = boxes | row;
        }
        good &= boxes.thirds_have_all();
        columns = columns | boxes;
    }
    return good && columns.every_lane_has_all();
}

bool keeps_givens(const std::uint8_t* board, const std::uint8_t* solution) {
    unsigned changed = 0;
    for (std::size_t byte = 0; byte < kPacked; ++byte) {
        const unsigned given = board[byte];
        const unsigned mask = (given & 0xF0 ? 0xF0 : 0) | (given & 0x0F ? 0x0F : 0);
        changed |= (solution[byte] & mask) ^ given;
    }
    return changed == 0;
}

// A board that it is right for is one itself: every given is then a digit of the solution, and the padding is empty.
bool solves(const std::uint8_t* board, const std::uint8_t* solution) {
    return keeps_givens(board, solution) && is_solved_grid(solution);
}

std::size_t count_right_portable(const std::uint8_t* boards, const std::uint8_t* solutions, std::size_t records) {
    std::size_t right = 0;
    while (right < records && solves(boards + kPacked * right, solutions + kPacked * right)) ++right;
    return right;
}

bool has_clash(const std::uint8_t* board) {
    const Cells cells(board);
    std::array<Cell, 9> rows{}, columns{}, boxes{};
    bool found = false;
    for (unsigned cell = 0; cell < 81; ++cell) {
        const unsigned row = cell / 9, column = cell % 9, box = row / 3 * 3 + column / 3;
        const Cell given = cells.at[cell];
        found |= (given & (rows[row] | columns[column] | boxes[box])) != 0;
        rows[row] |= given;
        columns[column] |= given;
        boxes[box] |= given;
    }
    return found;
}

bool is_hole(const std::uint8_t* slot) {
    unsigned both = 0xFF;
    for (std::size_t byte = 0; byte < kPacked; ++byte) both &= slot[byte];
    return both == 0xFF;
}

bool is_board(const std::uint8_t* slot) {
    unsigned above_nine = slot[kPacked - 1] & 15;  // the padding
    for (std::size_t byte = 0; byte < kPacked; ++byte)
        above_nine |= unsigned((slot[byte] & 15) > 9) | unsigned(slot[byte] > 0x9F);
    return above_nine == 0;
}

// Packed boards of which the first ones have been taken.
class Source {
  public:
    explicit Source(Bytes bytes) : at_(bytes.data), left_(bytes.size) {}
    const std::uint8_t* at() const { return at_; }
    std::size_t boards_left() const { return left_ / kPacked; }
    bool is_empty() const { return left_ == 0; }
    void take(std::size_t boards) {
        at_ += kPacked * boards;
        left_ -= kPacked * boards;
    }

  private:
    const std::uint8_t* at_;
    std::size_t left_;
};

Verdict verdict_of(bool good) { return good ? Verdict::right : Verdict::wrong; }

Verdict judge_board(const std::uint8_t* board, std::uint8_t code, const std::uint8_t* first, const std::uint8_t* second) {
    switch (code) {
        case unique:
        case solved:
            return verdict_of(solves(board, first));
        case multiple:
            return verdict_of(solves(board, first) && solves(board, second) && std::memcmp(first, second, kPacked) != 0);
        case clash:
            return verdict_of(has_clash(board));
        case none:
        case undecided:
            return has_clash(board) ? Verdict::wrong : Verdict::open;
        default:
            return Verdict::wrong;
    }
}

// The records with one code, up to the next with another.
struct Run {
    const std::uint8_t* boards;
    std::uint8_t code;
    std::size_t records;

    bool has_first() const { return code == unique || code == solved || code == multiple; }
    bool has_second() const { return code == multiple; }
    void skip(std::size_t some) {
        boards += kPacked * some;
        records -= some;
    }
};

Run run_at(const Claims& claims, std::size_t record) {
    const std::uint8_t* codes = claims.codes.data;
    Run run{claims.boards.data + kPacked * record, codes[record], 1};
    while (record + run.records < claims.codes.size && codes[record + run.records] == run.code) ++run.records;
    return run;
}

// Goes through the records, a run at a time: most solutions are right, and `count_right` is quick to say so.
class Judge {
  public:
    Judge(const Claims& claims, std::uint8_t* verdicts, CountRight count_right)
        : claims_(claims), verdicts_(verdicts), count_right_(count_right),
          firsts_(claims.solutions), seconds_(claims.seconds) {}

    Outcome judge() {
        while (record_ < claims_.codes.size)
            for (Run run = run_at(claims_, record_); run.records > 0;) {
                pass_right(run);
                if (run.records == 0) break;
                const Fault fault = judge_next(run);
                if (fault != Fault::nothing) return {fault, record_};
            }
        return {firsts_.is_empty() && seconds_.is_empty() ? Fault::nothing : Fault::sizes, 0};
    }

  private:
    // Passes the records whose solutions are right, until one is not, or there are no more solutions.
    void pass_right(Run& run) {
        if (!run.has_first()) return;
        if (firsts_right_ == 0)
            firsts_right_ = count_right_(run.boards, firsts_.at(), std::min(run.records, firsts_.boards_left()));
        std::size_t right = firsts_right_;
        if (run.has_second())
            right = count_right_(run.boards, seconds_.at(), std::min(right, seconds_.boards_left()));
        for (std::size_t at = 0; at < right; ++at) {
            const bool is_one_twice =
                run.has_second() && std::memcmp(firsts_.at() + kPacked * at, seconds_.at() + kPacked * at, kPacked) == 0;
            verdicts_[record_ + at] = std::uint8_t(verdict_of(!is_one_twice));
        }
        pass(run, right);
    }

    Fault judge_next(Run& run) {
        if ((run.has_first() && firsts_.boards_left() == 0) || (run.has_second() && seconds_.boards_left() == 0))
            return Fault::sizes;
        Verdict verdict;
        if (is_hole(run.boards))
            verdict = verdict_of(run.code == hole);
        else if (is_board(run.boards))
            verdict = judge_board(run.boards, run.code, firsts_.at(), seconds_.at());
        else
            return Fault::board;
        verdicts_[record_] = std::uint8_t(verdict);
        pass(run, 1);
        return Fault::nothing;
    }

    void pass(Run& run, std::size_t records) {
        run.skip(records);
        record_ += records;
        firsts_right_ -= std::min(firsts_right_, records);
        if (run.has_first()) firsts_.take(records);
        if (run.has_second()) seconds_.take(records);
    }

    const Claims& claims_;
    std::uint8_t* verdicts_;
    CountRight count_right_;
    Source firsts_, seconds_;
    std::size_t record_ = 0;
    std::size_t firsts_right_ = 0;  // from there on, as far as is known: none is counted again for a second that is wrong
};

// The ways to count that this machine has, the fastest first.
template <class Visit>
void each_way(Visit visit) {
#ifdef GRIDMILL_X86_64
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) visit("avx2", count_right_avx2);
#endif
    visit("portable", count_right_portable);
}

}  // namespace

std::vector<const char*> ways_to_count() {
    std::vector<const char*> names;
    each_way([&](const char* name, CountRight) { names.push_back(name); });
    return names;
}

CountRight find_count(const char* name) {
    CountRight found = nullptr;
    each_way([&](const char* known, CountRight count_right) {
        if (std::strcmp(known, name) == 0) found = count_right;
    });
    return found;
}

Outcome judge(const Claims& claims, std::uint8_t* verdicts, CountRight count_right) {
    if (claims.boards.size / kPacked != claims.codes.size || claims.boards.size % kPacked != 0)
        return {Fault::sizes, 0};
    return Judge(claims, verdicts, count_right).judge();
}

}  // namespace gridmill

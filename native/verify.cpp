#include "verify.hpp"

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

bool solves(const std::uint8_t* board, const std::uint8_t* solution) {
    return keeps_givens(board, solution) && is_solved_grid(solution);
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

// Hands out packed boards one after another; null when there is none left.
class Source {
  public:
    explicit Source(Bytes bytes) : at_(bytes.data), left_(bytes.size) {}
    const std::uint8_t* next() {
        if (left_ < kPacked) return nullptr;
        const std::uint8_t* packed = at_;
        at_ += kPacked;
        left_ -= kPacked;
        return packed;
    }
    bool is_empty() const { return left_ == 0; }

  private:
    const std::uint8_t* at_;
    std::size_t left_;
};

Verdict verdict_of(bool good) { return good ? Verdict::right : Verdict::wrong; }

Verdict judge_one(const std::uint8_t* board, std::uint8_t code, const std::uint8_t* first, const std::uint8_t* second) {
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

}  // namespace

Outcome judge(const Claims& claims, std::uint8_t* verdicts) {
    constexpr Outcome bad_sizes{Fault::sizes, 0};
    if (claims.boards.size / kPacked != claims.codes.size || claims.boards.size % kPacked != 0) return bad_sizes;
    Source solutions(claims.solutions), seconds(claims.seconds);
    for (std::size_t record = 0; record < claims.codes.size; ++record) {
        const std::uint8_t* board = claims.boards.data + kPacked * record;
        const std::uint8_t code = claims.codes.data[record];
        const bool has_first = code == unique || code == solved || code == multiple, has_second = code == multiple;
        const std::uint8_t* first = has_first ? solutions.next() : nullptr;
        const std::uint8_t* second = has_second ? seconds.next() : nullptr;
        if ((has_first && !first) || (has_second && !second)) return bad_sizes;
        Verdict verdict;
        if (is_hole(board))
            verdict = verdict_of(code == hole);
        else if (is_board(board))
            verdict = judge_one(board, code, first, second);
        else
            return {Fault::board, record};
        verdicts[record] = std::uint8_t(verdict);
    }
    return solutions.is_empty() && seconds.is_empty() ? Outcome{Fault::nothing, 0} : bad_sizes;
}

}  // namespace gridmill

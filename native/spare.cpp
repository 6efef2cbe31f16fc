#include "spare.hpp"

namespace gridmill {
namespace {

constexpr int kCells = 81, kPacked = 41;
constexpr unsigned kLine = 0x1FF;
constexpr int kDigits = 16;  // that a half byte can be, so that nothing of a solution has to be believed

int digit_of(const std::uint8_t* packed, int cell) { return cell % 2 ? packed[cell / 2] & 15 : packed[cell / 2] >> 4; }

// The rows of a grid, or its columns.
struct Lines {
    std::uint8_t digit[9][9];        // by line, then by place in it
    std::uint8_t place[9][kDigits];  // in a line, of a digit
    std::uint16_t given[9];          // the places in a line that are given, a bit each
};

// A solved grid, by rows and by columns, and what of it is given.
class Solved {
  public:
    Solved(const std::uint8_t* board, const std::uint8_t* solution) : rows_{}, columns_{}, box_{}, given_{} {
        for (int cell = 0; cell < kCells; ++cell) {
            const int row = cell / 9, column = cell % 9, digit = digit_of(solution, cell);
            const bool is_given = digit_of(board, cell) != 0;
            rows_.digit[row][column] = columns_.digit[column][row] = std::uint8_t(digit);
            rows_.place[row][digit] = std::uint8_t(column);
            columns_.place[column][digit] = std::uint8_t(row);
            box_[3 * (row / 3) + column / 3][digit] = std::uint8_t(row);
            rows_.given[row] = std::uint16_t(rows_.given[row] | unsigned(is_given) << column);
            columns_.given[column] = std::uint16_t(columns_.given[column] | unsigned(is_given) << row);
            given_[digit] = std::uint16_t(given_[digit] | unsigned(is_given) << row);
        }
    }

    // Marks, by row, the givens that are the only one in an unavoidable set.
    void find_needed(std::uint16_t (&needed)[9]) const {
        for (int one = 1; one < 9; ++one)
            for (int other = one + 1; other <= 9; ++other) exchange_digits(one, other, needed);
        for (int line = 0; line < 9; ++line)
            for (int other = line + 1; other < 3 * (line / 3) + 3; ++other) {
                exchange_lines(rows_, line, other, [&](int of, int place) { mark(of, place, needed); });
                exchange_lines(columns_, line, other, [&](int of, int place) { mark(place, of, needed); });
            }
    }

  private:
    static void mark(int row, int column, std::uint16_t (&needed)[9]) {
        needed[row] = std::uint16_t(needed[row] | 1u << column);
    }

    // The places of two digits, cut into parts that hang together by rows, columns and boxes. A part is its rows.
    void exchange_digits(int one, int other, std::uint16_t (&needed)[9]) const {
        unsigned links[9];
        for (int row = 0; row < 9; ++row) {
            const int column = rows_.place[row][one];
            links[row] = 1u << columns_.place[column][other] | 1u << box_[3 * (row / 3) + column / 3][other];
        }
        for (unsigned unseen = kLine; unseen;) {
            unsigned part = 0;
            for (unsigned open = unseen & -unseen; open; open &= ~part) {
                const unsigned row = unsigned(__builtin_ctz(open));
                part |= 1u << row;
                open |= links[row];
            }
            unseen &= ~part;
            const unsigned ones = given_[one] & part, others = given_[other] & part;
            if (!is_single(ones, others)) continue;
            const int row = __builtin_ctz(ones | others);
            mark(row, rows_.place[row][ones ? one : other], needed);
        }
    }

    // Two lines of a band or stack, cut into parts with the same digits in both. A part is its places.
    template <class Mark>
    static void exchange_lines(const Lines& lines, int one, int other, const Mark& mark) {
        for (unsigned unseen = kLine; unseen;) {
            unsigned part = 0;
            for (int place = __builtin_ctz(unseen); !(part >> place & 1); place = lines.place[one][lines.digit[other][place]])
                part |= 1u << place;
            unseen &= ~part;
            const unsigned ones = lines.given[one] & part, others = lines.given[other] & part;
            if (is_single(ones, others)) mark(ones ? one : other, __builtin_ctz(ones | others));
        }
    }

    // Whether one of the bits of both is set, and one only.
    static bool is_single(unsigned ones, unsigned others) {
        const unsigned either = ones | others;
        return either && !(ones & others) && !(either & (either - 1));
    }

    Lines rows_, columns_;
    std::uint8_t box_[9][kDigits];  // the row of a digit in a box
    std::uint16_t given_[kDigits];  // the rows in which a digit is given
};

}  // namespace

Lacking lacking(const std::uint8_t* boards, const std::uint8_t* solutions, std::size_t records) {
    Lacking made;
    made.counts.reserve(records);
    for (std::size_t record = 0; record < records; ++record) {
        const std::uint8_t* board = boards + kPacked * record;
        std::uint16_t needed[9] = {};
        Solved(board, solutions + kPacked * record).find_needed(needed);
        std::uint8_t count = 0;
        for (int cell = 0; cell < kCells; ++cell) {
            if (digit_of(board, cell) == 0 || (needed[cell / 9] >> (cell % 9) & 1)) continue;
            made.boards.insert(made.boards.end(), board, board + kPacked);
            made.boards[made.boards.size() - kPacked + std::size_t(cell / 2)] &= std::uint8_t(cell % 2 ? 0xF0 : 0x0F);
            made.cells.push_back(std::uint8_t(cell));
            ++count;
        }
        made.counts.push_back(count);
    }
    return made;
}

}  // namespace gridmill

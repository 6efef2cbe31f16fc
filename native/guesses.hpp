// Several cells filled at once, at the top of a search, where many solutions are likely.
#pragma once

#include <cstddef>
#include <cstdint>

#include "branch.hpp"
#include "slots.hpp"

namespace {

// With so few givens no board has one solution. With so many, hardly one has that has to be searched: most boards with
// one solution that are hard have few givens to spare.
inline bool promises_many(const std::uint8_t* board) {
    const int givens = count_givens(board);
    return givens < 17 || givens > 28;
}

// Splits one after the other, each of the first part that the one before leaves. What was before the first of them is
// kept, and what is to be searched is made of it when its turn comes: first that in which all cells have their digits,
// and then the second parts, the last split's first.
class Guesses {
  public:
    static constexpr int kCells = 4;  // with a fifth, boards with several solutions take 3 % longer

    // Takes open cells of which no two share a unit, the first there are, and the least digit of each: the more of them
    // take the same digits, the better they go together. False, and nothing taken, where fewer than kOpen are open.
    bool take(const Column& column) {
        Cells one = column.left[0], open{};  // with one digit or more, with two or more
#pragma GCC unroll 8
        for (int digit = 1; digit < 9; ++digit) {
            open = open | (one & column.left[digit]);
            one = one | column.left[digit];
        }
        if (open.size() < kOpen) return false;
        for (count_ = 0; count_ < kCells && !open.empty(); ++count_) {
            const std::size_t place = std::size_t(open.first());
            unsigned digits = 0;
#pragma GCC unroll 9
            for (int digit = 0; digit < 9; ++digit) digits |= column.left[digit].has(int(place)) << digit;
            place_[count_] = place;
            digits_[count_] = digits;
            open = open - kPeers[place] - kPlace[place];
        }
        left_ = count_ + 1;
        return true;
    }

    int count() const { return count_; }
    bool any_left() const { return left_ > 0; }

    // The next of what is to be searched.
    void next(const Column& column, Column& made) {
        --left_;
        Cells filled{};
        for (int at = 0; at < left_; ++at) filled = filled | kPlace[place_[at]];
#pragma GCC unroll 9
        for (int digit = 0; digit < 9; ++digit) made.left[digit] = column.left[digit] - filled;
        for (int at = 0; at < left_; ++at) {
            Cells& cells = made.left[__builtin_ctz(digits_[at])];
            cells = (cells | kPlace[place_[at]]) - kPeers[place_[at]];
        }
        if (left_ == count_) return;
        const unsigned others = digits_[left_] & (digits_[left_] - 1u);
        Cells& cells = made.left[__builtin_ctz(digits_[left_])];
        cells = cells - kPlace[place_[left_]];
        if (others & (others - 1)) return;
        Cells& last = made.left[__builtin_ctz(others)];
        last = last - kPeers[place_[left_]];
    }

  private:
    static constexpr unsigned kOpen = 36;  // cells: with fewer, one guess too often rules another out

    int count_, left_;
    std::size_t place_[kCells];
    unsigned digits_[kCells];  // that the cell has
};

}  // namespace

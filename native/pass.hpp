// One step of inference for every lane at once, without a branch.
#pragma once

#include <cstdint>

#include "words.hpp"

namespace {

// The puzzles of all lanes: for each digit and row the columns that are left (see words.hpp), lane beside lane.
// `lone` are, for each digit, the columns that had only one place left for it in the last pass.
template <class V>
struct alignas(64) State {
    std::uint16_t left[9][9][V::lanes];
    std::uint16_t lone[9][V::lanes];
};

// What a pass found, a bit a lane.
struct Found {
    std::uint32_t dead;   // some cell has no digit, or some digit no place in a column
    std::uint32_t still;  // the pass changed nothing
    std::uint32_t full;   // every cell had one digit before the pass
};

// Three rows (columns) that share three boxes (bands): where the first may go, so that the other two have their place.
template <class V>
struct Places {
    typename V::Vec first, second, third;
};

template <class V>
class Pass {
    using Vec = typename V::Vec;

  public:
    explicit Pass(State<V>& state) : state_(state) {}

    Found run() {
        for (int row = 0; row < 9; ++row) find_singles(row);
        for (int digit = 0; digit < 9; ++digit) restrict_digit(digit);
        const std::uint32_t full = V::zeros(full_ ^ V::all(kRow));
        return {std::uint32_t(~V::zeros(alive_ ^ V::all(kRow))), V::zeros(changed_), full};
    }

  private:
    // Cells of a row with one digit left (naked singles), or with a digit that has no other place in its column
    // (hidden singles). Two hidden singles in one cell cancel out, which makes the lane dead when they are applied.
    void find_singles(int row) {
        Vec x[9], hidden = {};
#pragma GCC unroll 9
        for (int digit = 0; digit < 9; ++digit) {
            x[digit] = V::load(state_.left[digit][row]);
            hidden = V::count(hidden, x[digit], V::load(state_.lone[digit]));
        }
        const Vec a = V::any(x[0], x[1], x[2]), b = V::any(x[3], x[4], x[5]), c = V::any(x[6], x[7], x[8]);
        const Vec ones = V::any(a, b, c);
        const Vec twos = V::any(V::most(x[0], x[1], x[2]), V::most(x[3], x[4], x[5]), V::most(x[6], x[7], x[8])) |
                         V::most(a, b, c);
        alive_ &= ones;
        full_ &= ones & ~twos;
        hidden_[row] = hidden;
        single_[row] = V::single(ones, twos, hidden);
    }

    void restrict_digit(int digit) {
        Vec x[9], column = {};
        const Vec lone = V::load(state_.lone[digit]);
#pragma GCC unroll 9
        for (int row = 0; row < 9; ++row) {
            x[row] = V::only(V::load(state_.left[digit][row]), hidden_[row], lone);
            column = V::count(column, x[row], single_[row]);
        }
#pragma GCC unroll 9
        for (int row = 0; row < 9; ++row) x[row] = V::only(x[row], column, single_[row]);
        columns_to_bands(x);
        rows_to_boxes(x);
        find_lone(x, digit);
#pragma GCC unroll 9
        for (int row = 0; row < 9; ++row) {
            changed_ = V::differ(changed_, V::load(state_.left[digit][row]), x[row]);
            V::store(state_.left[digit][row], x[row]);
        }
    }

    // In each stack, a digit's three columns lie in three bands: keep what some such assignment uses.
    void columns_to_bands(Vec (&x)[9]) {
        const Vec top = V::any(x[0], x[1], x[2]), middle = V::any(x[3], x[4], x[5]), bottom = V::any(x[6], x[7], x[8]);
        const Vec top1 = V::turn1(top), top2 = V::turn2(top), middle1 = V::turn1(middle), middle2 = V::turn2(middle),
                  bottom1 = V::turn1(bottom), bottom2 = V::turn2(bottom);
        const Vec may[3] = {V::either(middle1, bottom2, middle2, bottom1), V::either(top1, bottom2, top2, bottom1),
                            V::either(top1, middle2, top2, middle1)};
#pragma GCC unroll 9
        for (int row = 0; row < 9; ++row) x[row] &= may[row / 3];
    }

    // In each band, a digit's three rows lie in three boxes. The three bands are done in one word.
    void rows_to_boxes(Vec (&x)[9]) {
        Vec box[3];
#pragma GCC unroll 3
        for (int line = 0; line < 3; ++line)
            box[line] = V::pack(x[line] + kRow, x[line + 3] + kRow, x[line + 6] + kRow);
        const Vec a1 = V::ring1(box[0]), a2 = V::ring2(box[0]), b1 = V::ring1(box[1]), b2 = V::ring2(box[1]),
                  c1 = V::ring1(box[2]), c2 = V::ring2(box[2]);
        const Vec may[3] = {V::either(b1, c2, b2, c1), V::either(a1, c2, a2, c1), V::either(a1, b2, a2, b1)};
#pragma GCC unroll 3
        for (int line = 0; line < 3; ++line) {
            x[line] &= V::template spread<0>(may[line]);
            x[line + 3] &= V::template spread<1>(may[line]);
            x[line + 6] &= V::template spread<2>(may[line]);
        }
    }

    // The columns with one place left for the digit; after the steps above, so that a pass that changes nothing has
    // found all there is.
    void find_lone(const Vec (&x)[9], int digit) {
        Vec any[3], more[3];
#pragma GCC unroll 3
        for (int band = 0; band < 3; ++band) {
            any[band] = V::any(x[3 * band], x[3 * band + 1], x[3 * band + 2]);
            more[band] = V::most(x[3 * band], x[3 * band + 1], x[3 * band + 2]);
        }
        const Vec placed = V::any(any[0], any[1], any[2]);
        alive_ &= placed;
        const Vec twice = V::any(more[0], more[1], more[2]) | V::most(any[0], any[1], any[2]);
        V::store(state_.lone[digit], placed & ~twice);
    }

    State<V>& state_;
    Vec hidden_[9], single_[9];
    Vec alive_ = V::all(kRow), full_ = V::all(kRow), changed_ = {};
};

}  // namespace

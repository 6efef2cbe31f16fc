// One step of inference for every lane at once, without a branch.
//
// It is as long as it is because of what a processor can have under way, and in its registers: a digit's work is a chain
// of some fifty steps, so it is cut into several loops, and one of them takes two digits side by side. (Measured on
// Zen 5: a fourth less time.)
#pragma once

#include <cstdint>

#include "words.hpp"

namespace {

// The puzzles of all lanes: for each digit and row the columns that are left (see words.hpp), lane beside lane.
// What the last pass found: `lone`, for each digit the columns with one place left for it, and `total`, the sums of the
// words of three digits each, which only fall (and do not overflow: 27 words, each at most kRow).
template <class V>
struct alignas(64) State {
    std::uint16_t left[9][9][V::lanes];
    std::uint16_t lone[9][V::lanes];
    std::uint16_t total[3][V::lanes];
};

// What a pass found, a bit a lane.
struct Found {
    std::uint32_t dead;   // some cell had no digit, or some digit has no place in a column or in a band
    std::uint32_t still;  // the pass changed nothing
    std::uint32_t full;   // each digit that is not dead has one place in each column, row and box: if no two of them are
                          // in one cell, and so none is left without, the puzzle is solved
};

template <class V>
class Pass {
    using Vec = typename V::Vec;
    static constexpr bool kManyRegisters = V::lanes == 32;  // AVX-512 has 32, all others 16: they want shorter steps

  public:
    explicit Pass(State<V>& state) : state_(state) {}

    // Why a full lane that is not dead has one place in each row and box: in each band of a digit there is an assignment
    // of rows to boxes, and the last step leaves its three places. Of nine places in nine columns these are all.
    Found run() {
        for (int row = 0; row < 9; ++row) find_singles(row);
        for (int digit = 0; digit < 9; ++digit) place_singles(digit);
        if constexpr (!kManyRegisters)
            for (int digit = 0; digit < 9; ++digit) columns_to_bands(digit);
        for (int digit = 0; digit < 8; digit += 2) rows_to_boxes<2>(digit);
        rows_to_boxes<1>(8);
        Vec changed = {};
        for (int digit = 0; digit < 9; ++digit) find_lone(digit);
        for (int third = 0; third < 3; ++third) {
            changed |= total_[third] ^ V::load(state_.total[third]);
            V::store(state_.total[third], total_[third]);
        }
        const Vec missing = (alive_ ^ V::all(kRow)) | ((feasible_ & V::kPacked) ^ V::kPacked);
        return {~V::zeros(missing), V::zeros(changed), V::zeros(twice_)};
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
        const Vec any[3] = {V::any(x[0], x[1], x[2]), V::any(x[3], x[4], x[5]), V::any(x[6], x[7], x[8])};
        const Vec most[3] = {V::most(x[0], x[1], x[2]), V::most(x[3], x[4], x[5]), V::most(x[6], x[7], x[8])};
        const Vec ones = V::any(any[0], any[1], any[2]);
        const Vec twos = V::any(most[0], most[1], most[2]) | V::most(any[0], any[1], any[2]);
        alive_ &= ones;
        hidden_[row] = hidden;
        single_[row] = V::single(ones, twos, hidden);
    }

    // Clears the other digits of hidden singles, and the columns of all singles.
    void place_singles(int digit) {
        Vec x[9], part[3];
        const Vec lone = V::load(state_.lone[digit]);
#pragma GCC unroll 9
        for (int row = 0; row < 9; ++row) {
            x[row] = V::only(V::load(state_.left[digit][row]), hidden_[row], lone);
            const Vec before = row % 3 ? part[row / 3] : Vec{};
            part[row / 3] = V::count(before, x[row], single_[row]);
        }
        const Vec column = V::odd(part[0], part[1], part[2]);  // two singles in one column cancel out, as above
#pragma GCC unroll 9
        for (int row = 0; row < 9; ++row) x[row] = V::only(x[row], column, single_[row]);
        if constexpr (kManyRegisters)
            columns_to_bands(digit, x);
        else
            store(digit, x);
    }

    // In each stack, the three columns of a digit lie in three bands; what stays is what some such assignment uses.
    void columns_to_bands(int digit) {
        Vec x[9];
        load(digit, x);
        columns_to_bands(digit, x);
    }
    void columns_to_bands(int digit, Vec (&x)[9]) {
        const Vec a = V::any(x[0], x[1], x[2]), b = V::any(x[3], x[4], x[5]), c = V::any(x[6], x[7], x[8]);
        const Vec a1 = V::turn1(a), a2 = V::turn2(a), b1 = V::turn1(b), b2 = V::turn2(b), c1 = V::turn1(c), c2 = V::turn2(c);
        const Vec may[3] = {V::either(b1, c2, b2, c1), V::either(a1, c2, a2, c1), V::either(a1, b2, a2, b1)};
#pragma GCC unroll 9
        for (int row = 0; row < 9; ++row) x[row] &= may[row / 3];
        store(digit, x);
    }

    // In each band, the three rows of a digit lie in three boxes. The three bands are done in one word.
    template <int digits>
    void rows_to_boxes(int first) {
        Vec x[digits][9], box[digits][3], may[digits][3];
        std::uint16_t(*left)[9][V::lanes] = state_.left + first;
#pragma GCC unroll 9
        for (int row = 0; row < 9; ++row)
#pragma GCC unroll 2
            for (int d = 0; d < digits; ++d) x[d][row] = V::load(left[d][row]);
#pragma GCC unroll 3
        for (int line = 0; line < 3; ++line)
#pragma GCC unroll 2
            for (int d = 0; d < digits; ++d)
                box[d][line] = V::pack(x[d][line] + kRow, x[d][line + 3] + kRow, x[d][line + 6] + kRow);
#pragma GCC unroll 2
        for (int d = 0; d < digits; ++d) {
            const Vec a1 = V::ring1(box[d][0]), a2 = V::ring2(box[d][0]), b1 = V::ring1(box[d][1]),
                      b2 = V::ring2(box[d][1]), c1 = V::ring1(box[d][2]), c2 = V::ring2(box[d][2]);
            may[d][0] = V::either(b1, c2, b2, c1);
            may[d][1] = V::either(a1, c2, a2, c1);
            may[d][2] = V::either(a1, b2, a2, b1);
            feasible_ &= V::any(may[d][0], may[d][1], may[d][2]);  // an assignment has all three boxes
        }
#pragma GCC unroll 3
        for (int line = 0; line < 3; ++line)
#pragma GCC unroll 2
            for (int d = 0; d < digits; ++d) {
                x[d][line] &= V::template spread<0>(may[d][line]);
                x[d][line + 3] &= V::template spread<1>(may[d][line]);
                x[d][line + 6] &= V::template spread<2>(may[d][line]);
            }
#pragma GCC unroll 9
        for (int row = 0; row < 9; ++row)
#pragma GCC unroll 2
            for (int d = 0; d < digits; ++d) V::store(left[d][row], x[d][row]);
    }

    // The columns with one place left for the digit; at the end, so that a pass that changes nothing has found all
    // there is.
    void find_lone(int digit) {
        Vec x[9];
        load(digit, x);
        const Vec any[3] = {V::any(x[0], x[1], x[2]), V::any(x[3], x[4], x[5]), V::any(x[6], x[7], x[8])};
        const Vec most[3] = {V::most(x[0], x[1], x[2]), V::most(x[3], x[4], x[5]), V::most(x[6], x[7], x[8])};
        const Vec placed = V::any(any[0], any[1], any[2]);
        const Vec twice = V::any(most[0], most[1], most[2]) | V::most(any[0], any[1], any[2]);
        alive_ &= placed;
        total_[digit / 3] += ((x[0] + x[1]) + (x[2] + x[3])) + (((x[4] + x[5]) + (x[6] + x[7])) + x[8]);
        twice_ |= twice;
        V::store(state_.lone[digit], placed & ~twice);
    }

    void load(int digit, Vec (&x)[9]) const {
#pragma GCC unroll 9
        for (int row = 0; row < 9; ++row) x[row] = V::load(state_.left[digit][row]);
    }
    void store(int digit, const Vec (&x)[9]) {
#pragma GCC unroll 9
        for (int row = 0; row < 9; ++row) V::store(state_.left[digit][row], x[row]);
    }

    State<V>& state_;
    Vec hidden_[9], single_[9];
    Vec alive_ = V::all(kRow), feasible_ = V::all(V::kPacked), twice_ = {}, total_[3] = {};
};

}  // namespace

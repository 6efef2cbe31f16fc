// From packed boards (gridmill/board.py) to the state of all lanes, and from finished lanes to packed solutions.
#pragma once

#include <cstdint>
#include <cstring>

#include "pass.hpp"

namespace {

constexpr int kSlot = 41;  // bytes of a packed board

inline bool is_hole(const std::uint8_t* slot) {
    for (int at = 0; at < kSlot; ++at)
        if (slot[at] != 0xFF) return false;
    return true;
}

inline int count_givens(const std::uint8_t* slot) {
    std::uint64_t counts = 0;  // a half byte each, 5 at most
    for (int at = 0; at < 40; at += 8) {
        std::uint64_t cells;
        std::memcpy(&cells, slot + at, sizeof cells);
        cells |= cells >> 2;
        counts += (cells | cells >> 1) & 0x1111111111111111;
    }
    counts = (counts & 0x0F0F0F0F0F0F0F0F) + (counts >> 4 & 0x0F0F0F0F0F0F0F0F);
    return int(counts * 0x0101010101010101 >> 56) + (slot[40] != 0);
}

// The half bytes of one board a lane, four cells a word.
template <class V>
struct alignas(64) Halves {
    std::uint16_t word[21][V::lanes];

    void put(int lane, const std::uint8_t* slot) {
        for (int at = 0; at < 20; ++at) std::memcpy(&word[at][lane], slot + 2 * at, 2);
        word[20][lane] = slot[40];
    }
    void get(int lane, std::uint8_t* slot) const {
        for (int at = 0; at < 20; ++at) std::memcpy(slot + 2 * at, &word[at][lane], 2);
        slot[40] = std::uint8_t(word[20][lane]);
    }
};

constexpr int half_at(int cell) {  // the lowest bit of a cell in its word; the first of two cells is the high half
    return 8 * (cell % 4 / 2) + 4 * (1 - cell % 2);
}

template <class V>
typename V::Vec shifted(typename V::Vec x, int left) {
    return left >= 0 ? x << left : x >> -left;
}

// Which of the boards break a rule with their givens, and which are no boards at all: a bit a lane.
struct Checked {
    std::uint32_t clash, invalid;
};

// Lays down the givens: a blank cell keeps every digit, a given cell only its own.
template <class V>
class Reader {
    using Vec = typename V::Vec;

  public:
    Reader(const Halves<V>& halves, State<V>& state) : halves_(halves), state_(state) {}

    Checked run() {
#pragma GCC unroll 9
        for (int row = 0; row < 9; ++row) read_row(row);
        for (int digit = 0; digit < 9; ++digit) check_columns_and_boxes(digit);
        for (auto& total : state_.total) V::store(total, Vec{});
        invalid_ |= V::load(halves_.word[20]) & 0x0F;
        return {~V::zeros(clash_), ~V::zeros(invalid_)};
    }

  private:
    void read_row(int row) {
        Vec place[3];  // the cells that stand at this place of each box, a half byte each
#pragma GCC unroll 3
        for (int at = 0; at < 3; ++at) {
            place[at] = Vec{};
#pragma GCC unroll 3
            for (int box = 0; box < 3; ++box) {
                const int cell = 9 * row + 3 * box + at;
                place[at] |= shifted<V>(V::load(halves_.word[cell / 4]), 4 * box - half_at(cell)) & V::all(0xF << 4 * box);
            }
        }
        Vec bit[4];  // one bit of the digit of each cell
#pragma GCC unroll 4
        for (int b = 0; b < 4; ++b)
            bit[b] = (shifted<V>(place[0], -b) & 0x111) | (shifted<V>(place[1], 1 - b) & 0x222) |
                     (shifted<V>(place[2], 2 - b) & 0x444);
        const Vec blank = ~(bit[0] | bit[1] | bit[2] | bit[3]) & kRow;
        invalid_ |= bit[3] & (bit[2] | bit[1]);
        const Vec low[4] = {~bit[1] & ~bit[0], ~bit[1] & bit[0], bit[1] & ~bit[0], bit[1] & bit[0]};
        const Vec high[3] = {~bit[3] & ~bit[2], ~bit[3] & bit[2], bit[3] & ~bit[2]};
#pragma GCC unroll 9
        for (int digit = 0; digit < 9; ++digit) {
            const Vec given = low[(digit + 1) % 4] & high[(digit + 1) / 4] & kRow;
            clash_ |= given & (given - 1);
            V::store(state_.left[digit][row], blank | given);
        }
        blank_[row] = blank;
    }

    void check_columns_and_boxes(int digit) {
        Vec seen = {}, seen_box = {};
#pragma GCC unroll 9
        for (int row = 0; row < 9; ++row) {
            const Vec given = V::load(state_.left[digit][row]) & ~blank_[row];
            const Vec box = (given + kRow) & kSpare;
            if (row % 3 == 0) seen_box = Vec{};
            clash_ |= (seen & given) | (seen_box & box);
            seen |= given;
            seen_box |= box;
        }
        V::store(state_.lone[digit], Vec{});
    }

    const Halves<V>& halves_;
    State<V>& state_;
    Vec blank_[9], clash_ = {}, invalid_ = {};
};

// The half bytes of lanes whose cells have one digit each. Returns the lanes in which some cell has none.
template <class V>
std::uint32_t write_halves(const State<V>& state, Halves<V>& halves) {
    using Vec = typename V::Vec;
    Vec word[21] = {}, filled = V::all(kRow);
#pragma GCC unroll 9
    for (int row = 0; row < 9; ++row) {
        Vec x[10];
#pragma GCC unroll 9
        for (int digit = 1; digit < 10; ++digit) x[digit] = V::load(state.left[digit - 1][row]);
        const Vec bit[4] = {V::any(x[1], x[3], x[5]) | x[7] | x[9], V::any(x[2], x[3], x[6]) | x[7],
                            V::any(x[4], x[5], x[6]) | x[7], x[8] | x[9]};
        filled &= V::any(bit[0], bit[1], bit[2]) | bit[3];
#pragma GCC unroll 3
        for (int at = 0; at < 3; ++at) {
            Vec place = {};
#pragma GCC unroll 4
            for (int b = 0; b < 4; ++b) place |= shifted<V>(bit[b], b - at) & V::all(0x111 << b);
#pragma GCC unroll 3
            for (int box = 0; box < 3; ++box) {
                const int cell = 9 * row + 3 * box + at;
                word[cell / 4] |= shifted<V>(place, half_at(cell) - 4 * box) & V::all(std::uint16_t(0xF << half_at(cell)));
            }
        }
    }
#pragma GCC unroll 21
    for (int at = 0; at < 21; ++at) V::store(halves.word[at], word[at]);
    return ~V::zeros(filled ^ V::all(kRow));
}

}  // namespace

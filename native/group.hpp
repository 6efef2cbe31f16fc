// A few lanes taken out of the state together, to be searched: for each digit the cells that are left.
#pragma once

#include <array>
#include <cstdint>

#include "pass.hpp"

namespace {

// A set of cells: twelve bits a row as in words.hpp, rows 1-5 in half 0, rows 6-9 in half 1.
struct Cells {
    std::uint64_t half[2];

    bool empty() const { return (half[0] | half[1]) == 0; }
    unsigned size() const { return unsigned(__builtin_popcountll(half[0]) + __builtin_popcountll(half[1])); }
    unsigned has(int place) const {
        return unsigned(half[place >= kHalf] >> (place >= kHalf ? place - kHalf : place)) & 1;
    }
    int first() const { return half[0] ? __builtin_ctzll(half[0]) : kHalf + __builtin_ctzll(half[1]); }
    void drop_first() {
        half[1] &= half[0] ? half[1] : half[1] - 1;
        half[0] &= half[0] - 1;  // stays 0
    }
    friend Cells operator-(Cells a, Cells b) { return {{a.half[0] & ~b.half[0], a.half[1] & ~b.half[1]}}; }
    friend Cells operator|(Cells a, Cells b) { return {{a.half[0] | b.half[0], a.half[1] | b.half[1]}}; }
    friend Cells operator^(Cells a, Cells b) { return {{a.half[0] ^ b.half[0], a.half[1] ^ b.half[1]}}; }
    friend Cells operator&(Cells a, Cells b) { return {{a.half[0] & b.half[0], a.half[1] & b.half[1]}}; }

    static constexpr int kHalf = 60;      // bits of half 0
    static constexpr int kPlaces = 108;  // nine rows of twelve bits; a place is one of these bits
    static constexpr Cells at(int place) {
        return place < kHalf ? Cells{{std::uint64_t(1) << place, 0}} : Cells{{0, std::uint64_t(1) << (place - kHalf)}};
    }
};

constexpr Cells kAllCells{{0x777777777777777, 0x777777777777}};

// What is left in one lane.
struct alignas(16) Column {
    Cells left[9];
};

// The lanes of a mask, the lowest first: slot 0, slot 1, ...
template <class V>
struct alignas(64) Group {
    static constexpr int slots = V::group;

    std::uint64_t half[9][2][slots];
};

// Those of a group; where there is none, the spare one.
template <class V>
struct Columns {
    Column* at[V::group];
    explicit Columns(Column& spare) {
        for (Column*& column : at) column = &spare;
    }
};

inline std::uint32_t first_lanes(int lanes) { return lanes == 32 ? ~0u : (1u << lanes) - 1; }
inline int lowest(std::uint32_t lanes) { return __builtin_ctz(lanes); }
inline int count(std::uint32_t lanes) { return __builtin_popcount(lanes); }
inline int slot_of(int lane, std::uint32_t lanes) { return count(lanes & ((1u << lane) - 1)); }
template <class Visit>
void each(std::uint32_t lanes, Visit visit) {
    for (; lanes; lanes &= lanes - 1) visit(lowest(lanes));
}
template <int most>
std::uint32_t lowest_lanes(std::uint32_t lanes) {  // at most so many of them
    std::uint32_t rest = lanes;
    for (int at = 0; at < most && rest; ++at) rest &= rest - 1;
    return lanes ^ rest;
}

template <class V>
void take_out(const State<V>& state, std::uint32_t lanes, Group<V>& group) {
    for (int slot = 0; lanes; lanes &= lanes - 1, ++slot) {
        const int lane = lowest(lanes);
#pragma GCC unroll 9
        for (int digit = 0; digit < 9; ++digit) {
            std::uint64_t row[9];
#pragma GCC unroll 9
            for (int at = 0; at < 9; ++at) row[at] = state.left[digit][at][lane];
            group.half[digit][0][slot] = row[0] | row[1] << 12 | row[2] << 24 | row[3] << 36 | row[4] << 48;
            group.half[digit][1][slot] = row[5] | row[6] << 12 | row[7] << 24 | row[8] << 36;
        }
    }
}

// The other way; what the lane held before is gone.
template <class V>
void put_in(const Group<V>& group, std::uint32_t lanes, State<V>& state) {
    for (int slot = 0; lanes; lanes &= lanes - 1, ++slot) {
        const int lane = lowest(lanes);
#pragma GCC unroll 9
        for (int digit = 0; digit < 9; ++digit) {
#pragma GCC unroll 9
            for (int at = 0; at < 9; ++at)
                state.left[digit][at][lane] =
                    std::uint16_t(group.half[digit][at / 5][slot] >> 12 * (at % 5) & kRow);
            state.lone[digit][lane] = 0;
        }
        state.total[0][lane] = 0;  // no sum, so the next pass changes something
    }
}

// Between the slots of a group and one column each.
template <class V>
void lay_out(const Group<V>& group, Column* const (&columns)[V::group], int slots) {
    for (int slot = 0; slot < slots; ++slot)
        for (int digit = 0; digit < 9; ++digit)
            columns[slot]->left[digit] = {{group.half[digit][0][slot], group.half[digit][1][slot]}};
}
template <class V>
void gather(Column* const (&columns)[V::group], int slots, Group<V>& group) {
    for (int slot = 0; slot < slots; ++slot)
        for (int digit = 0; digit < 9; ++digit)
            for (int at = 0; at < 2; ++at) group.half[digit][at][slot] = columns[slot]->left[digit].half[at];
}

}  // namespace

// What may be true of a board, one thing at a time, and the houses that tie these together.
//
// Candidate 9 * cell + digit (0..8) is that digit in that cell. A house is nine candidates of which exactly one is
// true: the digits of a cell (houses 0..80), or the places of a digit in a row (81..), column (162..) or box (243..323).
#pragma once

#include <cstdint>

namespace {

constexpr int kCandidates = 729, kHouses = 324;

// One of the nine places of a house.
struct Seat {
    std::uint16_t house, bit;
};

struct Houses {
    Seat of[kCandidates][4];  // where a candidate sits
    std::uint16_t member[kHouses][9];
};

constexpr Houses make_houses() {
    Houses houses{};
    for (int candidate = 0; candidate < kCandidates; ++candidate) {
        const int digit = candidate % 9, column = candidate / 9 % 9, row = candidate / 81;
        const int box = 3 * (row / 3) + column / 3, within = 3 * (row % 3) + column % 3;
        const int house[4] = {9 * row + column, 81 + 9 * row + digit, 162 + 9 * column + digit, 243 + 9 * box + digit};
        const int at[4] = {digit, column, row, within};
        for (int kind = 0; kind < 4; ++kind) {
            houses.of[candidate][kind] = {std::uint16_t(house[kind]), std::uint16_t(1 << at[kind])};
            houses.member[house[kind]][at[kind]] = std::uint16_t(candidate);
        }
    }
    return houses;
}
constexpr Houses kTies = make_houses();

// A candidate said to be true or to be false.
using Literal = std::uint16_t;
constexpr Literal is(int candidate) { return Literal(2 * candidate); }
constexpr Literal is_not(int candidate) { return Literal(2 * candidate + 1); }
constexpr Literal opposite(Literal literal) { return literal ^ 1; }
constexpr bool affirms(Literal literal) { return literal % 2 == 0; }
constexpr int candidate_of(Literal literal) { return literal / 2; }

// Members of a house, a bit each: how many, and the first. (Counting by the processor is not allowed everywhere.)
struct Sizes {
    std::uint8_t of[512];
};
constexpr Sizes make_sizes() {
    Sizes sizes{};
    for (int members = 1; members < 512; ++members)
        sizes.of[members] = std::uint8_t(sizes.of[members / 2] + members % 2);
    return sizes;
}
constexpr Sizes kSizes = make_sizes();
inline int first_of(int house, unsigned members) { return kTies.member[house][__builtin_ctz(members)]; }

}  // namespace

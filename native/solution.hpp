// From a column in which every digit has its nine places to a packed solution (gridmill/board.py).
#pragma once

#include <cstdint>
#include <cstring>

#include "group.hpp"

namespace {

// Three bits of every four moved together: the cells of half a column without the spare bits.
inline std::uint64_t close_up(std::uint64_t cells) {
    cells = (cells & 0x0707070707070707) | (cells >> 1 & 0x3838383838383838);
    cells = (cells & 0x003F003F003F003F) | (cells >> 2 & 0x0FC00FC00FC00FC0);
    cells = (cells & 0x00000FFF00000FFF) | (cells >> 4 & 0x00FFF00000FFF000);
    return (cells & 0x0000000000FFFFFF) | (cells >> 8 & 0x0000FFFFFF000000);
}

// Sixteen bits spread to the lowest of four each.
inline std::uint64_t spread_out(std::uint64_t bits) {
    bits &= 0xFFFF;
    bits = (bits | bits << 24) & 0x000000FF000000FF;
    bits = (bits | bits << 12) & 0x000F000F000F000F;
    bits = (bits | bits << 6) & 0x0303030303030303;
    return (bits | bits << 3) & 0x1111111111111111;
}

// False if two digits have the same place, and so some cell has none: it is no solution.
template <class V>
bool write_solution(const Column& column, std::uint8_t* slot) {
    std::uint64_t filled[2] = {}, low[4], high[4];  // one bit of the digits of cells 0..63, and of the rest
#pragma GCC unroll 4
    for (int bit = 0; bit < 4; ++bit) {
        std::uint64_t half[2] = {};
#pragma GCC unroll 9
        for (int digit = 1; digit < 10; ++digit)
            for (int at = 0; at < 2; ++at)
                if (digit >> bit & 1) half[at] |= column.left[digit - 1].half[at];
        for (int at = 0; at < 2; ++at) filled[at] |= half[at];
        const std::uint64_t first = close_up(half[0]), second = close_up(half[1]);  // of 45 cells, and of 36
        low[bit] = first | second << 45;
        high[bit] = second >> 19;
    }
#pragma GCC unroll 5
    for (int word = 0; word < 5; ++word) {
        std::uint64_t digits = 0;
#pragma GCC unroll 4
        for (int bit = 0; bit < 4; ++bit) digits |= spread_out(word < 4 ? low[bit] >> 16 * word : high[bit]) << bit;
        constexpr std::uint64_t halves = 0x0F0F0F0F0F0F0F0F;
        digits = (digits & halves) << 4 | (digits >> 4 & halves);  // the first cell is the high half
        std::memcpy(slot + 8 * word, &digits, sizeof digits);
    }
    std::uint64_t last = 0;
    for (int bit = 0; bit < 4; ++bit) last |= (high[bit] >> 16 & 1) << bit;
    slot[40] = std::uint8_t(last << 4);
    return filled[0] == kAllCells.half[0] && filled[1] == kAllCells.half[1];
}

}  // namespace

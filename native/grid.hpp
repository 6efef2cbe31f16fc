// One board as the candidates of its cells, and what follows from singles. For what is asked beside a solution: plain
// code, one board at a time. Solving in bulk is the kernel's, in lanes.hpp.
#pragma once

#include <cstdint>
#include <cstring>

#include "candidates.hpp"

namespace {

constexpr int kCells = 81, kUnits = 27, kPacked = 41;

struct Map {
    std::uint8_t unit[kUnits][9];   // the cells of rows, columns and boxes
    std::uint8_t of[kCells][3];     // the units of a cell
    std::uint8_t peer[kCells][20];  // the cells that share one with it
};

constexpr Map make_map() {
    Map map{};
    for (int cell = 0; cell < kCells; ++cell) {
        const int row = cell / 9, column = cell % 9, box = 3 * (row / 3) + column / 3, within = 3 * (row % 3) + column % 3;
        map.unit[row][column] = map.unit[9 + column][row] = map.unit[18 + box][within] = std::uint8_t(cell);
        map.of[cell][0] = std::uint8_t(row);
        map.of[cell][1] = std::uint8_t(9 + column);
        map.of[cell][2] = std::uint8_t(18 + box);
        int peers = 0;
        for (int other = 0; other < kCells; ++other)
            if (other != cell && (other / 9 == row || other % 9 == column || 3 * (other / 27) + other % 9 / 3 == box))
                map.peer[cell][peers++] = std::uint8_t(other);
    }
    return map;
}
constexpr Map kMap = make_map();

struct Grid {
    std::uint16_t may[kCells];  // candidates, bit d - 1 for the digit d; a placed cell has one
    bool placed[kCells];        // its digit is gone from its peers

    // Places the givens of a board. False: they contradict each other.
    bool load(const std::uint8_t* packed) {
        std::memset(placed, 0, sizeof placed);
        for (std::uint16_t& cell : may) cell = 0x1FF;
        for (int cell = 0; cell < kCells; ++cell) {
            const unsigned digit = cell % 2 ? packed[cell / 2] & 15u : packed[cell / 2] >> 4;
            if (digit && !(may[cell] >> (digit - 1) & 1 && place(cell, 1u << (digit - 1)))) return false;
        }
        return true;
    }

    // Puts a digit, given as its bit, into a cell, and takes it from the peers. False: one of them has nothing left.
    bool place(int cell, unsigned bit) {
        may[cell] = std::uint16_t(bit);
        placed[cell] = true;
        unsigned empty = 0;
        for (const std::uint8_t peer : kMap.peer[cell]) {
            may[peer] &= std::uint16_t(~bit);
            empty |= unsigned(may[peer] == 0);
        }
        return !empty;
    }

    // Places naked and hidden singles until there are none. False: a contradiction.
    bool settle() {
        bool moved = true;
        while (moved) {
            moved = false;
            if (!place_naked(moved)) return false;
            if (!moved && !place_hidden(moved)) return false;
        }
        return true;
    }

    bool place_naked(bool& moved) {
        for (int cell = 0; cell < kCells; ++cell) {
            if (placed[cell] || (may[cell] & (may[cell] - 1))) continue;
            if (!place(cell, may[cell])) return false;
            moved = true;
        }
        return true;
    }

    bool place_hidden(bool& moved) {
        for (const auto& unit : kMap.unit) {
            unsigned once = 0, twice = 0, done = 0;
            for (const std::uint8_t cell : unit) {
                twice |= once & may[cell];
                once |= may[cell];
                done |= placed[cell] ? may[cell] : 0u;
            }
            if (once != 0x1FF) return false;
            const unsigned lone = once & ~twice & ~done;
            if (!lone) continue;
            for (const std::uint8_t cell : unit) {
                const unsigned here = may[cell] & lone;
                if (!here) continue;
                if ((here & (here - 1)) || !place(cell, here)) return false;  // two digits have this cell alone
                moved = true;
            }
        }
        return true;
    }

    // The first of the open cells with the fewest candidates; -1: none is open.
    int fewest() const {
        int best = -1, least = 10;
        for (int cell = 0; cell < kCells && least > 2; ++cell) {
            const int many = kSizes.of[may[cell]];
            if (many > 1 && many < least) {
                best = cell;
                least = many;
            }
        }
        return best;
    }

    // As a packed board, in which open cells are blank.
    void pack(std::uint8_t* out) const {
        std::memset(out, 0, kPacked);
        for (int cell = 0; cell < kCells; ++cell)
            if (placed[cell])
                out[cell / 2] = std::uint8_t(out[cell / 2] | (__builtin_ctz(may[cell]) + 1) << (cell % 2 ? 0 : 4));
    }
};

}  // namespace

// Where to split a puzzle that inference leaves open.
#pragma once

#include <cstdint>

#include "words.hpp"

#ifndef RULE
#define RULE 1
#endif

namespace {

constexpr int kWords = 90;  // words of one lane: nine digits of nine rows, and `lone` of the nine digits

// Either `digit` stands in `row` in one of `columns`, or in none of them.
struct Split {
    int digit, row;
    std::uint16_t columns;
};

inline int bits(unsigned x) { return __builtin_popcount(x); }

inline Split cell_split(const std::uint16_t* w, int row, std::uint16_t bit) {
    int digit = 0;
    while (!(w[9 * digit + row] & bit)) ++digit;
    return {digit, row, bit};
}

inline Split fewest(const std::uint16_t* w) {
    int best = 99, br = 0; std::uint16_t bb = 1;
    for (int r = 0; r < 9; ++r)
        for (int c = 0; c < 12; ++c) {
            if (!(kRow >> c & 1)) continue;
            int n = 0;
            for (int d = 0; d < 9; ++d) n += w[9 * d + r] >> c & 1;
            if (n > 1 && n < best) { best = n; br = r; bb = std::uint16_t(1 << c); }
        }
    return cell_split(w, br, bb);
}

inline void bivalue_rows(const std::uint16_t* w, std::uint16_t* b, std::uint16_t* open) {
    for (int r = 0; r < 9; ++r) {
        unsigned o = 0, t = 0, th = 0;
        for (int d = 0; d < 9; ++d) { unsigned x = w[9 * d + r]; th |= t & x; t |= o & x; o |= x; }
        b[r] = std::uint16_t(t & ~th); open[r] = std::uint16_t(t);
    }
}

inline Split choose(const std::uint16_t* w, int depth, unsigned nodes) {
    (void)depth; (void)nodes;
    std::uint16_t b[9], open[9];
    bivalue_rows(w, b, open);
    if (RULE == 0) {
        for (int r = 0; r < 9; ++r) if (b[r]) return cell_split(w, r, std::uint16_t(b[r] & -b[r]));
        return fewest(w);
    }
    int best = -1, br = 0; std::uint16_t bb = 0;
    for (int r = 0; r < 9; ++r)
        for (unsigned m = b[r]; m; m &= m - 1) {
            const unsigned bit = m & -m;
            const int c = __builtin_ctz(bit), band = r / 3 * 3, stack = c / 4 * 4;
            int score = bits(b[r]);
            for (int k = 0; k < 9; ++k) if (k / 3 * 3 != band) score += (b[k] & bit) != 0;
            for (int k = band; k < band + 3; ++k) if (k != r) score += bits(b[k] & (7u << stack));
            if (score > best) { best = score; br = r; bb = std::uint16_t(bit); }
        }
    if (best < 0) return fewest(w);
    return cell_split(w, br, bb);
}

}  // namespace

// What solution.hpp does, with byte shuffles.
#pragma once

#include <immintrin.h>

#include "solution.hpp"

namespace {

// Three cells that lie side by side in a box are a half byte of a column. Of two such, six cells, come three bytes: the
// first two cells of the even three, its last and the first of the odd three, the last two of that.
inline bool shuffle_solution(const Column& column, std::uint8_t* slot) {
    __m128i x[10];
#pragma GCC unroll 9
    for (int digit = 1; digit < 10; ++digit)
        x[digit] = _mm_load_si128(reinterpret_cast<const __m128i*>(&column.left[digit - 1]));
    const __m128i bit[4] = {x[1] | x[3] | x[5] | x[7] | x[9], x[2] | x[3] | x[6] | x[7], x[4] | x[5] | x[6] | x[7],
                            x[8] | x[9]};

    // Tables by half byte: 0..7.
    const __m128i first_two = _mm_setr_epi8(0, 16, 1, 17, 0, 16, 1, 17, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m128i last = _mm_setr_epi8(0, 0, 0, 0, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m128i first = _mm_setr_epi8(0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m128i last_two = _mm_setr_epi8(0, 0, 16, 16, 1, 1, 17, 17, 0, 0, 0, 0, 0, 0, 0, 0);
    __m128i bytes[3] = {}, middle = {};
#pragma GCC unroll 4
    for (int b = 3; b >= 0; --b) {
        const __m128i moved = _mm_srli_epi16(bit[b], 4);
        // Half 0 has fifteen threes, so in half 1 the odd ones come first; the first of them at 8, after a gap.
        const __m128i even = _mm_blend_epi16(bit[b], moved, 0xF0), odd = _mm_blend_epi16(moved, bit[b], 0xF0);
        const auto add = [](__m128i& sum, __m128i table, __m128i threes) {
            sum = _mm_add_epi8(sum, sum) | _mm_shuffle_epi8(table, threes);
        };
        add(bytes[0], first_two, even);
        add(bytes[1], last, even);
        add(middle, first, odd);
        add(bytes[2], last_two, odd);
    }
    bytes[1] |= _mm_shuffle_epi8(middle, _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, -1, -1, -1));

    const auto woven = [&](__m128i from0, __m128i from1, __m128i from2) {
        return _mm_shuffle_epi8(bytes[0], from0) | _mm_shuffle_epi8(bytes[1], from1) | _mm_shuffle_epi8(bytes[2], from2);
    };
    const __m128i one = woven(_mm_setr_epi8(0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1, -1, 5),
                              _mm_setr_epi8(-1, 0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1, -1),
                              _mm_setr_epi8(-1, -1, 0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1));
    const __m128i two = woven(_mm_setr_epi8(-1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1, 10, -1),
                              _mm_setr_epi8(5, -1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1, 10),
                              _mm_setr_epi8(-1, 5, -1, -1, 6, -1, -1, 8, -1, -1, 9, -1, -1, 10, -1, -1));
    const __m128i three = woven(_mm_setr_epi8(-1, 11, -1, -1, 12, -1, -1, 13, -1, -1, -1, -1, -1, -1, -1, -1),
                                _mm_setr_epi8(-1, -1, 11, -1, -1, 12, -1, -1, 13, -1, -1, -1, -1, -1, -1, -1),
                                _mm_setr_epi8(11, -1, -1, 12, -1, -1, 13, -1, -1, -1, -1, -1, -1, -1, -1, -1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(slot), one);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(slot + 16), two);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(slot + 32), three);
    slot[40] = std::uint8_t(_mm_extract_epi8(three, 8));

    const __m128i all = _mm_set_epi64x(std::int64_t(kAllCells.half[1]), std::int64_t(kAllCells.half[0]));
    return _mm_testc_si128(bit[0] | bit[1] | bit[2] | bit[3], all);
}

}  // namespace

// Vectors of 32 lanes for AVX-512 with the byte and bit instructions of 2019 and later (VBMI2, GFNI).
#pragma once

#include <immintrin.h>

#include "words.hpp"

namespace {

struct Avx512 : Words<64> {
    // The truth table of a three-place function, from its value on the constants below.
    static constexpr int a_ = 0xF0, b_ = 0xCC, c_ = 0xAA;
    template <int table>
    static Vec logic(Vec a, Vec b, Vec c) {
        return Vec(_mm512_ternarylogic_epi64(__m512i(a), __m512i(b), __m512i(c), table & 0xFF));
    }
    static Vec any(Vec a, Vec b, Vec c) { return logic<a_ | b_ | c_>(a, b, c); }
    static Vec odd(Vec a, Vec b, Vec c) { return logic<a_ ^ b_ ^ c_>(a, b, c); }
    static Vec most(Vec a, Vec b, Vec c) { return logic<(a_ & b_) | (c_ & (a_ | b_))>(a, b, c); }
    static Vec either(Vec a, Vec b, Vec c, Vec d) { return logic<(a_ & b_) | c_>(a, b, c & d); }
    static Vec count(Vec odd, Vec x, Vec of) { return logic<a_ ^ (b_ & c_)>(odd, x, of); }
    static Vec only(Vec x, Vec a, Vec b) { return logic<a_ & ~(b_ ^ c_)>(x, a, b); }
    static Vec take(Vec mask, Vec a, Vec b) { return logic<(b_ & a_) | (c_ & ~a_)>(mask, a, b); }
    static Vec single(Vec ones, Vec twos, Vec hidden) { return logic<(a_ & ~b_) | c_>(ones, twos, hidden); }

    // A matrix of bits for each byte: row i, counted from the top byte, says which bits make bit i of the result.
    static Vec bits(Vec x, std::uint64_t matrix) {
        return Vec(_mm512_gf2p8affine_epi64_epi8(__m512i(x), _mm512_set1_epi64(std::int64_t(matrix)), 0));
    }
    static constexpr std::uint64_t matrix(int b0, int b1, int b2, int b3, int b4, int b5, int b6, int b7) {
        const int from[8] = {b0, b1, b2, b3, b4, b5, b6, b7};
        std::uint64_t rows = 0;
        for (int i = 0; i < 8; ++i)
            if (from[i] >= 0) rows |= std::uint64_t(1) << (8 * (7 - i) + from[i]);
        return rows;
    }
    static Vec turn1(Vec x) { return bits(x, matrix(1, 2, 0, -1, 5, 6, 4, -1)); }
    static Vec turn2(Vec x) { return bits(x, matrix(2, 0, 1, -1, 6, 4, 5, -1)); }

    static Vec pack(Vec top, Vec middle, Vec bottom) {
        return take(all(0xCCC), take(all(kSpare), top, middle >> 1), bottom >> 2);
    }
    template <int band>
    static Vec spread(Vec packed) {
        constexpr int low = 3 - band, high = 7 - band;
        return bits(packed, matrix(low, low, low, -1, high, high, high, -1));
    }
    static Long ones(Long x) { return Long(_mm512_popcnt_epi64(__m512i(x))); }
    static std::uint32_t zeros(Vec x) { return _mm512_testn_epi16_mask(__m512i(x), __m512i(x)); }
};

}  // namespace

// Vectors of 16 lanes for AVX2.
#pragma once

#include <immintrin.h>

#include "words.hpp"

namespace {

struct Avx2 : Words<32> {
    static constexpr int group = 16;

    static constexpr std::uint16_t kPacked = kSpare | kSpare >> 3 | kSpare >> 1;
    static Vec pack(Vec top, Vec middle, Vec bottom) {
        return (top & kSpare) | (middle & kSpare) >> 3 | (bottom & kSpare) >> 1;
    }
    template <int band>
    static Vec spread(Vec packed) {
        if (band == 0) return Vec(_mm256_mulhi_epu16(__m256i(packed & kSpare), _mm256_set1_epi16(short(0xE000))));
        if (band == 1) return (packed & 0x111) * 7;
        return (packed >> 2 & 0x111) * 7;
    }
    static std::uint32_t zeros(Vec x) {
        const __m256i equal = _mm256_cmpeq_epi16(__m256i(x), _mm256_setzero_si256());
        const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(equal), _mm256_extracti128_si256(equal, 1));
        return std::uint32_t(_mm_movemask_epi8(bytes));
    }
};

}  // namespace

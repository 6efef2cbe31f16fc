// Vectors of 16 lanes for AVX2.
#pragma once

#include <immintrin.h>

#include "words.hpp"

namespace {

struct Avx2 : Words<32> {
    static constexpr const char* name = "avx2";

    static std::uint32_t zeros(Vec x) {
        const __m256i equal = _mm256_cmpeq_epi16(__m256i(x), _mm256_setzero_si256());
        const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(equal), _mm256_extracti128_si256(equal, 1));
        return std::uint32_t(_mm_movemask_epi8(bytes));
    }
};

}  // namespace

// What text_cells.cpp does, 32 or 64 cells at a time. Compiled for machines with AVX2; text_cells.cpp asks for it on those
// alone.
#include "text_cells.hpp"

#include <immintrin.h>

namespace gridmill::text {
namespace {

using Byte = std::uint8_t;

constexpr std::size_t kWide = 32;  // twice that, then 16 cells, then one that is alone in its byte

inline __m256i load(const Byte* at) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)); }
inline __m128i load16(const Byte* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }
inline void store(Byte* at, __m256i bytes) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(at), bytes); }

// Half bytes of 32 signs, and whether each is a digit 1-9 or the blank: all ones, or not.
struct Read {
    __m256i digits, are_good;
};

inline Read read(__m256i signs, __m256i blank) {
    const __m256i digits = _mm256_sub_epi8(signs, _mm256_set1_epi8('0'));
    const __m256i from_one = _mm256_sub_epi8(digits, _mm256_set1_epi8(1));
    const __m256i is_digit = _mm256_cmpeq_epi8(_mm256_min_epu8(from_one, _mm256_set1_epi8(8)), from_one);
    return {_mm256_and_si256(digits, is_digit), _mm256_or_si256(is_digit, _mm256_cmpeq_epi8(signs, blank))};
}

// Two cells in the low byte of each 16-bit lane.
inline __m256i paired(__m256i digits) { return _mm256_maddubs_epi16(digits, _mm256_set1_epi16(0x0110)); }

}  // namespace

bool pack_avx2(const Byte* cells, Byte blank, Byte* packed) {
    const __m256i blanks = _mm256_set1_epi8(char(blank));
    const Read first = read(load(cells), blanks), second = read(load(cells + kWide), blanks);
    const Read third = read(_mm256_castsi128_si256(load16(cells + 2 * kWide)), blanks);
    const Read last = read(_mm256_set1_epi8(char(cells[kCells - 1])), blanks);
    const __m256i most = _mm256_packus_epi16(paired(first.digits), paired(second.digits));
    store(packed, _mm256_permute4x64_epi64(most, 0xD8));  // packed by halves: back in order
    const __m256i rest = _mm256_packus_epi16(paired(third.digits), _mm256_setzero_si256());
    _mm_storel_epi64(reinterpret_cast<__m128i*>(packed + kWide), _mm256_castsi256_si128(rest));
    packed[kPacked - 1] = Byte(_mm256_cvtsi256_si32(last.digits) << 4);
    const __m256i are_good = _mm256_and_si256(_mm256_and_si256(first.are_good, second.are_good), last.are_good);
    const bool rest_is_good = _mm_movemask_epi8(_mm256_castsi256_si128(third.are_good)) == 0xFFFF;
    return rest_is_good && _mm256_movemask_epi8(are_good) == -1;
}

bool unpack_avx2(const Byte* packed, Byte* cells) {
    const __m128i sign_of = _mm_setr_epi8('.', '1', '2', '3', '4', '5', '6', '7', '8', '9', 0, 0, 0, 0, 0, 0);
    const __m256i signs_of = _mm256_broadcastsi128_si256(sign_of), low = _mm256_set1_epi8(0x0F);

    const __m256i both = load(packed);
    const __m256i even = _mm256_shuffle_epi8(signs_of, _mm256_and_si256(_mm256_srli_epi16(both, 4), low));
    const __m256i odd = _mm256_shuffle_epi8(signs_of, _mm256_and_si256(both, low));
    const __m256i outer = _mm256_unpacklo_epi8(even, odd), inner = _mm256_unpackhi_epi8(even, odd);  // by halves
    store(cells, _mm256_permute2x128_si256(outer, inner, 0x20));
    store(cells + kWide, _mm256_permute2x128_si256(outer, inner, 0x31));

    const __m128i few = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(packed + kWide)), few_low = _mm_set1_epi8(0x0F);
    const __m128i pairs = _mm_unpacklo_epi8(_mm_and_si128(_mm_srli_epi16(few, 4), few_low), _mm_and_si128(few, few_low));
    const __m128i rest = _mm_shuffle_epi8(sign_of, pairs);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(cells + 2 * kWide), rest);

    const unsigned last = packed[kPacked - 1];
    cells[kCells - 1] = Byte(last ? '0' + (last >> 4) : '.');
    const __m256i least = _mm256_min_epu8(_mm256_min_epu8(even, odd), _mm256_broadcastsi128_si256(rest));
    const __m256i bad = _mm256_cmpeq_epi8(least, _mm256_setzero_si256());  // half bytes above nine have no sign
    return _mm256_testz_si256(bad, bad) && last <= 0x90 && (last & 15) == 0;
}

}  // namespace gridmill::text

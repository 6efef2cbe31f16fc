// What group.hpp does, eight lanes in one go.
#pragma once

#include "group.hpp"
#include "solution_avx2.hpp"
#include "words_avx512.hpp"

namespace {

inline __m512i lane_numbers() {
    alignas(64) static constexpr std::uint16_t numbers[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                              11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                                              22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    return _mm512_load_si512(numbers);
}

// Where `mask` has ones b, elsewhere a.
inline __m512i blend(std::int64_t mask, __m512i a, __m512i b) {
    return _mm512_ternarylogic_epi64(_mm512_set1_epi64(mask), b, a, 0xCA);
}

inline void take_out(const State<Avx512>& state, std::uint32_t lanes, Group<Avx512>& group) {
    // Word 0 of each element takes its lane out of one vector, word 1 out of a second; or words 2 and 3.
    const __m512i lane =
        _mm512_cvtepu16_epi64(_mm512_castsi512_si128(_mm512_maskz_compress_epi16(lanes, lane_numbers())));
    const __m512i first = _mm512_or_si512(lane, _mm512_slli_epi64(_mm512_or_si512(lane, _mm512_set1_epi64(32)), 16));
    const __m512i second = _mm512_slli_epi64(first, 32), last = _mm512_slli_epi64(lane, 48);
    for (int digit = 0; digit < 9; ++digit) {
        __m512i half[2];
        for (int at = 0; at < 2; ++at) {
            const std::uint16_t(*row)[32] = &state.left[digit][5 * at];
            const __m512i two = _mm512_maskz_permutex2var_epi16(0x33333333, _mm512_load_si512(row[0]), first,
                                                                _mm512_load_si512(row[1]));
            const __m512i four = _mm512_or_si512(
                two, _mm512_maskz_permutex2var_epi16(0xCCCCCCCC, _mm512_load_si512(row[2]), second,
                                                     _mm512_load_si512(row[3])));
            // Four times twelve bits in sixteen: together, in two steps.
            const __m512i pairs = blend(0x00FFF00000FFF000, four, _mm512_srli_epi64(four, 4));
            half[at] = blend(0x0000FFFFFF000000, pairs, _mm512_srli_epi64(pairs, 8));
        }
        const __m512i fifth = _mm512_permutexvar_epi16(last, _mm512_load_si512(state.left[digit][4]));
        constexpr std::int64_t four_rows = 0x0000FFFFFFFFFFFF;
        _mm512_store_si512(group.half[digit][0], blend(four_rows, fifth, half[0]));
        _mm512_store_si512(group.half[digit][1], _mm512_and_si512(half[1], _mm512_set1_epi64(four_rows)));
    }
}

inline void put_in(const Group<Avx512>& group, std::uint32_t lanes, State<Avx512>& state) {
    // Words of twelve bits, spread over sixteen; the upper four are a neighbour's and are masked off in the end.
    const __m512i spread = _mm512_set1_epi64(0x2c242018140c0800);
    const __m512i slot = _mm512_maskz_expand_epi16(lanes, _mm512_slli_epi16(lane_numbers(), 2));
    const __m512i mask = _mm512_maskz_set1_epi16(lanes, kRow);
    __m512i word[4];
    for (int at = 0; at < 4; ++at) word[at] = _mm512_or_si512(slot, _mm512_set1_epi16(std::int16_t(at)));
    const auto put = [&](std::uint16_t* row, __m512i from, int at) {
        const __m512i moved = _mm512_permutexvar_epi16(word[at], from);
        _mm512_store_si512(row, _mm512_ternarylogic_epi64(mask, moved, _mm512_load_si512(row), 0xCA));
    };
    for (int digit = 0; digit < 9; ++digit) {
        const __m512i low = _mm512_load_si512(group.half[digit][0]), high = _mm512_load_si512(group.half[digit][1]);
        const __m512i top = _mm512_multishift_epi64_epi8(spread, low), bottom = _mm512_multishift_epi64_epi8(spread, high);
        for (int at = 0; at < 4; ++at) put(state.left[digit][at], top, at);
        put(state.left[digit][4], low, 3);
        for (int at = 0; at < 4; ++at) put(state.left[digit][5 + at], bottom, at);
        _mm512_store_si512(state.lone[digit], _mm512_andnot_si512(mask, _mm512_load_si512(state.lone[digit])));
    }
    _mm512_store_si512(state.total[0], _mm512_maskz_mov_epi16(~lanes, _mm512_load_si512(state.total[0])));
}

// Rows to columns, of eight by eight.
inline void transpose(__m512i (&x)[8]) {
    __m512i pair[8];
    for (int at = 0; at < 8; at += 2) {
        pair[at] = _mm512_unpacklo_epi64(x[at], x[at + 1]);
        pair[at + 1] = _mm512_unpackhi_epi64(x[at], x[at + 1]);
    }
    const __m512i even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    const __m512i low = _mm512_setr_epi64(0, 1, 2, 3, 8, 9, 10, 11), high = _mm512_setr_epi64(4, 5, 6, 7, 12, 13, 14, 15);
    for (int at = 0; at < 2; ++at) {
        const __m512i a = _mm512_permutex2var_epi64(pair[at], even, pair[at + 2]);
        const __m512i b = _mm512_permutex2var_epi64(pair[at], odd, pair[at + 2]);
        const __m512i c = _mm512_permutex2var_epi64(pair[at + 4], even, pair[at + 6]);
        const __m512i d = _mm512_permutex2var_epi64(pair[at + 4], odd, pair[at + 6]);
        x[at] = _mm512_permutex2var_epi64(a, low, c);
        x[at + 4] = _mm512_permutex2var_epi64(a, high, c);
        x[at + 2] = _mm512_permutex2var_epi64(b, low, d);
        x[at + 6] = _mm512_permutex2var_epi64(b, high, d);
    }
}

// These do all eight slots, without branches; the columns of slots that are not used may be any.
inline void lay_out(const Group<Avx512>& group, Column* const (&columns)[8], int) {
    for (int four = 0; four < 8; four += 4) {
        __m512i x[8];
#pragma GCC unroll 8
        for (int at = 0; at < 8; ++at) x[at] = _mm512_load_si512(group.half[four + at / 2][at % 2]);
        transpose(x);
#pragma GCC unroll 8
        for (int slot = 0; slot < 8; ++slot) _mm512_storeu_si512(&columns[slot]->left[four], x[slot]);
    }
#pragma GCC unroll 8
    for (int slot = 0; slot < 8; ++slot)
        columns[slot]->left[8] = {{group.half[8][0][slot], group.half[8][1][slot]}};
}

inline void gather(Column* const (&columns)[8], int, Group<Avx512>& group) {
    for (int four = 0; four < 8; four += 4) {
        __m512i x[8];
#pragma GCC unroll 8
        for (int slot = 0; slot < 8; ++slot) x[slot] = _mm512_loadu_si512(&columns[slot]->left[four]);
        transpose(x);
#pragma GCC unroll 8
        for (int at = 0; at < 8; ++at) _mm512_store_si512(group.half[four + at / 2][at % 2], x[at]);
    }
#pragma GCC unroll 8
    for (int slot = 0; slot < 8; ++slot)
        for (int at = 0; at < 2; ++at) group.half[8][at][slot] = columns[slot]->left[8].half[at];
}

template <>
inline bool write_solution<Avx512>(const Column& column, std::uint8_t* slot) {
    return shuffle_solution(column, slot);
}

}  // namespace

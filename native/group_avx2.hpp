// What group.hpp does, all lanes in one go.
#pragma once

#include "group.hpp"
#include "solution_avx2.hpp"
#include "words_avx2.hpp"

namespace {

template <>
struct alignas(32) Group<Avx2> {
    static constexpr int slots = Avx2::group;

    std::uint64_t half[9][2][16];  // of all lanes, each at its place
    std::uint32_t lanes;           // the slots are the lowest of these
    const Column* column[slots];   // and what is to be put in

    static int place(int lane) { return (lane & 6) << 1 | lane >> 3 << 1 | (lane & 1); }  // as unpacking leaves them
};

inline void take_out(const State<Avx2>& state, std::uint32_t lanes, Group<Avx2>& group) {
    group.lanes = lanes;
    const auto unpack = [](__m256i a, __m256i b, __m256i c, __m256i d, std::uint64_t* to) {
        const __m256i low[2] = {_mm256_unpacklo_epi16(a, b), _mm256_unpacklo_epi16(c, d)};
        const __m256i high[2] = {_mm256_unpackhi_epi16(a, b), _mm256_unpackhi_epi16(c, d)};
        __m256i* const all = reinterpret_cast<__m256i*>(to);
        _mm256_store_si256(all, _mm256_unpacklo_epi32(low[0], low[1]));
        _mm256_store_si256(all + 1, _mm256_unpackhi_epi32(low[0], low[1]));
        _mm256_store_si256(all + 2, _mm256_unpacklo_epi32(high[0], high[1]));
        _mm256_store_si256(all + 3, _mm256_unpackhi_epi32(high[0], high[1]));
    };
    for (int digit = 0; digit < 9; ++digit) {
        Avx2::Vec x[9];
#pragma GCC unroll 9
        for (int row = 0; row < 9; ++row) x[row] = Avx2::load(state.left[digit][row]);
        // Four times twelve bits in three words.
        const auto words = [](const Avx2::Vec* row, __m256i (&word)[3]) {
            word[0] = __m256i(row[0] | row[1] << 12);
            word[1] = __m256i(row[1] >> 4 | row[2] << 8);
            word[2] = __m256i(row[2] >> 8 | row[3] << 4);
        };
        __m256i word[3];
        words(x, word);
        unpack(word[0], word[1], word[2], __m256i(x[4]), group.half[digit][0]);
        words(x + 5, word);
        unpack(word[0], word[1], word[2], _mm256_setzero_si256(), group.half[digit][1]);
    }
}

inline void lay_out(const Group<Avx2>& group, Column* const (&columns)[Avx2::group], int slots) {
    std::uint32_t lanes = group.lanes;
    for (int slot = 0; slot < slots; ++slot, lanes &= lanes - 1) {
        const std::uint64_t* const from = &group.half[0][0][Group<Avx2>::place(lowest(lanes))];
        const auto cells = [&](int digit) {
            const __m128i low = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + 32 * digit));
            const double* const high = reinterpret_cast<const double*>(from + 32 * digit + 16);
            return _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(low), high));
        };
        // In pairs, as they are looked at: what is stored in two parts could not be loaded in one for a while.
#pragma GCC unroll 4
        for (int digit = 0; digit < 8; digit += 2)
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(&columns[slot]->left[digit]),
                                _mm256_set_m128i(cells(digit + 1), cells(digit)));
        _mm_store_si128(reinterpret_cast<__m128i*>(&columns[slot]->left[8]), cells(8));
    }
}

inline void gather(Column* const (&columns)[Avx2::group], int slots, Group<Avx2>& group) {
    for (int slot = 0; slot < slots; ++slot) group.column[slot] = columns[slot];
}

inline void put_in(const Group<Avx2>& group, std::uint32_t lanes, State<Avx2>& state) {
    constexpr std::uint64_t rows = 0x0FFF0FFF0FFF0FFF;
    for (int slot = 0; lanes; lanes &= lanes - 1, ++slot) {
        const int lane = lowest(lanes);
#pragma GCC unroll 9
        for (int digit = 0; digit < 9; ++digit) {
            const Cells& cells = group.column[slot]->left[digit];
            const std::uint64_t top = _pdep_u64(cells.half[0], rows), bottom = _pdep_u64(cells.half[1], rows);
#pragma GCC unroll 4
            for (int at = 0; at < 4; ++at) {
                state.left[digit][at][lane] = std::uint16_t(top >> 16 * at);
                state.left[digit][5 + at][lane] = std::uint16_t(bottom >> 16 * at);
            }
            state.left[digit][4][lane] = std::uint16_t(cells.half[0] >> 48);
            state.lone[digit][lane] = 0;
        }
        state.total[0][lane] = 0;
    }
}

template <>
inline bool write_solution<Avx2>(const Column& column, std::uint8_t* slot) {
    return shuffle_solution(column, slot);
}

}  // namespace

// What branch.hpp looks for, with a whole column in registers.
#pragma once

#include "branch.hpp"
#include "group_avx512.hpp"

namespace {

template <>
Choice best_pair<Avx512>(const Column& column, Cells pairs, Cells few, int digit) {
    const auto four_times = [](const Cells& cells) {
        return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(&cells)));
    };
    const __m512i digits_1_4 = _mm512_loadu_si512(&column.left[0]), digits_5_8 = _mm512_loadu_si512(&column.left[4]);
    // Of the peers all, the few, and twice the pairs: so a cell with two digits counts four times, with three twice.
    __m512i counted = _mm512_set1_epi64(-1);
    counted = _mm512_mask_mov_epi64(counted, 0x0C, four_times(few));
    counted = _mm512_mask_mov_epi64(counted, 0xF0, four_times(pairs));
    const __m512i first = _mm512_and_si512(four_times(column.left[digit]), counted);
    const unsigned own = 3u << 2 * digit;
    unsigned best = 0;
    for (Cells cells = column.left[digit] & pairs; !cells.empty(); cells.drop_first()) {
        const int place = cells.first();
        const __m512i cell = four_times(kPlace[std::size_t(place)]), peers = four_times(kPeers[std::size_t(place)]);
        const unsigned here = unsigned(_mm512_test_epi64_mask(digits_1_4, cell)) |
                              unsigned(_mm512_test_epi64_mask(digits_5_8, cell)) << 8;
        const unsigned other = unsigned(__builtin_ctz((here & ~own) | 0x10000)) / 2;  // the ninth if it is no other
        const __m512i second = four_times(column.left[other]);
        const auto reach = [&](__m512i cells) {
            return _mm512_cvtepi64_epi8(_mm512_popcnt_epi64(_mm512_and_si512(cells, peers)));
        };
        const __m128i both = _mm_unpacklo_epi64(reach(first), reach(_mm512_and_si512(second, counted)));
        const __m128i sums = _mm_sad_epu8(both, _mm_setzero_si128());
        const unsigned rank = ranked(unsigned(_mm_extract_epi16(sums, 0)), unsigned(_mm_extract_epi16(sums, 4)), place, other);
        best = rank > best ? rank : best;
    }
    return chosen(best, digit);
}

}  // namespace

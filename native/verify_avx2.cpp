// What verify.cpp does with solutions, as vectors of 32 cells. Compiled for machines with AVX2; verify.cpp asks for it on
// those alone.
//
// A band of 27 cells is one vector, its cells of even number in the lower half and those of odd number in the upper one:
//
//   cell in the band    0  2  4  …  26  –  –  |  1  3  5  …  25  –  –  –      (– is something else: never looked at)
//
// Eight digits are a bit each. A unit in which all eight bits are found has one cell that is still free to be anything;
// when there are nine nines in the grid, each row has one, for it has room for no second; so the rows are right. Then
// the grid has each digit nine times, and a column or a box that has all of the eight has each just once, and a nine.
#include "verify.hpp"

#include <immintrin.h>

namespace gridmill {
namespace {

using Vector = __m256i;
using Byte = std::uint8_t;

constexpr std::size_t kHalf = 16;  // bytes of a vector's half
constexpr unsigned kBandCells = 27, kUnits = 6, kSlots = 6;  // a unit has four or five cells of a half

struct alignas(32) Table {
    Byte at[2 * kHalf];
};

// Where in a band a unit (a row, or a box from 3 on) has its cells.
constexpr bool is_in_unit(unsigned cell, unsigned unit) {
    return unit < 3 ? cell / 9 == unit : cell % 9 / 3 == unit - 3;
}

// Gathers cells of the units: byte 2u and 2u+1 of either half get two of the cells that unit u has in that half; what
// is missing at the end is the last one again. Three such tables have them all.
struct Gathering {
    Table third[3]{};
};

constexpr Gathering make_gathering() {
    Gathering made;
    for (unsigned half = 0; half < 2; ++half)
        for (unsigned unit = 0; unit < kUnits; ++unit) {
            unsigned slot = 0;
            Byte last = 0;
            for (unsigned cell = half; cell < kBandCells; cell += 2) {
                if (!is_in_unit(cell, unit)) continue;
                last = Byte(cell / 2);
                made.third[slot / 2].at[kHalf * half + 2 * unit + slot % 2] = last;
                ++slot;
            }
            for (; slot < kSlots; ++slot) made.third[slot / 2].at[kHalf * half + 2 * unit + slot % 2] = last;
        }
    return made;
}
constexpr Gathering kGathering = make_gathering();

// The middle cell of each column in a band, found in the other half, beside the first and the last.
constexpr Table make_middles() {
    Table made{};
    for (unsigned column = 0; column < 9; ++column)
        made.at[kHalf * (column % 2) + column / 2] = Byte((9 + column) / 2);
    return made;
}
constexpr Table kMiddles = make_middles();

// All ones where a vector has something to say: the cells of a band, the low bytes of the units, the columns.
constexpr Table make_mask(unsigned lower, unsigned upper, unsigned step) {
    Table made{};
    for (unsigned at = 0; at < lower; ++at) made.at[step * at] = 0xFF;
    for (unsigned at = 0; at < upper; ++at) made.at[kHalf + step * at] = 0xFF;
    return made;
}
constexpr Table kUnitMask = make_mask(kUnits, kUnits, 2), kColumnMask = make_mask(5, 4, 1);
constexpr unsigned kCellMask = 0x1FFF'3FFF;

constexpr Table kBits{{0, 1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0,   // by the half byte
                       0, 1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0}};

inline Vector load(const Table& table) { return _mm256_load_si256(reinterpret_cast<const Vector*>(table.at)); }
inline Vector load32(const Byte* at) { return _mm256_loadu_si256(reinterpret_cast<const Vector*>(at)); }
inline __m128i load16(const Byte* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }
inline Vector both(__m128i half) { return _mm256_broadcastsi128_si256(half); }
inline Vector swapped(Vector vector) { return _mm256_permute4x64_epi64(vector, 0x4E); }
inline bool has_all(Vector vector, const Table& mask) { return _mm256_testc_si256(vector, load(mask)) != 0; }

struct Bands {
    Vector at[3];  // half bytes
};

inline Bands unpack(const Byte* packed) {
    const Vector low = _mm256_set1_epi8(0x0F);
    const Vector first_high = _mm256_set_epi32(0, 0, 0, 0, 4, 4, 4, 4);  // the even cells are high half bytes
    const Vector first_low = _mm256_set_epi32(4, 4, 4, 4, 0, 0, 0, 0);
    const Vector top = both(load16(packed));                             // cells 0 and on: from byte 0
    const Vector middle = _mm256_inserti128_si256(both(load16(packed + 13)), load16(packed + 14), 1);  // from 13 1/2
    const Vector bottom = _mm256_srli_si256(both(load16(packed + kPacked - kHalf)), 2);                // from 27
    return {{_mm256_and_si256(_mm256_srlv_epi32(top, first_high), low),
             _mm256_and_si256(_mm256_srlv_epi32(middle, first_low), low),
             _mm256_and_si256(_mm256_srlv_epi32(bottom, first_high), low)}};
}

// The units of a band, a 16-bit lane each in both halves: of a half and of a byte of the lane, each has a part.
inline Vector gather(Vector bits) {
    return _mm256_or_si256(_mm256_or_si256(_mm256_shuffle_epi8(bits, load(kGathering.third[0])),
                                           _mm256_shuffle_epi8(bits, load(kGathering.third[1]))),
                           _mm256_shuffle_epi8(bits, load(kGathering.third[2])));
}

inline bool is_solved_grid(const Byte* packed) {
    const Bands cells = unpack(packed);
    const Vector nine = _mm256_set1_epi8(9);
    const Vector nines = _mm256_or_si256(
        _mm256_or_si256(_mm256_cmpeq_epi8(cells.at[0], nine), _mm256_cmpeq_epi8(cells.at[1], nine)),
        _mm256_cmpeq_epi8(cells.at[2], nine));  // no two at the same place, where the columns are right
    const bool nine_nines = __builtin_popcount(unsigned(_mm256_movemask_epi8(nines)) & kCellMask) == 9;

    const Vector bits = load(kBits);
    const Vector top = _mm256_shuffle_epi8(bits, cells.at[0]), middle = _mm256_shuffle_epi8(bits, cells.at[1]),
                 bottom = _mm256_shuffle_epi8(bits, cells.at[2]);
    const Vector bands = _mm256_or_si256(_mm256_or_si256(top, middle), bottom);
    const Vector columns = _mm256_or_si256(_mm256_or_si256(bands, _mm256_srli_si256(bands, 9)),
                                           _mm256_shuffle_epi8(swapped(bands), load(kMiddles)));

    const Vector of_top = gather(top), of_middle = gather(middle), of_bottom = gather(bottom);
    const Vector upper = _mm256_or_si256(_mm256_permute2x128_si256(of_top, of_middle, 0x20),
                                         _mm256_permute2x128_si256(of_top, of_middle, 0x31));
    const Vector lower = _mm256_or_si256(of_bottom, swapped(of_bottom));
    const Vector units = _mm256_and_si256(_mm256_or_si256(upper, _mm256_srli_epi16(upper, 8)),
                                          _mm256_or_si256(lower, _mm256_srli_epi16(lower, 8)));
    return nine_nines && has_all(units, kUnitMask) && has_all(columns, kColumnMask) && (packed[kPacked - 1] & 15) == 0;
}

// Half bytes in which both have something: `board` its given, and `change` what the solution makes of it.
struct Spoiled {
    Vector high, low;
};

inline Spoiled spoiled(Vector board, Vector solution) {
    const Vector low = _mm256_set1_epi8(0x0F), change = _mm256_xor_si256(board, solution);
    return {_mm256_min_epu8(board, change),  // of the high halves, only whether it is above 15
            _mm256_min_epu8(_mm256_and_si256(board, low), _mm256_and_si256(change, low))};
}

inline bool keeps_givens(const Byte* board, const Byte* solution) {
    constexpr std::size_t rest = kPacked - sizeof(Vector);  // what is between is looked at twice
    const Spoiled begin = spoiled(load32(board), load32(solution));
    const Spoiled end = spoiled(load32(board + rest), load32(solution + rest));
    const Vector high = _mm256_and_si256(_mm256_or_si256(begin.high, end.high), _mm256_set1_epi8(char(0xF0)));
    const Vector all = _mm256_or_si256(high, _mm256_or_si256(begin.low, end.low));
    return _mm256_testz_si256(all, all) != 0;
}

}  // namespace

std::size_t count_right_avx2(const Byte* boards, const Byte* solutions, std::size_t records) {
    for (std::size_t right = 0; right < records; ++right, boards += kPacked, solutions += kPacked)
        if (!keeps_givens(boards, solutions) || !is_solved_grid(solutions)) return right;
    return records;
}

}  // namespace gridmill

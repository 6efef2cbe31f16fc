// What branch.hpp looks for, a column at a time: its digits in pairs, and eight cells compared at once.
#pragma once

#include "branch.hpp"
#include "group_avx2.hpp"

namespace {

// The peers of a cell, by the bit at which it stands (64 more in half 1). The last one stands for no cell.
constexpr int kNoSight = 128;
constexpr std::array<Cells, kNoSight + 1> make_sights() {
    std::array<Cells, kNoSight + 1> sights{};
    for (int place = 0; place < Cells::kPlaces; ++place)
        sights[std::size_t(place < Cells::kHalf ? place : 64 + place - Cells::kHalf)] = kPeers[std::size_t(place)];
    return sights;
}
alignas(16) constexpr auto kSights = make_sights();

// How far a bit has to be moved to be the highest; 64 stands for none.
constexpr std::array<std::uint64_t, 65> make_to_sign() {
    std::array<std::uint64_t, 65> moves{};
    for (std::size_t bit = 0; bit < 65; ++bit) moves[bit] = bit < 64 ? 63 - bit : 64;
    return moves;
}
constexpr auto kToSign = make_to_sign();

// The choice in one column, in steps that are done for all columns before the next is: each is a chain of operations
// that wait for each other, and of different columns they go on side by side.
class Chooser {
  public:
    // What the cells with two digits are, and the digit that most of them have: of two columns, side by side.
    static void look(const Column& first, const Column& second, Chooser& a, Chooser& b) {
        __m256i x[9];
#pragma GCC unroll 9
        for (int digit = 0; digit < 9; ++digit)
            x[digit] = _mm256_set_m128i(load(second.left[digit]), load(first.left[digit]));
        __m256i one = x[0], two = _mm256_setzero_si256(), three = two, four = two;
#pragma GCC unroll 9
        for (int digit = 1; digit < 9; ++digit) {
            if (digit > 2) four |= three & x[digit];
            if (digit > 1) three |= two & x[digit];
            two |= one & x[digit];
            one |= x[digit];
        }
        const __m256i pairs = _mm256_andnot_si256(three, two), few = _mm256_andnot_si256(four, two);
        a.open_ = low(two), a.pairs_ = low(pairs), a.few_ = low(few);
        b.open_ = high(two), b.pairs_ = high(pairs), b.few_ = high(few);

        __m256i size[3];  // sixteen bits a digit
        const __m256i zero = _mm256_setzero_si256(), once = table(1);
#pragma GCC unroll 9
        for (int digit = 0; digit < 9; ++digit) {
            const __m256i sum = _mm256_sad_epu8(ones(x[digit] & pairs, once), zero);
            size[digit / 4] = digit % 4 ? size[digit / 4] | _mm256_slli_epi64(sum, 16 * (digit % 4)) : sum;
        }
        const __m256i sizes =
            _mm256_add_epi16(_mm256_unpacklo_epi64(size[0], size[1]), _mm256_unpackhi_epi64(size[0], size[1]));
        const __m256i last = _mm256_add_epi16(size[2], _mm256_unpackhi_epi64(size[2], size[2]));
        const __m128i digits = _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7);
        constexpr int base = 1 << 12;  // more than any size with its digit
        const __m256i start = twice(_mm_add_epi16(_mm_set1_epi16(base), digits));
        const __m256i ranks = _mm256_sub_epi16(start, _mm256_slli_epi16(sizes, 4));
        const __m256i rank = _mm256_sub_epi16(_mm256_set1_epi16(base + 8), _mm256_slli_epi16(last, 4));
        a.digit_ = least(low(ranks), low(rank));
        b.digit_ = least(high(ranks), high(rank));

        // Four words for each half of a column, whose bits at a cell are the number (0..8) of its other digit.
        const __m256i bit0 = x[1] ^ x[3] ^ x[5] ^ x[7], c = x[6] ^ x[7], bit1 = x[2] ^ x[3] ^ c, bit2 = x[4] ^ x[5] ^ c;
        const __m256i left0 = _mm256_unpacklo_epi64(bit0, bit1), left1 = _mm256_unpackhi_epi64(bit0, bit1);
        const __m256i right0 = _mm256_unpacklo_epi64(bit2, x[8]), right1 = _mm256_unpackhi_epi64(bit2, x[8]);
        a.number(_mm256_permute2x128_si256(left0, right0, 0x20), _mm256_permute2x128_si256(left1, right1, 0x20), first);
        b.number(_mm256_permute2x128_si256(left0, right0, 0x31), _mm256_permute2x128_si256(left1, right1, 0x31),
                 second);
    }

    // The cells with two digits, and their other digits.
    void list() {
        candidates_ = 0;
        // Seven or six at once: there are seldom more, and the end of a loop that ends sooner is not foreseen.
        list<7>(half_[0], planes_[0], 0);
        list<6>(half_[1], planes_[1], 64);
        std::memset(at_ + candidates_, kNoSight, 8);
        std::memset(other_ + candidates_, 0, 8);
    }

    void compare(const Column& column) {
        best_ = -1;
        for (int first = 0; first < candidates_; first += 8) compare(column, first);
    }

    Choice choice(const Column& column) const {
        if (!_mm_testz_si128(pairs_, pairs_)) return choice_;
        Cells open;
        std::memcpy(&open, &open_, sizeof open);
        return fewest(column, open);
    }

  private:
    static __m128i load(const Cells& cells) { return _mm_load_si128(reinterpret_cast<const __m128i*>(&cells)); }
    static __m128i low(__m256i x) { return _mm256_castsi256_si128(x); }
    static __m128i high(__m256i x) { return _mm256_extracti128_si256(x, 1); }
    static __m256i twice(__m128i x) { return _mm256_broadcastsi128_si256(x); }

    template <int at_once>
    void list(std::uint64_t cells, __m256i planes, int base) {
        std::uint8_t *at = at_ + candidates_, *other = other_ + candidates_;
        candidates_ += __builtin_popcountll(cells);
        do {
#pragma GCC unroll 7
            for (int k = 0; k < at_once; ++k) {
                const std::uint64_t bit = _tzcnt_u64(cells);
                cells &= cells - 1;
                const __m128i move = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&kToSign[bit]));
                const __m256i signs = _mm256_sll_epi64(planes, move);
                at[k] = std::uint8_t(base + int(bit));
                other[k] = std::uint8_t(_mm256_movemask_pd(_mm256_castsi256_pd(signs)));
            }
            at += at_once;
            other += at_once;
        } while (cells);
    }

    // Eight candidates at once.
    void compare(const Column& column, int first) {
        const __m256i pairs = twice(pairs_), few = twice(few_), once = table(1), doubled = table(2);
        const __m256i own = twice(load(column.left[digit_]));
        __m256i sums[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) {
            const __m256i both = _mm256_inserti128_si256(own, load(column.left[other_[first + k]]), 1);
            const __m256i seen = both & twice(load(kSights[at_[first + k]]));
            const __m256i all_and_few = _mm256_add_epi8(ones(seen, once), ones(seen & few, once));
            const __m256i counted = _mm256_add_epi8(all_and_few, ones(seen & pairs, doubled));
            sums[k / 4] |= _mm256_slli_epi64(_mm256_sad_epu8(counted, _mm256_setzero_si256()), 16 * (k % 4));
        }
        const __m256i reach =  // of the common digit, and of the others
            _mm256_add_epi16(_mm256_unpacklo_epi64(sums[0], sums[1]), _mm256_unpackhi_epi64(sums[0], sums[1]));
        const __m128i total = _mm_add_epi16(low(reach), high(reach));
        const unsigned found = unsigned(_mm_cvtsi128_si32(_mm_minpos_epu16(~total)));
        const int value = int(0xFFFF - (found & 0xFFFF));
        const unsigned swaps = unsigned(_mm_movemask_epi8(_mm_cmpgt_epi16(high(reach), low(reach))));
        if (value <= best_) return;
        best_ = value;
        const int index = int(found >> 16), at = at_[first + index], second = other_[first + index];
        const int change = (digit_ ^ second) & -int(swaps >> 2 * index & 1);
        choice_ = {at - (at >= 64 ? 64 - Cells::kHalf : 0), digit_ ^ change, second ^ change};
    }

    // How many bits are set, in each byte. (No byte has its highest one, so there is nothing to mask off.)
    static __m256i ones(__m256i cells, __m256i of_half_byte) {
        return _mm256_add_epi8(_mm256_shuffle_epi8(of_half_byte, cells),
                               _mm256_shuffle_epi8(of_half_byte, _mm256_srli_epi16(cells, 4)));
    }
    static __m256i table(int each) {
        const __m128i counts = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0);
        return twice(each == 1 ? counts : _mm_add_epi8(counts, counts));
    }

    // The digit that most pairs have, and of those the least.
    static int least(__m128i ranks, __m128i last) {
        const unsigned first = unsigned(_mm_cvtsi128_si32(_mm_minpos_epu16(ranks))) & 0xFFFF;
        const unsigned second = unsigned(_mm_cvtsi128_si32(last)) & 0xFFFF;
        return int((first < second ? first : second) & 15);
    }

    // The digit's own number is taken out of what its cells have together, which leaves the other one.
    void number(__m256i half0, __m256i half1, const Column& column) {
        const __m256i bits = _mm256_setr_epi64x(1, 2, 4, 8);
        const __m256i own = _mm256_cmpeq_epi64(_mm256_set1_epi64x(digit_) & bits, bits);
        planes_[0] = own ^ half0;
        planes_[1] = own ^ half1;
        const __m128i candidates = load(column.left[digit_]) & pairs_;
        half_[0] = std::uint64_t(_mm_cvtsi128_si64(candidates));
        half_[1] = std::uint64_t(_mm_extract_epi64(candidates, 1));
    }

    __m256i planes_[2];
    __m128i open_, pairs_, few_;
    std::uint64_t half_[2];
    int digit_, best_, candidates_;
    std::uint8_t at_[96], other_[96];  // one a candidate; room for every cell, and for what is written too much
    Choice choice_;
};

inline void choose_all(const Group<Avx2>&, Column* const (&columns)[Avx2::group], std::uint32_t slots,
                       Choice (&choices)[Avx2::group]) {
    Chooser chooser[Avx2::group], spare;
    for (std::uint32_t rest = slots; rest; rest &= rest - 1) {
        const int first = lowest(rest);
        rest &= rest - 1;
        if (!rest) {
            Chooser::look(*columns[first], *columns[first], chooser[first], spare);
            break;
        }
        const int second = lowest(rest);
        Chooser::look(*columns[first], *columns[second], chooser[first], chooser[second]);
    }
    for (std::uint32_t rest = slots; rest; rest &= rest - 1) chooser[lowest(rest)].list();
    for (std::uint32_t rest = slots; rest; rest &= rest - 1) {
        Chooser& chosen = chooser[lowest(rest)];
        const Column& column = *columns[lowest(rest)];
        chosen.compare(column);
        choices[lowest(rest)] = chosen.choice(column);
    }
}

}  // namespace

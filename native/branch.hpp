// Where to split a puzzle that inference leaves open.
//
// A cell with two digits, so that either part fills it. Of the digits, the one that stands in most such cells; of its
// cells, the one from which the two digits reach most: every cell that would lose one of them counts, more if it has
// three digits left, and most if it has two. (The rule of Jeroslow and Wang, 1990, cut down to what is quick.)
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "group.hpp"

namespace {

// The twenty cells that share a unit with each place.
constexpr std::array<Cells, Cells::kPlaces> make_peers() {
    std::array<Cells, Cells::kPlaces> peers{};
    for (int place = 0; place < Cells::kPlaces; ++place)
        for (int other = 0; other < Cells::kPlaces; ++other) {
            const int row = place / 12, bit = place % 12, row2 = other / 12, bit2 = other % 12;
            if (bit % 4 == 3 || bit2 % 4 == 3 || place == other) continue;
            if (row == row2 || bit == bit2 || (row / 3 == row2 / 3 && bit / 4 == bit2 / 4))
                for (int half = 0; half < 2; ++half) peers[std::size_t(place)].half[half] |= Cells::at(other).half[half];
        }
    return peers;
}
constexpr auto kPeers = make_peers();

// A cell, and the digit (0..8) that it gets first.
struct Choice {
    int place, digit;
};

template <class V>
class Chooser {
    using Long = typename V::Long;  // one slot of the group an element

  public:
    explicit Chooser(const Group<V>& group) : group_(group) {
        Long one[2] = {}, two[2] = {}, three[2] = {}, four[2] = {}, most = {};
#pragma GCC unroll 9
        for (int digit = 0; digit < 9; ++digit)
#pragma GCC unroll 2
            for (int half = 0; half < 2; ++half) {
                const Long x = cells(digit, half);
                four[half] |= three[half] & x;
                three[half] |= two[half] & x;
                two[half] |= one[half] & x;
                one[half] |= x;
            }
        Long pairs[2], code[4][2] = {};
        for (int half = 0; half < 2; ++half) {
            pairs[half] = two[half] & ~three[half];
            keep(two[half], open_[half]);
            keep(pairs[half], pairs_[half]);
            keep(two[half] & ~four[half], few_[half]);
        }
#pragma GCC unroll 9
        for (int digit = 0; digit < 9; ++digit) {
            Long size = {};
#pragma GCC unroll 2
            for (int half = 0; half < 2; ++half) {
                const Long x = cells(digit, half);
                size += V::ones(x & pairs[half]);
#pragma GCC unroll 4
                for (int bit = 0; bit < 4; ++bit)
                    if ((digit + 1) >> bit & 1) code[bit][half] ^= x;
            }
            const Long rank = size << 4 | (Long{} + (15 - digit));
            most = rank > most ? rank : most;
        }
        for (int bit = 0; bit < 4; ++bit)
            for (int half = 0; half < 2; ++half) keep(code[bit][half], code_[bit][half]);
        keep(most, most_);
    }

    Choice choose(int slot) const {
        const Cells pairs = at(pairs_, slot), few = at(few_, slot);
        if (pairs.empty()) return fewest(slot);
        const int digit = int(15 - (most_[slot] & 15));
        const Cells left = group_.cells(digit, slot);
        unsigned best = 0;
        for (Cells cells = left & pairs; !cells.empty(); cells.drop_first()) {
            const int place = cells.first();
            const Cells peers = kPeers[std::size_t(place)], peers_few = peers & few, peers_pairs = peers & pairs;
            const Cells other = group_.cells(other_digit(slot, place, digit), slot);
            const unsigned reach = (left & peers).size() + (left & peers_few).size() + 3 * (left & peers_pairs).size() +
                                   (other & peers).size() + (other & peers_few).size() + 3 * (other & peers_pairs).size();
            const unsigned rank = reach << 7 | unsigned(127 - place);
            best = rank > best ? rank : best;
        }
        return {int(127 - (best & 127)), digit};
    }

  private:
    typedef std::uint64_t Slots[V::group];

    Long cells(int digit, int half) const {
        Long value;
        std::memcpy(&value, group_.half[digit][half], sizeof value);
        return value;
    }
    static void keep(const Long& value, Slots& slots) { std::memcpy(slots, &value, sizeof value); }
    static Cells at(const Slots (&all)[2], int slot) { return {{all[0][slot], all[1][slot]}}; }

    // The second digit of a cell that has two: `code_` has the binary numbers (1..9) of both, added without carry.
    int other_digit(int slot, int place, int digit) const {
        const int half = place >= Cells::kHalf, bit = place - Cells::kHalf * half;
        unsigned both = 0;
        for (int at = 0; at < 4; ++at) both |= unsigned(code_[at][half][slot] >> bit & 1) << at;
        return int(both ^ unsigned(digit + 1)) - 1;
    }

    // Where no cell has two digits: the first cell with the fewest, and the least of them.
    Choice fewest(int slot) const {
        Choice best{0, 0};
        int least = 10;
        for (Cells cells = at(open_, slot); !cells.empty(); cells.drop_first()) {
            const int place = cells.first();
            int count = 0, digit = 0;
            for (int d = 8; d >= 0; --d)
                if (!(group_.cells(d, slot) & Cells::at(place)).empty()) ++count, digit = d;
            if (count < least) least = count, best = {place, digit};
        }
        return best;
    }

    const Group<V>& group_;
    alignas(64) Slots open_[2], pairs_[2], few_[2], code_[4][2], most_;
};

}  // namespace

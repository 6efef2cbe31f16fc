// Where to split a puzzle that inference leaves open.
//
// A cell with two digits, so that either part fills it. Of the digits, the one that stands in most such cells; of its
// cells, the one from which the two digits reach most (and the one that reaches more is tried first): every cell that
// would lose one of them counts, more if it has three digits left, and most if it has two. (The rule of Jeroslow and
// Wang, 1990, cut down to what is quick.)
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

constexpr std::array<Cells, Cells::kPlaces> make_places() {
    std::array<Cells, Cells::kPlaces> places{};
    for (int place = 0; place < Cells::kPlaces; ++place) places[std::size_t(place)] = Cells::at(place);
    return places;
}
constexpr auto kPlace = make_places();

// What a digit keeps that takes a place, by row: all but the peers.
struct Keep {
    std::uint16_t row[9];
};
constexpr std::array<Keep, Cells::kPlaces> make_keep() {
    std::array<Keep, Cells::kPlaces> keep{};
    for (int place = 0; place < Cells::kPlaces; ++place)
        for (int row = 0; row < 9; ++row) {
            const std::uint64_t half = kPeers[std::size_t(place)].half[row / 5];
            keep[std::size_t(place)].row[row] = std::uint16_t(~(half >> 12 * (row % 5)) & kRow);
        }
    return keep;
}
constexpr auto kKeep = make_keep();

// A cell, the digit (0..8) that it gets first, and the digit it gets otherwise, or -1 if that is not known yet.
struct Choice {
    int place, digit, other;
};

// What there is to choose from, for all slots of a group at once.
template <class V>
class Outlook {
    using Long = typename V::Long;  // one slot of the group an element

  public:
    explicit Outlook(const Group<V>& group) {
        Long one[2] = {}, two[2] = {}, three[2] = {}, four[2] = {}, pairs[2], most = {};
#pragma GCC unroll 9
        for (int digit = 0; digit < 9; ++digit)
#pragma GCC unroll 2
            for (int half = 0; half < 2; ++half) {
                const Long x = load(group.half[digit][half]);
                four[half] |= three[half] & x;
                three[half] |= two[half] & x;
                two[half] |= one[half] & x;
                one[half] |= x;
            }
#pragma GCC unroll 2
        for (int half = 0; half < 2; ++half) {
            pairs[half] = two[half] & ~three[half];
            store(two[half], open_[half]);
            store(pairs[half], pairs_[half]);
            store(two[half] & ~four[half], few_[half]);
        }
#pragma GCC unroll 9
        for (int digit = 0; digit < 9; ++digit) {
            const Long size = V::ones(load(group.half[digit][0]) & pairs[0]) + V::ones(load(group.half[digit][1]) & pairs[1]);
            const Long rank = size << 4 | (Long{} + (15 - digit));
            most = rank > most ? rank : most;
        }
        store(most, most_);
    }

    Cells open(int slot) const { return {{open_[0][slot], open_[1][slot]}}; }    // cells with two digits or more
    Cells pairs(int slot) const { return {{pairs_[0][slot], pairs_[1][slot]}}; }  // with two
    Cells few(int slot) const { return {{few_[0][slot], few_[1][slot]}}; }        // with two or three
    int digit(int slot) const { return int(15 - (most_[slot] & 15)); }            // that stands in most pairs

  private:
    typedef std::uint64_t Slots[V::group];

    static Long load(const Slots& slots) {
        Long value;
        std::memcpy(&value, slots, sizeof value);
        return value;
    }
    static void store(const Long& value, Slots& slots) { std::memcpy(slots, &value, sizeof value); }

    alignas(64) Slots open_[2], pairs_[2], few_[2], most_;
};

// Cells in the order of how much both digits reach, and then of their places; and the choice that such a rank stands for.
inline unsigned ranked(unsigned reach1, unsigned reach2, int place, unsigned other) {
    return (reach1 + reach2) << 12 | unsigned(127 - place) << 5 | unsigned(reach2 > reach1) << 4 | other;
}
inline Choice chosen(unsigned rank, int digit) {
    const int other = int(rank & 15), change = (digit ^ other) & -int(rank >> 4 & 1);  // swaps them without a branch
    return {int(127 - (rank >> 5 & 127)), digit ^ change, other ^ change};
}

// The best of the cells that have `digit` and one other.
template <class V>
Choice best_pair(const Column& column, Cells pairs, Cells few, int digit) {
    Cells code[4] = {};  // of each cell the binary numbers (1..9) of its digits, added without carry
#pragma GCC unroll 9
    for (int d = 0; d < 9; ++d)
        for (int bit = 0; bit < 4; ++bit)
            if ((d + 1) >> bit & 1) code[bit] = code[bit] ^ column.left[d];
    unsigned best = 0;
    for (Cells cells = column.left[digit] & pairs; !cells.empty(); cells.drop_first()) {
        const int place = cells.first();
        unsigned both = 0;
        for (int bit = 0; bit < 4; ++bit) both |= code[bit].has(place) << bit;
        const unsigned other = (both ^ unsigned(digit + 1)) - 1;
        const Cells peers = kPeers[std::size_t(place)], peers_few = peers & few, peers_pairs = peers & pairs;
        const Cells first = column.left[digit], second = column.left[other];
        const unsigned reach1 = (first & peers).size() + (first & peers_few).size() + 2 * (first & peers_pairs).size();
        const unsigned reach2 = (second & peers).size() + (second & peers_few).size() + 2 * (second & peers_pairs).size();
        const unsigned rank = ranked(reach1, reach2, place, other);
        best = rank > best ? rank : best;
    }
    return chosen(best, digit);
}

// Where no cell has two digits: the first cell with the fewest, and the least of them.
inline Choice fewest(const Column& column, Cells open) {
    Choice best{0, 0, -1};
    int least = 10;
    for (; !open.empty(); open.drop_first()) {
        const int place = open.first();
        int count = 0, digit = 0;
        for (int d = 8; d >= 0; --d)
            if (column.left[d].has(place)) ++count, digit = d;
        if (count < least) least = count, best = {place, digit, -1};
    }
    return best;
}

// For the slots in a mask, whose columns are those of the group.
template <class V>
void choose_all(const Group<V>& group, Column* const (&columns)[V::group], std::uint32_t slots,
                Choice (&choices)[V::group]) {
    const Outlook<V> outlook(group);
    for (; slots; slots &= slots - 1) {
        const int slot = lowest(slots);
        const Cells pairs = outlook.pairs(slot);
        choices[slot] = pairs.empty() ? fewest(*columns[slot], outlook.open(slot))
                                      : best_pair<V>(*columns[slot], pairs, outlook.few(slot), outlook.digit(slot));
    }
}

// What the choice means for the part in which the cell gets its first digit, and for the rest. Peers lose the digit here
// rather than in the next pass, of which there is one less then.
template <class V>
void first_part(State<V>& state, int lane, const Choice& choice) {
    const int row = choice.place / 12;
    const std::uint16_t elsewhere = std::uint16_t(~(1u << choice.place % 12));
    const Keep& keep = kKeep[std::size_t(choice.place)];
    for (int at = 0; at < 9; ++at) state.left[choice.digit][at][lane] &= keep.row[at];
    if (choice.other >= 0)
        state.left[choice.other][row][lane] &= elsewhere;
    else
        for (int digit = 0; digit < 9; ++digit)
            if (digit != choice.digit) state.left[digit][row][lane] &= elsewhere;
}

inline void second_part(Column& column, const Choice& choice) {
    column.left[choice.digit] = column.left[choice.digit] - kPlace[std::size_t(choice.place)];
    if (choice.other < 0) return;
    column.left[choice.other] = column.left[choice.other] - kPeers[std::size_t(choice.place)];
}

}  // namespace

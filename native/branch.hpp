// Where to split a puzzle that inference leaves open.
#pragma once

#include <array>
#include <cstdint>

namespace {

// A set of cells: twelve bits a row as in words.hpp, rows 1-5 in `low`, rows 6-9 in `high`.
struct Cells {
    std::uint64_t low, high;

    friend Cells operator&(Cells a, Cells b) { return {a.low & b.low, a.high & b.high}; }
    friend Cells operator|(Cells a, Cells b) { return {a.low | b.low, a.high | b.high}; }
    friend Cells operator^(Cells a, Cells b) { return {a.low ^ b.low, a.high ^ b.high}; }
    friend Cells operator-(Cells a, Cells b) { return {a.low & ~b.low, a.high & ~b.high}; }
    bool empty() const { return (low | high) == 0; }
    int size() const { return __builtin_popcountll(low) + __builtin_popcountll(high); }
    unsigned has(int place) const { return unsigned((place < 60 ? low : high) >> (place < 60 ? place : place - 60)) & 1; }
    int first() const { return (low ? 0 : 60) + __builtin_ctzll(low ? low : high); }
    void drop_first() {
        high &= low ? high : high - 1;
        low &= low - 1;  // stays 0
    }
};

constexpr int kPlaces = 108;  // 9 rows of 12 bits; a place is a row and a bit of it

constexpr Cells at(int row, int bit) {
    return row < 5 ? Cells{std::uint64_t(1) << (12 * row + bit), 0} : Cells{0, std::uint64_t(1) << (12 * row + bit - 60)};
}

// The twenty cells that share a unit with each place.
constexpr std::array<Cells, kPlaces> make_peers() {
    std::array<Cells, kPlaces> peers{};
    for (int place = 0; place < kPlaces; ++place)
        for (int other = 0; other < kPlaces; ++other) {
            const int row = place / 12, bit = place % 12, row2 = other / 12, bit2 = other % 12;
            if (bit % 4 == 3 || bit2 % 4 == 3 || place == other) continue;
            if (row == row2 || bit == bit2 || (row / 3 == row2 / 3 && bit / 4 == bit2 / 4)) {
                const Cells cell = at(row2, bit2);
                peers[std::size_t(place)].low |= cell.low;
                peers[std::size_t(place)].high |= cell.high;
            }
        }
    return peers;
}
constexpr auto kPeers = make_peers();

// A cell, and the digit (0..8) to try there first.
struct Choice {
    int place, digit;
};

class Chooser {
  public:
    explicit Chooser(const Cells (&left)[9]) : left_(left) {
        Cells one{}, two{}, three{}, four{};
        for (int digit = 0; digit < 9; ++digit) {
            const Cells x = left_[digit];
            four = four | (three & x);
            three = three | (two & x);
            two = two | (one & x);
            one = one | x;
        }
        open_ = two;
        pairs_ = two - three;
        few_ = two - four;
    }

    Choice choose() const {
        if (pairs_.empty()) return fewest();
        unsigned most = 0;
        Cells code[4] = {};
        for (unsigned d = 0; d < 9; ++d) {
            const Cells cells = left_[d] & pairs_;
            for (int bit = 0; bit < 4; ++bit)
                if ((d + 1) >> bit & 1) code[bit] = code[bit] ^ cells;
            most = max(most, unsigned(cells.size()) << 4 | (15 - d));
        }
        const int digit = int(15 - (most & 15));
        unsigned best = 0;
        for (Cells cells = left_[digit] & pairs_; !cells.empty(); cells.drop_first()) {
            const int place = cells.first();
            const unsigned both = code[0].has(place) | code[1].has(place) << 1 | code[2].has(place) << 2 | code[3].has(place) << 3;
            const int other = int(both ^ unsigned(digit + 1)) - 1;
            best = max(best, (reach(digit, place) + reach(other, place)) << 7 | unsigned(127 - place));
        }
        return {int(127 - (best & 127)), digit};
    }

  private:
    static unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }

    unsigned reach(int digit, int place) const {
        const Cells seen = left_[digit] & kPeers[std::size_t(place)];
        return unsigned(seen.size() + (seen & few_).size() + 3 * (seen & pairs_).size());
    }

    Choice fewest() const {
        Choice best{0, 0};
        int least = 10;
        for (Cells cells = open_; !cells.empty(); cells.drop_first()) {
            const int place = cells.first();
            int count = 0, digit = 0;
            for (int d = 8; d >= 0; --d)
                if (left_[d].has(place)) ++count, digit = d;
            if (count < least) least = count, best = {place, digit};
        }
        return best;
    }

    const Cells (&left_)[9];
    Cells open_, pairs_, few_;
};

}  // namespace

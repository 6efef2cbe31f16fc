// Which candidates are true and which false by now, in the order in which that became known, and what follows from it.
#pragma once

#include <cstdint>

#include "candidates.hpp"

namespace {

class Trail {
  public:
    Trail() {
        for (std::uint16_t& left : left_) left = 0x1FF;
    }

    bool open(int candidate) const { return value_[candidate] == kOpen; }
    bool is_true(int candidate) const { return value_[candidate] == kTrue; }
    unsigned left(int house) const { return left_[house]; }  // its members that are not false, a bit each
    int size() const { return size_; }                       // how many candidates are known

    // An open candidate becomes true or false, and all that follows by singles, naked and hidden, with it.
    // False: a contradiction, of which only `go_back` leads out.
    bool set(Literal literal) {
        note(literal);
        while (followed_ < size_) {
            const Literal known = trail_[followed_++];
            const int candidate = candidate_of(known);
            if (!(affirms(known) ? rule_out_rivals(candidate) : find_last_ones(candidate))) return false;
        }
        return true;
    }

    // Forgets all but the first `size` of what is known.
    void go_back(int size) {
        while (size_ > size) {
            const Literal literal = trail_[--size_];
            value_[candidate_of(literal)] = kOpen;
            if (affirms(literal)) continue;
            for (const Seat& seat : kTies.of[candidate_of(literal)]) left_[seat.house] |= seat.bit;
        }
        followed_ = size_;
    }

  private:
    enum Value : std::uint8_t { kOpen, kTrue, kFalse };

    void note(Literal literal) {
        const int candidate = candidate_of(literal);
        trail_[size_++] = literal;
        value_[candidate] = affirms(literal) ? kTrue : kFalse;
        if (affirms(literal)) return;
        for (const Seat& seat : kTies.of[candidate]) left_[seat.house] &= std::uint16_t(~seat.bit);
    }

    // The other members of the houses of a true candidate are false.
    bool rule_out_rivals(int candidate) {
        for (const Seat& seat : kTies.of[candidate])
            for (unsigned rest = left_[seat.house] & ~unsigned(seat.bit); rest; rest &= rest - 1) {
                const int rival = first_of(seat.house, rest);
                if (is_true(rival)) return false;
                note(is_not(rival));
            }
        return true;
    }

    // In the houses of a false candidate, the last one left is true.
    bool find_last_ones(int candidate) {
        for (const Seat& seat : kTies.of[candidate]) {
            const unsigned left = left_[seat.house];
            if (!left) return false;
            if (left & (left - 1)) continue;
            const int last = first_of(seat.house, left);
            if (open(last)) note(is(last));
        }
        return true;
    }

    std::uint16_t left_[kHouses];
    Value value_[kCandidates] = {};
    Literal trail_[kCandidates];
    int size_ = 0, followed_ = 0;  // what is known, and how much of it all conclusions are drawn from
};

}  // namespace

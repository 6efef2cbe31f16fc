// Which candidates are true and which false by now, in the order in which that became known, why, and what follows.
//
// What is decided (a candidate tried, to see where it leads) begins a level; what follows without a decision is on the
// level of the last one, and on level 0 it holds for good.
#pragma once

#include <cstdint>

#include "candidates.hpp"
#include "clauses.hpp"

namespace {

// Why a literal is true. Or why nothing can be: all members of a house, or all literals of a clause, are false, or
// a pair of candidates are both true.
struct Cause {
    enum Kind : std::uint32_t { none, pair, house, clause } kind;
    std::uint32_t at;  // the candidate, house or clause
};

class Trail {
  public:
    Trail() {
        for (std::uint16_t& left : left_) left = 0x1FF;
    }

    bool open(int candidate) const { return value_[candidate] == kOpen; }
    bool is_true(int candidate) const { return value_[candidate] == kTrue; }
    bool holds(Literal literal) const { return value_[candidate_of(literal)] == (affirms(literal) ? kTrue : kFalse); }
    bool fails(Literal literal) const { return holds(opposite(literal)); }
    Literal truth(int candidate) const { return is_true(candidate) ? is(candidate) : is_not(candidate); }
    unsigned left(int house) const { return left_[house]; }  // its members that are not false, a bit each
    int level() const { return level_; }
    int level(int candidate) const { return known_[candidate].level; }
    Cause cause(int candidate) const { return known_[candidate].cause; }
    Clauses& clauses() { return clauses_; }
    int size() const { return size_; }
    Literal at(int place) const { return trail_[place]; }
    Literal decision(int level) const { return trail_[begin_[level]]; }  // that which began a level, from 1

    // What was run into when `follow` said false; where the cause is a pair, `rival` is the other of it.
    Cause conflict() const { return conflict_; }
    int rival() const { return rival_; }

    void decide(Literal literal) {
        begin_[++level_] = size_;
        assign(literal, {Cause::none, 0});
    }

    // Takes back all levels above.
    void go_back(int level) {
        if (level >= level_) return;
        while (size_ > begin_[level + 1]) {
            const Literal literal = trail_[--size_];
            value_[candidate_of(literal)] = kOpen;
            if (!affirms(literal))
                for (const Seat& seat : kTies.of[candidate_of(literal)]) left_[seat.house] |= seat.bit;
        }
        followed_ = size_;
        level_ = level;
    }

    // An open literal becomes true.
    void assign(Literal literal, Cause cause) {
        const int candidate = candidate_of(literal);
        value_[candidate] = affirms(literal) ? kTrue : kFalse;
        known_[candidate] = {cause, level_};
        trail_[size_++] = literal;
        if (!affirms(literal))
            for (const Seat& seat : kTies.of[candidate]) left_[seat.house] &= std::uint16_t(~seat.bit);
    }

    // Draws all conclusions (singles, and those from clauses). False: a contradiction.
    bool follow() {
        while (followed_ < size_) {
            const Literal literal = trail_[followed_++];
            const int candidate = candidate_of(literal);
            if (!(affirms(literal) ? rule_out_rivals(candidate) : find_last_ones(candidate))) return false;
            if (!visit_clauses(opposite(literal))) return false;
        }
        return true;
    }

  private:
    enum Value : std::uint8_t { kOpen, kTrue, kFalse };
    struct Known {
        Cause cause;
        int level;
    };

    bool fail(Cause conflict) {
        conflict_ = conflict;
        return false;
    }

    // The other members of the houses of a true candidate are false.
    bool rule_out_rivals(int candidate) {
        for (const Seat& seat : kTies.of[candidate])
            for (unsigned rest = left_[seat.house] & ~unsigned(seat.bit); rest; rest &= rest - 1) {
                const int other = first_of(seat.house, rest);
                if (is_true(other)) {
                    rival_ = other;
                    return fail({Cause::pair, std::uint32_t(candidate)});
                }
                assign(is_not(other), {Cause::pair, std::uint32_t(candidate)});
            }
        return true;
    }

    // In the houses of a false candidate, the last one left is true.
    bool find_last_ones(int candidate) {
        for (const Seat& seat : kTies.of[candidate]) {
            const unsigned left = left_[seat.house];
            if (left & (left - 1)) continue;
            if (!left) return fail({Cause::house, seat.house});
            const int last = first_of(seat.house, left);
            if (open(last)) assign(is(last), {Cause::house, seat.house});
        }
        return true;
    }

    // The clauses that a false literal watches get another watcher; where there is none, the last literal is true.
    bool visit_clauses(Literal gone) {
        bool sound = true;
        for (Clauses::Name next, clause = clauses_.take(gone); clause; clause = next) {
            const int watcher = clauses_.at(clause, 1) == gone;
            const Literal other = clauses_.at(clause, 1 - watcher);
            next = clauses_.next(clause, watcher);
            if (sound && !holds(other)) {
                const bool moved = change_watcher(clause, watcher);
                if (!moved && fails(other)) sound = fail({Cause::clause, clause});
                if (!moved && sound) assign(other, {Cause::clause, clause});
            }
            clauses_.watch(clause, watcher);
        }
        return sound;
    }

    bool change_watcher(Clauses::Name clause, int watcher) {
        for (int place = 2; place < clauses_.size(clause); ++place)
            if (!fails(clauses_.at(clause, place))) {
                clauses_.swap(clause, watcher, place);
                return true;
            }
        return false;
    }

    std::uint16_t left_[kHouses];
    Value value_[kCandidates] = {};
    Known known_[kCandidates] = {};
    Literal trail_[kCandidates];
    int size_ = 0, followed_ = 0;  // what is known, and how much of it all conclusions are drawn from
    int begin_[kCandidates + 1] = {};  // where a level begins
    int level_ = 0;
    Clauses clauses_;
    Cause conflict_{Cause::none, 0};
    int rival_ = 0;
};

}  // namespace

#include "deep.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "trail.hpp"
#include "weights.hpp"

namespace gridmill {
namespace {

constexpr int kCells = 81, kPacked = 41;

unsigned digit_at(const std::uint8_t* packed, int cell) {
    return cell % 2 ? packed[cell / 2] & 15 : packed[cell / 2] >> 4;
}

class Search {
  public:
    Search(int limit, std::uint32_t budget) : limit_(limit), budget_(budget) {}

    Answer run(const std::uint8_t* packed) {
        bool sound = give(packed) && try_out();
        while (sound || trail_.level() > 0) {
            if (!sound) {
                sound = learn();
                continue;
            }
            const int candidate = choose();
            if (candidate < 0) {
                if (take_solution() == limit_ || trail_.level() == 0) break;
                sound = leave();
                continue;
            }
            answer_.spent = answer_.nodes == budget_ || trail_.clauses().full();
            if (answer_.spent) break;
            ++answer_.nodes;
            trail_.decide(is(candidate));
            sound = trail_.follow();
        }
        return answer_;
    }

  private:
    // Lays down the givens. False: they contradict each other.
    bool give(const std::uint8_t* packed) {
        for (int cell = 0; cell < kCells; ++cell) {
            const int digit = int(digit_at(packed, cell)), given = 9 * cell + digit - 1;
            if (digit == 0 || trail_.is_true(given)) continue;
            if (!trail_.open(given)) return false;
            trail_.assign(is(given), {Cause::none, 0});
            if (!trail_.follow()) return false;
        }
        return true;
    }

    // At the top, tries each candidate that is one of the last two of a house, until none fails. False: a contradiction.
    bool try_out() {
        int before;
        do {
            before = trail_.size();
            std::memset(tried_, 0, sizeof tried_);
            for (int house = 0; house < kHouses; ++house) {
                const unsigned left = trail_.left(house);
                if (kSizes.of[left] != 2) continue;
                if (!try_out(first_of(house, left)) || !try_out(first_of(house, left & (left - 1)))) return false;
            }
        } while (trail_.size() != before);
        return true;
    }

    bool try_out(int candidate) {
        if (!trail_.open(candidate) || tried_[candidate]) return true;
        tried_[candidate] = true;
        trail_.decide(is(candidate));
        if (trail_.follow()) {
            trail_.go_back(0);
            return true;
        }
        trace();
        return conclude(0);
    }

    // What to try next; -1 if nothing is open. Two rules take turns, since a board that fools one seldom fools the other.
    int choose() const { return restarts_.odd() ? heaviest_of_all() : heaviest_of(narrowest()); }

    // The house with the fewest members left, but two at least; of several, the heaviest. -1 if there is none.
    int narrowest() const {
        int best = -1, least = 10;
        std::uint64_t most = 0;
        for (int house = 0; house < kHouses; ++house) {
            const unsigned left = trail_.left(house);
            const int size = kSizes.of[left];
            if (size < 2 || size > least) continue;
            std::uint64_t weight = 0;
            for (unsigned rest = left; rest; rest &= rest - 1) weight += weights_.of(first_of(house, rest));
            if (size == least && weight <= most) continue;
            best = house, least = size, most = weight;
        }
        return best;
    }

    int heaviest_of(int house) const {
        if (house < 0) return -1;
        int best = first_of(house, trail_.left(house));
        for (unsigned left = trail_.left(house); left; left &= left - 1)
            if (weights_.of(first_of(house, left)) >= weights_.of(best)) best = first_of(house, left);
        return best;
    }

    int heaviest_of_all() const {
        int best = -1;
        for (int candidate = 0; candidate < kCandidates; ++candidate)
            if (trail_.open(candidate) && (best < 0 || weights_.of(candidate) > weights_.of(best))) best = candidate;
        return best;
    }

    // Learns from a contradiction, and goes on from where that leads. False: to another one.
    bool learn() {
        trace();
        weights_.grow();
        const auto nearest = std::max_element(clause_.begin() + 1, clause_.end(), [this](Literal one, Literal other) {
            return level(one) < level(other);
        });
        if (nearest != clause_.end()) std::iter_swap(clause_.begin() + 1, nearest);
        const bool sound = conclude(clause_.size() == 1 ? 0 : level(clause_[1]));
        if (!sound || !restarts_.due()) return sound;
        trail_.go_back(0);
        return try_out();
    }

    // Leaves a solution for what is different from it: one of the decisions has to be.
    bool leave() {
        clause_.clear();
        for (int level = trail_.level(); level > 0; --level) clause_.push_back(opposite(trail_.decision(level)));
        return conclude(trail_.level() - 1);
    }

    // The clause that a contradiction comes from, with one literal of the last level, which stands first: there, all
    // that contradicts each other follows from it.
    void trace() {
        std::memset(seen_, 0, sizeof seen_);
        clause_.assign(1, 0);
        open_ = 0;
        Cause cause = trail_.conflict();
        if (cause.kind == Cause::pair) see(trail_.rival());
        int place = trail_.size(), candidate = kCandidates;
        while (true) {
            see_all(cause, candidate);
            do candidate = candidate_of(trail_.at(--place));
            while (!seen_[candidate]);
            if (--open_ == 0) break;
            cause = trail_.cause(candidate);
        }
        clause_[0] = opposite(trail_.at(place));
    }

    // What a cause consists of, without the candidate that it is the cause of.
    void see_all(Cause cause, int candidate) {
        if (cause.kind == Cause::pair) see(int(cause.at));
        if (cause.kind == Cause::house)
            for (const int member : kTies.member[cause.at])
                if (member != candidate) see(member);
        if (cause.kind == Cause::clause)
            for (int place = 0; place < trail_.clauses().size(cause.at); ++place) {
                const int member = candidate_of(trail_.clauses().at(cause.at, place));
                if (member != candidate) see(member);
            }
    }

    // On the last level it is traced further, above it is a part of the clause, and at the very top it holds anyway.
    void see(int candidate) {
        if (seen_[candidate] || trail_.level(candidate) == 0) return;
        seen_[candidate] = true;
        weights_.add(candidate);
        if (trail_.level(candidate) == trail_.level())
            ++open_;
        else
            clause_.push_back(opposite(trail_.truth(candidate)));
    }

    // Goes back to where all literals of the new clause but the first are false, so that this one follows. False: to a
    // contradiction.
    bool conclude(int level) {
        trail_.go_back(level);
        if (clause_.size() == 1)
            trail_.assign(clause_[0], {Cause::none, 0});
        else
            trail_.assign(clause_[0], {Cause::clause, trail_.clauses().add(clause_)});
        return trail_.follow();
    }

    int level(Literal literal) const { return trail_.level(candidate_of(literal)); }

    int take_solution() {
        std::uint8_t* packed = answer_.solutions[answer_.found++];
        std::memset(packed, 0, kPacked);
        for (int cell = 0; cell < kCells; ++cell)
            packed[cell / 2] |= std::uint8_t((__builtin_ctz(trail_.left(cell)) + 1) << (cell % 2 ? 0 : 4));
        return answer_.found;
    }

    const int limit_;
    const std::uint32_t budget_;
    Trail trail_;
    Weights weights_;
    Restarts restarts_;
    std::vector<Literal> clause_;  // the last that was learned
    bool seen_[kCandidates];       // while a contradiction is traced
    bool tried_[kCandidates];      // in this round at the top
    int open_ = 0;                 // candidates seen on the last level and not yet traced
    Answer answer_;
};

}  // namespace

bool is_board(const std::uint8_t* packed) {
    for (int cell = 0; cell < kCells; ++cell)
        if (digit_at(packed, cell) > 9) return false;
    return (packed[kPacked - 1] & 15) == 0;
}

Answer search_deep(const std::uint8_t* packed, int limit, std::uint32_t budget) {
    return Search(limit, budget).run(packed);
}

}  // namespace gridmill

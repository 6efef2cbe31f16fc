#include "deep.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "trail.hpp"

namespace gridmill {
namespace {

constexpr int kCells = 81, kPacked = 41;
constexpr int kStretch = 8;  // contradictions to the first restart; up to 100 do as well for what is not made to be hard
constexpr std::uint64_t kMost = std::uint64_t(1) << 60;  // of a weight: nine of them still have a sum
constexpr int kDrop = 30;                                // bits that all weights lose when one has reached it

unsigned digit_at(const std::uint8_t* packed, int cell) {
    return cell % 2 ? packed[cell / 2] & 15 : packed[cell / 2] >> 4;
}

// How often candidates had part in contradictions, the late ones weighing more: each 1/16 more than the one before.
class Weights {
  public:
    std::uint64_t of(int candidate) const { return weight_[candidate]; }
    void add(int candidate) {
        if ((weight_[candidate] += step_) <= kMost) return;
        for (std::uint64_t& weight : weight_) weight >>= kDrop;
        step_ >>= kDrop;
    }
    void grow() { step_ += step_ >> 4; }

  private:
    std::uint64_t weight_[kCandidates] = {}, step_ = 1024;
};

// How many bits are set of the nine of a house. (Without leave to use a processor's own instruction it is a call.)
struct Sizes {
    std::uint8_t of[512];
};
constexpr Sizes make_sizes() {
    Sizes sizes{};
    for (int left = 1; left < 512; ++left) sizes.of[left] = std::uint8_t(sizes.of[left / 2] + left % 2);
    return sizes;
}
constexpr Sizes kSizes = make_sizes();

// When to begin again at the top, with all that was learned: after 1, 1, 2, 1, 1, 2, 4, ... stretches (Luby and others, 1993).
class Restarts {
  public:
    bool due() {
        if (++since_ < kStretch * stretches_) return false;
        since_ = 0;
        odd_ = !odd_;
        if ((turn_ & -turn_) == stretches_) {
            ++turn_;
            stretches_ = 1;
        } else {
            stretches_ *= 2;
        }
        return true;
    }

    bool odd() const { return odd_; }  // how often it was

  private:
    std::uint32_t since_ = 0, turn_ = 1, stretches_ = 1;
    bool odd_ = false;
};

class Search {
  public:
    Answer run(const std::uint8_t* packed, int limit, std::uint32_t budget) {
        bool sound = give(packed);
        while (true) {
            if (!sound) {
                if (trail_.level() == 0) return answer_;
                sound = learn();
                continue;
            }
            const int candidate = choose();
            if (candidate < 0) {
                note();
                if (answer_.found == limit || trail_.level() == 0) return answer_;
                sound = leave();
                continue;
            }
            if (answer_.nodes == budget || trail_.clauses().full()) {
                answer_.spent = true;
                return answer_;
            }
            ++answer_.nodes;
            trail_.decide(is(candidate));
            sound = trail_.follow();
        }
    }

  private:
    // Lays down the givens. False: they contradict each other.
    bool give(const std::uint8_t* packed) {
        for (int cell = 0; cell < kCells; ++cell) {
            const unsigned digit = digit_at(packed, cell);
            if (digit == 0) continue;
            const Literal given = is(9 * cell + int(digit) - 1);
            if (trail_.fails(given)) return false;
            if (!trail_.holds(given)) trail_.assign(given, {Cause::none, 0});
            if (!trail_.follow()) return false;
        }
        return true;
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
            for (unsigned rest = left; rest; rest &= rest - 1) weight += weights_.of(member(house, rest));
            if (size == least && weight <= most) continue;
            best = house, least = size, most = weight;
        }
        return best;
    }

    int heaviest_of(int house) const {
        if (house < 0) return -1;
        unsigned left = trail_.left(house);
        int best = member(house, left);
        while (left &= left - 1)
            if (weights_.of(member(house, left)) >= weights_.of(best)) best = member(house, left);
        return best;
    }

    int heaviest_of_all() const {
        int best = -1;
        for (int candidate = 0; candidate < kCandidates; ++candidate)
            if (trail_.open(candidate) && (best < 0 || weights_.of(candidate) > weights_.of(best))) best = candidate;
        return best;
    }

    static int member(int house, unsigned left) { return kTies.member[house][__builtin_ctz(left)]; }

    // Learns from a contradiction, and goes on from where that leads. False: to another one.
    bool learn() {
        trace();
        weights_.grow();
        const auto nearest = std::max_element(clause_.begin() + 1, clause_.end(), [this](Literal one, Literal other) {
            return level(one) < level(other);
        });
        if (nearest != clause_.end()) std::iter_swap(clause_.begin() + 1, nearest);
        const bool sound = conclude(clause_.size() == 1 ? 0 : level(clause_[1]));
        if (sound && restarts_.due()) trail_.go_back(0);
        return sound;
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

    // Goes back to where all literals of the new clause but the first are false. False: a contradiction.
    bool conclude(int level) {
        trail_.go_back(level);
        if (clause_.size() == 1)
            trail_.assign(clause_[0], {Cause::none, 0});
        else
            trail_.assign(clause_[0], {Cause::clause, trail_.clauses().add(clause_)});
        return trail_.follow();
    }

    int level(Literal literal) const { return trail_.level(candidate_of(literal)); }

    void note() {
        std::uint8_t* packed = answer_.solutions[answer_.found++];
        std::memset(packed, 0, kPacked);
        for (int cell = 0; cell < kCells; ++cell)
            packed[cell / 2] |= std::uint8_t((__builtin_ctz(trail_.left(cell)) + 1) << (cell % 2 ? 0 : 4));
    }

    Trail trail_;
    Weights weights_;
    Restarts restarts_;
    std::vector<Literal> clause_;  // the last that was learned
    bool seen_[kCandidates];
    int open_ = 0;  // candidates seen on the last level and not yet traced
    Answer answer_;
};

}  // namespace

bool is_board(const std::uint8_t* packed) {
    for (int cell = 0; cell < kCells; ++cell)
        if (digit_at(packed, cell) > 9) return false;
    return (packed[kPacked - 1] & 15) == 0;
}

Answer search_deep(const std::uint8_t* packed, int limit, std::uint32_t budget) {
    return Search().run(packed, limit, budget);
}

}  // namespace gridmill

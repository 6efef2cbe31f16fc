#include "deep.hpp"

#include <cstring>

#include "trail.hpp"

namespace gridmill {
namespace {

constexpr int kCells = 81, kPacked = 41;
constexpr int kLevels = kCells;  // each open split on the way to a state has filled another cell

unsigned digit_at(const std::uint8_t* packed, int cell) {
    return cell % 2 ? packed[cell / 2] & 15 : packed[cell / 2] >> 4;
}

class Search {
  public:
    Search(int limit, std::uint32_t budget) : limit_(limit), budget_(budget) {}

    Answer run(const std::uint8_t* packed) {
        State state = give(packed) ? think() : State::dead;
        while (true) {
            if (state == State::solved && take_solution() == limit_) break;
            if (state == State::spent || (state != State::open && depth_ == 0)) break;
            state = state == State::open ? split() : go_back();
        }
        answer_.spent = state == State::spent;
        return answer_;
    }

  private:
    enum class State { dead, solved, open, spent };
    struct Split {
        int size, candidate;  // what was known before, and what was supposed to be true
    };

    // Lays down the givens. False: they contradict each other.
    bool give(const std::uint8_t* packed) {
        for (int cell = 0; cell < kCells; ++cell) {
            const int digit = int(digit_at(packed, cell)), given = 9 * cell + digit - 1;
            if (digit == 0 || trail_.is_true(given)) continue;
            if (!trail_.open(given) || !trail_.set(is(given))) return false;
        }
        return true;
    }

    // Goes on with the part where a candidate is true.
    State split() {
        if (answer_.nodes == budget_) return State::spent;
        ++answer_.nodes;
        splits_[depth_++] = {trail_.size(), split_};
        return go_on(is(split_));
    }

    // Goes on with the part where the last one is false.
    State go_back() {
        const Split& last = splits_[--depth_];
        trail_.go_back(last.size);
        return go_on(is_not(last.candidate));
    }

    State go_on(Literal literal) { return trail_.set(literal) ? think() : State::dead; }

    // Tries each candidate that is one of the last two of a house, until none fails. What is still open then is to be
    // split by `split_`: of the two that together lead furthest, the one that leads further.
    State think() {
        while (true) {
            const int before = trail_.size();
            std::memset(reach_, 0, sizeof reach_);
            split_ = -1;
            int most = 0;
            for (int house = 0; house < kHouses; ++house) {
                const unsigned left = trail_.left(house);
                if (kSizes.of[left] != 2) continue;
                const int one = first_of(house, left), other = first_of(house, left & (left - 1));
                if (!try_out(one) || !try_out(other)) return State::dead;
                const int product = reach_[one] * reach_[other];
                if (product > most) most = product, split_ = reach_[one] < reach_[other] ? other : one;
            }
            if (trail_.size() != before) continue;
            if (split_ < 0) split_ = first_of_narrowest();
            return split_ < 0 ? State::solved : State::open;
        }
    }

    // Sees what follows from a candidate that is open and was not tried in this round. False: it can be neither true nor
    // false.
    bool try_out(int candidate) {
        if (!trail_.open(candidate) || reach_[candidate]) return true;
        const int before = trail_.size();
        const bool sound = trail_.set(is(candidate));
        reach_[candidate] = trail_.size() - before;
        trail_.go_back(before);
        return sound || trail_.set(is_not(candidate));
    }

    // Where no house has two members left: the first of a house with the fewest. -1: nothing is open.
    int first_of_narrowest() const {
        int best = -1, least = 10;
        for (int house = 0; house < kHouses; ++house) {
            const int size = kSizes.of[trail_.left(house)];
            if (size > 1 && size < least) least = size, best = first_of(house, trail_.left(house));
        }
        return best;
    }

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
    int reach_[kCandidates];  // how many became known with those that were tried in this round; 0 for the others
    int split_ = -1;          // the candidate to split by
    Split splits_[kLevels];
    int depth_ = 0;
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

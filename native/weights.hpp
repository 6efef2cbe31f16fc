// What a search that begins anew again and again remembers beside its clauses: what it ran into most, and when to begin.
#pragma once

#include <cstdint>

#include "candidates.hpp"

namespace {

// How often candidates had part in contradictions, the late ones weighing more: each a sixteenth more than the last.
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
    static constexpr std::uint64_t kMost = std::uint64_t(1) << 60;  // nine such weights still have a sum
    static constexpr int kDrop = 30;                                // bits that all lose when one is above

    std::uint64_t weight_[kCandidates] = {}, step_ = 1024;
};

// When to begin again at the top: after 1, 1, 2, 1, 1, 2, 4, ... times kStretch contradictions (Luby and others, 1993).
class Restarts {
  public:
    bool due() {
        if (++since_ < kStretch * times_) return false;
        since_ = 0;
        odd_ = !odd_;
        if ((turn_ & -turn_) == times_) {
            ++turn_;
            times_ = 1;
        } else {
            times_ *= 2;
        }
        return true;
    }
    bool odd() const { return odd_; }  // how often it was

  private:
    static constexpr std::uint32_t kStretch = 8;  // from 32 on, boards that were sought for it take longer

    std::uint32_t since_ = 0, turn_ = 1, times_ = 1;
    bool odd_ = false;
};

}  // namespace

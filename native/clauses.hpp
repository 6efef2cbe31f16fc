// What a search has learned: sets of literals of which at least one is true.
//
// Each clause is watched by its first two literals. Only when one of them becomes false has anybody to look at it
// (Moskewicz and others, 2001). All are in one piece of memory, each as
//
//     size | next clause watched by literal 0 | the same for literal 1 | literals...
//
// and known by where they begin. The clauses that a literal watches are a chain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "candidates.hpp"

namespace {

class Clauses {
  public:
    using Name = std::uint32_t;
    static constexpr Name kNone = 0;
    static constexpr std::size_t kRoom = std::size_t(1) << 22;  // words: 16 MB; the worst board known fills a hundredth

    int size(Name clause) const { return int(words_[clause]); }
    Literal at(Name clause, int place) const { return Literal(words_[clause + 3 + unsigned(place)]); }
    bool full() const { return words_.size() > kRoom; }

    // Two literals or more; the first two watch. Throws std::bad_alloc.
    Name add(const std::vector<Literal>& literals) {
        const Name clause = Name(words_.size());
        words_.push_back(std::uint32_t(literals.size()));
        words_.insert(words_.end(), 2, kNone);
        words_.insert(words_.end(), literals.begin(), literals.end());
        watch(clause, 0);
        watch(clause, 1);
        return clause;
    }

    // The chain of a literal, which is empty afterwards; and what comes behind a clause of it.
    Name take(Literal literal) { return std::exchange(first_[literal], kNone); }
    Name next(Name clause, int watcher) const { return words_[clause + 1 + unsigned(watcher)]; }

    // Puts a clause into the chain of its literal 0 or 1.
    void watch(Name clause, int watcher) {
        words_[clause + 1 + unsigned(watcher)] = std::exchange(first_[at(clause, watcher)], clause);
    }
    void swap(Name clause, int place, int other) {
        std::swap(words_[clause + 3 + unsigned(place)], words_[clause + 3 + unsigned(other)]);
    }

  private:
    std::vector<std::uint32_t> words_{kNone};
    Name first_[2 * kCandidates] = {};
};

}  // namespace

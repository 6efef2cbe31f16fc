#include "count.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "grid.hpp"

namespace gridmill {
namespace {

class Counter {
  public:
    Counter(std::uint32_t limit, std::uint32_t budget, bool keep) : limit_(limit), budget_(budget), keep_(keep) {}

    // Counts what can be made of `grid`, in which everything follows already. False: enough is known.
    bool search(const Grid& grid) {
        const int cell = grid.fewest();
        if (cell < 0) return take(grid);
        for (unsigned left = grid.may[cell]; left; left &= left - 1) {
            if (nodes_ == budget_) {
                tally_.spent = true;
                return false;
            }
            ++nodes_;
            Grid next = grid;
            if (next.place(cell, left & -left) && next.settle() && !search(next)) return false;
        }
        return true;
    }

    Tally finish() {
        if (keep_) sort();
        return std::move(tally_);
    }

  private:
    bool take(const Grid& grid) {
        if (keep_ && tally_.found < limit_) {
            tally_.solutions.resize(tally_.solutions.size() + kPacked);
            grid.pack(tally_.solutions.data() + tally_.solutions.size() - kPacked);
        }
        return ++tally_.found <= limit_;
    }

    void sort() {
        using Board = std::array<std::uint8_t, kPacked>;
        static_assert(sizeof(Board) == kPacked, "boards lie end to end");
        auto* const first = reinterpret_cast<Board*>(tally_.solutions.data());
        std::sort(first, first + tally_.solutions.size() / kPacked);
    }

    const std::uint32_t limit_, budget_;
    const bool keep_;
    std::uint32_t nodes_ = 0;
    Tally tally_;
};

}  // namespace

Tally count_solutions(const std::uint8_t* packed, std::uint32_t limit, std::uint32_t budget, bool keep) {
    Counter counter(limit, budget, keep);
    Grid grid;
    if (grid.load(packed) && grid.settle()) counter.search(grid);
    return counter.finish();
}

}  // namespace gridmill

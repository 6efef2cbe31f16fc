// Counts the solutions of one board, and keeps them when told to: for boards that have many.
//
// Naked and hidden singles to a fixpoint, then the first of the cells with the fewest candidates, its digits in order.
// A node is one digit put there to see where it leads. The search is the same on every machine, so what it has found
// when it stops early is too. Recursion goes 81 deep at most, 250 bytes each time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridmill {

struct Tally {
    std::uint32_t found = 0;  // solutions, one more than the limit at most
    bool spent = false;       // the budget ended it: there may be more
    std::vector<std::uint8_t> solutions;  // the first ones found, up to the limit, packed and in lexicographic order
};

// Looks for one solution more than `limit`, with up to `budget` nodes, in what is a board; `keep`: also gives them.
// Givens that clash have none. Throws std::bad_alloc.
Tally count_solutions(const std::uint8_t* packed, std::uint32_t limit, std::uint32_t budget, bool keep);

}  // namespace gridmill

// Which givens of a puzzle might be spared: it is still unique without this one, all others in their places.
//
// Most givens can be seen to be needed, for the solution has unavoidable sets (gridmill/unavoidable.py) in which each of
// them is the only one: without it, what is in the set can be exchanged. What is left has to be solved without the given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridmill {

struct Lacking {
    std::vector<std::uint8_t> boards;  // packed, each a puzzle without one of its givens
    std::vector<std::uint8_t> cells;   // of each, the cell of that given
    std::vector<std::uint8_t> counts;  // how many of them each puzzle has
};

// Of packed boards, each with its solution, those without a given that is not seen to be needed. What is said of a
// solution that is none means nothing. Throws std::bad_alloc.
Lacking lacking(const std::uint8_t* boards, const std::uint8_t* solutions, std::size_t records);

}  // namespace gridmill

// One board, for whoever has no others to fill the vectors with: a hard one is cut into parts that fill them.
//
// Its first nodes are the kernel's. What that leaves open is split at cells with the fewest candidates until there are
// kParts boards or more, which are then solved beside each other. What fools the kernel fools it in every part, so the
// parts get few nodes; the search that learns has the rest. The solution of a board that has several is that of the first
// part, or of that search, so it is the same at every width.
#pragma once

#include <cstdint>

#include "lanes.hpp"

namespace gridmill {

enum class Single { none, solved, open };  // open: its nodes are spent, as with no known board

// Solves what is a board; its solution goes to `solution`, 41 bytes. Throws std::bad_alloc.
Single solve_single(const std::uint8_t* packed, Kernel kernel, std::uint8_t* solution);

}  // namespace gridmill

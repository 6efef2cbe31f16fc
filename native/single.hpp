// One board, for whoever has no others to fill the vectors with: a hard one is cut into parts that fill them.
//
// Its first nodes are the kernel's. What that leaves open is split at cells with the fewest candidates until there are
// kParts boards or more, which are then solved beside each other. The solution of a board that has several is that of the
// first part, so it is the same at every width.
#pragma once

#include <cstdint>

#include "lanes.hpp"

namespace gridmill {

enum class Single { none, solved, open };  // open: too hard for this

// Solves what is a board; its solution goes to `solution`, 41 bytes. Throws std::bad_alloc.
Single solve_single(const std::uint8_t* packed, Kernel kernel, std::uint8_t* solution);

}  // namespace gridmill

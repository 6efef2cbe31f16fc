// The search for boards that the kernel leaves open: one board at a time, and it learns from what fails.
//
// What fools the kernel is a mistake at the top that shows only far below, again and again in another dress. Here every
// contradiction is traced back to the few choices that made it, and that becomes a clause which cuts off all its other
// forms (conflict-driven clause learning: Marques-Silva and Sakallah, 1996). It costs a few microseconds a node.
//
// A node is one candidate tried. An answer depends on board, limit and budget alone: nothing is kept between calls, and
// all numbers are integers. Everything but the clauses is on the stack, 30 KB; nothing recurses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gridmill {

struct Answer {
    int found = 0;                   // solutions, up to the limit
    std::uint32_t nodes = 0;
    bool spent = false;              // more was wanted than the budget, or 16 MB of clauses, allow
    std::uint8_t solutions[2][41];   // packed as in gridmill/board.py, as many as were found
};

// Whether 41 bytes are a board; a hole is none.
bool is_board(const std::uint8_t* packed);

// Looks for up to `limit` solutions, one or two, of what is a board. Givens that clash have none. Throws std::bad_alloc.
Answer search_deep(const std::uint8_t* packed, int limit, std::uint32_t budget);

}  // namespace gridmill

// The search for boards that the kernel leaves open: one board at a time; it tries things out, and learns.
//
// What fools the kernel is a mistake at the top that shows only far below, again and again in another dress. Two things
// help against that, and boards that are hard for one are easy for the other:
// - at the top, each candidate that is one of two is tried, to see whether singles lead to a contradiction ("failed
//   literals": Freeman, 1995);
// - every contradiction is traced back to the few choices that made it, and that becomes a clause which cuts off all its
//   other forms (clause learning: Marques-Silva and Sakallah, 1996). Every so often the search begins again at the top.
//
// A node is one split, as in the kernel; what is tried out at the top is none. It costs 3 to 5 microseconds. An answer
// depends on board, limit and budget alone: nothing is kept between calls, and all numbers are integers. Everything but
// the clauses is on the stack, 30 KB; nothing recurses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gridmill {

struct Answer {
    int found = 0;  // solutions, up to the limit
    std::uint32_t nodes = 0;
    bool spent = false;             // more was wanted than the budget, or 16 MB of clauses, allow
    std::uint8_t solutions[2][41];  // packed as in gridmill/board.py, as many as were found
};

// Whether 41 bytes are a board; a hole is none.
bool is_board(const std::uint8_t* packed);

// Looks for up to `limit` solutions, one or two, of what is a board. Givens that clash have none. Throws std::bad_alloc.
Answer search_deep(const std::uint8_t* packed, int limit, std::uint32_t budget);

}  // namespace gridmill

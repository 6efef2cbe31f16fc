// The search for boards that the kernel leaves open: one board at a time, and it looks ahead.
//
// What fools the kernel is a mistake at the top that shows only far below, again and again. Here, before every split,
// each candidate that is one of two is tried, to see where singles lead: to a contradiction, then it is false for good;
// or how far, which says where to split. Until no trial fails any more ("failed literals": Freeman, 1995; Li and
// Anbulagan, 1997).
//
// A node is one split, as in the kernel; trials are none. It costs some 30 microseconds. An answer depends on board,
// limit and budget alone: nothing is kept between calls. All that is needed is on the stack, 7 KB; nothing recurses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gridmill {

struct Answer {
    int found = 0;  // solutions, up to the limit
    std::uint32_t nodes = 0;
    bool spent = false;             // more nodes were wanted than the budget allows
    std::uint8_t solutions[2][41];  // packed as in gridmill/board.py, as many as were found
};

// Whether 41 bytes are a board; a hole is none.
bool is_board(const std::uint8_t* packed);

// Looks for up to `limit` solutions, one or two, of what is a board. Givens that clash have none.
Answer search_deep(const std::uint8_t* packed, int limit, std::uint32_t budget);

}  // namespace gridmill

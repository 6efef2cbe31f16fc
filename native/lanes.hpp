// The kernel: solves many boards at once, one in each 16-bit lane of a vector.
//
// Boards, codes, nodes and solutions are laid out as in gridmill/board.py and gridmill/reply.py. A node is one split of
// what is left into two parts. An answer depends on its board, the limit and the budget alone: not on the width of the
// vectors, and not on the other boards. Nothing is kept between calls; any number of threads may call at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridmill {

struct Batch {
    const std::uint8_t* boards;  // 41 bytes a record
    std::size_t records;
    int limit;             // solutions to look for: 1 or 2
    std::uint32_t budget;  // nodes a board

    std::uint8_t* codes;      // 1 a record
    std::uint32_t* nodes;     // 1 a record
    std::uint8_t* solutions;  // 41 bytes a record, nothing said where it has none
    std::uint8_t* seconds;    // the same
};

// Fills the columns. Returns the first record that is neither a board nor a hole, then they are not complete; `records`
// if there is none. Throws std::bad_alloc.
using Kernel = std::size_t (*)(const Batch&);

std::size_t solve_avx512(const Batch&);
std::size_t solve_avx2(const Batch&);
std::size_t solve_baseline(const Batch&);

// The kernels that this machine can run, the widest first; and one of them by name, or null.
std::vector<const char*> widths();
Kernel find_kernel(const char* name);

}  // namespace gridmill

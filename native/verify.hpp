// Judges what workers claim: a second implementation of the rules beside gridmill/rules.py and gridmill/judge.py.
// It shares nothing with any solver.
//
// All data is packed as gridmill/board.py and gridmill/reply.py draw it:
//
//   board, solution   41 bytes, two cells a byte, the first in the high half, blank 0, last low half 0
//   hole              41 bytes 0xff: the slot of a record that is not a board
//   code              one byte a record: 0 hole, 1 unique, 2 solved, 3 multiple, 4 none, 5 clash, 6 undecided
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridmill {

constexpr std::size_t kPacked = 41;

struct Bytes {
    const std::uint8_t* data;
    std::size_t size;
};

struct Claims {
    Bytes boards;     // kPacked a record
    Bytes codes;      // 1 a record
    Bytes solutions;  // kPacked for each record that claims one, in order
    Bytes seconds;    // kPacked for each record that claims a second one, in order
};

enum class Verdict : std::uint8_t { right = 0, wrong = 1, open = 2 };

enum class Fault { nothing, sizes, board };

struct Outcome {
    Fault fault;
    std::size_t record;  // where, when `fault` is `board`
};

// How many of `records` boards, from the first on, have the right solution, until one has not: it holds every digit once
// in all 27 units and keeps every given. Nothing else may be said to be right; whoever stops too early costs time alone,
// for `judge` looks at that record itself.
using CountRight = std::size_t (*)(const std::uint8_t* boards, const std::uint8_t* solutions, std::size_t records);

std::size_t count_right_avx2(const std::uint8_t*, const std::uint8_t*, std::size_t);

// The ways to count that this machine has, the fastest first; and one of them by name, or null.
std::vector<const char*> ways_to_count();
CountRight find_count(const char* name);

// Writes one Verdict a record into `verdicts` (codes.size bytes). Reads nothing outside the given ranges, also when
// another thread changes them meanwhile.
Outcome judge(const Claims& claims, std::uint8_t* verdicts, CountRight count_right);

}  // namespace gridmill

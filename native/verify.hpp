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

// Writes one Verdict a record into `verdicts` (codes.size bytes). Reads nothing outside the given ranges, also when
// another thread changes them meanwhile.
Outcome judge(const Claims& claims, std::uint8_t* verdicts);

}  // namespace gridmill

// The hardest technique that a puzzle needs, out of five that people know: see gridmill/technique.py, which says what
// each of them is and is what this is held against.
//
// What may be true is kept digit by digit, 27 cells of a band in a word, in which singles and locked candidates are a few
// operations for a whole band; for subsets it is turned over, cell by cell.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gridmill {

// Writes one number for each packed board: 1 naked single, 2 hidden single, 3 locked candidates, 4 subset, 5 search; 0
// for what is no board. A board without exactly one solution is never solved by the first four, so it needs search.
void rate(const std::uint8_t* boards, std::size_t records, std::uint8_t* techniques);

}  // namespace gridmill

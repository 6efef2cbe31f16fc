// The smallest of all boards that are the same puzzle: under every order of rows in their bands, of bands, of columns in
// their stacks, of stacks, under transposing and under every naming of the digits, 3,359,232 × 9! ways in all. Smallest
// by reading, a blank before every digit. So two puzzles are the same but for such changes when their forms are equal.
//
// The form is found row by row. All ways to begin it in the smallest way are kept, and each is gone on with in every
// allowed way; those that come to a larger row are dropped. Most choices need not be made: columns in which nothing has
// stood yet stay undecided, since the blanks of a row come first whichever they are. Only where digits without a name can
// be named in several orders is each order tried.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gridmill {

// Writes the forms of packed boards, one for each, packed too; a hole for what is no board or has givens that clash.
// Throws std::bad_alloc.
void find_forms(const std::uint8_t* boards, std::size_t records, std::uint8_t* forms);

}  // namespace gridmill

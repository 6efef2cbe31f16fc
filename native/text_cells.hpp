// A board as text and packed, as gridmill/board.py draws both: 81 characters, and 41 bytes with the first cell of each
// pair in the high half.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridmill::text {

constexpr std::size_t kCells = 81;
constexpr std::size_t kPacked = 41;

// From one to the other and back; all do the same, and touch no byte outside of these 81 and 41.
struct Codec {
    const char* name;

    // Packs the 81 characters at `cells`. False when one is neither a digit 1-9 nor `blank`; `packed` then holds rubbish.
    bool (*pack)(const std::uint8_t* cells, std::uint8_t blank, std::uint8_t* packed);

    // Writes the 81 characters of a packed board, `.` for a blank. False when it is no board; `cells` then holds rubbish.
    bool (*unpack)(const std::uint8_t* packed, std::uint8_t* cells);
};

bool pack_avx2(const std::uint8_t* cells, std::uint8_t blank, std::uint8_t* packed);
bool unpack_avx2(const std::uint8_t* packed, std::uint8_t* cells);

// Those that this machine can run, the fastest first.
std::vector<Codec> codecs();
inline Codec fastest_codec() { return codecs().front(); }

}  // namespace gridmill::text

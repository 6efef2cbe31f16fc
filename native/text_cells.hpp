// A board as text and packed, as gridmill/board.py draws both: 81 characters, and 41 bytes with the first cell of each
// pair in the high half. Sixteen cells at a time in portable vectors: what every x86-64 and ARM64 has is fast enough
// here (5 ns a board), so there is nothing to choose at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "pairs of cells are taken as little-endian 16-bit lanes"
#endif

namespace gridmill::text {

constexpr std::size_t kCells = 81;
constexpr std::size_t kPacked = 41;

using Bytes16 [[gnu::vector_size(16)]] = std::uint8_t;
using Pairs8 [[gnu::vector_size(16)]] = std::uint16_t;
using Bytes8 [[gnu::vector_size(8)]] = std::uint8_t;

inline bool any(const Bytes16& lanes) {
    std::uint64_t halves[2];
    std::memcpy(halves, &lanes, sizeof halves);
    return (halves[0] | halves[1]) != 0;
}

// Packs the 81 characters at `cells`. False when one is neither a digit 1-9 nor `blank`; `packed` then holds rubbish.
inline bool pack(const std::uint8_t* cells, std::uint8_t blank, std::uint8_t* packed) {
    Bytes16 wrong{};
    for (std::size_t at = 0; at < kCells - 1; at += 16) {
        Bytes16 signs;
        std::memcpy(&signs, cells + at, sizeof signs);
        const Bytes16 digits = signs - '0';
        const Bytes16 is_digit = Bytes16(digits - 1 < 9);
        wrong |= ~(is_digit | Bytes16(signs == blank));
        const Pairs8 pairs = Pairs8(digits & is_digit);
        const Bytes8 both = __builtin_convertvector((pairs << 4 | pairs >> 8) & 0xFF, Bytes8);
        std::memcpy(packed + at / 2, &both, sizeof both);
    }
    const std::uint8_t last = cells[kCells - 1], digit = std::uint8_t(last - '0');
    const bool is_digit = std::uint8_t(digit - 1) < 9;
    packed[kPacked - 1] = std::uint8_t(is_digit ? digit << 4 : 0);
    return !any(wrong) && (is_digit || last == blank);
}

// Writes the 81 characters of a packed board, `.` for a blank. False when it is no board; `cells` then holds rubbish.
inline bool unpack(const std::uint8_t* packed, std::uint8_t* cells) {
    Bytes16 wrong{};
    for (std::size_t at = 0; at < kPacked - 1; at += 8) {
        Bytes8 both;
        std::memcpy(&both, packed + at, sizeof both);
        const Pairs8 wide = __builtin_convertvector(both, Pairs8);
        const Bytes16 digits = Bytes16(wide >> 4 | (wide & 15) << 8);
        wrong |= Bytes16(digits > 9);
        const Bytes16 signs = digits + '0' - (Bytes16(digits == 0) & ('0' - '.'));
        std::memcpy(cells + 2 * at, &signs, sizeof signs);
    }
    const std::uint8_t last = packed[kPacked - 1];
    cells[kCells - 1] = std::uint8_t(last ? '0' + (last >> 4) : '.');
    return !any(wrong) && last <= 0x90 && (last & 15) == 0;
}

}  // namespace gridmill::text

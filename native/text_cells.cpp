// Sixteen cells at a time, in what vectors every x86-64 and ARM64 has; and which machine can do better.
#include "text_cells.hpp"

#include <cstring>

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "pairs of cells are taken as little-endian 16-bit lanes"
#endif

namespace gridmill::text {
namespace {

using Bytes16 [[gnu::vector_size(16)]] = std::uint8_t;
using Pairs8 [[gnu::vector_size(16)]] = std::uint16_t;
using Bytes8 [[gnu::vector_size(8)]] = std::uint8_t;

bool any(const Bytes16& lanes) {
    std::uint64_t halves[2];
    std::memcpy(halves, &lanes, sizeof halves);
    return (halves[0] | halves[1]) != 0;
}

bool pack_portable(const std::uint8_t* cells, std::uint8_t blank, std::uint8_t* packed) {
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

bool unpack_portable(const std::uint8_t* packed, std::uint8_t* cells) {
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

}  // namespace

std::vector<Codec> codecs() {
    std::vector<Codec> found;
#ifdef GRIDMILL_X86_64
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) found.push_back({"avx2", pack_avx2, unpack_avx2});
#endif
    found.push_back({"portable", pack_portable, unpack_portable});
    return found;
}

}  // namespace gridmill::text

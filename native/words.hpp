// Vectors of 16-bit lanes, and the few operations on them that the kernel is made of.
//
// A lane is one puzzle. A word of a lane is one row of a puzzle seen by one digit: which columns the digit may still
// have there. The columns stand in three groups, one a box, with a spare bit above each group:
//
//     bit      15 14 13 12   11 10  9  8    7  6  5  4    3  2  1  0
//     column    .  .  .  .    .  8  7  6    .  5  4  3    .  2  1  0
//
// The spare bit makes "is any of the three set" one addition: x + kRow carries into it.
#pragma once

#include <cstdint>

namespace {

constexpr std::uint16_t kRow = 0x777;    // all nine columns
constexpr std::uint16_t kSpare = 0x888;  // the bits above the groups

// Operations written with vector extensions: right on every machine, and what AVX2 and AVX-512 replace where they have
// something better. `bytes` is the size of a vector.
template <int bytes>
struct Words {
    typedef std::uint16_t Vec __attribute__((vector_size(bytes)));
    typedef std::int64_t Long __attribute__((vector_size(bytes)));
    static constexpr int lanes = bytes / 2;
    static constexpr int group = bytes / 8;  // lanes that are served together outside of the state

    static Vec all(std::uint16_t value) { return Vec{} + value; }
    static Vec load(const std::uint16_t* at) {
        Vec value;
        __builtin_memcpy(&value, __builtin_assume_aligned(at, bytes), bytes);
        return value;
    }
    static void store(std::uint16_t* at, Vec value) {
        __builtin_memcpy(__builtin_assume_aligned(at, bytes), &value, bytes);
    }

    static Vec any(Vec a, Vec b, Vec c) { return a | b | c; }
    static Vec odd(Vec a, Vec b, Vec c) { return a ^ b ^ c; }
    static Vec most(Vec a, Vec b, Vec c) { return (a & b) | (c & (a | b)); }           // at least two of three
    static Vec either(Vec a, Vec b, Vec c, Vec d) { return (a & b) | (c & d); }
    static Vec count(Vec odd, Vec x, Vec of) { return odd ^ (x & of); }                // parity of the x that are `of`
    static Vec only(Vec x, Vec a, Vec b) { return x & ~(a ^ b); }                      // the x where a and b agree
    static Vec take(Vec mask, Vec a, Vec b) { return (a & mask) | (b & ~mask); }
    static Vec single(Vec ones, Vec twos, Vec hidden) { return (ones & ~twos) | hidden; }

    // The columns of each group moved on by one or two places, around the group; the spare bits are left undefined.
    static Vec turn1(Vec x) { return x >> 1 | (x & 0x111) << 2; }
    static Vec turn2(Vec x) { return x << 1 | (x & 0x444) >> 2; }
    // The groups moved on by one or two places, around the row; the upper four bits are left undefined.
    static Vec ring1(Vec x) { return x >> 4 | x << 8; }
    static Vec ring2(Vec x) { return x << 4 | x >> 8; }

    // Three words of spare bits in one, by band, and one band of it spread over the columns of each group.
    static constexpr std::uint16_t kPacked = kSpare | kSpare >> 1 | kSpare >> 2;
    static Vec pack(Vec top, Vec middle, Vec bottom) {
        return (top & kSpare) | (middle & kSpare) >> 1 | (bottom & kSpare) >> 2;
    }
    template <int band>
    static Vec spread(Vec packed) {
        const Vec spare = packed << band & kSpare;
        return spare - (spare >> 3);
    }

    // How many bits are set in each element.
    static Long ones(Long signed_x) {
        typedef std::uint64_t Unsigned __attribute__((vector_size(bytes)));
        Unsigned x = Unsigned(signed_x);
        x -= x >> 1 & 0x5555555555555555u;
        x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
        x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
        x += x >> 8;
        x += x >> 16;
        return Long((x + (x >> 32)) & 0x7F);
    }

    // One bit a lane, set where a word is zero.
    static std::uint32_t zeros(Vec x) {
        std::uint16_t word[lanes];
        __builtin_memcpy(word, &x, sizeof word);
        std::uint32_t bits = 0;
        for (int lane = 0; lane < lanes; ++lane) bits |= std::uint32_t(word[lane] == 0) << lane;
        return bits;
    }
};

}  // namespace

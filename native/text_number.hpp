// Numbers as text. Eight digits at a time are one word, the first digit in its lowest byte, so that writing them is one
// shift and one store. Whoever writes a number may write up to kNumberRoom bytes, all but the number's own to be
// overwritten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the first of eight digits is the lowest byte of a word"
#endif

namespace gridmill::text {

constexpr std::size_t kNumberRoom = 24;
constexpr std::uint32_t kTenToEight = 100'000'000;
constexpr std::uint64_t kZeros = 0x3030'3030'3030'3030;
constexpr unsigned kLastDigit = 56;  // the bits before it

// The eight digits of a number below 10^8: halved into fours, these into pairs, these into digits, all side by side.
inline std::uint64_t eight_digits(std::uint32_t number) {
    const std::uint64_t fours = number / 10'000 | std::uint64_t(number % 10'000) << 32;
    const std::uint64_t hundreds = (fours * 10'486 >> 20) & 0x0000'007F'0000'007F;  // by 100, below 10,000
    const std::uint64_t pairs = hundreds | (fours - 100 * hundreds) << 16;
    const std::uint64_t tens = (pairs * 103 >> 10) & 0x000F'000F'000F'000F;  // by 10, below 100
    return (tens | (pairs - 10 * tens) << 8) + kZeros;
}

// How many of eight digits are left without leading zeros, at least one.
inline unsigned without_zeros(std::uint64_t digits) {
    const std::uint64_t or_last = (digits ^ kZeros) | std::uint64_t(1) << kLastDigit;
    return 8 - unsigned(__builtin_ctzll(or_last)) / 8;
}

// Writes the last `count` of eight digits and returns their end.
inline std::uint8_t* put_digits(std::uint64_t digits, unsigned count, std::uint8_t* out) {
    const std::uint64_t last = digits >> (64 - 8 * count);
    std::memcpy(out, &last, sizeof last);
    return out + count;
}

inline std::uint8_t* put_number(std::uint64_t number, std::uint8_t* out) {
    if (number < 10) {
        *out = std::uint8_t('0' + number);
        return out + 1;
    }
    if (number >= kTenToEight) {
        out = put_number(number / kTenToEight, out);
        return put_digits(eight_digits(std::uint32_t(number % kTenToEight)), 8, out);
    }
    const std::uint64_t digits = eight_digits(std::uint32_t(number));
    return put_digits(digits, without_zeros(digits), out);
}

// A number that is counted on from row to row, as text.
class Counter {
  public:
    void set(std::uint64_t number) {
        last_ = eight_digits(std::uint32_t(number % kTenToEight));
        set_first(number / kTenToEight);
    }
    void step() {
        last_ += std::uint64_t(1) << kLastDigit;
        if (last_ >> kLastDigit > '9') carry();
    }
    std::uint8_t* put(std::uint8_t* out) const {
        if (first_) {
            std::memcpy(out, first_text_, sizeof first_text_);
            out += first_size_;
        }
        return put_digits(last_, last_size_, out);
    }

  private:
    void carry() {
        unsigned bits = kLastDigit;
        for (; bits > 0 && (last_ >> bits & 0xFF) > '9'; bits -= 8)
            last_ += (std::uint64_t(1) << (bits - 8)) - (std::uint64_t(10) << bits);
        const bool is_over = (last_ & 0xFF) > '9';
        if (is_over) last_ -= 10;
        set_first(first_ + is_over);
    }
    void set_first(std::uint64_t first) {
        first_ = first;
        first_size_ = unsigned(put_number(first, first_text_) - first_text_);
        last_size_ = first ? 8 : without_zeros(last_);
    }

    std::uint64_t first_ = 0;  // of the number, without its last eight digits
    std::uint8_t first_text_[16] = {};
    unsigned first_size_ = 0;
    std::uint64_t last_ = kZeros;
    unsigned last_size_ = 1;
};

}  // namespace gridmill::text

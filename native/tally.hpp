// How many records of a reply have each code.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "verify.hpp"

namespace gridmill {

constexpr std::size_t kCodes = 7;  // as many as gridmill/reply.py knows, the hole's 0 among them

// Sixteen codes at a time: a counter of eight bits for each place and code, emptied before it can overflow. Of codes
// beyond those known nothing is said.
inline std::array<std::size_t, kCodes> tally(Bytes codes) {
    typedef std::uint8_t Sixteen __attribute__((vector_size(16)));
    constexpr std::size_t most = 255;  // that a counter holds
    std::array<std::size_t, kCodes> counts{};
    std::size_t at = 0;
    while (codes.size - at >= sizeof(Sixteen)) {
        Sixteen found[kCodes] = {};
        const std::size_t rounds = std::min((codes.size - at) / sizeof(Sixteen), most);
        for (std::size_t round = 0; round < rounds; ++round, at += sizeof(Sixteen)) {
            Sixteen some;
            std::memcpy(&some, codes.data + at, sizeof some);
            for (std::size_t code = 0; code < kCodes; ++code)  // a comparison gives all ones, which is minus one
                found[code] -= reinterpret_cast<Sixteen>(some == static_cast<std::uint8_t>(code));
        }
        for (std::size_t code = 0; code < kCodes; ++code)
            for (std::size_t place = 0; place < sizeof(Sixteen); ++place) counts[code] += found[code][place];
    }
    for (; at < codes.size; ++at)
        if (codes.data[at] < kCodes) ++counts[codes.data[at]];
    return counts;
}

}  // namespace gridmill

// The signs for a blank, as gridmill/board.py has them.
#pragma once

#include <cstdint>
#include <cstring>

namespace gridmill {
namespace {

inline bool is_blank(std::uint32_t sign) { return sign != 0 && sign < 128 && std::strchr(".0*_xX-?", int(sign)); }

}  // namespace
}  // namespace gridmill

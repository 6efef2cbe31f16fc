// What is written for a record, and the solutions moved together at the end.
#pragma once

#include <cstdint>
#include <cstring>

#include "lanes.hpp"
#include "slots.hpp"

namespace {

enum Code : std::uint8_t { hole = 0, unique, solved, multiple, none, clash, undecided };

inline void move_slot(std::uint8_t* slots, std::size_t from, std::size_t to) {
    if (from != to) std::memcpy(slots + kSlot * to, slots + kSlot * from, kSlot);
}

// How many solutions and second solutions there are; they stand at the beginning of their columns, in order.
struct Kept {
    std::size_t solutions, seconds;
};

// Moves the solutions together.
inline Kept compact(const gridmill::Batch& batch) {
    Kept kept{0, 0};
    for (std::size_t record = 0; record < batch.records; ++record) {
        const std::uint8_t code = batch.codes[record];
        if (code == unique || code == solved || code == multiple) move_slot(batch.solutions, record, kept.solutions++);
        if (code == multiple) move_slot(batch.seconds, record, kept.seconds++);
    }
    return kept;
}

}  // namespace

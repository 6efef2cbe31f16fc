// Records with their answers, in columns, as they are to be written: gridmill/formats/sheet.py.
//
// A record with an answer that no code stands for (malformed, failed, a clash with its detail) is odd: what is to be
// written about it comes ready made. Everything else comes as gridmill/chunk.py and reply.py draw it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "text_escape.hpp"

namespace gridmill::text {

enum Code : std::uint8_t { hole = 0, unique, solved, multiple, none, clash, undecided, beyond };

inline bool has_one(std::uint8_t code) { return code == unique || code == solved; }
inline bool has_solution(std::uint8_t code) { return has_one(code) || code == multiple; }

// One text a record, as gridmill/batch.py has it; without sizes every text is empty.
struct Texts {
    Bytes text;
    Bytes sizes;  // u32 each
};

struct Sheet {
    Bytes boards;     // 41 a record
    Bytes codes;      // 1 a record: gridmill/reply.py's CODES
    Bytes nodes;      // u32 a record
    Bytes solutions;  // 41 for each record with a code that has one, in order; also of the odd ones
    Bytes seconds;    // 41 for each record with the code of `multiple`, in order
    std::uint64_t first = 1;      // number of the first record
    Bytes lines;                  // u64 pairs (index, line): from there on the line grows by one a record
    Bytes odd;                    // u32 each, growing: the odd records' indices
    Texts answers;                // one for each of the odd records
    std::vector<Texts> columns;   // the ids, those of gridmill/formats/told.py, then the input's own
    std::vector<Bytes> names;     // of all but the ids, as JSON; for `jsonl` alone
    std::size_t told = 0;         // how many of the columns are told: plain texts, of `jsonl` whole values
};

enum class Form { csv, jsonl, lines, counts };

// What of a sheet does not fit together, for people; null when all is well. text_write.hpp counts on it.
const char* find_fault(const Sheet& sheet, Form form);

template <class Number>
Number load(Bytes numbers, std::size_t at) {
    Number number;
    std::memcpy(&number, numbers.data + sizeof number * at, sizeof number);
    return number;
}

}  // namespace gridmill::text

// Finds and packs plain records in a block of an input: the fast half of gridmill/formats/lines.py and table.py.
//
// What is taken here is what these two would make of it; what they alone can judge is left to them. So reading stops
// before the first line that is anything but a plain record, and before a line whose end is not in the block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridmill::text {

// One text a record, as gridmill/batch.py has it: all of them end to end, and the bytes of each.
struct Column {
    std::vector<std::uint8_t> text;
    std::vector<std::uint32_t> sizes;
};

// Where reading is. `boards` has room for (end - at) / 82 + 1 boards of 41 bytes.
struct Reading {
    const std::uint8_t* at;
    const std::uint8_t* end;
    std::size_t limit;  // bytes a line: a longer one is left alone
    std::uint8_t* boards;
    std::size_t records = 0;
};

// Lines of 81 cells, perhaps with a tail of printable ASCII, which goes to `tail` unless that is null.
void read_lines(Reading& reading, Column* tail);

struct Table {
    std::uint8_t delimiter;
    std::size_t width;   // fields a row
    std::size_t puzzle;  // the field that holds the board
    bool marked;         // one ' in front of a field is not part of it (gridmill/formats/formula.py)
};

// Rows of `table.width` fields without control characters, and with no quotes but those around a whole field. `columns`
// are the fields beside the puzzle's, in their order.
void read_table(Reading& reading, const Table& table, std::vector<Column>& columns);

}  // namespace gridmill::text

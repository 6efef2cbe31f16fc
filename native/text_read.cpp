#include "text_read.hpp"

#include <cstring>

#include "text_cells.hpp"

namespace gridmill::text {
namespace {

using Byte = std::uint8_t;
using Bytes16 [[gnu::vector_size(16)]] = std::uint8_t;

struct Span {
    const Byte* begin;
    const Byte* end;
    std::size_t size() const { return std::size_t(end - begin); }
};

// The board of a line. Most files have one kind of blank throughout, so that of the board before is tried first.
class Packer {
  public:
    bool pack(const Byte* cells, Byte* packed) {
        if (codec_.pack(cells, blank_, packed)) return true;
        const Byte blank = first_blank(cells);
        if (blank == blank_ || blank == 0) return false;
        blank_ = blank;
        return codec_.pack(cells, blank_, packed);
    }

  private:
    // The first sign that is no digit; 0 when it is none of gridmill/board.py's BLANKS.
    static Byte first_blank(const Byte* cells) {
        for (std::size_t at = 0; at < kCells; ++at)
            if (cells[at] < '1' || cells[at] > '9') return std::memchr(".0*_xX-?", cells[at], 8) ? cells[at] : 0;
        return 0;
    }
    Codec codec_ = fastest_codec();
    Byte blank_ = '.';
};

// The first byte from `at` on that may end a field or needs a closer look: `delimiter`, a quote, a control character,
// or one beyond ASCII. `end` when there is none.
const Byte* find_special(const Byte* at, const Byte* end, Byte delimiter) {
    for (; end - at >= 16; at += 16) {
        Bytes16 signs;
        std::memcpy(&signs, at, sizeof signs);
        const Bytes16 special = Bytes16(signs - 0x20 >= 0x60) | Bytes16(signs == delimiter) | Bytes16(signs == '"');
        std::uint64_t halves[2];
        std::memcpy(halves, &special, sizeof halves);
        if (halves[0]) return at + __builtin_ctzll(halves[0]) / 8;
        if (halves[1]) return at + 8 + __builtin_ctzll(halves[1]) / 8;
    }
    while (at < end && *at >= 0x20 && *at < 0x80 && *at != delimiter && *at != '"') ++at;
    return at;
}

// Behind the line end at `at`; null when there is none, or when its other half may be in the next block.
const Byte* behind_end(const Byte* at, const Byte* end) {
    if (at == end) return nullptr;
    if (*at == '\n') return at + 1;
    if (*at != '\r' || at + 1 == end) return nullptr;
    return at + (at[1] == '\n' ? 2 : 1);
}

// The sign of several bytes at `at`: behind it, or null when it is not UTF-8 as Python's strict decoder has it.
const Byte* behind_sign(const Byte* at, const Byte* end) {
    const Byte lead = *at;
    const std::size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (lead < 0xC2 || lead > 0xF4 || std::size_t(end - at) <= more) return nullptr;
    const Byte least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;  // nothing that fits in fewer bytes
    const Byte most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;   // no surrogates, nothing above U+10FFFF
    if (at[1] < least || at[1] > most) return nullptr;
    for (std::size_t next = 2; next <= more; ++next)
        if (at[next] < 0x80 || at[next] > 0xBF) return nullptr;
    return at + 1 + more;
}

// The end of the field at `at`; null when it holds what only the slow path can judge.
const Byte* field_end(const Byte* at, const Byte* end, Byte delimiter) {
    for (;;) {
        at = find_special(at, end, delimiter);
        if (at == end || *at < 0x80) return at;
        at = behind_sign(at, end);
        if (!at) return nullptr;
    }
}

void append(Column& column, Span text) {
    column.text.insert(column.text.end(), text.begin, text.end);
    column.sizes.push_back(std::uint32_t(text.size()));
}

bool is_space(Byte sign) { return sign == ' ' || sign == '\t'; }
bool is_lead(Byte sign) { return sign == ',' || sign == ';' || sign == ':' || sign == '#'; }

const Byte* skip_spaces(const Byte* at, const Byte* end) {
    while (at < end && is_space(*at)) ++at;
    return at;
}

// What gridmill.formats.lines.split_line finds behind the board. `rest` is not empty and ends with the line.
bool find_tail(Span rest, Span& tail) {
    if (!is_space(*rest.begin) && !is_lead(*rest.begin)) return false;
    while (rest.end > rest.begin && is_space(rest.end[-1])) --rest.end;
    const Byte* at = skip_spaces(rest.begin, rest.end);
    if (at < rest.end && is_lead(*at)) at = skip_spaces(at + 1, rest.end);
    tail = {at, rest.end};
    return true;
}

// The end of a line of tabs and printable ASCII; null for any other.
const Byte* line_end(const Byte* at, const Byte* end) {
    while (at < end && ((*at >= 0x20 && *at < 0x7F) || *at == '\t')) ++at;
    return at < end && (*at == '\n' || *at == '\r') ? at : nullptr;
}

}  // namespace

void read_lines(Reading& reading, Column* tail) {
    Packer packer;
    while (std::size_t(reading.end - reading.at) > kCells) {
        const Byte* stop = reading.at + kCells;
        Span behind{stop, stop};
        if (!packer.pack(reading.at, reading.boards + kPacked * reading.records)) return;
        if (*stop != '\n' && *stop != '\r') {
            stop = line_end(stop, reading.end);
            if (!stop || std::size_t(stop - reading.at) >= reading.limit) return;
            if (!find_tail({behind.begin, stop}, behind)) return;
        }
        const Byte* next = behind_end(stop, reading.end);
        if (!next) return;
        if (tail) append(*tail, behind);
        reading.at = next;
        ++reading.records;
    }
}

void read_table(Reading& reading, const Table& table, std::vector<Column>& columns) {
    Packer packer;
    std::vector<Span> fields(table.width);
    for (;;) {
        const Byte* at = reading.at;
        for (std::size_t field = 0; field < table.width; ++field) {
            if (field > 0) ++at;  // the delimiter
            const bool is_quoted = at < reading.end && *at == '"';
            const Byte* begin = at + is_quoted;
            begin += table.marked && begin < reading.end && *begin == '\'';
            if (field == table.puzzle) {
                if (std::size_t(reading.end - begin) <= kCells) return;
                if (!packer.pack(begin, reading.boards + kPacked * reading.records)) return;
                at = begin + kCells;
            } else {
                at = field_end(begin, reading.end, is_quoted ? '"' : table.delimiter);
                if (!at || at == reading.end) return;
            }
            fields[field] = {begin, at};
            if (is_quoted && (*at != '"' || ++at == reading.end)) return;
            if (field + 1 < table.width && *at != table.delimiter) return;
        }
        const Byte* next = behind_end(at, reading.end);
        if (!next || std::size_t(at - reading.at) >= reading.limit) return;
        for (std::size_t field = 0, column = 0; field < table.width; ++field)
            if (field != table.puzzle) append(columns[column++], fields[field]);
        reading.at = next;
        ++reading.records;
    }
}

}  // namespace gridmill::text

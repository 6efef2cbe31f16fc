#include "text_write.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "text_cells.hpp"

namespace gridmill::text {
namespace {

struct Word {
    std::string_view status, count;
};
constexpr Word kWords[beyond] = {{"malformed", ""}, {"unique", "1"}, {"solved", ">0"},   {"multiple", ">1"},
                                 {"none", "0"},     {"clash", "0"},  {"undecided", ""}};

// A text that is written with all its room, since a copy of one size is a store or three.
template <std::size_t Room>
struct Fixed {
    char text[Room];
    std::size_t size;
};

template <std::size_t Room>
constexpr Fixed<Room> join(std::initializer_list<std::string_view> parts) {
    Fixed<Room> made{};
    for (const std::string_view part : parts)
        for (const char sign : part) made.text[made.size++] = sign;
    return made;
}

// What each form says of a record by its code alone: in CSV and JSON between puzzle and solution, behind the puzzle of
// counts, and instead of a solution in lines.
struct Said {
    Fixed<16> csv;
    Fixed<48> json;
    Fixed<16> count, line;
};

constexpr Said say(Word word) {
    const bool has_count = !word.count.empty();
    return {join<16>({",", word.status, ",", word.count, ","}),
            join<48>({"\",\"status\":\"", word.status, "\",\"count\":\"", word.count, "\",\"solution\":\""}),
            has_count ? join<16>({":", word.count, ":"}) : join<16>({":<", word.status, ">:"}),
            join<16>({"<", word.status, ">"})};
}

constexpr Said kSaid[beyond] = {say(kWords[0]), say(kWords[1]), say(kWords[2]), say(kWords[3]),
                                say(kWords[4]), say(kWords[5]), say(kWords[6])};

// Number `at` of `numbers`, or one that no record has.
template <class Number>
std::uint64_t load_or_none(Bytes numbers, std::size_t at) {
    return sizeof(Number) * at < numbers.size ? load<Number>(numbers, at) : ~std::uint64_t(0);
}

template <std::size_t Room>
std::uint8_t* put(const Fixed<Room>& text, std::uint8_t* out) {
    std::memcpy(out, text.text, Room);
    return out + text.size;
}

template <std::size_t Size>
std::uint8_t* put(const char (&text)[Size], std::uint8_t* out) {
    std::memcpy(out, text, Size - 1);
    return out + (Size - 1);
}

std::uint8_t* put(char sign, std::uint8_t* out) {
    *out = std::uint8_t(sign);
    return out + 1;
}

std::uint8_t* put_csv(Cursor& column, std::uint8_t* out) { return put_csv(column.next(), column.is_plain(), out); }
std::uint8_t* put_json(Cursor& column, std::uint8_t* out) { return put_json(column.next(), column.is_plain(), out); }

}  // namespace

Cursor::Cursor(const Texts& texts, bool is_plain)
    : is_plain_(is_plain), text_(texts.text.data), size_(texts.sizes.size ? texts.sizes.data : nullptr) {}

std::size_t Cursor::size() const { return size_ ? load<std::uint32_t>({size_, 0}, 0) : 0; }

Bytes Cursor::next() {
    const Bytes text{text_, size()};
    text_ += text.size;
    if (size_) size_ += sizeof(std::uint32_t);
    return text;
}

Rows::Rows(Sheet sheet, Form form)
    : sheet_(std::move(sheet)), form_(form), answers_(sheet_.answers),
      solution_(sheet_.solutions.data), second_(sheet_.seconds.data) {
    // Three boards, three numbers, the words and what stands between: 421 bytes in JSON, where it is longest. Behind the
    // last of them there may be what a number or a fixed text did not need of its room.
    fixed_ = 512;
    for (const Bytes& name : sheet_.names) fixed_ += name.size;
    fixed_ += sheet_.columns.size() * (kMostAround + std::strlen(",:\"\""));
    for (const Texts& texts : sheet_.columns) {
        columns_.emplace_back(texts, !(form == Form::csv ? needs_quotes(texts.text) : needs_escapes(texts.text)));
        has_texts_ |= texts.sizes.size > 0;
    }
    number_.set(sheet_.first);
    line_.set(1);
    next_run_ = load_or_none<std::uint64_t>(sheet_.lines, 0);
    next_odd_ = load_or_none<std::uint32_t>(sheet_.odd, 0);
    if (sheet_.codes.size > 0) load_record();
}

std::size_t Rows::most() const {
    if (at_ == sheet_.codes.size) return 0;
    std::size_t texts = is_odd_ ? answers_.size() : 0;
    for (const Cursor& column : columns_) texts += kMostEach * column.size();
    return fixed_ + texts;
}

std::uint8_t* Rows::write(std::uint8_t* out, const std::uint8_t* end) {
    for (std::size_t needed = most(); needed && needed <= std::size_t(end - out); needed = most())
        for (std::size_t plain = std::max<std::size_t>(count_plain(std::size_t(end - out)), 1); plain > 0; --plain) {
            out = write_row(out);
            step();
        }
    return is_good_ ? out : nullptr;
}

// How many records from `at_` on have no texts, are not odd, go on with the lines, and have room in `size` bytes.
std::size_t Rows::count_plain(std::size_t size) const {
    if (is_odd_ || has_texts_) return 0;
    const std::uint64_t end = std::min<std::uint64_t>(sheet_.codes.size, std::min(next_run_, next_odd_));
    return std::min(size / fixed_, std::size_t(end) - at_);
}

void Rows::step() {
    if (has_solution(code_)) solution_ += kPacked;
    if (code_ == multiple) second_ += kPacked;
    ++at_;
    number_.step();
    line_.step();
    if (at_ < sheet_.codes.size) load_record();
}

// Loads what belongs to record `at_`.
void Rows::load_record() {
    code_ = sheet_.codes.data[at_];
    if (next_run_ == at_) begin_run();
    is_odd_ = next_odd_ == at_;
    if (is_odd_) next_odd_ = load_or_none<std::uint32_t>(sheet_.odd, ++odd_);
}

void Rows::begin_run() {
    line_.set(load<std::uint64_t>(sheet_.lines, 2 * run_ + 1));
    next_run_ = load_or_none<std::uint64_t>(sheet_.lines, 2 * ++run_);
}

std::uint8_t* Rows::write_row(std::uint8_t* out) {
    switch (form_) {
        case Form::csv: return write_csv(out);
        case Form::jsonl: return write_json(out);
        case Form::lines: return write_line(out);
        case Form::counts: return write_count(out);
    }
    return out;
}

std::uint8_t* Rows::write_csv(std::uint8_t* out) {
    out = number_.put(out);
    out = put(',', out);
    out = line_.put(out);
    out = put(',', out);
    out = put_csv(columns_[0], out);
    out = put(',', out);
    if (is_odd_) {
        out = copy(answers_.next(), out);
    } else {
        is_good_ &= code_ != clash;
        out = put_puzzle(out);
        out = put(kSaid[code_].csv, out);
        out = put_solution(out);
        out = put(',', out);
        out = put_second(out);
        out = put(',', out);
        out = put_nodes(out);
        out = put(',', out);  // and no detail
    }
    for (std::size_t column = 1; column < columns_.size(); ++column) {
        out = put(',', out);
        out = put_csv(columns_[column], out);
    }
    return put('\n', out);
}

std::uint8_t* Rows::write_json(std::uint8_t* out) {
    out = put("{\"record\":", out);
    out = number_.put(out);
    out = put(",\"line\":", out);
    out = line_.put(out);
    out = put(",\"id\":\"", out);
    out = put_json(columns_[0], out);
    out = put("\",", out);
    if (is_odd_) {
        out = copy(answers_.next(), out);
    } else {
        out = put("\"puzzle\":\"", out);
        is_good_ &= code_ != clash;
        out = put_puzzle(out);
        out = put(kSaid[code_].json, out);
        out = put_solution(out);
        out = put("\",\"solution2\":\"", out);
        out = put_second(out);
        out = put("\",\"nodes\":", out);
        out = put_nodes(out);
        out = put(",\"detail\":\"\"", out);
    }
    const std::size_t own = 1 + sheet_.told;  // the first of the input's columns
    for (std::size_t column = 1; column < columns_.size(); ++column) {
        out = column == own ? put(",\"in\":{", out) : put(',', out);
        out = copy(sheet_.names[column - 1], out);
        out = put(':', out);
        if (column < own) {
            out = copy(columns_[column].next(), out);
            continue;
        }
        out = put('"', out);
        out = put_json(columns_[column], out);
        out = put('"', out);
    }
    if (columns_.size() > own) out = put('}', out);
    return put("}\n", out);
}

std::uint8_t* Rows::write_line(std::uint8_t* out) {
    if (is_odd_)
        out = copy(answers_.next(), out);
    else if (has_one(code_))
        out = put_solution(out);
    else
        out = put(kSaid[code_].line, out);
    return put('\n', out);
}

std::uint8_t* Rows::write_count(std::uint8_t* out) {
    if (is_odd_) {
        out = copy(answers_.next(), out);
    } else if (code_ == hole) {
        out = put("<malformed>::", out);
    } else {
        out = put_puzzle(out);
        out = put(kSaid[code_].count, out);
        if (has_one(code_)) out = put_solution(out);
    }
    return put('\n', out);
}

std::uint8_t* Rows::put_puzzle(std::uint8_t* out) { return put_board(sheet_.boards.data + kPacked * at_, out); }
std::uint8_t* Rows::put_solution(std::uint8_t* out) { return has_solution(code_) ? put_board(solution_, out) : out; }
std::uint8_t* Rows::put_second(std::uint8_t* out) { return code_ == multiple ? put_board(second_, out) : out; }

std::uint8_t* Rows::put_board(const std::uint8_t* packed, std::uint8_t* out) {
    is_good_ &= codec_.unpack(packed, out);
    return out + kCells;
}

std::uint8_t* Rows::put_nodes(std::uint8_t* out) const {
    return put_number(load<std::uint32_t>(sheet_.nodes, at_), out);
}

}  // namespace gridmill::text

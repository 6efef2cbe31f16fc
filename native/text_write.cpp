#include "text_write.hpp"

#include <array>
#include <cstring>
#include <utility>

#include "text_cells.hpp"

namespace gridmill::text {
namespace {

struct Word {
    std::string_view status, count;
};
constexpr std::array<Word, beyond> kWords{{{"malformed", ""},
                                           {"unique", "1"},
                                           {"solved", ">0"},
                                           {"multiple", ">1"},
                                           {"none", "0"},
                                           {"clash", "0"},
                                           {"undecided", ""}}};

// Number `at` of `numbers`, or one that no record has.
template <class Number>
std::uint64_t load_or_none(Bytes numbers, std::size_t at) {
    return sizeof(Number) * at < numbers.size ? load<Number>(numbers, at) : ~std::uint64_t(0);
}

}  // namespace

void Counter::set(std::uint64_t number) {
    first_ = kMost;
    do signs_[--first_] = std::uint8_t('0' + number % 10);
    while (number /= 10);
}

void Counter::step() {
    std::size_t at = kMost;
    while (at > first_ && signs_[at - 1] == '9') signs_[--at] = '0';
    if (at > first_)
        ++signs_[at - 1];
    else if (first_ > 0)
        signs_[--first_] = '1';
}

std::uint8_t* Counter::put(std::uint8_t* out) const {
    std::memcpy(out, signs_ + first_, kMost);
    return out + (kMost - first_);
}

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
    // Three boards, four numbers, the words and what stands between: 421 bytes in JSON, where it is longest. A number
    // is copied with all its room.
    fixed_ = 448;
    for (const Bytes& name : sheet_.names) fixed_ += name.size;
    fixed_ += sheet_.columns.size() * (kMostAround + std::strlen(",:\"\""));
    for (const Texts& texts : sheet_.columns)
        columns_.emplace_back(texts, !(form == Form::csv ? needs_quotes(texts.text) : needs_escapes(texts.text)));
    number_.set(sheet_.first);
    line_.set(1);
    next_record();
}

std::size_t Rows::most() const {
    if (at_ == sheet_.codes.size) return 0;
    std::size_t texts = is_odd_ ? answers_.size() : 0;
    for (const Cursor& column : columns_) texts += kMostEach * column.size();
    return fixed_ + texts;
}

std::uint8_t* Rows::write(std::uint8_t* out, const std::uint8_t* end) {
    out_ = out;
    for (std::size_t needed = most(); needed && needed <= std::size_t(end - out_); needed = most()) {
        if (!write_row()) return nullptr;
        if (has_solution(code_)) solution_ += kPacked;
        if (code_ == multiple) second_ += kPacked;
        ++at_;
        number_.step();
        line_.step();
        next_record();
    }
    return out_;
}

// Loads what belongs to record `at_`.
void Rows::next_record() {
    if (at_ == sheet_.codes.size) return;
    code_ = sheet_.codes.data[at_];
    if (load_or_none<std::uint64_t>(sheet_.lines, 2 * run_) == at_)
        line_.set(load<std::uint64_t>(sheet_.lines, 2 * run_++ + 1));
    is_odd_ = load_or_none<std::uint32_t>(sheet_.odd, odd_) == at_;
    odd_ += is_odd_;
}

bool Rows::write_row() {
    switch (form_) {
        case Form::csv: return write_csv();
        case Form::jsonl: return write_json();
        case Form::lines: return write_line();
        case Form::counts: return write_count();
    }
    return false;
}

bool Rows::write_csv() {
    const Word& word = kWords[code_];
    bool good = true;
    out_ = number_.put(out_);
    put(',');
    out_ = line_.put(out_);
    put(',');
    put_csv(columns_[0]);
    put(',');
    if (is_odd_) {
        put(answers_.next());
    } else {
        good = code_ != clash && put_board(sheet_.boards.data + kPacked * at_);
        put(',');
        put(word.status);
        put(',');
        put(word.count);
        put(',');
        if (has_solution(code_)) good &= put_board(solution_);
        put(',');
        if (code_ == multiple) good &= put_board(second_);
        put(',');
        put_nodes();
        put(',');  // and no detail
    }
    for (std::size_t column = 1; column < columns_.size(); ++column) {
        put(',');
        put_csv(columns_[column]);
    }
    put('\n');
    return good;
}

bool Rows::write_json() {
    const Word& word = kWords[code_];
    bool good = true;
    put("{\"record\":");
    out_ = number_.put(out_);
    put(",\"line\":");
    out_ = line_.put(out_);
    put(",\"id\":\"");
    put_json(columns_[0]);
    put("\",");
    if (is_odd_) {
        put(answers_.next());
    } else {
        put("\"puzzle\":\"");
        good = code_ != clash && put_board(sheet_.boards.data + kPacked * at_);
        put("\",\"status\":\"");
        put(word.status);
        put("\",\"count\":\"");
        put(word.count);
        put("\",\"solution\":\"");
        if (has_solution(code_)) good &= put_board(solution_);
        put("\",\"solution2\":\"");
        if (code_ == multiple) good &= put_board(second_);
        put("\",\"nodes\":");
        put_nodes();
        put(",\"detail\":\"\"");
    }
    const std::size_t own = 1 + sheet_.told;  // the first of the input's columns
    for (std::size_t column = 1; column < columns_.size(); ++column) {
        put(column == own ? std::string_view(",\"in\":{") : std::string_view(","));
        put(sheet_.names[column - 1]);
        put(':');
        if (column < own) {
            put(columns_[column].next());
            continue;
        }
        put('"');
        put_json(columns_[column]);
        put('"');
    }
    put(columns_.size() > own ? std::string_view("}}\n") : std::string_view("}\n"));
    return good;
}

bool Rows::write_line() {
    bool good = true;
    if (is_odd_) {
        put(answers_.next());
    } else if (has_one(code_)) {
        good = put_board(solution_);
    } else {
        put('<');
        put(kWords[code_].status);
        put('>');
    }
    put('\n');
    return good;
}

bool Rows::write_count() {
    const Word& word = kWords[code_];
    bool good = true;
    if (is_odd_) {
        put(answers_.next());
    } else if (code_ == hole) {
        put("<malformed>::");
    } else {
        good = put_board(sheet_.boards.data + kPacked * at_);
        put(':');
        if (word.count.empty()) put('<');
        put(word.count.empty() ? word.status : word.count);
        if (word.count.empty()) put('>');
        put(':');
        if (has_one(code_)) good &= put_board(solution_);
    }
    put('\n');
    return good;
}

void Rows::put(char sign) { *out_++ = std::uint8_t(sign); }
void Rows::put(Bytes text) { out_ = copy(text, out_); }
void Rows::put(std::string_view text) { put(Bytes{reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}); }
void Rows::put_csv(Cursor& column) { out_ = text::put_csv(column.next(), column.is_plain(), out_); }
void Rows::put_json(Cursor& column) { out_ = text::put_json(column.next(), column.is_plain(), out_); }

void Rows::put_nodes() {
    Counter nodes;
    nodes.set(load<std::uint32_t>(sheet_.nodes, at_));
    out_ = nodes.put(out_);
}

bool Rows::put_board(const std::uint8_t* packed) {
    const bool good = unpack(packed, out_);
    out_ += kCells;
    return good;
}

}  // namespace gridmill::text

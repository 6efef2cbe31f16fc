// Writes the rows of an answers file: the fast half of the writers in gridmill/formats, byte for byte the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text_sheet.hpp"

namespace gridmill::text {

// A number that is counted on from row to row, as text.
class Counter {
  public:
    void set(std::uint64_t number);
    void step();
    std::uint8_t* put(std::uint8_t* out) const;

  private:
    static constexpr std::size_t kMost = 20;   // digits of 2^64
    std::uint8_t signs_[2 * kMost] = {};       // right-aligned in the first half, so that a copy has always kMost bytes
    std::size_t first_ = kMost;
};

// The texts of a column, one after another.
class Cursor {
  public:
    // `is_plain`: none of them needs quotes or escapes, which most columns do not, and which is cheaply seen at once.
    explicit Cursor(const Texts& texts, bool is_plain = true);
    std::size_t size() const;  // of the next one
    Bytes next();
    bool is_plain() const { return is_plain_; }

  private:
    bool is_plain_;
    const std::uint8_t* text_;
    const std::uint8_t* size_;
};

// The rows of a sheet, written as far as there is room. What `sheet` refers to must stay where it is.
class Rows {
  public:
    Rows(Sheet sheet, Form form);

    // The most bytes that the next row needs; 0 when there is none.
    std::size_t most() const;

    // Writes the next rows between `out` and `end` and returns where they end; null when a slot is no board, or a
    // code needs to be odd and is not.
    std::uint8_t* write(std::uint8_t* out, const std::uint8_t* end);

  private:
    void next_record();
    bool write_row();
    bool write_csv();
    bool write_json();
    bool write_line();
    bool write_count();

    void put(Bytes text);
    void put(std::string_view text);
    void put(char sign);
    void put_csv(Cursor& column);
    void put_json(Cursor& column);
    void put_nodes();
    bool put_board(const std::uint8_t* packed);

    Sheet sheet_;
    Form form_;
    std::vector<Cursor> columns_;
    Cursor answers_;
    std::size_t fixed_;         // bytes of a row without its texts
    std::uint8_t* out_ = nullptr;

    // the next record
    std::size_t at_ = 0, run_ = 0, odd_ = 0;
    Counter number_, line_;
    std::uint8_t code_ = 0;
    bool is_odd_ = false;
    const std::uint8_t* solution_;
    const std::uint8_t* second_;
};

}  // namespace gridmill::text

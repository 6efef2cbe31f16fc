// Writes the rows of an answers file: the fast half of the writers in gridmill/formats, byte for byte the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text_cells.hpp"
#include "text_number.hpp"
#include "text_sheet.hpp"

namespace gridmill::text {

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
    std::size_t count_plain(std::size_t size) const;
    void step();
    void load_record();
    void begin_run();

    // All of these write from `out` on and return the end.
    std::uint8_t* write_row(std::uint8_t* out);
    std::uint8_t* write_csv(std::uint8_t* out);
    std::uint8_t* write_json(std::uint8_t* out);
    std::uint8_t* write_line(std::uint8_t* out);
    std::uint8_t* write_count(std::uint8_t* out);
    std::uint8_t* put_puzzle(std::uint8_t* out);
    std::uint8_t* put_solution(std::uint8_t* out);
    std::uint8_t* put_second(std::uint8_t* out);
    std::uint8_t* put_board(const std::uint8_t* packed, std::uint8_t* out);
    std::uint8_t* put_nodes(std::uint8_t* out) const;

    Sheet sheet_;
    Form form_;
    Codec codec_ = fastest_codec();
    std::vector<Cursor> columns_;
    Cursor answers_;
    std::size_t fixed_;         // bytes of a row without its texts
    bool has_texts_ = false;    // in any column
    bool is_good_ = true;       // of all that was written, every slot a board and every clash an odd one

    // the next record
    std::size_t at_ = 0, run_ = 0, odd_ = 0;
    std::uint64_t next_run_, next_odd_;  // records at which a run of lines begins, or that are odd
    Counter number_, line_;
    std::uint8_t code_ = 0;
    bool is_odd_ = false;
    const std::uint8_t* solution_;
    const std::uint8_t* second_;
};

}  // namespace gridmill::text

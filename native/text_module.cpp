// Takes and gives `bytes` alone: they cannot change while the GIL is released.
#include "text_module.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "draft.hpp"
#include "text_cells.hpp"
#include "text_read.hpp"
#include "text_write.hpp"
#include "view.hpp"

namespace nb = nanobind;

namespace gridmill::text {
namespace {

Bytes view(const nb::bytes& bytes) { return {static_cast<const std::uint8_t*>(bytes.data()), bytes.size()}; }

nb::bytes bytes_of(const void* data, std::size_t size) { return nb::bytes(data, size); }

// Code with wide vectors may return with their upper halves in use, as isal 1.9 does, and then narrow vector code runs at
// less than half its speed in the same thread (31 ns a row became 74), until somebody clears them.
void clear_wide_vectors() {
#if defined(__x86_64__)
    static const bool are_there = __builtin_cpu_supports("avx");
    if (are_there) __asm__ volatile("vzeroupper");
#endif
}

// What was read: where reading goes on, the boards, and (text, sizes) of each column.
template <class Reader>
nb::tuple read(const nb::bytes& block, std::size_t start, std::size_t limit, std::vector<Column> columns,
               const Reader& reader) {
    const Bytes all = view(block);
    if (start > all.size) throw nb::value_error("reading cannot start behind the block");
    const std::size_t size = all.size - start;
    Draft boards(size / (kCells + 1) * kPacked + kPacked);
    for (Column& column : columns) {  // what is as long as the puzzle need not be copied as it grows
        column.text.reserve(size / (columns.size() + 1));
        column.sizes.reserve(size / (columns.size() + kCells + 1));
    }
    const std::size_t most = std::min<std::size_t>(limit, UINT32_MAX);  // a size has 32 bits
    Reading reading{all.data + start, all.data + all.size, most, boards.data()};
    {
        nb::gil_scoped_release unlocked;
        clear_wide_vectors();
        reader(reading, columns);
    }
    nb::list made;
    for (const Column& column : columns)
        made.append(nb::make_tuple(bytes_of(column.text.data(), column.text.size()),
                                   bytes_of(column.sizes.data(), column.sizes.size() * sizeof(std::uint32_t))));
    return nb::make_tuple(reading.at - all.data, boards.keep(kPacked * reading.records), made);
}

nb::tuple lines_of(const nb::bytes& block, std::size_t start, std::size_t limit, bool tails) {
    return read(block, start, limit, std::vector<Column>(tails), [](Reading& reading, std::vector<Column>& columns) {
        text::read_lines(reading, columns.empty() ? nullptr : columns.data());
    });
}

nb::tuple table_of(const nb::bytes& block, std::size_t start, std::size_t limit, std::uint8_t delimiter,
                   std::size_t width, std::size_t puzzle, bool marked) {
    constexpr std::size_t most_fields = 1 << 16;  // the source gives no longer lines
    if (puzzle >= width || width > most_fields)
        throw nb::value_error("a table has its puzzles in one of its fields, and no more fields than a line has signs");
    const Table table{delimiter, width, puzzle, marked};
    return read(block, start, limit, std::vector<Column>(width - 1),
                [&](Reading& reading, std::vector<Column>& columns) { text::read_table(reading, table, columns); });
}

using Pair = std::pair<nb::bytes, nb::bytes>;

Texts view(const Pair& pair) { return {view(pair.first), view(pair.second)}; }

Form form_of(const std::string& name) {
    constexpr std::array<std::pair<const char*, Form>, 4> forms{
        {{"csv", Form::csv}, {"jsonl", Form::jsonl}, {"lines", Form::lines}, {"counts", Form::counts}}};
    for (const auto& [known, form] : forms)
        if (name == known) return form;
    throw nb::value_error("there is no such form");
}

// The rows of a sheet, taken out block by block, so that they need no more memory than one block.
class Press {
  public:
    Press(const std::string& form, std::uint64_t first, const nb::bytes& boards, const nb::bytes& codes,
          const nb::bytes& nodes, const nb::bytes& solutions, const nb::bytes& seconds, const nb::bytes& lines,
          const nb::bytes& odd, const Pair& answers, const std::vector<Pair>& columns,
          const std::vector<nb::bytes>& names, std::size_t told)
        : held_{boards, codes, nodes, solutions, seconds, lines, odd, answers.first, answers.second} {
        Sheet sheet{view(boards), view(codes), view(nodes), view(solutions), view(seconds), first,
                    view(lines),  view(odd),   view(answers), {}, {}, told};
        for (const Pair& pair : columns) {
            sheet.columns.push_back(view(pair));
            held_.insert(held_.end(), {pair.first, pair.second});
        }
        for (const nb::bytes& text : names) sheet.names.push_back(view(text));
        held_.insert(held_.end(), names.begin(), names.end());
        const Form known = form_of(form);
        if (const char* fault = find_fault(sheet, known)) throw nb::value_error(fault);
        rows_ = std::make_unique<Rows>(std::move(sheet), known);
    }

    // The most bytes that the next row needs; 0 when all are written.
    std::size_t most() const {
        refuse_busy();
        return rows_->most();
    }

    // As many rows as `size` bytes have room for, at least one; nothing when all are written.
    nb::bytes next(std::size_t size) {
        const std::size_t needed = most();
        if (needed == 0) return nb::bytes("", 0);
        Draft block(std::max(size, needed));
        return block.keep(write(block.data(), std::max(size, needed)));
    }

    // Writes rows into `room` from byte `at` on, as long as the next one fits whatever it is; where they end.
    std::size_t fill(nb::handle room, std::size_t at) {
        refuse_busy();
        View whole(room, PyBUF_WRITABLE);
        const std::size_t size = whole.bytes().size;
        if (at > size) throw nb::value_error("rows cannot begin behind the room");
        return at + write(whole.data() + at, size - at);
    }

  private:
    void refuse_busy() const {
        if (is_busy_) throw nb::value_error("another thread is at these rows");
    }

    std::size_t write(std::uint8_t* out, std::size_t size) {
        const std::uint8_t* end;
        is_busy_ = true;
        {
            nb::gil_scoped_release unlocked;
            clear_wide_vectors();
            end = rows_->write(out, out + size);
        }
        is_busy_ = false;
        if (!end) throw nb::value_error("a slot is no board, or has no answer");
        return std::size_t(end - out);
    }

    std::vector<nb::bytes> held_;  // what the rows are made from
    std::unique_ptr<Rows> rows_;
    bool is_busy_ = false;
};

}  // namespace

void bind(nb::module_& module) {
    module.def("read_lines", &lines_of, nb::arg("block"), nb::arg("start"), nb::arg("limit"), nb::arg("tails"),
               "Pack plain lines from `start` on: where to go on, the boards, [(tails, sizes)] (gridmill.formats.lines).");
    module.def("read_table", &table_of, nb::arg("block"), nb::arg("start"), nb::arg("limit"), nb::arg("delimiter"),
               nb::arg("width"), nb::arg("puzzle"), nb::arg("marked"),
               "Pack plain rows from `start` on: where to go on, the boards, (texts, sizes) of every other field "
               "(gridmill.formats.table).");
    nb::class_<Press>(module, "Press", "Makes the rows of a sheet (gridmill.formats.press).")
        .def(nb::init<const std::string&, std::uint64_t, const nb::bytes&, const nb::bytes&, const nb::bytes&,
                      const nb::bytes&, const nb::bytes&, const nb::bytes&, const nb::bytes&, const Pair&,
                      const std::vector<Pair>&, const std::vector<nb::bytes>&, std::size_t>(),
             nb::arg("form"), nb::arg("first"), nb::arg("boards"), nb::arg("codes"), nb::arg("nodes"),
             nb::arg("solutions"), nb::arg("seconds"), nb::arg("lines"), nb::arg("odd"), nb::arg("answers"),
             nb::arg("columns"), nb::arg("names"), nb::arg("told") = 0,
             "ValueError when the parts of the sheet do not fit together.")
        .def_prop_ro("most", &Press::most, "The most bytes that the next row needs; 0 when all are written.")
        .def("fill", &Press::fill, nb::arg("room"), nb::arg("at"),
             "Writes rows into `room` from byte `at` on, as long as the next one fits whatever it is; where they end.")
        .def("next", &Press::next, nb::arg("size"),
             "As many rows as `size` bytes have room for, at least one; empty when all are written.");
}

}  // namespace gridmill::text

// Rows of 81 bytes, as programs hold boards, to packed boards and back: gridmill._native.pack_rows and .unpack_rows.
// A row is text (digits, one sign for a blank) or values (0 for a blank, 1 to 9). See gridmill/api/cells.py.
#include "module_cells.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "blanks.hpp"
#include "draft.hpp"
#include "text_cells.hpp"
#include "view.hpp"

namespace nb = nanobind;

namespace gridmill {
namespace {

using text::kCells;
using Row = std::array<std::uint8_t, kCells>;

constexpr std::uint8_t kHole = 0xFF;
constexpr std::uint8_t kText = 32;  // no sign of a text is lower, and no value of a cell as high

// That of this name, or the fastest.
text::Codec codec_called(const std::optional<std::string>& name) {
    for (const text::Codec& codec : text::codecs())
        if (!name || *name == codec.name) return codec;
    throw nb::value_error(("this machine has no codec called " + *name).c_str());
}

bool pack_text(const text::Codec& codec, const Row& row, std::uint8_t* packed) {
    std::uint8_t blank = '.';
    for (const std::uint8_t sign : row)
        if (sign < '1' || sign > '9') {
            blank = sign;
            break;
        }
    return is_blank(blank) && codec.pack(row.data(), blank, packed);
}

bool pack_values(const text::Codec& codec, Row& row, std::uint8_t* packed) {
    bool are_values = true;
    for (std::uint8_t& value : row) {
        are_values &= value <= 9;
        value = std::uint8_t(value + '0');
    }
    return are_values && codec.pack(row.data(), '0', packed);
}

// Packs `rows` rows that begin `step` bytes apart; the numbers of those that are no boards, which become holes.
std::vector<std::uint64_t> pack_rows(const text::Codec& codec, const std::uint8_t* cells, std::size_t rows,
                                     std::size_t step, std::uint8_t* packed) {
    std::vector<std::uint64_t> holes;
    Row row;  // a copy, since another thread may write to the caller's array meanwhile
    for (std::size_t at = 0; at < rows; ++at, packed += kPacked) {
        std::memcpy(row.data(), cells + at * step, kCells);
        if (row[0] < kText ? pack_values(codec, row, packed) : pack_text(codec, row, packed)) continue;
        std::memset(packed, kHole, kPacked);
        holes.push_back(at);
    }
    return holes;
}

nb::tuple pack(nb::handle cells, std::size_t step, const std::optional<std::string>& name) {
    const text::Codec codec = codec_called(name);
    const View view(cells);
    const Bytes bytes = view.bytes();
    if (step < kCells || bytes.size % step != 0) throw nb::value_error("the cells are not whole rows");
    const std::size_t rows = bytes.size / step;
    Draft packed(rows * kPacked);
    std::vector<std::uint64_t> holes;
    {
        nb::gil_scoped_release unlocked;
        holes = pack_rows(codec, bytes.data, rows, step, packed.data());
    }
    return nb::make_tuple(packed.keep(), nb::bytes(holes.data(), holes.size() * sizeof holes[0]));
}

// One row for each code; those whose bit is in `mask` take the next slot, all others and holes are blank.
bool unpack_rows(const text::Codec& codec, Bytes slots, Bytes codes, std::uint32_t mask, bool text,
                 std::uint8_t* cells) {
    const std::uint8_t *slot = slots.data, *end = slots.data + slots.size;
    for (std::size_t at = 0; at < codes.size; ++at, cells += kCells) {
        const bool has_slot = codes.data[at] < 32 && (mask >> codes.data[at] & 1);
        if (has_slot && std::size_t(end - slot) < kPacked) return false;
        if (!has_slot || *slot == kHole)
            std::memset(cells, '.', kCells);
        else if (!codec.unpack(slot, cells))
            return false;
        if (has_slot) slot += kPacked;
        if (!text)
            for (std::size_t cell = 0; cell < kCells; ++cell)
                cells[cell] = std::uint8_t(cells[cell] == '.' ? 0 : cells[cell] - '0');
    }
    return slot == end;
}

nb::bytes unpack(const nb::bytes& slots, const nb::bytes& codes, std::uint32_t mask, bool text,
                 const std::optional<std::string>& name) {
    const text::Codec codec = codec_called(name);
    const View slot_view(slots), code_view(codes);
    Draft cells(code_view.bytes().size * kCells);
    bool fits;
    {
        nb::gil_scoped_release unlocked;
        fits = unpack_rows(codec, slot_view.bytes(), code_view.bytes(), mask, text, cells.data());
    }
    if (!fits) throw nb::value_error("the slots are no boards, or not as many as the codes call for");
    return cells.keep();
}

nb::tuple cell_codecs() {
    nb::list found;
    for (const text::Codec& codec : text::codecs()) found.append(codec.name);
    return nb::tuple(found);
}

}  // namespace

void bind_cells(nb::module_& module) {
    module.def("pack_rows", &pack, nb::arg("cells"), nb::arg("step"), nb::arg("codec") = nb::none(),
               "Packed boards of rows of 81 bytes that begin `step` bytes apart, and the numbers (u64) of those that are "
               "no boards, which become holes. ValueError for wrong sizes.");
    module.def("unpack_rows", &unpack, nb::arg("slots"), nb::arg("codes"), nb::arg("mask"), nb::arg("text"),
               nb::arg("codec") = nb::none(),
               "81 bytes for each code, of the next slot where the code's bit is in the mask, else blank. ValueError when "
               "slots and codes do not fit together.");
    module.def("cell_codecs", &cell_codecs,
               "What packs and unpacks the cells of texts on this machine, the fastest first; every reader and writer uses "
               "that.");
}

}  // namespace gridmill

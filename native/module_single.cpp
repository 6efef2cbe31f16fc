// A board as nine lists of nine signs, filled in place: gridmill._native.fill.
#include "module_single.hpp"

#include <array>
#include <optional>
#include <string>

#include "blanks.hpp"
#include "single.hpp"
#include "view.hpp"

namespace nb = nanobind;

namespace gridmill {
namespace {

using Board = std::array<std::uint8_t, kPacked>;

// The digit of a cell, 0 for a blank; -1: neither, or no text of one sign.
int digit_of(PyObject* cell) {
    if (!PyUnicode_CheckExact(cell) || PyUnicode_GET_LENGTH(cell) > 1) return -1;
    if (PyUnicode_GET_LENGTH(cell) == 0) return 0;
    const Py_UCS4 sign = PyUnicode_READ_CHAR(cell, 0);
    if (sign >= '1' && sign <= '9') return int(sign - '0');
    return is_blank(sign) ? 0 : -1;
}

// The rows of a plain board, and the board packed; nothing where it is anything else.
std::optional<Board> read(PyObject* rows, PyObject* (&row)[9]) {
    if (!PyList_CheckExact(rows) || PyList_GET_SIZE(rows) != 9) return {};
    Board packed{};
    for (int at = 0; at < 9; ++at) {
        row[at] = PyList_GET_ITEM(rows, at);
        if (!PyList_CheckExact(row[at]) || PyList_GET_SIZE(row[at]) != 9) return {};
        for (int before = 0; before < at; ++before)
            if (row[before] == row[at]) return {};
        for (int column = 0; column < 9; ++column) {
            const int digit = digit_of(PyList_GET_ITEM(row[at], column)), cell = 9 * at + column;
            if (digit < 0) return {};
            packed[cell / 2] = std::uint8_t(packed[cell / 2] | digit << (cell % 2 ? 0 : 4));
        }
    }
    return packed;
}

// Whatever another thread has made of the row meanwhile, these nine are in it afterwards.
void write(nb::handle row, int at, const Board& solution) {
    nb::object cells = nb::steal(PyList_New(9));
    if (!cells.is_valid()) throw nb::python_error();
    for (int column = 0; column < 9; ++column) {
        const int cell = 9 * at + column, digit = cell % 2 ? solution[cell / 2] & 15 : solution[cell / 2] >> 4;
        PyObject* const sign = PyUnicode_FromOrdinal('0' + digit);
        if (!sign) throw nb::python_error();
        PyList_SET_ITEM(cells.ptr(), column, sign);
    }
    if (PyList_SetSlice(row.ptr(), 0, PyList_GET_SIZE(row.ptr()), cells.ptr()) != 0) throw nb::python_error();
}

nb::object fill(nb::handle board, const char* width) {
    const Kernel kernel = find_kernel(width);
    if (!kernel) throw nb::value_error(("this machine has no kernel called " + std::string(width)).c_str());
    PyObject* found[9];
    const std::optional<Board> packed = read(board.ptr(), found);
    if (!packed) return nb::none();
    nb::object rows[9];
    for (int at = 0; at < 9; ++at) rows[at] = nb::borrow(found[at]);
    Board solution;
    Single end;
    {
        nb::gil_scoped_release unlocked;
        end = solve_single(packed->data(), kernel, solution.data());
    }
    if (end == Single::open) return nb::none();
    for (int at = 0; at < 9 && end == Single::solved; ++at) write(rows[at], at, solution);
    return nb::bool_(end == Single::solved);
}

}  // namespace

void bind_single(nb::module_& module) {
    module.def("fill", &fill, nb::arg("board").none(), nb::arg("width"),
               "Fills a board of nine lists of nine signs in place (True), or leaves it (False: it has no solution). None, "
               "and it is left: it is not plain nine lists of nine, or too hard. ValueError for an unknown width.");
}

}  // namespace gridmill

// The Python side of the search for hard boards: gridmill._native.deep.
#include "module_deep.hpp"

#include <algorithm>
#include <array>

#include "deep.hpp"
#include "view.hpp"

namespace nb = nanobind;

namespace gridmill {
namespace {

nb::tuple deep(nb::handle board, int limit, std::uint32_t budget) {
    const View view(board);
    if (view.bytes().size != kPacked) throw nb::value_error("the board is not one slot of 41 bytes");
    if (limit != 1 && limit != 2) throw nb::value_error("the limit is neither 1 nor 2");
    std::array<std::uint8_t, kPacked> packed;  // a copy: the bytes may change while the GIL is released
    std::copy_n(view.bytes().data, kPacked, packed.begin());
    if (!is_board(packed.data())) throw nb::value_error("the slot is not a board");
    Answer answer;
    {
        nb::gil_scoped_release unlocked;
        answer = search_deep(packed.data(), limit, budget);
    }
    return nb::make_tuple(nb::bytes(answer.solutions, std::size_t(answer.found) * kPacked), answer.nodes, answer.spent);
}

}  // namespace

void bind_deep(nb::module_& module) {
    module.def("deep", &deep, nb::arg("board"), nb::arg("limit"), nb::arg("budget"),
               "Solutions of one packed board (up to the limit, one behind the other), nodes, and whether the budget "
               "is spent. ValueError for wrong sizes, slots or limits.");
}

}  // namespace gridmill

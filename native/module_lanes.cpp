// The Python side of the kernel: gridmill._native.solve and .widths.
#include "module_lanes.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "answers.hpp"
#include "deep.hpp"
#include "draft.hpp"
#include "lanes.hpp"
#include "view.hpp"

namespace nb = nanobind;

namespace gridmill {
namespace {

// Has the records that the kernel left open searched by the search that learns.
void settle(const Batch& batch, std::uint32_t nodes, nb::handle tick) {
    std::uint8_t* const end = batch.codes + batch.records;
    for (std::uint8_t* code = batch.codes; (code = std::find(code, end, undecided)) != end; ++code) {
        const std::size_t record = std::size_t(code - batch.codes);
        std::array<std::uint8_t, kPacked> board;  // a copy: the bytes may change while the GIL is released
        std::copy_n(batch.boards + kPacked * record, kPacked, board.begin());
        if (!is_board(board.data())) throw nb::value_error("the boards were changed while they were solved");
        Answer answer;
        {
            nb::gil_scoped_release unlocked;
            answer = search_deep(board.data(), batch.limit, nodes);
        }
        batch.nodes[record] = batch.budget + answer.nodes;
        if (!answer.spent) {
            *code = answer.found == 0 ? none : batch.limit == 1 ? solved : answer.found == 1 ? unique : multiple;
            if (answer.found > 0) std::copy_n(answer.solutions[0], kPacked, batch.solutions + kPacked * record);
            if (answer.found > 1) std::copy_n(answer.solutions[1], kPacked, batch.seconds + kPacked * record);
        }
        if (!tick.is_none()) tick();
    }
}

nb::tuple solve(nb::handle boards, int limit, std::uint32_t budget, const char* width, std::uint32_t deep,
                std::size_t block, nb::handle tick) {
    const View view(boards);
    const Bytes bytes = view.bytes();
    if (bytes.size % kPacked != 0) throw nb::value_error("the boards are not whole slots of 41 bytes");
    if (limit != 1 && limit != 2) throw nb::value_error("the limit is neither 1 nor 2");
    if (block == 0) throw nb::value_error("a block of no boards");
    const Kernel kernel = find_kernel(width);
    if (!kernel) throw nb::value_error(("this machine has no kernel called " + std::string(width)).c_str());
    const std::size_t records = bytes.size / kPacked;
    Draft codes(records), nodes(records * sizeof(std::uint32_t)), solutions(bytes.size), seconds(bytes.size);
    Batch batch{bytes.data, 0, limit, budget, codes.data(), reinterpret_cast<std::uint32_t*>(nodes.data()),
                solutions.data(), seconds.data()};
    for (std::size_t at = 0; at < records; at += batch.records) {
        batch.records = std::min(block, records - at);
        std::size_t invalid;
        {
            nb::gil_scoped_release unlocked;
            invalid = kernel(batch);
        }
        if (invalid != batch.records)
            throw nb::value_error(("slot " + std::to_string(at + invalid) + " is neither a board nor a hole").c_str());
        if (deep > 0) settle(batch, deep, tick);
        const Kept kept = compact(batch);
        batch.boards += kPacked * batch.records;
        batch.codes += batch.records;
        batch.nodes += batch.records;
        batch.solutions += kPacked * kept.solutions;
        batch.seconds += kPacked * kept.seconds;
        if (!tick.is_none()) tick();
    }
    return nb::make_tuple(codes.keep(), nodes.keep(), solutions.keep(std::size_t(batch.solutions - solutions.data())),
                          seconds.keep(std::size_t(batch.seconds - seconds.data())));
}

nb::tuple names() {
    nb::list found;
    for (const char* name : widths()) found.append(name);
    return nb::tuple(found);
}

}  // namespace

void bind_lanes(nb::module_& module) {
    module.def("solve", &solve, nb::arg("boards"), nb::arg("limit"), nb::arg("budget"), nb::arg("width"),
               nb::arg("deep") = 0, nb::arg("block") = std::size_t(-1), nb::arg("tick") = nb::none(),
               "The columns of a reply (gridmill.reply): codes, nodes, solutions, seconds. What `budget` nodes leave "
               "open, the search that learns gets, with `deep` nodes. `tick` is called after every `block` boards, and "
               "after each of those. ValueError for wrong sizes, slots, limits, blocks or widths.");
    module.def("widths", &names, "The kernels that this machine can run, the widest first.");
}

}  // namespace gridmill

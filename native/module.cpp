// The Python side of the native code: gridmill._native. Takes bytes-like objects, gives bytes back, and releases the
// GIL in between. Its types are in gridmill/_native.pyi.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>

#include "draft.hpp"
#include "heap.hpp"
#include "module_cells.hpp"
#include "module_deep.hpp"
#include "module_lanes.hpp"
#include "module_questions.hpp"
#include "module_single.hpp"
#include "tally.hpp"
#include "text_module.hpp"
#include "verify.hpp"
#include "view.hpp"

namespace nb = nanobind;

namespace {

nb::tuple judge_ways() {
    nb::list found;
    for (const char* name : gridmill::ways_to_count()) found.append(name);
    return nb::tuple(found);
}

nb::bytes judge(nb::handle boards, nb::handle codes, nb::handle solutions, nb::handle seconds,
                const std::optional<std::string>& way) {
    const std::string name = way ? *way : gridmill::ways_to_count().front();
    const gridmill::CountRight count_right = gridmill::find_count(name.c_str());
    if (!count_right) throw nb::value_error(("this machine has no way to judge called " + name).c_str());
    const gridmill::View board_view(boards), code_view(codes), solution_view(solutions), second_view(seconds);
    const gridmill::Claims claims{board_view.bytes(), code_view.bytes(), solution_view.bytes(), second_view.bytes()};
    gridmill::Draft verdicts(claims.codes.size);
    gridmill::Outcome outcome;
    {
        nb::gil_scoped_release unlocked;
        outcome = gridmill::judge(claims, verdicts.data(), count_right);
    }
    if (outcome.fault == gridmill::Fault::sizes)
        throw nb::value_error("the boards and the columns of the reply do not fit together");
    if (outcome.fault == gridmill::Fault::board)
        throw nb::value_error(("slot " + std::to_string(outcome.record) + " is neither a board nor a hole").c_str());
    return verdicts.keep();
}

nb::tuple tally(nb::handle codes) {
    const gridmill::View view(codes);
    std::array<std::size_t, gridmill::kCodes> counts;
    {
        nb::gil_scoped_release unlocked;
        counts = gridmill::tally(view.bytes());
    }
    return nb::make_tuple(counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6]);
}

}  // namespace

NB_MODULE(_native, module) {
#ifdef NDEBUG
    // What Python still holds at its end, a traceback that was shown last and all in it, it never lets go of. nanobind
    // takes that for a fault of this binding and says so on standard error, to whoever ran a test that failed. A build
    // without NDEBUG (make sanitize) still says it, and a test counts the references (tests/test_seen.py).
    nb::set_leak_warnings(false);
#endif
    module.def("judge", &judge, nb::arg("boards"), nb::arg("codes"), nb::arg("solutions"), nb::arg("seconds"),
               nb::arg("way") = nb::none(),
               "One verdict a record (gridmill.judge): 0 right, 1 wrong, 2 open; by the fastest way there is, or by that "
               "of this name. ValueError for wrong sizes, slots or ways.");
    module.def("judge_ways", &judge_ways, "The ways to judge that this machine has, the fastest first.");
    gridmill::bind_cells(module);
    module.def("tally", &tally, nb::arg("codes"), "How many records have each of the codes 0 to 6 (gridmill.reply).");
    module.def("keep_freed", &gridmill::keep_freed, nb::arg("mapping"), nb::arg("spare"),
               "Have the C library keep what is freed (gridmill.heap); False where it cannot be told.");
    gridmill::bind_lanes(module);
    gridmill::bind_deep(module);
    gridmill::bind_questions(module);
    gridmill::bind_single(module);
    gridmill::text::bind(module);
}

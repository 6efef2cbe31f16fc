// The Python side of the native code: gridmill._native. Takes bytes-like objects, gives bytes back, and releases the
// GIL in between. Its types are in gridmill/_native.pyi.
#include <nanobind/nanobind.h>

#include <string>

#include "text_module.hpp"
#include "verify.hpp"

namespace nb = nanobind;

namespace {

// A C-contiguous view of a bytes-like object, held for as long as this lives.
class View {
  public:
    explicit View(nb::handle object) {
        if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_SIMPLE) != 0) throw nb::python_error();
    }
    ~View() { PyBuffer_Release(&buffer_); }
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    gridmill::Bytes bytes() const {
        return {static_cast<const std::uint8_t*>(buffer_.buf), static_cast<std::size_t>(buffer_.len)};
    }

  private:
    Py_buffer buffer_;
};

nb::bytes judge(nb::handle boards, nb::handle codes, nb::handle solutions, nb::handle seconds) {
    const View board_view(boards), code_view(codes), solution_view(solutions), second_view(seconds);
    const gridmill::Claims claims{board_view.bytes(), code_view.bytes(), solution_view.bytes(), second_view.bytes()};
    nb::bytes verdicts = nb::steal<nb::bytes>(
        PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(claims.codes.size)));
    if (!verdicts.is_valid()) throw nb::python_error();
    auto* out = reinterpret_cast<std::uint8_t*>(PyBytes_AsString(verdicts.ptr()));
    gridmill::Outcome outcome;
    {
        nb::gil_scoped_release unlocked;
        outcome = gridmill::judge(claims, out);
    }
    if (outcome.fault == gridmill::Fault::sizes)
        throw nb::value_error("the boards and the columns of the reply do not fit together");
    if (outcome.fault == gridmill::Fault::board)
        throw nb::value_error(("slot " + std::to_string(outcome.record) + " is neither a board nor a hole").c_str());
    return verdicts;
}

}  // namespace

NB_MODULE(_native, module) {
    module.def("judge", &judge, nb::arg("boards"), nb::arg("codes"), nb::arg("solutions"), nb::arg("seconds"),
               "One verdict a record (gridmill.judge): 0 right, 1 wrong, 2 open. ValueError for wrong sizes or slots.");
    gridmill::text::bind(module);
}

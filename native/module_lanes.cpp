// The Python side of the kernel: gridmill._native.solve and .widths.
#include "module_lanes.hpp"

#include <algorithm>
#include <string>

#include "lanes.hpp"
#include "view.hpp"

namespace nb = nanobind;

namespace gridmill {
namespace {

// A bytes object that is filled before anybody else sees it, and may then be cut.
class Column {
  public:
    explicit Column(std::size_t size) : object_(PyBytes_FromStringAndSize(nullptr, Py_ssize_t(size))) {
        if (!object_) throw nb::python_error();
    }
    ~Column() { Py_XDECREF(object_); }
    Column(const Column&) = delete;
    Column& operator=(const Column&) = delete;

    std::uint8_t* data() { return reinterpret_cast<std::uint8_t*>(PyBytes_AS_STRING(object_)); }
    nb::object release(std::size_t size) {
        if (_PyBytes_Resize(&object_, Py_ssize_t(size)) != 0) throw nb::python_error();
        PyObject* whole = object_;
        object_ = nullptr;
        return nb::steal(whole);
    }

  private:
    PyObject* object_;
};

nb::tuple solve(nb::handle boards, int limit, std::uint32_t budget, const char* width, std::size_t block,
                nb::handle tick) {
    const View view(boards);
    const Bytes bytes = view.bytes();
    if (bytes.size % kPacked != 0) throw nb::value_error("the boards are not whole slots of 41 bytes");
    if (limit != 1 && limit != 2) throw nb::value_error("the limit is neither 1 nor 2");
    if (block == 0) throw nb::value_error("a block of no boards");
    const Kernel kernel = find_kernel(width);
    if (!kernel) throw nb::value_error(("this machine has no kernel called " + std::string(width)).c_str());
    const std::size_t records = bytes.size / kPacked;
    Column codes(records), nodes(records * sizeof(std::uint32_t)), solutions(bytes.size), seconds(bytes.size);
    Batch batch{bytes.data, 0, limit, budget, codes.data(), reinterpret_cast<std::uint32_t*>(nodes.data()),
                solutions.data(), seconds.data()};
    for (std::size_t at = 0; at < records; at += batch.records) {
        batch.records = std::min(block, records - at);
        Solved solved;
        {
            nb::gil_scoped_release unlocked;
            solved = kernel(batch);
        }
        if (solved.invalid != batch.records)
            throw nb::value_error(
                ("slot " + std::to_string(at + solved.invalid) + " is neither a board nor a hole").c_str());
        batch.boards += kPacked * batch.records;
        batch.codes += batch.records;
        batch.nodes += batch.records;
        batch.solutions += kPacked * solved.solutions;
        batch.seconds += kPacked * solved.seconds;
        if (!tick.is_none()) tick();
    }
    return nb::make_tuple(codes.release(records), nodes.release(records * sizeof(std::uint32_t)),
                          solutions.release(std::size_t(batch.solutions - solutions.data())),
                          seconds.release(std::size_t(batch.seconds - seconds.data())));
}

nb::tuple names() {
    nb::list found;
    for (const char* name : widths()) found.append(name);
    return nb::tuple(found);
}

}  // namespace

void bind_lanes(nb::module_& module) {
    module.def("solve", &solve, nb::arg("boards"), nb::arg("limit"), nb::arg("budget"), nb::arg("width"),
               nb::arg("block") = std::size_t(-1), nb::arg("tick") = nb::none(),
               "The columns of a reply (gridmill.reply): codes, nodes, solutions, seconds. `tick` is called after every "
               "`block` boards. ValueError for wrong sizes, slots, limits, blocks or widths.");
    module.def("widths", &names, "The kernels that this machine can run, the widest first.");
}

}  // namespace gridmill

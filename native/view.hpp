// A C-contiguous view of a bytes-like Python object, held for as long as this lives.
#pragma once

#include <nanobind/nanobind.h>

#include "verify.hpp"

namespace gridmill {

class View {
  public:
    explicit View(nanobind::handle object) {
        if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_SIMPLE) != 0) throw nanobind::python_error();
    }
    ~View() { PyBuffer_Release(&buffer_); }
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    Bytes bytes() const {
        return {static_cast<const std::uint8_t*>(buffer_.buf), static_cast<std::size_t>(buffer_.len)};
    }

  private:
    Py_buffer buffer_;
};

}  // namespace gridmill

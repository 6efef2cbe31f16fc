// A C-contiguous view of a bytes-like Python object, held for as long as this lives.
#pragma once

#include <nanobind/nanobind.h>

#include "verify.hpp"

namespace gridmill {

class View {
  public:
    explicit View(nanobind::handle object, int flags = PyBUF_SIMPLE) {
        if (PyObject_GetBuffer(object.ptr(), &buffer_, flags) != 0) throw nanobind::python_error();
    }
    ~View() { PyBuffer_Release(&buffer_); }
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    Bytes bytes() const {
        return {static_cast<const std::uint8_t*>(buffer_.buf), static_cast<std::size_t>(buffer_.len)};
    }

    // Of one that was asked for with PyBUF_WRITABLE.
    std::uint8_t* data() { return static_cast<std::uint8_t*>(buffer_.buf); }

  private:
    Py_buffer buffer_;
};

}  // namespace gridmill

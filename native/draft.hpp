// A `bytes` object that is filled before anybody else sees it.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace gridmill {

class Draft {
  public:
    explicit Draft(std::size_t size) {
        if (size > std::size_t(PY_SSIZE_T_MAX)) throw std::bad_alloc();
        object_ = PyBytes_FromStringAndSize(nullptr, Py_ssize_t(size));
        if (!object_) throw nanobind::python_error();
    }
    ~Draft() { Py_XDECREF(object_); }
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    std::uint8_t* data() const { return reinterpret_cast<std::uint8_t*>(PyBytes_AS_STRING(object_)); }

    // Gives it away; or, of more than was needed, the first `size` bytes.
    nanobind::bytes keep() { return nanobind::steal<nanobind::bytes>(std::exchange(object_, nullptr)); }
    nanobind::bytes keep(std::size_t size) {
        if (_PyBytes_Resize(&object_, Py_ssize_t(size)) != 0) throw nanobind::python_error();
        return keep();
    }

  private:
    PyObject* object_ = nullptr;
};

}  // namespace gridmill

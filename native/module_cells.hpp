// gridmill._native.pack_rows and .unpack_rows.
#pragma once

#include <nanobind/nanobind.h>

namespace gridmill {

void bind_cells(nanobind::module_& module);

}  // namespace gridmill

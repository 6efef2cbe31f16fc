#pragma once

#include <nanobind/nanobind.h>

namespace gridmill {

void bind_lanes(nanobind::module_& module);

}  // namespace gridmill

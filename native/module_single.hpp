#pragma once

#include <nanobind/nanobind.h>

namespace gridmill {

void bind_single(nanobind::module_& module);

}  // namespace gridmill

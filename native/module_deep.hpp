// gridmill._native.deep.
#pragma once

#include <nanobind/nanobind.h>

namespace gridmill {

void bind_deep(nanobind::module_& module);

}  // namespace gridmill

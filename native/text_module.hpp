// The Python side of the text code: adds its functions to gridmill._native.
#pragma once

#include <nanobind/nanobind.h>

namespace gridmill::text {

void bind(nanobind::module_& module);

}  // namespace gridmill::text

// gridmill._native.count, .canon, .techniques and .Seen: what is asked of a puzzle beside its solution.
#pragma once

#include <nanobind/nanobind.h>

namespace gridmill {

void bind_questions(nanobind::module_& module);

}  // namespace gridmill

#include "driver.hpp"

namespace {

using Baseline = Words<16>;

}  // namespace

namespace gridmill {

std::size_t solve_baseline(const Batch& batch) { return Driver<Baseline>(batch).run(); }

}  // namespace gridmill

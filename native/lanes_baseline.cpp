#include "driver.hpp"

namespace {

struct Baseline : Words<16> {
    static constexpr const char* name = "baseline";
};

}  // namespace

namespace gridmill {

Solved solve_baseline(const Batch& batch) { return Driver<Baseline>(batch).run(); }

}  // namespace gridmill

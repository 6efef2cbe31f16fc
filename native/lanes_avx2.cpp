#include "driver.hpp"
#include "branch_avx2.hpp"

namespace gridmill {

std::size_t solve_avx2(const Batch& batch) { return Driver<Avx2>(batch).run(); }

}  // namespace gridmill

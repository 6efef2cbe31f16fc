#include "driver.hpp"
#include "branch_avx512.hpp"

namespace gridmill {

std::size_t solve_avx512(const Batch& batch) { return Driver<Avx512>(batch).run(); }

}  // namespace gridmill

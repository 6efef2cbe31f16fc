#include "lanes.hpp"

#include <cstring>

namespace gridmill {
namespace {

struct Width {
    const char* name;
    Kernel kernel;
    bool runs;
};

template <class Visit>
void each_width(Visit visit) {
#ifdef GRIDMILL_X86_64
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                      __builtin_cpu_supports("popcnt");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
                        __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bitalg") &&
                        __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("gfni");
    visit(Width{"avx512", solve_avx512, avx512});
    visit(Width{"avx2", solve_avx2, avx2});
#endif
    visit(Width{"baseline", solve_baseline, true});
}

}  // namespace

std::vector<const char*> widths() {
    std::vector<const char*> names;
    each_width([&](const Width& width) {
        if (width.runs) names.push_back(width.name);
    });
    return names;
}

Kernel find_kernel(const char* name) {
    Kernel found = nullptr;
    each_width([&](const Width& width) {
        if (width.runs && std::strcmp(width.name, name) == 0) found = width.kernel;
    });
    return found;
}

}  // namespace gridmill

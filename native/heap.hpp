// What the C library does with the memory that is freed.
#pragma once

#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace gridmill {

// Blocks below `mapping` bytes are no mappings of their own, and `spare` free bytes at the end of the heap are kept. False
// where the C library has no such setting.
inline bool keep_freed([[maybe_unused]] int mapping, [[maybe_unused]] int spare) {
#if defined(__GLIBC__)
    return mallopt(M_MMAP_THRESHOLD, mapping) == 1 && mallopt(M_TRIM_THRESHOLD, spare) == 1;
#else
    return false;
#endif
}

}  // namespace gridmill

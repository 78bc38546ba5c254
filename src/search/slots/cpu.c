#include "search/slots/cpu.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Tests for every feature that the files of a set are compiled with (cmake/library.cmake). */
static bool can_run(simd_set set)
{
    if (set == SIMD_PORTABLE)
        return true;
#ifdef __x86_64__
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    if (set == SIMD_AVX512)
        return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    return avx2;
#else
    return false;
#endif
}

simd_set cpu_find_kernels(const char *name)
{
    static const char *const names[SIMD_SETS] = {"", "portable", "avx2", "avx512"};
    for (simd_set set = SIMD_PORTABLE; set < SIMD_SETS; set++)
        if (strcmp(name, names[set]) == 0)
            return can_run(set) ? set : SIMD_NONE;
    return SIMD_NONE;
}

simd_set cpu_choose_kernels(void)
{
    const char *wish = getenv("KITH_SIMD");
    simd_set set = wish == NULL ? SIMD_NONE : cpu_find_kernels(wish);
    if (set != SIMD_NONE)
        return set;
    return can_run(SIMD_AVX512) ? SIMD_AVX512 : can_run(SIMD_AVX2) ? SIMD_AVX2 : SIMD_PORTABLE;
}

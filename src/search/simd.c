#include "search/simd.h"

#include <stdlib.h>
#include <string.h>

#include "search/slots_kernels.h"

#if defined(__x86_64__) || defined(__i386__)
static const kernels *avx2_if_able(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") ? &slots_avx2 : NULL;
}

static const kernels *avx512_if_able(void)
{
    bool able = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    return able && avx2_if_able() != NULL ? &slots_avx512 : NULL;
}
#else
static const kernels *avx2_if_able(void)
{
    return NULL;
}

static const kernels *avx512_if_able(void)
{
    return NULL;
}
#endif

const kernels *simd_find(const char *name)
{
    if (strcmp(name, "portable") == 0)
        return &slots_portable;
    if (strcmp(name, "avx2") == 0)
        return avx2_if_able();
    if (strcmp(name, "avx512") == 0)
        return avx512_if_able();
    return NULL;
}

const kernels *simd_choose(void)
{
    static const char *const best_first[] = {"avx512", "avx2", "portable"};
    const char *wish = getenv("KITH_SIMD");
    const kernels *found = wish == NULL ? NULL : simd_find(wish);
    for (size_t i = 0; found == NULL; i++)
        found = simd_find(best_first[i]);
    return found;
}

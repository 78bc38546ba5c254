#include "search/slots/slots_kernels.h"

#include "search/slots/cpu.h"

static const kernels *const forms[SIMD_SETS] =
    SIMD_TABLE(&slots_portable, &slots_avx2, &slots_avx512);

const kernels *slots_kernels_find(const char *name)
{
    return forms[cpu_find_kernels(name)];
}

const kernels *slots_kernels_choose(void)
{
    return forms[cpu_choose_kernels()];
}

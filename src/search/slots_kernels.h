/* The kernel sets, one source file each. */
#ifndef SEARCH_SLOTS_KERNELS_H
#define SEARCH_SLOTS_KERNELS_H

#include "search/simd.h"

extern const kernels slots_portable;
extern const kernels slots_avx2;
extern const kernels slots_avx512;

#endif

/* Chooses the instruction set of the inner loops. No other file asks the processor.
 *
 * All sets compute the same results. The environment variable KITH_SIMD may name one: portable,
 * avx2 or avx512. A name that is unknown, or a set that this processor lacks, is ignored, and the
 * best set is used. Processors other than x86-64 have only the portable one. */
#ifndef SEARCH_SLOTS_CPU_H
#define SEARCH_SLOTS_CPU_H

typedef enum simd_set { SIMD_NONE, SIMD_PORTABLE, SIMD_AVX2, SIMD_AVX512, SIMD_SETS } simd_set;

/* Initializes an array [SIMD_SETS] of pointers to the versions of one loop. On processors other
 * than x86-64 the files *_avx2.c and *_avx512.c are not compiled. */
#ifdef __x86_64__
#define SIMD_TABLE(portable, avx2, avx512)                                           \
    {                                                                                \
        [SIMD_PORTABLE] = (portable), [SIMD_AVX2] = (avx2), [SIMD_AVX512] = (avx512) \
    }
#else
#define SIMD_TABLE(portable, avx2, avx512) \
    {                                      \
        [SIMD_PORTABLE] = (portable)       \
    }
#endif

/* The set of this name, or SIMD_NONE if it is unknown or this processor cannot run it. */
simd_set cpu_find_kernels(const char *name);
/* The set that KITH_SIMD names, otherwise the fastest; never SIMD_NONE. */
simd_set cpu_choose_kernels(void);

#endif

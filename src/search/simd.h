/* The inner loops of the slot representation, chosen at run time.
 *
 * All sets compute the same integers. KITH_SIMD=portable, avx2 or avx512 in the environment asks
 * for one of them; a name that is unknown, or a set that this processor lacks, is ignored and the
 * best one is taken. */
#ifndef SEARCH_SIMD_H
#define SEARCH_SIMD_H

#include "search/blocks.h"

typedef struct kernels {
    const char *name;
    void (*score)(const blocks *b, uint32_t block, const query *q, int32_t *score);
    uint32_t (*nearest)(const blocks *b, const query *q, neighbour *list, uint32_t limit);
    neighbour (*find)(const bounded *b, const query *q, uint32_t except, int32_t below);
    neighbour (*find_first)(const bounded *b, const query *q, uint32_t except, int32_t below);
} kernels;

/* The set of this name, or NULL if it is unknown or this processor cannot run it. */
const kernels *simd_find(const char *name);
/* What KITH_SIMD asks for, else the fastest. */
const kernels *simd_choose(void);

#endif

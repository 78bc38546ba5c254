/* The inner loops of the slot representation: one source file per instruction set, all of which
 * compute the same integers. */
#ifndef SEARCH_SLOTS_SLOTS_KERNELS_H
#define SEARCH_SLOTS_SLOTS_KERNELS_H

#include "search/slots/lanes.h"

typedef struct kernels {
    const char *name;
    void (*score)(const cluster_lanes *b, uint32_t block, const query *q, int32_t *score);
    uint32_t (*nearest)(const cluster_lanes *b, const query *q, neighbour *list, uint32_t limit);
    neighbour (*find)(const bounded_lanes *b, const query *q, uint32_t except, int32_t below);
    neighbour (*find_first)(const bounded_lanes *b, const query *q, uint32_t except, int32_t below);
} kernels;

extern const kernels slots_portable;
extern const kernels slots_avx2;
extern const kernels slots_avx512;

/* The kernels of this name, or NULL if it is unknown or this processor cannot run them. */
const kernels *slots_kernels_find(const char *name);
/* The kernels of the set that cpu_choose_kernels returns. */
const kernels *slots_kernels_choose(void);

#endif

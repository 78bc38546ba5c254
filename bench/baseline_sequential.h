/* The paper's sequential clustering (SEQ Algorithm 1) as a programmer would write it down at first:
 * clusters as lists of records, closures as nodes, costs as doubles, every record compared with
 * every cluster through the lowest common ancestor (a table per hierarchy; suppression at once).
 * What `sequential` is measured against. */
#ifndef BENCH_BASELINE_SEQUENTIAL_H
#define BENCH_BASELINE_SEQUENTIAL_H

#include "core/arena.h"
#include "search/partition.h"

typedef struct baseline_result {
    partition partition;
    uint32_t n_passes;
} baseline_result;

/* Same stop rule as `sequential`: a relative gain below 1e-5 after five passes, or 200 passes. */
kith_status baseline_sequential(baseline_result *result, const problem *p, uint64_t seed,
                                arena *memory, kith_error *error);

#endif

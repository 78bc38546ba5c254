/* Inside weave: the types of one run that its files share. */
#ifndef SEARCH_WEAVE_WEAVE_INTERNAL_H
#define SEARCH_WEAVE_WEAVE_INTERNAL_H

#include <stdatomic.h>

#include "core/check.h"
#include "core/run/context.h"
#include "search/class_rules.h"
#include "search/search.h"
#include "search/slots/slots.h"

typedef struct weave_chunk weave_chunk; /* weave_chunk.h */

/* A partition under construction: cluster c is members[start[c]] … members[start[c + 1] - 1].
 *
 * Invariants of a complete one: every record is in exactly one cluster, and every cluster has at
 * least `min_class` records and satisfies the models. */
typedef struct weave_partition {
    uint32_t count;
    uint32_t *members; /* [n_records] */
    uint32_t *start;   /* [n_records / min_class + 1] */
} weave_partition;

/* What the threads share, and their scratch spaces. */
typedef struct weave_shared {
    const problem *problem;
    slots slots;
    uint32_t min_class; /* records that every class must have */
    context *context;
    atomic_bool stop; /* set by one thread when the user interrupts */
    unsigned n_workers;
    weave_chunk *workers;  /* [n_workers]; only the first can grow a tree over all records */
    uint32_t task_records; /* any worker can grow a set of fewer records than this */
} weave_shared;

/* How long to improve the first partition. */
typedef struct weave_schedule {
    uint32_t n_rounds;
    double tries;   /* per cluster and round */
    double heat;    /* temperature at the start, in attributes of one record lost */
    double seconds; /* 0: no limit */
} weave_schedule;

/* weave.c: allocates a partition of `n_records` records into classes of at least `min_class`. */
kith_status weave_partition_init(weave_partition *w, uint32_t n_records, uint32_t min_class,
                                 arena *memory, kith_error *error);
#if KITH_DEBUG
/* Checks a complete partition. */
void weave_partition_check(const weave_partition *w, const weave_shared *shared);
#endif

#endif

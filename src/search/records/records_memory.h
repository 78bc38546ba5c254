/* The records of a problem, all of which lie in memory: one block. If they are one piece it is the
 * problem itself; otherwise every piece is copied when it is fetched. */
#ifndef SEARCH_RECORDS_RECORDS_MEMORY_H
#define SEARCH_RECORDS_RECORDS_MEMORY_H

#include "search/records/record_source.h"

typedef struct records_memory {
    const problem *problem;
    record_block block;
    uint32_t *order; /* [n_records] by pieces, ascending in each; NULL: they are one piece */
    uint32_t *start; /* [pieces + 2] where a piece begins in it */
    partition *found;
    arena *memory;  /* of the result */
    arena *scratch; /* lives as long as the records */
} records_memory;

/* Once they are finished, *found has the classes of all records, in c->memory. */
kith_status records_memory_open(record_source *r, partition *found, const problem *p,
                                arena *scratch, context *c, kith_error *error) KITH_MUST_USE;

/* Steps for other sources that have some of their records in memory: sets up the scan of these, and
 * brings those of each piece together. */
kith_status records_memory_init(records_memory *m, record_scan *scan, partition *found,
                                const problem *p, arena *scratch, context *c,
                                kith_error *error) KITH_MUST_USE;
kith_status records_memory_group(records_memory *m, const division *d,
                                 kith_error *error) KITH_MUST_USE;
/* Numbers the classes that have been added to *found. */
kith_status records_memory_finish(records_memory *m, kith_error *error) KITH_MUST_USE;

#endif

/* The records of a table, for a search that has one piece of them in its hands at a time. They may
 * lie in memory (records_memory.h), on several ranks (records_ranks.h), or wherever else a
 * caller can count and fetch them.
 *
 * A search looks at all records block by block, calls `divide` once, then `fetch` and `put` in turn
 * for the pieces that are searched here, in ascending order, and `finish`. */
#ifndef SEARCH_RECORDS_RECORD_SOURCE_H
#define SEARCH_RECORDS_RECORD_SOURCE_H

#include <stdbool.h>

#include "core/run/context.h"
#include "search/records/division.h"
#include "search/partition.h"
#include "search/records/record_scan.h"

typedef struct record_source {
    uint64_t count;   /* of the whole table, over all ranks */
    record_scan scan; /* those of this process */
    /* Brings the records of every piece together. here[piece], which is true, becomes false if
     * another rank searches the piece. */
    kith_status (*divide)(void *self, const division *d, bool *here, kith_error *error);
    /* The records of a piece, in the order of the whole table. They live in c->memory, which is
     * given back after `put`. */
    kith_status (*fetch)(void *self, uint32_t piece, problem *p, context *c, kith_error *error);
    /* Takes the classes of the piece that was fetched last; what they point to may be changed. */
    kith_status (*put)(void *self, uint32_t piece, const partition *classes, context *c,
                       kith_error *error);
    kith_status (*finish)(void *self, kith_error *error); /* NULL: nothing is left to do */
    void *self;
} record_source;

#endif

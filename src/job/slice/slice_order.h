/* The rows of a release in another order than the records that they stand for: a rank then has rows
 * of other ranks. What it reads of them goes back to the ranks that have the records. */
#ifndef JOB_SLICE_SLICE_ORDER_H
#define JOB_SLICE_SLICE_ORDER_H

#include "core/run/context.h"
#include "table/table.h"

typedef struct slice_order {
    uint32_t n_own, n_rows; /* rows of this rank's records, and rows that are here */
    uint32_t *to;           /* [n_own] the rank that has it */
    /* Rows that are here in the order in which they came, one rank after the other. */
    uint32_t *from;  /* [n_rows] the rank that has its record */
    uint32_t *order; /* [n_rows] the one at each place of the release */
} slice_order;

/* *rows are those that are here, in the order of the release: one rank after the other it is that
 * of table_order_by_cells. `own` are the rows of this rank's records, with the same dictionaries on
 * all ranks; *rows lives in `memory`, the order in c->memory. */
kith_status slice_order_by_cells(slice_order *o, kith_table *rows, const kith_table *own,
                                 context *c, arena *memory, kith_error *error) KITH_MUST_USE;

/* In a random order, from the operating system's generator: never from the seed of the run. */
kith_status slice_order_by_chance(slice_order *o, kith_table *rows, const kith_table *own,
                                  context *c, arena *memory, kith_error *error) KITH_MUST_USE;

/* Row i of `rows` is in place of row i here; their dictionaries are the same on all ranks. *own
 * becomes those of this rank's records, in their order, in c->memory. Takes the codes of `rows`
 * over. */
kith_status slice_order_back(kith_table *own, const slice_order *o, const kith_table *rows,
                             context *c, kith_error *error) KITH_MUST_USE;

/* The place of each own row in the whole release, in `memory`. */
kith_status slice_order_places(uint32_t **places, const slice_order *o, context *c, arena *memory,
                               kith_error *error) KITH_MUST_USE;

#endif

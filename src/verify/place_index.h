/* Finds the released rows that may stand for a record, without comparing it with all of them.
 *
 * Every cell stands for a run of neighbouring values: the leaves below its node, or those of a
 * range. The index is a tree over the places (distinct rows of the release): the first step goes by
 * bucket, each further one by the run that a column shows. Of a node's children those are entered
 * whose run holds the record's value, by a search for intervals. So a record costs about as many
 * steps as there are beginnings of rows that fit it, and not one for every place. */
#ifndef VERIFY_PLACE_INDEX_H
#define VERIFY_PLACE_INDEX_H

#include "verify/cover_cells.h"

typedef struct place_index place_index;

/* Place i is shown by row[i] of the release and is in bucket[i]. Columns without a hierarchy and
 * means are ignored. Everything lives in `memory`; `cells` and `row` stay the caller's. */
typedef struct place_list {
    const cover_cells *cells;
    uint32_t n_columns;
    uint32_t n_places, n_buckets;
    const uint32_t *row, *bucket; /* [n_places] */
} place_list;

kith_status place_index_new(place_index **index, const place_list *places, arena *memory,
                            kith_error *error) KITH_MUST_USE;

/* The places of a bucket that may stand for a row of the data go to found[n_places]; their number
 * is returned. All that do are among them, and few others: a place that is alone below a node is
 * not looked at in the columns that are left. */
uint32_t place_index_find(place_index *index, uint32_t bucket, uint32_t data_row, uint32_t *found);

/* Rows of the data with neighbouring keys look at the same nodes: in this order they are found much
 * faster, because the nodes are still in the processor's caches. */
uint64_t place_index_key(const place_index *index, uint32_t bucket, uint32_t data_row);

/* Nodes that place_index_find has looked at so far, and places that it has found. */
uint64_t place_index_steps(const place_index *index);

#endif

/* What the codes of a store's tables mean to a search: nodes of trees and numbers of sensitive
 * values. They are found by preparing a small table that has every value of the store once. */
#ifndef JOB_STORE_STORE_VALUES_H
#define JOB_STORE_STORE_VALUES_H

#include "job/prepare/prepare.h"
#include "search/records/record_scan.h"
#include "table/rows/row_spill.h"

typedef struct store_values {
    prepared prepared;   /* its trees, costs and models are those of the whole table; its records
                          * are not */
    problem problem;     /* the same; for weave with trees that begin at the lowest levels
                          * (level_bounds.h) */
    prepare_whole whole; /* what the prepared table refers to */
    prepare_units units; /* of the whole; in memory, as the sensitive values of all rows then are */
    /* [n_attributes], [n_sensitive] [values of the column + 1] what the values are to `problem`;
     * the last one for a missing cell */
    const uint32_t **cells;
    const uint32_t **sensitive;
    /* Room for the records of a block. */
    uint32_t **block_cells, **block_sensitive;
    size_t room;
} store_values;

/* From `rows`, whose v->whole is known; `block` has room for a block of them. `cut`: trees begin at
 * the lowest levels. Everything lives in c->memory. */
kith_status store_values_make(store_values *v, const kith_study *study, row_spill *rows,
                              kith_table *block, bool cut, context *c,
                              kith_error *error) KITH_MUST_USE;

/* A block of rows as records. Valid until the next call. */
kith_status store_values_block(store_values *v, const kith_table *rows, record_block *to,
                               arena *memory, kith_error *error) KITH_MUST_USE;

#endif

/* From a search's result to rows: which text each cell of the release shows. */
#ifndef RELEASE_RELEASE_H
#define RELEASE_RELEASE_H

#include "hierarchy/hierarchy.h"
#include "search/search.h"
#include "table/table.h"
#include "table/table_builder.h"
#include "table/table_writer.h"

/* How one column of the input appears in the release. */
typedef struct release_column {
    uint32_t source;    /* column of the table */
    bool generalized;   /* quasi-identifier: from the closure; else the cell as it is */
    uint32_t attribute; /* of the problem, if generalized */
    const kith_hierarchy *hierarchy; /* labels, if generalized */
    const char *const *means; /* [n_classes] what a class shows instead; NULL, or NULL for a class:
                               * its label */
} release_column;

/* Rows of the input that are part of the problem, and what is released of them. */
typedef struct release {
    const kith_table *table;
    uint32_t n_columns;
    const release_column *columns;
    uint32_t n_attributes; /* of the problem */
    uint32_t n_rows;
    const uint32_t
        *rows; /* [n_rows] row of the table behind each record (dropped rows are absent) */
    const search_result *result;
    bool ranges;
} release;

enum { RELEASE_CELL_BYTES = 1024 };

/* Text of a range of leaves, "low..high"; NULL is missing. A range that would have a missing value
 * or all values in it is the root. `scratch` has RELEASE_CELL_BYTES. */
const char *release_range(const kith_hierarchy *h, uint32_t low, uint32_t high, char *scratch);

/* Text of a cell; NULL is missing. `scratch` (of RELEASE_CELL_BYTES) is used for ranges. */
const char *release_cell(const release *r, uint32_t record, uint32_t column, char *scratch);

/* A random order of so many rows, from the operating system's generator. */
kith_status release_random_order(uint32_t **order, uint32_t count, arena *memory,
                                 kith_error *error) KITH_MUST_USE;

/* Writes all rows: record order[i] becomes row i. NULL: in input order. */
kith_status release_write(const release *r, table_writer *w, arena *memory, const uint32_t *order,
                          kith_error *error);

/* The same rows into the builder of a table that has the columns of the release, in input order. */
kith_status release_build(const release *r, table_builder *b, arena *memory,
                          kith_error *error) KITH_MUST_USE;

/* The same rows as a table of texts, in input order; free with kith_table_free. */
kith_status release_table(const release *r, kith_table **table, kith_error *error);

#endif

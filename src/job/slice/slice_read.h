/* Every rank reads its slice of a table; the rows of all ranks, one after the other, are those that
 * a single process would read, in the same order.
 *
 * CSV files, one or several, are cut by bytes, so that ranks get about as many each. A compressed
 * file, or one in another encoding than UTF-8, is read by one rank as a whole. Parquet,
 * JSON and tables of SQLite and DuckDB are shared by rows, tables of PostgreSQL by pages or by
 * ranges of their order. Other data (views, standard input) is read by rank 0 alone: it must fit
 * there. */
#ifndef JOB_SLICE_SLICE_READ_H
#define JOB_SLICE_SLICE_READ_H

#include "core/run/context.h"
#include "table/table.h"

typedef struct slice {
    uint64_t n_rows;    /* of the whole table */
    uint64_t first_row; /* of this rank */
} slice;

/* Where the `own` rows of this rank are in the whole table, which has fewer than UINT32_MAX, as a
 * table in memory has: else KITH_DATA. All ranks together. */
kith_status slice_place(slice *about, uint64_t own, context *c, kith_error *error) KITH_MUST_USE;

/* All ranks call it with the same arguments. Columns have the dictionaries of the slice: see
 * table_unite. Messages name files and lines as a single reading does. Free with kith_table_free.
 */
kith_status slice_read(kith_table **table, slice *about, const char *uri,
                       const kith_table_options *options, context *c,
                       kith_error *error) KITH_MUST_USE;

#endif

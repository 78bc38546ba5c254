/* Row-wise output: a file of CSV, Parquet or JSON, a table of a database, complete or not at all.
 */
#ifndef TABLE_TABLE_WRITER_H
#define TABLE_TABLE_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include <kith/status.h>

#include "core/system/stage.h"
#include "table/table.h"

typedef struct table_writer table_writer;

/* Begins an output; whatever is not committed when the arena is freed never appears. */
kith_status table_writer_open(table_writer **w, arena *memory, const char *uri, char separator,
                              bool overwrite, const char *const *names, size_t n_columns,
                              kith_error *error);
/* The same for a table that was made from another one, which lives until the writer is finished:
 * `from` has columns of the same names. whole[i] are the values of a column that is written as it
 * was read, NULL for other columns. Numbers and dates stay what they are if they are read back as
 * they were written: in SQLite and PostgreSQL the whole columns of numbers, in Parquet, JSON and
 * DuckDB every column all of whose cells are numbers or dates. `run` is polled while waiting for a
 * server, as long as the writer lives, and may be NULL. */
kith_status table_writer_open_whole(table_writer **w, arena *memory, const char *uri,
                                    char separator, bool overwrite, const char *const *names,
                                    const dictionary *const *whole, const kith_table *from,
                                    size_t n_columns, const kith_run *run, kith_error *error);
/* One row of NUL-terminated cells; NULL is missing (an empty cell, NULL in SQL). */
kith_status table_writer_row(table_writer *w, const char *const *cells, kith_error *error);
/* All rows of a table that has the columns of the output. */
kith_status table_writer_rows(table_writer *w, const kith_table *table, arena *memory,
                              kith_error *error) KITH_MUST_USE;
/* The rows that follow belong to another table of the same database, which is named after the first
 * one with a suffix. All tables appear together at the commit. KITH_INVALID for files. */
kith_status table_writer_next(table_writer *w, const char *suffix, const char *const *names,
                              size_t n_columns, kith_error *error) KITH_MUST_USE;
/* All rows are written and can be read back from table_writer_readable, but are not visible yet. */
kith_status table_writer_finish(table_writer *w, kith_error *error);
/* URI from which the finished rows can be read for verification before the commit; NULL where that
 * is not possible (standard output, SQL within its transaction). */
const char *table_writer_readable(const table_writer *w);
/* Only its owner will be able to read the output. False if it is not a file of its own; of
 * databases only a file that is made here becomes private. */
bool table_writer_keep_private(table_writer *w);
kith_status table_writer_commit(table_writer *w, kith_error *error);
/* Finishes the output; it will appear with the others of the stage. */
kith_status table_writer_stage(table_writer *w, stage *s, kith_error *error) KITH_MUST_USE;

#endif

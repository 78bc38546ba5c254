/* The sources of tables, and what they share. Each reads a whole table into an arena of its own. */
#ifndef TABLE_SOURCE_H
#define TABLE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/arrow.h>

#include "core/arena.h"
#include "table/table_builder.h"
#include "table/csv/csv.h"
#include "table/csv/csv_header.h"
#include "table/rows/row_spill.h"
#include "table/table.h"

/* Some rows of a source, in its order, and where to find them without reading those before. */
typedef struct source_rows {
    uint64_t first, count;
    bool found;       /* what follows is known */
    int64_t from, to; /* the numbers that a database gives its rows (rowid); of Parquet, the first
                         and the last file */
    uint64_t skip;    /* rows of the first file that are none of these */
} source_rows;

/* What a source works with: `memory` will own the table, `scratch` goes when it has been read. */
typedef struct source {
    const char *uri;  /* for the source to open; NULL: it is in memory */
    const char *name; /* for messages: without a password */
    const kith_table_options *options;
    kith_csv_options csv; /* what options->csv points to, or zeros */
    const kith_run *run;
    const char *phase;       /* for its progress; NULL: load */
    const source_rows *rows; /* only these, as source_cut finds them; NULL: all */
    /* Returns whether a column of this name is read besides the wanted ones, as strings behind
     * them. May be NULL. */
    bool (*also)(const void *user, const char *name);
    const void *also_user;
    arena *memory;
    arena *scratch;
    row_spill *spill; /* if set, rows go here and the table stays empty */
} source;

kith_status csv_source_read(const source *s, kith_table **table, kith_error *error);
kith_status sqlite_source_read(const source *s, kith_table **table, kith_error *error);
kith_status postgres_source_read(const source *s, kith_table **table, kith_error *error);
/* A stream of the Arrow C data interface (kith/arrow.h), which has been released when the call
 * returns. */
kith_status arrow_source_read(const source *s, struct ArrowArrayStream *stream, kith_table **table,
                              kith_error *error);
/* Parquet, JSON and databases of DuckDB. */
kith_status duck_source_read(const source *s, kith_table **table, kith_error *error);

/* CSV from a feed that is open: what csv_source_read does with the file. */
kith_status csv_source_parse(const source *s, byte_feed bytes, kith_table **table,
                             kith_error *error);
/* Adds the wanted cells of all remaining records of `c` to the builder. With `nulls` an unquoted
 * empty cell is missing. */
kith_status csv_source_rows(const source *s, csv *c, table_builder *b, const csv_header *from,
                            bool nulls, kith_error *error);
/* Puts the place of a cell before a message that has none. */
kith_status csv_source_at_cell(const csv *c, const csv_cell *cell, kith_status status,
                               kith_error *error);
/* An empty line that stands before a row. */
kith_status csv_source_empty_line(const char *file, uint64_t line, size_t width, kith_error *error);

/* Reads a table by `read`, which finds everything prepared: what kith_table_read does. */
typedef kith_status source_reader(const source *s, void *user, kith_table **table,
                                  kith_error *error);
kith_status source_read(kith_table **table, const char *uri, const kith_table_options *options,
                        const kith_run *run, source_reader *read, void *user,
                        kith_error *error) KITH_MUST_USE;

/* By the source that the URI names. */
kith_status source_read_whole(const source *s, kith_table **table, kith_error *error) KITH_MUST_USE;

/* Cuts the rows into parts, of which the first may have one more than the others, if any of them
 * can be read apart (SQLite, Parquet, JSON, tables of DuckDB); *cut: whether that is so. */
kith_status source_cut(const source *s, source_rows *parts, uint32_t n_parts, bool *cut,
                       kith_error *error) KITH_MUST_USE;
kith_status sqlite_source_cut(const source *s, source_rows *parts, uint32_t n_parts, bool *cut,
                              kith_error *error);
kith_status duck_source_cut(const source *s, source_rows *parts, uint32_t n_parts, bool *cut,
                            kith_error *error);
/* Fills `first` and `count` of all parts. */
void source_rows_divide(source_rows *parts, uint32_t n_parts, uint64_t n_rows);
/* `last` is the number of the last row of part `which`: then its rows begin where those of the part
 * before it have ended. The first part begins at the lowest number, the last one has no end. */
void source_rows_end(source_rows *parts, uint32_t n_parts, uint32_t which, int64_t last);

/* Chooses the wanted columns among `names`; `specs` and `pick` have `*count` elements then. A
 * column that is not there is an error whose hint lists those that are. */
kith_status source_pick(const source *s, const char *const *names, size_t width,
                        const kith_column_spec **specs, uint32_t **pick, size_t *count,
                        kith_error *error);

/* The end of the rows: finishes the table, or the spill, and notes the places of its columns in the
 * source. */
kith_status source_finish(const source *s, table_builder *b, const uint32_t *pick,
                          kith_table **table, kith_error *error);

/* Puts "name: row 17: " before a message about data (KITH_DATA) that has no place, and returns the
 * status. Rows count from 1. */
kith_status source_at_row(const char *name, uint64_t row, kith_status status, kith_error *error);

/* Reports progress of phase "load"; KITH_CANCELLED if the caller wants to stop. */
kith_status source_progress(const source *s, double done, kith_error *error);

/* About how many bytes the table takes in memory while it is anonymized; UINT64_MAX if that is not
 * known, as with a pipe. Files are asked for their size, a PostgreSQL server for its rows; counting
 * ends where `enough` is exceeded. An unreadable file counts as empty: reading it tells why. */
kith_status source_bytes(uint64_t *n_bytes, const char *uri, const kith_table_options *options,
                         uint64_t enough, const kith_run *run, kith_error *error) KITH_MUST_USE;

#endif

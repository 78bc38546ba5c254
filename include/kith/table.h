/* Tables: named columns of text cells, kept as codes into a sorted dictionary per column. */
#ifndef KITH_TABLE_H
#define KITH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/run.h>
#include <kith/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_table kith_table;

typedef enum kith_type {
    KITH_TYPE_STRING,
    KITH_TYPE_INTEGER,
    KITH_TYPE_DECIMAL,
    KITH_TYPE_DATE
} kith_type;

/* What is wanted of one column of a source. This struct never changes, because callers make arrays
 * of it. */
typedef struct kith_column_spec {
    const char *name;
    kith_type type;
    /* How values are written. Dates: a strptime format; NULL: ISO 8601, YYYY-MM-DD. Numbers: the
     * decimal mark, "," (1.234,50) or "." (1,234.50), where digits may be grouped by threes;
     * NULL: 1234.50, without groups. */
    const char *date_format;
} kith_column_spec;

/* What a CSV file is like beyond its separator; KITH_INIT(kith_csv_options), like NULL: UTF-8 with
 * a header. A byte-order mark always says what the encoding is. */
typedef struct kith_csv_options {
    size_t size;
    const char *encoding; /* a name that iconv_open takes, such as WINDOWS-1252; NULL: UTF-8 */
    bool no_header;       /* the first line is a row; the columns are c1, c2, … */
} kith_csv_options;

/* KITH_INIT(kith_table_options), like NULL, means: all columns, as text, the separator detected,
 * and no text counts as missing except the empty cell. */
typedef struct kith_table_options {
    size_t size;
    char separator;                  /* CSV only; 0: detect */
    bool trim;                       /* strip blanks around cells and header names */
    const kith_column_spec *columns; /* in the wanted order; NULL: all columns, as strings */
    size_t n_columns;
    const char *const *missing_values; /* texts that mean missing; NULL: the empty text */
    size_t n_missing_values;
    const kith_csv_options *csv; /* may be NULL */
} kith_table_options;

/* Data for a job: under a URI, or a table in memory, which gives what a file with the same cells
 * would, whatever types its columns have. Messages call it "the table" unless it was read from a
 * file. Jobs take pointers to such structs; NULL, like one that has neither, is no data. */
typedef struct kith_input {
    size_t size;
    const char *uri;             /* as for kith_table_read; NULL: `table` */
    const kith_table *table;     /* NULL: `uri` */
    char separator;              /* CSV only; 0: detect */
    const kith_csv_options *csv; /* may be NULL */
} kith_input;

/* Such data as a member of options, in C: `.data = KITH_INPUT_TABLE(table)`. It lasts as long as the
 * block that it stands in. */
#define KITH_INPUT_URI(text) (&(const kith_input)KITH_OPTIONS(kith_input, .uri = (text)))
#define KITH_INPUT_TABLE(made) (&(const kith_input)KITH_OPTIONS(kith_input, .table = (made)))

/* Reads a whole source.
 * Returns: KITH_OK, KITH_DATA if it breaks its format or lacks a column, KITH_IO, KITH_CANCELLED.
 * Out: *table, freed by kith_table_free. In: `options` and `run` (may be NULL); `uri`, a path (CSV, also compressed by gzip or zstd, or a directory of
 * such files; by DuckDB, if its library is found, Parquet and JSON, told by the ending), also of
 * several files by wildcards, "-" for CSV on standard input, "sqlite:FILE?table=T",
 * "duckdb:FILE?table=T" or "postgresql://…?table=T". */
KITH_API KITH_MUST_USE kith_status kith_table_read(kith_table **table, const char *uri,
                                                   const kith_table_options *options,
                                                   const kith_run *run, kith_error *error);

/* Makes a table of texts in memory, which are copied.
 * Returns: KITH_OK, or KITH_DATA if a cell has not the type of its column.
 * Out: *table, freed by kith_table_free.
 * In: `cells`, row by row, NULL for a missing one; `options`, which must name the columns. */
KITH_API KITH_MUST_USE kith_status kith_table_from_cells(kith_table **table,
                                                         const char *const *cells, size_t n_rows,
                                                         const kith_table_options *options,
                                                         kith_error *error);

/* A table in the making, column by column: for programs that hold their data in columns. */
typedef struct kith_table_builder kith_table_builder;

/* Begins a table. Returns: KITH_OK, or KITH_INVALID. Out: *builder, freed by
 * kith_table_builder_free. In: `options`, which must name the columns; their separator and csv do
 * not matter. */
KITH_API KITH_MUST_USE kith_status kith_table_builder_new(kith_table_builder **builder,
                                                          const kith_table_options *options,
                                                          kith_error *error);
KITH_API void kith_table_builder_free(kith_table_builder *builder);

/* Appends cells to one column, all of it or a piece: columns may be filled in any order, and need
 * as many cells as the others only in the end. Texts are UTF-8 and copied once for each distinct
 * one; a NULL text is missing. lengths[i] is that of text i in bytes, which then need not end with
 * a NUL; `lengths` may be NULL. After an error the builder can only be freed. */
KITH_API KITH_MUST_USE kith_status kith_table_builder_add_texts(kith_table_builder *builder,
                                                                size_t column,
                                                                const char *const *texts,
                                                                const size_t *lengths,
                                                                size_t n_texts, kith_error *error);

/* The code of a missing cell. */
#define KITH_CODE_MISSING UINT32_MAX

/* Appends cells to one column by a dictionary, all of it or a piece: cell i is values[codes[i]], or missing if its code is
 * KITH_CODE_MISSING. Values may be in any order, and equal; those that no cell has are left out.
 * Every piece may come with a dictionary of its own. Costs one look at each code. */
KITH_API KITH_MUST_USE kith_status kith_table_builder_add_codes(
    kith_table_builder *builder, size_t column, const uint32_t *codes, size_t n_codes,
    const char *const *values, const size_t *lengths, size_t n_values, kith_error *error);

/* Makes the table of what was added. The builder is empty afterwards, and still has to be freed.
 * Returns: KITH_OK; KITH_INVALID if columns differ in length: more cells may be added then.
 * Out: *table, freed by kith_table_free. */
KITH_API KITH_MUST_USE kith_status kith_table_builder_finish(kith_table **table,
                                                             kith_table_builder *builder,
                                                             kith_error *error);

KITH_API void kith_table_free(kith_table *table);

KITH_API size_t kith_table_n_rows(const kith_table *table);
KITH_API size_t kith_table_n_columns(const kith_table *table);
KITH_API const char *kith_table_column_name(const kith_table *table, size_t column);
/* The cell's text, valid while the table lives; NULL if it is missing. */
KITH_API const char *kith_table_cell(const kith_table *table, size_t row, size_t column);

/* A column as the table keeps it, without copying: the code of every row, KITH_CODE_MISSING or a
 * place in the column's distinct texts, which are sorted (numbers and dates by value). All belong
 * to the table. NULL, or 0, if there is no such column or value. */
KITH_API const uint32_t *kith_table_codes(const kith_table *table, size_t column);
KITH_API size_t kith_table_n_values(const kith_table *table, size_t column);
KITH_API const char *kith_table_value(const kith_table *table, size_t column, size_t code);

/* How a table or hierarchy is written. */
typedef struct kith_write_options {
    size_t size;
    char separator; /* of CSV; 0: as a table was read, else comma; semicolon for a hierarchy */
    bool overwrite; /* an output that exists; it is refused otherwise */
} kith_write_options;

/* Writes a table as a file of CSV, Parquet or JSON, or as a table of a database, complete or not at
 * all; missing cells are empty (NULL elsewhere than in CSV). Numbers and dates have their types in
 * Parquet, JSON and DuckDB, where no text is lost. `options` may be NULL. */
KITH_API KITH_MUST_USE kith_status kith_table_write(const kith_table *table, const char *uri,
                                                    const kith_write_options *options,
                                                    kith_error *error);

#ifdef __cplusplus
}
#endif
#endif

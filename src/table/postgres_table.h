/* A table of a PostgreSQL server, for which the server counts: nothing is read but what a question
 * asks for, and all questions are answered from one snapshot. */
#ifndef TABLE_POSTGRES_TABLE_H
#define TABLE_POSTGRES_TABLE_H

#include "table/postgres.h"
#include "table/source.h"

typedef struct postgres_column {
    const char *name;
    const char *quoted;
    const char *cell; /* an expression for what a table in memory would hold: trimmed, NULL if it is
                         missing, and different if its text is */
} postgres_column;

typedef struct postgres_table {
    postgres *db;
    arena *memory;
    kith_table_options options;
    const kith_run *run;
    const char *from; /* the quoted name, for statements */
    uint32_t n_parts;
    const char **parts; /* the tables of which it consists, if some are on other servers: they count
                           their rows themselves; else none */
    const char *shown;  /* the URI without a password */
    const char *order;  /* "a, b": the order of the address, or else of the primary key; "": none */
    bool by_key;        /* it is that of the primary key */
    uint32_t n_columns;
    postgres_column *columns; /* all that the table has, in its order */
} postgres_table;

/* Connects, and begins to read. Lives in `memory`, which must not be freed before it. */
kith_status postgres_table_open(postgres_table **t, arena *memory, const char *uri,
                                const kith_table_options *options, const kith_run *run,
                                kith_error *error) KITH_MUST_USE;

/* Where a column is; an error that lists the columns if it is not there. */
kith_status postgres_table_column(uint32_t *at, const postgres_table *t, const char *name,
                                  kith_error *error) KITH_MUST_USE;

/* postgres_numbers of the table's connection. */
kith_status postgres_table_numbers(uint64_t *numbers, size_t count, const postgres_table *t,
                                   const char *select, kith_error *error) KITH_MUST_USE;

/* A SELECT of the different cells of these columns, c0, c1, …, with the number n of rows of each.
 * Servers that have a part of the table are asked to count it. NULL if out of memory. */
const char *postgres_table_groups(const postgres_table *t, const uint32_t *columns, size_t count,
                                  arena *memory);

/* The values of one column with the number of rows that have each. */
typedef struct postgres_values {
    kith_table *table;      /* has the dictionary, in its only column; free with kith_table_free */
    const uint32_t *counts; /* [values + 1], last: missing; lives with the table */
    uint64_t n_rows;
} postgres_values;
kith_status postgres_table_values(postgres_values *values, const postgres_table *t,
                                  const kith_column_spec *spec, kith_error *error) KITH_MUST_USE;

#endif

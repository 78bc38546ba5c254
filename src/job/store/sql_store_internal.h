/* Shared by the files of the SQL store. */
#ifndef JOB_STORE_SQL_STORE_INTERNAL_H
#define JOB_STORE_SQL_STORE_INTERNAL_H

#include <stdio.h> /* P_tmpdir */

#include "job/store/row_buckets.h"
#include "job/store/sql_store.h"
#include "table/postgres_copy.h"
#include "table/postgres_table.h"
#include "table/row_spill.h"

/* Rows that the server has sent, in a temporary file. */
typedef struct sql_rows {
    row_spill *spill;
    uint32_t n_columns;
    const uint32_t *which; /* [n_columns] columns of the store's table */
    uint32_t **map;        /* [n_columns] from codes of the file to those of the store's table */
    kith_table read;       /* room for a block of the file */
    kith_table block;      /* the same as rows of the store; what was not sent is missing */
    uint32_t *weight;      /* [ROW_SPILL_ROWS] or NULL: 1 */
} sql_rows;

typedef struct sql_store {
    const kith_study *study;
    const kith_anonymize_options *options;
    context *context;
    uint64_t buffer_bytes; /* for one set of buckets */
    postgres_table *data;
    kith_column_spec *specs; /* [table.n_columns] what is read */
    uint32_t *at;            /* [table.n_columns] which columns of the server these are */
    kith_table table;        /* without rows; dictionaries of the whole table */
    const char *kept;        /* " WHERE …": rows that the study keeps, or "" */
    const prepared *values;  /* trees and labels */
    /* Combinations of values with their numbers; NULL before the first scan. They go when the table
     * is divided. */
    arena *groups_memory;
    sql_rows *groups;
    /* Rows by pieces, in the order of the whole table. They go when the last one is searched. */
    arena *pieces_memory;
    row_buckets pieces;
    kith_table fetched; /* the rows of the present piece */
    /* The release. */
    const kith_run *run; /* also after an interrupted search (context.h) */
    postgres *out;
    const char *staging; /* the temporary table */
    publication_columns columns;
    postgres_copy rows;
    /* Data and release by classes. */
    arena *pairs_memory;
    struct store_pairs *pairs;
} sql_store;

/* Where temporary files stand unless TMPDIR says otherwise. */
#define SQL_STORE_BESIDE P_tmpdir "/"

/* sql_store.c: do models or hierarchies look at column i of the table? */
bool sql_store_judges(const sql_store *s, uint32_t i);
/* sql_store_rows.c */
kith_status sql_store_scan(void *self, store_visit visit, void *to, kith_error *error);
kith_status sql_store_divide(void *self, const store_pieces *pieces, kith_error *error);
kith_status sql_store_fetch(void *self, uint32_t piece, kith_table *rows, arena *memory,
                            kith_error *error);
/* sql_store_release.c */
kith_status sql_store_open_release(void *self, const publication_columns *columns,
                                   kith_error *error);
kith_status sql_store_put(void *self, uint32_t piece, const release *r, kith_error *error);
kith_status sql_store_finish(void *self, kith_error *error);
kith_status sql_store_commit(void *self, kith_error *error);
/* sql_store_parts.c */
kith_status sql_store_parts(void *self, store_part_visit visit, void *to, kith_error *error);

#endif

/* Shared by the files of the SQL store. */
#ifndef JOB_STORE_SQL_STORE_INTERNAL_H
#define JOB_STORE_SQL_STORE_INTERNAL_H

#include "job/store/sql_store.h"
#include "table/postgres_copy.h"
#include "table/postgres_table.h"

typedef struct sql_store {
    const kith_study *study;
    const kith_anonymize_options *options;
    context *context;
    postgres_table *data;
    kith_column_spec *specs; /* [table.n_columns] what is read */
    uint32_t *at;            /* [table.n_columns] which columns of the server these are */
    uint64_t *n_missing;     /* [table.n_columns] missing cells */
    kith_table table;        /* without rows; dictionaries of the whole table */
    const char *kept;        /* " WHERE …": rows that the study keeps, or "" */
    store_pieces pieces;
    kith_table fetched; /* the rows of the present piece */
    /* The release. */
    postgres *out;
    const char *staging; /* the temporary table */
    publication_columns columns;
    postgres_copy rows;
} sql_store;

/* sql_store_rows.c: the codes that the values of a part have in the whole table, for all rows of a
 * column. */
kith_status sql_store_recode(const sql_store *s, uint32_t *codes, const column *part,
                             uint32_t n_rows, uint32_t to, kith_error *error);
kith_status sql_store_scan(void *self, store_visit visit, void *to, kith_error *error);
kith_status sql_store_fetch(void *self, uint32_t piece, kith_table *rows, arena *memory,
                            kith_error *error);
/* sql_store_piece.c: " WHERE …": the rows of a piece, and perhaps some others. */
kith_status sql_store_where(const char **where, const sql_store *s, uint32_t piece, arena *memory,
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

/* Shared by the files of the SQL store. */
#ifndef JOB_STORE_SQL_STORE_INTERNAL_H
#define JOB_STORE_SQL_STORE_INTERNAL_H

#include <stdio.h> /* P_tmpdir */

#include "job/store/row_buckets.h"
#include "job/store/sql_store.h"
#include "table/postgres_copy.h"
#include "table/postgres_staging.h"
#include "table/postgres_table.h"
#include "table/row_spill.h"

typedef struct sql_store {
    const kith_study *study;
    const kith_anonymize_options *options;
    context *context;
    uint64_t buffer_bytes; /* for one set of buckets */
    /* What the server has sent: it goes when the table is divided, but for the dictionaries. */
    postgres_table *data;
    row_spill_rule rule;
    row_spill *sent;
    kith_table block;       /* room for a block of it */
    const prepared *values; /* trees and labels */
    /* Rows by pieces, in the order of the whole table; and so is the release written. */
    arena *pieces_memory;
    row_buckets pieces;
    /* The release. */
    const kith_run *run; /* also after an interrupted search (context.h) */
    postgres *out;
    postgres_staging staging;
    uint32_t n_columns;
    const char **names; /* [n_columns] */
    postgres_copy rows;
    uint64_t n_rows; /* that have been written */
    /* Data and release by classes. */
    arena *pairs_memory;
    struct store_pairs *pairs;
} sql_store;

/* Where temporary files stand unless TMPDIR says otherwise. */
#define SQL_STORE_BESIDE P_tmpdir "/"

/* sql_store_rows.c */
kith_status sql_store_survey(void *self, const kith_table **table, prepare_whole *whole,
                             kith_error *error);
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

/* A store: the rows of a table that does not fit into memory, and its release. What lies behind it
 * is a file that has been read once (file_store.h), or a database.
 *
 * store_run.h calls the functions in the order in which they stand here. `fetch` and `put` take
 * turns, piece by piece; `scan` may be called again and again.
 *
 * Rows are those that the study keeps: with `missing: drop` a store shows no others. Tables that a
 * store hands out have the dictionaries of all rows that are kept (kept_rows.h), sorted as
 * table_builder_finish does, so that a code means the same in all of them. The order of the rows is
 * that of the whole table, unless it is said to be open. */
#ifndef JOB_STORE_STORE_H
#define JOB_STORE_STORE_H

#include "core/context.h"
#include "core/document.h"
#include "job/prepare/prepare.h"
#include "job/result/publication.h"
#include "release/release.h"
#include "search/record_scan.h"

/* Some rows of a scan. */
typedef struct store_block {
    const kith_table *rows;
    uint32_t *reached; /* as in record_block; NULL: not kept */
} store_block;
typedef kith_status (*store_visit)(void *to, const store_block *block, kith_error *error);

/* How the table is divided, for stores that sort their rows by pieces. */
typedef struct store_pieces {
    uint32_t count;
    const prepared *values; /* trees and labels */
    /* The piece of each row of a block. */
    kith_status (*of)(void *user, const store_block *block, uint32_t *pieces, kith_error *error);
    void *user;
} store_pieces;

/* Rows whose classes are complete: no other part has a row of them. Row i of `texts`, the release
 * as it was read back, belongs to row i of `data`. */
typedef struct store_part {
    const kith_table *data;
    const kith_table *texts;
} store_part;
typedef kith_status (*store_part_visit)(void *to, const store_part *part, kith_error *error);

typedef struct store {
    void *self;
    const char *output; /* where the release goes, for its summary */
    /* [columns][values] the first row of the source that has a value, for messages about it: from
     * `survey` on, or NULL. */
    const uint32_t *const *first;
    /* Looks at the whole table once. *table has no rows, but the dictionaries; `whole` counts. Both
     * live as long as the store. A wrong cell, or a missing one that the study rejects, is an error
     * with its line. */
    kith_status (*survey)(void *self, const kith_table **table, prepare_whole *whole,
                          kith_error *error);
    /* Opens the release: what cannot be written is an error before the search. */
    kith_status (*open)(void *self, const publication_columns *columns, kith_error *error);
    /* Calls `visit` for all rows, block by block, in any order. Of the columns only those that are
     * quasi-identifying or sensitive need to be filled in. */
    kith_status (*scan)(void *self, store_visit visit, void *to, kith_error *error);
    kith_status (*divide)(void *self, const store_pieces *pieces, kith_error *error);
    /* The rows of a piece, in the order of the whole table, in `memory`. */
    kith_status (*fetch)(void *self, uint32_t piece, kith_table *rows, arena *memory,
                         kith_error *error);
    /* The release of the piece that was fetched last: record i is its row r->rows[i]. */
    kith_status (*put)(void *self, uint32_t piece, const release *r, kith_error *error);
    /* All pieces are there: writes the release where it can be read back, but not seen yet. */
    kith_status (*finish)(void *self, kith_error *error);
    /* Reads it back, part by part, as often as it is asked. */
    kith_status (*parts)(void *self, store_part_visit visit, void *to, kith_error *error);
    /* Writes what stands beside the release; NULL where there is no such thing. */
    kith_status (*companion)(void *self, const kith_document *meta, kith_error *error);
    /* Lets everything appear. */
    kith_status (*commit)(void *self, kith_error *error);
} store;

#endif

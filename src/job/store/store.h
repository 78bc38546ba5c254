/* A store: the rows of a table that does not fit into memory, and its release, wherever both are.
 * The table is read once (table/row_spill.h); rows go by pieces into a temporary file (buckets.h)
 * to be searched, and what classes show goes back into the order of the rows through another one.
 * The release becomes a temporary file of codes, too, which is sorted by its cells beside the data
 * unless the order of the data is asked for, and from which it is written. A file is written
 * under a temporary name and read back as receivers will read it; what cannot be read back in time,
 * as a table of a database, is written once it has been assessed. For that, data and release are
 * brought together by classes.
 *
 *     temporary file             bytes of a row
 *     rows as they were read     the fewest that hold the codes of its cells
 *     rows by pieces             the same and 4, until the last piece is searched
 *     what classes show          the fewest that hold the nodes of its quasi-identifiers, and 4
 *     the release                as the first one
 *     data and release, sorted   both together
 *     the release, read back     as the first one
 *     data and release by class  both together
 *
 * The functions are called in the order in which they stand here. Rows are those that the
 * study keeps: with `missing: drop` a store shows no others. Tables that a store hands out have the
 * dictionaries of all rows that are kept (kept_rows.h), sorted as table_builder_finish does, so
 * that a code means the same in all of them. The order of the rows is that of the whole table. */
#ifndef JOB_STORE_STORE_H
#define JOB_STORE_STORE_H

#include <kith/anonymize.h>

#include "core/context.h"
#include "job/prepare/prepare.h"
#include "job/result/publication.h"
#include "release/release.h"
#include "search/records/record_scan.h"

typedef struct store store;

/* Some rows of a scan. */
typedef struct store_block {
    const kith_table *rows;
    uint32_t *reached; /* as in record_block; NULL: not kept */
} store_block;
typedef kith_status (*store_visit)(void *to, const store_block *block, kith_error *error);

/* How the table is divided. */
typedef struct store_pieces {
    uint32_t count;
    const prepared *values; /* trees and labels */
    /* The piece of each row of a block. */
    kith_status (*of)(void *user, const store_block *block, uint32_t *pieces, kith_error *error);
    void *user;
} store_pieces;

/* Rows whose classes are complete: no other part has a row of them. Row i of `texts`, the release
 * as it was read back, belongs to row i of `data`. Both have the dictionaries of the whole. */
typedef struct store_part {
    const kith_table *data;
    const kith_table *texts;
    /* [columns of texts][values + 1] rows of the whole release, the last with missing cells */
    const uint64_t *const *counts;
    const uint32_t *rows; /* the numbers of the rows of `data`; only for store_map */
} store_part;
typedef kith_status (*store_part_visit)(void *to, const store_part *part, kith_error *error);

/* Everything lives in c->memory; about `memory_bytes` are meant for the rows. `out` is opened by
 * the caller before store_make. */
kith_status store_open(store **s, const kith_study *study, const kith_anonymize_options *options,
                       uint64_t memory_bytes, publication *out, context *c,
                       kith_error *error) KITH_MUST_USE;

/* Looks at the whole table once. *table has no rows, but the dictionaries; `whole` counts.
 * (*first)[columns][values] is the first row of the source that has a value, for messages about it.
 * A wrong cell, or a missing one that the study rejects, is an error with its place. */
kith_status store_survey(store *s, const kith_table **table, prepare_whole *whole,
                         const uint32_t *const **first, kith_error *error) KITH_MUST_USE;
/* Calls `visit` for all rows, block by block; again and again if it is asked. */
kith_status store_scan(store *s, store_visit visit, void *to, kith_error *error) KITH_MUST_USE;
kith_status store_divide(store *s, const store_pieces *pieces, kith_error *error) KITH_MUST_USE;
/* The rows of a piece, in the order of the whole table, in `memory`; `source_rows` are their
 * numbers there. */
kith_status store_fetch(store *s, uint32_t piece, kith_table *rows, arena *memory,
                        kith_error *error) KITH_MUST_USE;
/* The release of the piece that was fetched last: record i is its row r->rows[i]. classes[classes
 * of the piece] are numbers for the mapping, which other pieces may use again; NULL: none does. */
kith_status store_put(store *s, const release *r, const uint32_t *numbers,
                      kith_error *error) KITH_MUST_USE;
/* All pieces are there: makes the release, and writes it to the table writer of `out`. */
kith_status store_make(store *s, kith_error *error) KITH_MUST_USE;
kith_status store_write(store *s, kith_error *error) KITH_MUST_USE;
/* The file that was written takes the place of what was made. */
kith_status store_read_back(store *s, kith_error *error) KITH_MUST_USE;
/* Writes the mapping (mapping_file.h). */
kith_status store_map(store *s, mapping_file *m, kith_error *error) KITH_MUST_USE;
/* The release beside the data, part by part, as often as it is asked. */
kith_status store_parts(store *s, store_part_visit visit, void *to,
                        kith_error *error) KITH_MUST_USE;

#endif

/* A store: the rows of a table that does not fit into memory, and its release, wherever both are.
 * The table is read once (table/rows/row_spill.h). For weave its rows go by pieces into a temporary file
 * (buckets.h) to be searched, and what classes show goes back into the order of the rows through
 * another one; other searches need the codes of the rows alone (store_codes.h).
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

#include "core/run/context.h"
#include "job/result/publication.h"
#include "job/store/store_values.h"
#include "search/records/division.h"
#include "search/search.h"

typedef struct store store;

/* What some rows of the table show, the first of which has this number. The classes are numbered as
 * in the whole table. */
typedef kith_status (*store_show)(void *user, search_result *shown, const record_block *rows,
                                  uint32_t first, arena *memory, kith_error *error);

/* Some rows beside the release. Row i of `texts`, the release as it was read back, belongs to row i
 * of `data`. Both have the dictionaries of the whole; `source_rows` of the texts, where they are
 * asked for, are the numbers of these rows. */
typedef struct store_part {
    const kith_table *data;
    const kith_table *texts;
    /* [columns of texts][values + 1] rows of the whole release, the last with missing cells */
    const uint64_t *const *counts;
} store_part;
typedef kith_status (*store_part_visit)(void *to, const store_part *part, kith_error *error);

/* Everything lives in c->memory; about `memory_bytes` are meant for the rows. `out` is opened by
 * the caller before store_make. */
kith_status store_open(store **s, const kith_study *study, const kith_anonymize_options *options,
                       uint64_t memory_bytes, publication *out, context *c,
                       kith_error *error) KITH_MUST_USE;

/* Looks at the whole table once. *table has no rows, but the dictionaries. `cut`: for a division,
 * see store_values_make. A wrong cell, or a missing one that the study rejects, is an error with
 * its place. */
kith_status store_read(store *s, bool cut, const kith_table **table, const store_values **values,
                       kith_error *error) KITH_MUST_USE;
/* The `run` of a record_scan of all rows. */
kith_status store_scan(void *s, record_visit visit, void *to, kith_error *error) KITH_MUST_USE;

/* Sorts the rows by pieces. */
kith_status store_divide(store *s, const division *d, kith_error *error) KITH_MUST_USE;
/* The rows of a piece, in the order of the whole table, in `memory`; `source_rows` are their
 * numbers there. */
kith_status store_fetch(store *s, uint32_t piece, kith_table *rows, arena *memory,
                        kith_error *error) KITH_MUST_USE;
/* The classes of the piece that was fetched last. */
kith_status store_put(store *s, const partition *found, kith_error *error) KITH_MUST_USE;

/* Makes the release from what `show` says; NULL: from the classes of all pieces. */
kith_status store_make(store *s, store_show show, void *user, kith_error *error) KITH_MUST_USE;
/* Writes it to the table writer of `out`. */
kith_status store_write(store *s, kith_error *error) KITH_MUST_USE;
/* The file that was written takes the place of what was made. */
kith_status store_read_back(store *s, kith_error *error) KITH_MUST_USE;
/* The release beside the data, part by part, as often as it is asked: classes are complete, no
 * other part has a row of them. */
kith_status store_parts(store *s, store_part_visit visit, void *to,
                        kith_error *error) KITH_MUST_USE;
/* Assesses the release by its parts: the same figures as for one in memory. `before` are the risks
 * of all records. One that breaks a model or does not cover the data is KITH_BUG. */
kith_status store_assess(store *s, const risk *before, assessment *found,
                         kith_error *error) KITH_MUST_USE;
/* Writes the mapping (mapping_file.h). */
kith_status store_map(store *s, mapping_file *m, kith_error *error) KITH_MUST_USE;

#endif

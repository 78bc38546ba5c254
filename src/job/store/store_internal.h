/* Shared by the files of the store. */
#ifndef JOB_STORE_STORE_INTERNAL_H
#define JOB_STORE_STORE_INTERNAL_H

#include "job/store/row_buckets.h"
#include "job/store/store.h"
#include "table/rows/row_spill.h"

typedef struct store_pairs store_pairs; /* store_pairs.h */

struct store {
    const kith_study *study;
    const kith_anonymize_options *options;
    uint64_t buffer_bytes; /* for the buffers of one set of buckets */
    const char *beside;    /* where temporary files stand (core/system/spill_file.h) */
    context *context;
    row_spill_rule rule;
    bool numbered; /* rows have their numbers with them when they are sorted */
    row_spill *data;
    kith_table block; /* room for a block of the data */
    store_values values;
    publication *out;
    /* Rows by pieces, with their numbers. They go when the last piece has been searched. */
    arena *pieces_memory;
    row_buckets pieces;
    const kith_table *fetched; /* the rows that were fetched last */
    /* What the rows show, by blocks of the data: nodes, then the number within the block, and for
     * a mapping the class. */
    arena *shown_memory;
    buckets *shown;
    row_bytes shown_form;
    uint32_t n_classes;     /* of all pieces */
    uint32_t *class_number; /* [n_classes] by their first rows, or UINT32_MAX */
    uint32_t n_numbered;
    store_show show; /* says it instead */
    void *show_user;
    /* The release as texts in the order of the data, and room for a block of it. */
    row_spill *made;
    kith_table texts;
    store_pairs *sorted; /* both in the order of the release; NULL: in that of the data */
    row_spill *release;  /* `made`, or the file as it was read back */
    /* Data and release by classes. */
    arena *pairs_memory;
    store_pairs *pairs;
};

/* store.c: the columns of `a`, then those of `b` (or NULL), then one of row numbers. */
kith_status store_columns(kith_table *to, const kith_table *a, const kith_table *b, uint64_t n_rows,
                          arena *memory, kith_error *error) KITH_MUST_USE;
/* store.c: calls `step` for the blocks of both, or of the one that is not NULL, which it has read
 * into s->block and s->texts. c->memory is given back after each. */
typedef kith_status (*store_step)(void *to, uint32_t block, context *c, kith_error *error);
kith_status store_blocks(store *s, row_spill *data, row_spill *texts, store_step step, void *to,
                         kith_error *error) KITH_MUST_USE;
/* store_release.c: what the rows of a block show, which was read last. class_of[rows] gets the
 * numbers of their classes in the whole table, if all blocks are asked in turn; NULL: they are not
 * wanted. */
kith_status store_shown(store *s, uint32_t block, search_result *rows, uint32_t *class_of,
                        arena *memory, kith_error *error) KITH_MUST_USE;
/* store_parts.c: sorts what was made, or shuffles it. */
kith_status store_sort(store *s, kith_error *error) KITH_MUST_USE;
/* The rows that were made in the order of the release, beside the data. Parts need not have
 * complete classes. */
kith_status store_visit_made(store *s, store_part_visit visit, void *to,
                             kith_error *error) KITH_MUST_USE;

#endif

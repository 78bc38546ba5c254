/* Shared by the files of the store. */
#ifndef JOB_STORE_STORE_INTERNAL_H
#define JOB_STORE_STORE_INTERNAL_H

#include "job/store/row_buckets.h"
#include "job/store/store.h"
#include "table/row_spill.h"

struct store {
    const kith_study *study;
    const kith_anonymize_options *options;
    uint64_t buffer_bytes; /* for the buffers of one set of buckets */
    const char *beside;    /* where temporary files stand (core/spill_file.h) */
    context *context;
    row_spill_rule rule;
    row_spill *data;
    kith_table block; /* room for a block of the data */
    publication *out;
    const prepared *values; /* trees and labels */
    /* Rows by pieces, with their numbers. They go when the last piece has been searched. */
    arena *pieces_memory;
    row_buckets pieces;
    const uint32_t *places; /* the numbers of the rows that were fetched last */
    /* What the rows show, by blocks of the data: nodes, then the number within the block, and for
     * a mapping the class, from 1; 0: suppressed. */
    arena *shown_memory;
    buckets *shown;
    row_bytes shown_form;
    uint32_t n_classes; /* numbers of classes so far */
    /* The release as texts in the order of the data, and room for a block of it. */
    row_spill *made;
    kith_table texts;
    struct store_pairs *sorted; /* both in the order of the release; NULL: in that of the data */
    row_spill *release;         /* `made`, or the file as it was read back */
    /* Data and release by classes. */
    arena *pairs_memory;
    struct store_pairs *pairs;
};

/* store.c: the columns of `a`, then those of `b` (or NULL), then one of row numbers. */
kith_status store_columns(kith_table *to, const kith_table *a, const kith_table *b, uint64_t n_rows,
                          arena *memory, kith_error *error) KITH_MUST_USE;
/* store_release.c: what the rows of the block that was read last show. Every row is a class of its
 * own; class_of[rows] gets the number of its class (store_put), or PARTITION_SUPPRESSED; NULL: it
 * is not wanted. */
kith_status store_shown(const store *s, uint32_t block, partition *rows, uint32_t *class_of,
                        arena *memory, kith_error *error) KITH_MUST_USE;
/* store_parts.c: sorts what was made, or shuffles it. */
kith_status store_sort(store *s, kith_error *error) KITH_MUST_USE;
/* The rows that were made in the order of the release, beside the data. Parts need not have
 * complete classes. */
kith_status store_visit_made(store *s, store_part_visit visit, void *to,
                             kith_error *error) KITH_MUST_USE;

#endif

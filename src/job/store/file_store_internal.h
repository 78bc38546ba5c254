/* Shared by the files of the file store. */
#ifndef JOB_STORE_FILE_STORE_INTERNAL_H
#define JOB_STORE_FILE_STORE_INTERNAL_H

#include <kith/anonymize.h>

#include "job/store/row_buckets.h"
#include "job/store/store.h"
#include "table/row_spill.h"

typedef struct file_store {
    store *store;
    const kith_study *study;
    const kith_anonymize_options *options;
    uint64_t buffer_bytes; /* for the buffers of one set of buckets */
    context *context;
    row_spill_rule rule;
    row_spill *data;
    kith_table block; /* room for a block of the data */
    publication publication;
    const prepared *values; /* trees and labels */
    /* Rows by pieces, with their numbers. They go when the last piece has been searched. */
    arena *pieces_memory;
    row_buckets pieces;
    const uint32_t *places; /* the numbers of the rows that were fetched last */
    /* What the rows show, by blocks of the data: nodes, then the number within the block. */
    arena *shown_memory;
    buckets *shown;
    packed_rows shown_form;
    /* Data and release by classes. */
    arena *pairs_memory;
    struct store_pairs *pairs;
} file_store;

/* file_store_release.c */
kith_status file_store_put(void *self, uint32_t piece, const release *r, kith_error *error);
kith_status file_store_finish(void *self, kith_error *error);
/* file_store_parts.c */
kith_status file_store_parts(void *self, store_part_visit visit, void *to, kith_error *error);

#endif

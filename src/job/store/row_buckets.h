/* Rows of a table in buckets (buckets.h), packed, each with a number beside it if that is wanted.
 * Rows stay in the order in which they were dealt to their bucket. */
#ifndef JOB_STORE_ROW_BUCKETS_H
#define JOB_STORE_ROW_BUCKETS_H

#include "job/store/buckets.h"
#include "table/row_bytes.h"

typedef struct row_buckets {
    buckets *buckets;
    row_bytes form;
    kith_table like; /* its columns and dictionaries are those of all rows */
    bool numbered;
    uint32_t *cells; /* of one row */
    uint8_t *record;
} row_buckets;

/* As buckets_open. Everything lives in `memory`, but for what `like` refers to. */
kith_status row_buckets_open(row_buckets *b, const kith_table *like, bool numbered,
                             uint32_t n_buckets, uint64_t n_bytes, const char *beside,
                             arena *memory, kith_error *error) KITH_MUST_USE;

/* Row i goes to bucket_of[i]. Its number, where rows are numbered, is `first` + i. */
kith_status row_buckets_deal(row_buckets *b, const kith_table *rows, const uint32_t *bucket_of,
                             uint32_t first, kith_error *error) KITH_MUST_USE;

/* All rows of a bucket, in `memory`; *numbers may be NULL where they have none. */
kith_status row_buckets_read(const row_buckets *b, uint32_t bucket, kith_table *rows,
                             const uint32_t **numbers, arena *memory,
                             kith_error *error) KITH_MUST_USE;

#endif

/* Rows of a table in buckets (buckets.h), packed. They stay in the order in which they were
 * distributed to their bucket. */
#ifndef JOB_STORE_ROW_BUCKETS_H
#define JOB_STORE_ROW_BUCKETS_H

#include "job/store/buckets.h"
#include "table/rows/row_bytes.h"

typedef struct row_buckets {
    buckets *buckets;
    row_bytes form;
    kith_table like; /* its columns and dictionaries are those of all rows */
    uint32_t *cells; /* of one row */
    uint8_t *record;
} row_buckets;

/* As buckets_open. Everything lives in `memory`, but for what `like` refers to. */
kith_status row_buckets_open(row_buckets *b, const kith_table *like, uint32_t n_buckets,
                             uint64_t n_bytes, const char *beside, arena *memory,
                             kith_error *error) KITH_MUST_USE;

/* Row i goes to bucket_of[i]. */
kith_status row_buckets_distribute(row_buckets *b, const kith_table *rows,
                                   const uint32_t *bucket_of, kith_error *error) KITH_MUST_USE;

/* All rows of a bucket, in `memory`. */
kith_status row_buckets_read(const row_buckets *b, uint32_t bucket, kith_table *rows, arena *memory,
                             kith_error *error) KITH_MUST_USE;

#endif

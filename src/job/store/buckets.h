/* Records of a fixed size, sorted into buckets that do not fit into memory. Each bucket has a
 * buffer; full buffers go to a temporary file (core/system/spill_file.h), where the parts of a bucket need
 * not stand together. Records stay in the order in which they were added to their bucket. */
#ifndef JOB_STORE_BUCKETS_H
#define JOB_STORE_BUCKETS_H

#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"

typedef struct buckets buckets;

/* The buffers take about `n_bytes` together. Everything lives in `memory`. */
kith_status buckets_open(buckets **b, uint32_t n_buckets, uint32_t record_bytes, uint64_t n_bytes,
                         const char *beside, arena *memory, kith_error *error) KITH_MUST_USE;

kith_status buckets_add(buckets *b, uint32_t bucket, const void *record,
                        kith_error *error) KITH_MUST_USE;

uint32_t buckets_count(const buckets *b);
uint64_t buckets_size(const buckets *b, uint32_t bucket); /* records */

/* All records of a bucket; `to` has room for them. */
kith_status buckets_read(const buckets *b, uint32_t bucket, uint8_t *to,
                         kith_error *error) KITH_MUST_USE;

#endif

/* How many classes of a sample have which size: all that estimates of the population look at. */
#ifndef RISK_CLASS_SIZES_H
#define RISK_CLASS_SIZES_H

#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "core/run/ranks.h"

/* Invariants: sizes are ascending, at least 1, and each has a class. */
typedef struct class_sizes {
    uint32_t count;
    uint32_t *sizes;     /* [count] */
    uint32_t *n_classes; /* [count] of that size */
    uint64_t n_records;  /* of all classes */
    uint32_t n_all;      /* classes */
    uint32_t n_singles;  /* of size 1: the records that are unique in the sample */
} class_sizes;

/* `left_out` is a class that does not count, or UINT32_MAX. */
kith_status class_sizes_make(class_sizes *s, const uint32_t *size_of_class, uint32_t n_classes,
                             uint32_t left_out, arena *memory, kith_error *error) KITH_MUST_USE;

/* Adds the classes of other ranks, each of which is complete on one of them; NULL: there are none.
 */
kith_status class_sizes_unite(class_sizes *s, kith_ranks *ranks, arena *memory,
                              kith_error *error) KITH_MUST_USE;

#endif

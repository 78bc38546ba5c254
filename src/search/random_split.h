/* Random splits of a set of records into parts of almost equal size. */
#ifndef SEARCH_RANDOM_SPLIT_H
#define SEARCH_RANDOM_SPLIT_H

#include <stdint.h>

#include "core/arena.h"
#include "core/rng.h"
#include "search/problem.h"

/* Scratch space for splits of up to `n_records` records into up to `n_parts` parts. */
typedef struct random_split {
    const uint32_t *values; /* of the sensitive attribute to spread evenly; NULL: none */
    uint32_t *start;        /* [distinct values + 1] */
    uint32_t *order;        /* [n_records] */
    uint64_t *key;          /* [n_records] */
    uint32_t *permutation;  /* [n_parts] */
    uint32_t distinct;
} random_split;

/* `sensitive` may be NULL: parts are then plain random ones. */
kith_status random_split_init(random_split *s, const sensitive_attribute *sensitive,
                              uint32_t n_records, uint32_t n_parts, arena *memory,
                              kith_error *error);

/* Shuffles `members` and writes the part of members[i], below `n_parts` > 0, to parts[i]. Plain:
 * sizes differ by one at most (SEQ Alg. 1, steps 1 and 9). With a sensitive attribute: SEQ Alg. 3,
 * every value is spread over the parts as evenly as integers allow; parts may then come out empty.
 */
void random_split_assign(random_split *s, uint32_t *parts, uint32_t *members, uint32_t size,
                         uint32_t n_parts, rng *r);

/* The same for one of several sites that distribute their records separately. Without a sensitive
 * attribute the parts that get one record more begin at a random part, so that the remainders of
 * the sites do not all go to the first parts. */
void random_split_distribute(random_split *s, uint32_t *parts, uint32_t *members, uint32_t size,
                             uint32_t n_parts, rng *r);

#endif

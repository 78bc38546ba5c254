/* Random splits of a set of records into parts of almost equal size. */
#ifndef SEARCH_RANDOM_SPLIT_H
#define SEARCH_RANDOM_SPLIT_H

#include <stdint.h>

#include "core/arena.h"
#include "core/rng.h"
#include "search/problem.h"

/* Scratch space for splits of up to `records` records into up to `parts` parts. */
typedef struct spread {
    const uint32_t *values; /* of the sensitive attribute to spread evenly; NULL: none */
    uint32_t *start;        /* [distinct values + 1] */
    uint32_t *order;        /* [records] */
    uint64_t *key;          /* [records] */
    uint32_t *permutation;  /* [parts] */
    uint32_t distinct;
} spread;

/* `secret` may be NULL: then parts are plain random ones. */
kith_status spread_init(spread *s, const secret *secret, uint32_t records, uint32_t parts,
                        arena *memory, kith_error *error);

/* Shuffles `members` and gives part[i], one of `parts` > 0, to members[i]. Plain: sizes differ by
 * one at most (SEQ Alg. 1, steps 1 and 9). With a sensitive attribute: SEQ Alg. 3, every value is
 * spread over the parts as evenly as integers allow; parts may then come out empty. */
void spread_split(spread *s, uint32_t *part, uint32_t *members, uint32_t size, uint32_t parts,
                  rng *r);

/* The same for the records of one site among others that deal theirs by themselves: without a
 * sensitive attribute the parts that get one more are those from a random one on, so that what the
 * sites have too much does not pile up. */
void spread_deal(spread *s, uint32_t *part, uint32_t *members, uint32_t size, uint32_t parts,
                 rng *r);

#endif

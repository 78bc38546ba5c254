/* Groups again what is grouped already, at higher levels, by hashing packed codes.
 *
 * A group's key is its codes at the levels asked for, packed into `words` words; a code never
 * crosses a word, and an attribute at its root has no part in the key. */
#ifndef SEARCH_LATTICE_GROUPS_COARSEN_H
#define SEARCH_LATTICE_GROUPS_COARSEN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "search/lattice/groups.h"
#include "search/lattice/tuples.h"

typedef struct regrouping {
    const tuples *tuples;
    uint32_t words;
    uint64_t *key;                   /* [tuples * words] of the groups being read */
    uint64_t *own;                   /* [tuples * words] of the groups being made */
    uint32_t *table;                 /* hash table of group numbers, UINT32_MAX: free */
    uint32_t *target;                /* [tuples] group made of each group read */
    uint32_t *representative, *size; /* [tuples] of the groups being made */
    uint32_t *start, *member;        /* [tuples + 2], [tuples] groups read, by target */
} regrouping;

kith_status regroup_init(regrouping *r, const tuples *t, arena *memory, kith_error *error);

/* Fills target, representative and size; returns the number of groups made. */
uint32_t regroup_run(regrouping *r, const groups *from, const uint8_t *levels);

/* member[start[t]] … member[start[t + 1] - 1] become the groups read that went into t. */
void regroup_sort(regrouping *r, uint32_t read, uint32_t made);

#endif

/* Merges groups into the larger groups of higher levels, by hashing packed codes.
 *
 * A group's key is its codes at the levels asked for, packed into `n_words` words; a code never
 * crosses a word, and an attribute at its root contributes no bits. */
#ifndef SEARCH_LATTICE_GROUPS_COARSEN_H
#define SEARCH_LATTICE_GROUPS_COARSEN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "search/lattice/groups.h"
#include "search/lattice/tuples.h"

typedef struct groups_coarsen {
    const tuples *tuples; /* those that are grouped; may be changed between two runs */
    uint32_t n_words;
    uint32_t shift;                  /* the table has 2^(32 - shift) places in use */
    uint64_t *key;                   /* [tuples * n_words] of the groups being read */
    uint64_t *own;                   /* [tuples * n_words] of the groups being made */
    uint32_t *table;                 /* hash table of group numbers, UINT32_MAX: free */
    uint32_t *target;                /* [tuples] group made of each group read */
    uint32_t *representative, *size; /* [tuples] of the groups being made */
    uint32_t *start, *member;        /* [tuples + 2], [tuples] groups read, by target */
} groups_coarsen;

/* For up to `room` tuples with the attributes of `t`. */
kith_status groups_coarsen_init(groups_coarsen *r, const tuples *t, uint32_t room, arena *memory,
                                kith_error *error);

/* Fills target, representative and size; returns the number of groups made. */
uint32_t groups_coarsen_run(groups_coarsen *r, const groups *from, const uint8_t *levels);

/* The group of a row of leaves after a run at `levels`; UINT32_MAX if there is none. */
uint32_t groups_coarsen_find(const groups_coarsen *r, const uint8_t *levels, const uint32_t *row);

/* Makes member[start[t]] … member[start[t + 1] - 1] the groups read that went into the group t, for
 * `read` groups read and `made` groups made. */
void groups_coarsen_sort(groups_coarsen *r, uint32_t read, uint32_t made);

#endif

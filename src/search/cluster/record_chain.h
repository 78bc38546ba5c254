/* Disjoint sets of records that are joined over time: linked lists, each identified by its first
 * record. Initially every record is a set of its own. Joining takes constant time, listing the
 * members time in their number. */
#ifndef SEARCH_CLUSTER_RECORD_CHAIN_H
#define SEARCH_CLUSTER_RECORD_CHAIN_H

#include <stdint.h>

#include "core/arena.h"
#include "core/check.h"
#include "core/error.h"

typedef struct record_chain {
    uint32_t *next; /* [n_records] UINT32_MAX at the end */
    uint32_t *last; /* [n_records] of the set that begins here */
} record_chain;

static inline kith_status record_chain_init(record_chain *c, uint32_t n_records, arena *memory,
                                            kith_error *error)
{
    c->next = arena_array(memory, n_records, sizeof *c->next);
    c->last = arena_array(memory, n_records, sizeof *c->last);
    TRY_ALLOC(c->next, error);
    TRY_ALLOC(c->last, error);
    for (uint32_t i = 0; i < n_records; i++) {
        c->next[i] = UINT32_MAX;
        c->last[i] = i;
    }
    return KITH_OK;
}

/* Appends the set `other` to the set `first`; both are first records. */
static inline void record_chain_join(record_chain *c, uint32_t first, uint32_t other)
{
    ASSERT(first != other && c->next[c->last[first]] == UINT32_MAX);
    c->next[c->last[first]] = other;
    c->last[first] = c->last[other];
}

/* Writes the members to list[] and returns how many they are. */
static inline uint32_t record_chain_list(const record_chain *c, uint32_t first, uint32_t *list)
{
    uint32_t size = 0;
    for (uint32_t i = first; i != UINT32_MAX; i = c->next[i])
        list[size++] = i;
    return size;
}

#endif

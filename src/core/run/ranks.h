/* Ranks: the processes that work on one table together, each on its slice, numbered from 0. All
 * ranks call the same functions in the same order. A `kith_ranks` is what one of them has of all.
 *
 * NULL stands for a process that works alone: every operation then does what it does for one rank,
 * without cost.
 *
 * Before anything moves, every operation finds out whether all ranks are well. A rank that fails by
 * itself returns its error as usual, and the function that began the run calls ranks_leave with it.
 * The operation in which the others are then fails with the same status and message, as does every
 * operation after it. So all ranks return the same status, and only one of them reports it
 * (ranks_reports). Main thread only. */
#ifndef CORE_RUN_RANKS_H
#define CORE_RUN_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/ranks.h>
#include <kith/status.h>

#include "core/arena.h"
#include "core/run/ranks_transport.h"

typedef struct ranks_bytes {
    void *bytes; /* may be NULL if there are none */
    size_t n_bytes;
} ranks_bytes;

/* The transport is closed by ranks_free, also if this fails for lack of memory (NULL). */
kith_ranks *ranks_new(const ranks_transport *transport);
void ranks_free(kith_ranks *ranks);

uint32_t ranks_self(const kith_ranks *ranks);
uint32_t ranks_count(const kith_ranks *ranks);

/* Every value becomes the sum of the values of all ranks, modulo 2^64. */
kith_status ranks_sum(kith_ranks *ranks, uint64_t *values, size_t n, kith_error *error);

/* Every value becomes the largest of the values of all ranks. */
kith_status ranks_largest(kith_ranks *ranks, double *values, size_t n, arena *memory,
                          kith_error *error);

/* The bytes of every rank, on all ranks: `all` has ranks_count elements. Those of other ranks lie in
 * `memory`; all[ranks_self].bytes is `own` itself. */
kith_status ranks_gather(kith_ranks *ranks, const void *own, size_t n_bytes, ranks_bytes *all,
                         arena *memory, kith_error *error);

/* out[r] goes to rank r and in[r] has come from it; both have ranks_count elements. What comes from
 * other ranks lies in `memory`; in[ranks_self] is out[ranks_self] itself. */
kith_status ranks_exchange(kith_ranks *ranks, const ranks_bytes *out, ranks_bytes *in,
                           arena *memory, kith_error *error);

/* Returns when all ranks have come here. */
kith_status ranks_barrier(kith_ranks *ranks, kith_error *error);

/* The end of a run, for every rank and whatever has happened: KITH_OK if all ranks come with it.
 * With another status, which `error` describes, this rank has failed. Returns what all ranks
 * return, with the message of the lowest rank that failed. */
kith_status ranks_leave(kith_ranks *ranks, kith_status status, kith_error *error);

/* While an operation waits for other ranks it asks `stop` now and then. If that is true the wait
 * lasts for half a second more. If the others come the next operation fails on all ranks with
 * KITH_CANCELLED. If they do not, this one returns KITH_CANCELLED; the object cannot be used any
 * more then, and the other ranks are stopped when it is freed. `stop` may be NULL. */
void ranks_watch(kith_ranks *ranks, bool (*stop)(void *object), void *object);

/* Whether this rank is the one that reports the outcome of the run: the one that failed, or rank 0. */
bool ranks_reports(const kith_ranks *ranks);

/* Bytes that this rank has sent to others in operations, agreements apart. */
uint64_t ranks_n_sent_bytes(const kith_ranks *ranks);

#endif

/* A crew: the processes that work on one table together, each on its share. They are called ranks
 * and numbered from 0. All ranks call the same functions in the same order.
 *
 * NULL is the crew of a process that works alone: every operation then does what it does for one
 * rank, without cost.
 *
 * Before anything moves, every operation finds out whether all ranks are well. A rank that fails by
 * itself returns its error as usual, and whoever began the run calls crew_leave with it. The
 * operation in which the others are then fails with the same status and message, as does every
 * operation after it. So all ranks end alike, and only one of them has to speak
 * (crew_speaks). Main thread only. */
#ifndef CORE_RUN_CREW_H
#define CORE_RUN_CREW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "core/run/crew_transport.h"

typedef struct kith_crew crew;

typedef struct crew_bytes {
    void *bytes; /* may be NULL if there are none */
    size_t n_bytes;
} crew_bytes;

/* The transport is closed by crew_free, also if this fails for lack of memory (NULL). */
crew *crew_new(const crew_transport *transport);
void crew_free(crew *c);

uint32_t crew_rank(const crew *c);
uint32_t crew_size(const crew *c);

/* Every value becomes the sum of the values of all ranks, modulo 2^64. */
kith_status crew_sum(crew *c, uint64_t *values, size_t n, kith_error *error);

/* Every value becomes the largest of the values of all ranks. */
kith_status crew_largest(crew *c, double *values, size_t n, arena *memory, kith_error *error);

/* The bytes of every rank, on all ranks: `all` has crew_size elements. Those of other ranks lie in
 * `memory`; all[crew_rank].bytes is `own` itself. */
kith_status crew_gather(crew *c, const void *own, size_t n_bytes, crew_bytes *all, arena *memory,
                        kith_error *error);

/* out[r] goes to rank r and in[r] has come from it; both have crew_size elements. What comes from
 * other ranks lies in `memory`; in[crew_rank] is out[crew_rank] itself. */
kith_status crew_exchange(crew *c, const crew_bytes *out, crew_bytes *in, arena *memory,
                          kith_error *error);

/* Returns when all ranks have come here. */
kith_status crew_barrier(crew *c, kith_error *error);

/* The end of a run, for every rank and whatever has happened: KITH_OK if all ranks come with it.
 * With another status, which `error` describes, this rank has failed. Returns what all ranks
 * return, with the message of the lowest rank that failed. */
kith_status crew_leave(crew *c, kith_status status, kith_error *error);

/* While an operation waits for other ranks it asks `stop` now and then. If that is true the wait
 * lasts for half a second more. If the others come the next operation fails on all ranks with
 * KITH_CANCELLED. If they do not, this one returns KITH_CANCELLED; the crew cannot be used any more
 * then, and the other ranks are stopped when it is freed. NULL: nobody is asked. */
void crew_watch(crew *c, bool (*stop)(void *object), void *object);

/* Whether this rank tells people what has come of the run: the one that failed, or rank 0. */
bool crew_speaks(const crew *c);

/* Bytes that this rank has sent to others in operations, agreements apart. */
uint64_t crew_n_sent_bytes(const crew *c);

#endif

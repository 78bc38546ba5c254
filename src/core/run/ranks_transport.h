/* What moves bytes between ranks (ranks.h): MPI in the plugin libkith-mpi.so, threads
 * in tests. It knows nothing of errors and sizes; ranks.c agrees on both before bytes move.
 *
 * All ranks call the same function at the same time. A function returns NULL, or, in words, what
 * went wrong, after which no other is called but `close`. Lengths fit each other on all ranks, and
 * may be larger than 2 GB. A rank may wait long for another one. */
#ifndef CORE_RUN_RANKS_TRANSPORT_H
#define CORE_RUN_RANKS_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Changes with the struct below: a plugin of another Kith is refused. */
#define RANKS_TRANSPORT_VERSION 2
#define RANKS_TRANSPORT_STOPPED "stopped"
/* The function by which a plugin fills the struct; NULL, or what went wrong. */
#define RANKS_TRANSPORT_OPEN "kith_ranks_transport_open"

typedef struct ranks_transport {
    uint32_t rank;
    uint32_t size;    /* at least 1 */
    const char *name; /* what moves the bytes, as "MPICH 4.0.2"; lasts as long as the program */
    void *user;
    /* While a function waits it asks `stop`, if that is not NULL, now and then; if true, it returns
     * RANKS_TRANSPORT_STOPPED. */
    void (*watch)(void *user, bool (*stop)(void *object), void *object);
    /* `n_bytes` of every rank, in the order of the ranks, on all ranks. */
    const char *(*share)(void *user, const void *own, size_t n_bytes, void *all);
    /* Adds up the values of all ranks, modulo 2^64, in place. */
    const char *(*sum)(void *user, uint64_t *values, size_t n);
    /* The bytes of rank `from`, on all ranks; its own may be constants. */
    const char *(*broadcast)(void *user, uint32_t from, void *bytes, size_t n_bytes);
    /* out[r] goes to rank r, in[r] comes from it; out and in of this rank itself are ignored. */
    const char *(*exchange)(void *user, const void *const *out, const size_t *n_out,
                            void *const *in, const size_t *n_in);
    /* `broken`: a function has failed, and the other ranks may wait for this one for ever. */
    void (*close)(void *user, bool broken);
} ranks_transport;

/* What RANKS_TRANSPORT_OPEN is; `version` is RANKS_TRANSPORT_VERSION of the caller. */
typedef const char *ranks_transport_open_fn(ranks_transport *transport, uint32_t version);

#endif

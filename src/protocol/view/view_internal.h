/* The state of a run of the encrypted view, for the files of this room. */
#ifndef PROTOCOL_VIEW_VIEW_INTERNAL_H
#define PROTOCOL_VIEW_VIEW_INTERNAL_H

#include "core/check.h"
#include "protocol/view/view.h"

/* Numbers of one phase at this party. */
typedef struct view_phase {
    double seconds;
    uint64_t n_messages, bytes; /* sent */
} view_phase;

/* Invariants: parties 0 … n_holders - 1 have data and form the ring; masters are n_masters parties
 * from `master` on. Either the only master is one of the ring, or all masters come after it. Keys
 * exist exactly at parties with data. */
struct view {
    /* Set by view_open. */
    party *p;
    const view_task *task;
    arena *memory; /* wipes: what is released is gone */
    uint32_t self, n_holders;
    uint32_t master;    /* the first, or the only one */
    uint32_t n_masters; /* 1 or more */
    view_keys *keys;
    prg *coins;
    /* The part of the view that this party holds at the moment. */
    view_packet packet;
    /* Sizes that the ring of sites shows; 0 at an external master. */
    uint32_t n_joint;   /* rows of the joint table: the most there can be, then those there are */
    uint32_t *n_values; /* [n_released] of the result */
    /* Counters for the report. */
    uint64_t unmatched; /* row ids that some sites lack */
    uint64_t n_operations;
    view_phase phase[VIEW_PHASES];
};

#if KITH_DEBUG
void view_check(const view *v);
#endif

static inline bool view_holds(const view *v)
{
    return v->self < v->n_holders;
}
static inline bool view_masters(const view *v)
{
    return v->self >= v->master && v->self < v->master + v->n_masters;
}
static inline bool view_external(const view *v)
{
    return v->master >= v->n_holders;
}
/* Neighbours of a party with data in the ring. */
static inline uint32_t view_right(const view *v)
{
    return (v->self + 1) % v->n_holders;
}
static inline uint32_t view_left(const view *v)
{
    return (v->self + v->n_holders - 1) % v->n_holders;
}

/* Starts and stops the clock and the counters of a phase. */
void view_begin(view *v, int phase, const char *step);
void view_end(view *v, int phase);

/* Before all parties fail for a reason that the master told them: no party closes its connections
 * until all have heard it, or some would only see a peer disconnect. */
void view_leave_together(view *v);

/* Vertical: makes the rows of all sites the same, in one order, and drops their ids: rows whose id
 * some site lacks are dropped, or an error. (view_match.c) */
kith_status view_match(view *v, view_packet *packet, kith_error *error) KITH_MUST_USE;
/* The master tells all others how many row ids some sites lack and, in *kept, how many rows
 * remain. Fails, at all parties, if that must not be. (view_match.c) */
kith_status view_tell_unmatched(view *v, uint64_t unmatched, uint64_t *kept,
                                kith_error *error) KITH_MUST_USE;
/* Decoding: `packet` is the decrypted result at party `last`. (view_decode.c) */
kith_status view_decode(view *v, view_release *out, view_packet *packet, uint32_t last,
                        kith_error *error) KITH_MUST_USE;

#endif

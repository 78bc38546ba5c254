/* The inside of a checker, which checking node by node and sweeping over nodes share. */
#ifndef SEARCH_LATTICE_CHECKER_INTERNAL_H
#define SEARCH_LATTICE_CHECKER_INTERNAL_H

#include "core/check.h"
#include "search/lattice/checker.h"
#include "search/lattice/groups.h"
#include "search/lattice/monotone_models.h"
#include "search/lattice/node_loss.h"
#include "search/lattice/groups_coarsen.h"
#include "search/lattice/sweep.h"

/* Scratch of one worker, large enough for every node. Invariant between checks: `count` is all zero
 * for every sensitive attribute. */
typedef struct checker_scratch {
    groups_coarsen coarsen;
    sweep sweep;
    uint8_t *violates;                  /* [tuples] */
    uint32_t **count;                   /* [n_sensitive][n_values] */
    uint32_t **first, **value, **times; /* [n_sensitive] lists of the groups being made */
    histogram *histogram;               /* [n_sensitive] */
    uint32_t *closure;                  /* [n_attributes] of the class being judged */
    uint32_t *cells;                    /* [node_loss_count_entries] cells of suppressed records */
    uint32_t *offset, *tuple;           /* [tuples + 1], [tuples] tuples of the groups being made */
} checker_scratch;

struct checker {
    const problem *problem;
    tuples tuples;
    groups base; /* every tuple a group */
    node_loss node_loss;
    groups_snapshots *snapshots;
    monotone_models models;
    uint32_t min_class; /* a class with fewer records violates some model */
    bool blanks;        /* classes that look like suppressed records count as suppressed */
    bool sweeping;
    unsigned n_workers;
    arena *memory;
    checker_scratch *scratch;
};

static inline void checker_keep_class(node_value *value, uint32_t size)
{
    if (value->smallest == 0 || size < value->smallest)
        value->smallest = size;
}

/* Does the class of this tuple show the root in all attributes, without being all records? */
bool checker_looks_suppressed(const checker *c, uint32_t tuple, const uint8_t *levels,
                              uint32_t size);
/* Judges the class of this tuple. Its sensitive values have been counted in s->count. */
model_verdict checker_judge(const checker *c, checker_scratch *s, uint32_t tuple, uint32_t size,
                            const uint8_t *levels);
/* Add the cells of a tuple to a count vector (node_loss.h): by leaf, each as often as the tuple has
 * records, or by their codes at the levels, `size` times. */
void checker_count_leaves(const checker *c, uint32_t *count, uint32_t tuple);
void checker_count_codes(const checker *c, uint32_t *count, const uint8_t *levels, uint32_t tuple,
                         uint32_t size);
/* Turns the counts of the cells that are kept into the counts of those that are suppressed. */
void checker_complement(const checker *c, uint32_t *count, const uint8_t *levels);

#if KITH_DEBUG
/* Aborts unless the worker's scratch is as it should be between checks. Cost: sensitive values. */
void checker_scratch_check(const checker *c, unsigned worker);
#endif

#endif

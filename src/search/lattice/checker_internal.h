/* A checker inside: what checking node by node and sweeping over nodes share. */
#ifndef SEARCH_LATTICE_CHECKER_INTERNAL_H
#define SEARCH_LATTICE_CHECKER_INTERNAL_H

#include "search/lattice/checker.h"
#include "search/lattice/groups.h"
#include "search/lattice/monotone_models.h"
#include "search/lattice/node_loss.h"
#include "search/lattice/groups_coarsen.h"
#include "search/lattice/sweep.h"

/* Scratch of one worker, large enough for every node. Invariant between checks: `count` of every
 * secret is all zero. */
typedef struct checker_scratch {
    groups_coarsen coarsen;
    sweep sweep;
    uint8_t *violates;                  /* [tuples] */
    uint32_t **count;                   /* [n_sensitive][n_values] */
    uint32_t **first, **value, **times; /* [n_sensitive] lists of the groups being made */
    histogram *histogram;               /* [n_sensitive] */
    uint32_t *closure;                  /* [n_attributes] of the class being judged */
    uint32_t *gone;                     /* [node_loss_count_entries] */
    uint32_t *offset, *tuple;           /* [tuples + 1], [tuples] tuples of the groups being made */
} checker_scratch;

struct checker {
    const problem *problem;
    tuples tuples;
    groups base; /* every tuple a group */
    node_loss node_loss;
    groups_snapshots *snapshots;
    monotone_models models;
    uint32_t min_class; /* records that any good class has */
    bool blanks;        /* classes that look like suppressed records count as such */
    bool sweeping;
    unsigned n_workers;
    arena *memory;
    checker_scratch *scratch;
};

/* Does the class of this tuple show the root in all attributes, without being all records? */
bool checker_looks_suppressed(const checker *c, uint32_t tuple, const uint8_t *levels,
                              uint32_t size);
/* A class whose values have been counted. */
model_verdict checker_judge(const checker *c, checker_scratch *s, uint32_t tuple, uint32_t size,
                            const uint8_t *levels);
/* Add the cells of a tuple, by leaf or by their codes at the levels. */
void checker_count_leaves(const checker *c, uint32_t *count, uint32_t tuple);
void checker_count_codes(const checker *c, uint32_t *count, const uint8_t *levels, uint32_t tuple,
                         uint32_t size);
/* From the cells that are kept to those that are not. */
void checker_complement(const checker *c, uint32_t *count, const uint8_t *levels);

#endif

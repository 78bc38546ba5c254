/* What all searches of the lattice share: checking nodes, tagging, the best node so far, and the
 * last phase that proves it optimal.
 *
 * The optimum is the satisfying node with the smallest loss; of equal ones that with the smaller
 * sum of levels, then with the lexicographically smaller vector. The searches differ in how they
 * find out which nodes satisfy the models; lattice_search_finish then prices those that could still
 * be the best. */
#ifndef SEARCH_LATTICE_SEARCH_H
#define SEARCH_LATTICE_SEARCH_H

#include "core/context.h"
#include "search/checker.h"
#include "search/lattice.h"
#include "search/search.h"

typedef struct lattice_search {
    const problem *problem;
    context *context;
    lattice lattice;
    checker *checker;
    float *loss;  /* [nodes] of checked nodes; NaN: not priced (for the written lattice) */
    double *kept; /* [nodes] lower bound from checked nodes below, if they bound; else NULL */
    uint64_t checked;
    bool found;
    uint32_t best;
    double best_loss;
    bool stopped; /* the caller asked to stop */
} lattice_search;

kith_status lattice_search_init(lattice_search *s, const problem *p, context *c, kith_error *error);

/* Does the node satisfy the models? Known by its tag or found by a check, after which everything
 * above (below) it is tagged where the models are monotone. False after a stop. */
bool lattice_search_satisfied(lattice_search *s, uint32_t node);

/* Checks what may still be better than the best node, and so proves the optimum. */
kith_status lattice_search_finish(lattice_search *s, kith_error *error);

/* Turns the best node into the result; KITH_INFEASIBLE if none satisfies, KITH_CANCELLED if the
 * search was stopped before it found one. */
kith_status lattice_search_result(lattice_search *s, search_result *result, kith_error *error);

#endif

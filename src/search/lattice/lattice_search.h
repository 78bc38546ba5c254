/* What all searches of the lattice share: checking nodes, tagging, bounds, the best node so far,
 * and the last phase that proves it optimal.
 *
 * The optimum is the satisfying node with the smallest loss; of equal ones that with the smaller
 * sum of levels, then with the lexicographically smaller vector. The searches differ in how they
 * find out which nodes keep the monotone part of the models (monotone_models.h). The lattice's tags
 * record that; lattice_search_finish then checks the nodes that could still be the best.
 *
 * Invariants: bound[node] is never above the node's loss; answer[node] is set exactly for the
 * `checked` nodes that were checked, and loss[node] exactly for those of them that satisfy the
 * models; `best` is the optimum among these. */
#ifndef SEARCH_LATTICE_LATTICE_SEARCH_H
#define SEARCH_LATTICE_LATTICE_SEARCH_H

#include "core/run/context.h"
#include "search/lattice/checker.h"
#include "search/lattice/lattice.h"
#include "search/search.h"

typedef struct lattice_search {
    const problem *problem;
    context *context;
    lattice lattice;
    checker *checker;
    uint8_t *answer;    /* [n_nodes] lattice_answer */
    double *loss;       /* [n_nodes] */
    uint32_t *smallest; /* [n_nodes] of node_value; 0 where nothing is known */
    double *bound;      /* [n_nodes] */
    uint64_t checked;
    bool found;
    uint32_t best;
    double best_loss;
    bool asks_stop;     /* the caller asked to stop; */
    bool stopped;       /* the search ends, on all ranks, for that reason or because it failed */
    kith_status status; /* why it failed */
    kith_error failure;
} lattice_search;

kith_status lattice_search_init(lattice_search *s, const problem *p, const search_spec *spec,
                                context *c, kith_error *error);

/* Does the node keep the monotone part? Known by its tag or found by a check, after which
 * everything above (below) it is tagged. False after a stop. */
bool lattice_search_possible(lattice_search *s, uint32_t node);

/* Does the node satisfy all models? Checks it unless that was done before. False after a stop. */
bool lattice_search_satisfied(lattice_search *s, uint32_t node);

/* Is the node known to be worse than the best one? */
bool lattice_search_hopeless(const lattice_search *s, uint32_t node);

/* Raises the bound of a node to that of a node below it, where bounds grow upwards. */
void lattice_search_inherit(lattice_search *s, uint32_t above, uint32_t below);

/* Checks all nodes listed, by threads, without predicting any. */
kith_status lattice_search_all(lattice_search *s, const uint32_t *order, uint32_t count,
                               kith_error *error);

/* Checks every node that may still be better than the best one, which proves the optimum. */
kith_status lattice_search_finish(lattice_search *s, kith_error *error);

/* Turns the best node into the result; KITH_INFEASIBLE if none satisfies, KITH_CANCELLED if the
 * search was stopped before it found one. */
kith_status lattice_search_result(lattice_search *s, search_result *result, kith_error *error);

#if KITH_DEBUG
/* Aborts unless the invariants hold; not after lattice_search_result. Cost: nodes x attributes. */
void lattice_search_check(const lattice_search *s);
#endif

#endif

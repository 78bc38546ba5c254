/* Checks nodes of the lattice: groups the tuples by their codes at the node's levels, finds the
 * classes that violate a model, and prices the rest.
 *
 * The answer is a function of the node alone: it does not depend on which nodes were checked
 * before, although groups of other nodes are reused, nor on the worker.
 *
 * A class that shows `*` throughout cannot be told from suppressed records. Where a model looks at
 * more than the size, and records may be suppressed, such a class (of records whose values are
 * missing, read as wildcards) counts as suppressed, unless it is the whole table. */
#ifndef SEARCH_LATTICE_CHECKER_H
#define SEARCH_LATTICE_CHECKER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "search/problem.h"
#include "search/lattice/tuples.h"

typedef struct node_value {
    bool possible;       /* what violates the monotone part (judging.h) stays within the limit */
    bool satisfied;      /* what violates any model stays within the limit */
    uint32_t suppressed; /* records in violating classes; at least so many if not possible */
    double loss;         /* objective with those records suppressed; infinite if not satisfied */
    double kept;         /* part of the loss that the records kept have */
} node_value;

typedef struct checker checker;

/* A checker for `n_workers` threads at a time; the models of `p` and its limit are what is checked.
 */
kith_status checker_new(checker **c, const problem *p, unsigned n_workers, arena *memory,
                        kith_error *error);

/* Checks a node from the groups of a node below it. Never fails: what cannot be kept for reuse for
 * lack of memory is computed again. */
void checker_node(checker *c, unsigned worker, const uint8_t *levels, node_value *value);

/* The same answer by another way, good for many nodes in the order of checker_order, after one call
 * of checker_begin_sweep. */
kith_status checker_begin_sweep(checker *c, kith_error *error);
void checker_sweep_node(checker *c, unsigned worker, const uint8_t *levels, node_value *value);
int checker_order(const checker *c, const uint8_t *a, const uint8_t *b);

/* Call now and then from one thread while no check runs: forgets old groups beyond the budget. */
void checker_trim(checker *c);

/* What a node loses by generalization alone, and a lower bound of its loss, known without a check.
 */
double checker_estimate(const checker *c, const uint8_t *levels);
double checker_bound(const checker *c, const uint8_t *levels);

/* Are all models monotone? Do bounds grow upwards? And is `kept` of a satisfying node a bound for
 * the nodes above it? */
bool checker_monotone(const checker *c);
bool checker_rising(const checker *c);
bool checker_kept_bounds(const checker *c);

/* The answer at a node: classes by first appearance of their records, closures at the node's
 * levels, class_of PARTITION_SUPPRESSED where suppressed. Lives in `memory`. */
kith_status checker_partition(checker *c, const uint8_t *levels, partition *result, arena *memory,
                              kith_error *error);

const tuples *checker_tuples(const checker *c);

#endif

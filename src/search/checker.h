/* Checks nodes of the lattice: groups the tuples by their codes at the node's levels, finds the
 * classes that violate a model, and prices the rest.
 *
 * The answer is a function of the node alone: it does not depend on which nodes were checked
 * before, although groups of a node further down are reused, nor on the worker. */
#ifndef SEARCH_CHECKER_H
#define SEARCH_CHECKER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "search/problem.h"
#include "search/tuples.h"

typedef struct node_value {
    bool satisfied;      /* suppressing the violating classes stays within the limit */
    uint32_t suppressed; /* records in violating classes */
    uint32_t classes;    /* that are kept */
    double loss;         /* objective with those records suppressed; infinite if not satisfied */
    double kept;         /* part of the loss that the records kept have */
} node_value;

typedef struct checker checker;

/* A checker for `workers` threads at a time; `models` of `p` and its limit are what is checked. */
kith_status checker_new(checker **c, const problem *p, unsigned workers, arena *memory,
                        kith_error *error);

/* Never fails: what cannot be kept for reuse for lack of memory is computed again. */
void checker_node(checker *c, unsigned worker, const uint8_t *levels, node_value *value);

/* Call now and then from one thread while no check runs: forgets old groups beyond the budget. */
void checker_trim(checker *c);

/* What a node loses by generalization alone, known without checking it; is it a lower bound of the
 * loss, whatever is suppressed? */
double checker_estimate(const checker *c, const uint8_t *levels);
bool checker_bounded(const checker *c);

/* Does a node that satisfies the models have only satisfying nodes above it? And is `kept` of a
 * node a lower bound of the loss of every node above it? */
bool checker_monotone(const checker *c);
bool checker_kept_bounds(const checker *c);

/* The answer at a node: classes by first appearance of their records, closures at the node's
 * levels, class_of PARTITION_SUPPRESSED where suppressed. Lives in `memory`. */
kith_status checker_partition(checker *c, const uint8_t *levels, partition *result, arena *memory,
                              kith_error *error);

const tuples *checker_tuples(const checker *c);

#endif

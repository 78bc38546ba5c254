/* Checks nodes of the lattice: groups the tuples by their codes at the node's levels, finds the
 * classes that violate a model, and prices the rest.
 *
 * The answer is a function of the node alone: it does not depend on which nodes were checked
 * before, although groups of other nodes are reused, nor on the worker.
 *
 * A class that shows `*` in all attributes looks like suppressed records in the release. It arises
 * from records whose values are missing, which are read as wildcards. Where a model looks at more
 * than the size, and records may be suppressed, such a class counts as suppressed, unless it is the
 * whole table: a verifier that sees only the release could not separate the two. */
#ifndef SEARCH_LATTICE_CHECKER_H
#define SEARCH_LATTICE_CHECKER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "search/partition.h"
#include "search/lattice/tuples.h"

typedef struct node_value {
    bool possible;       /* the monotone part (monotone_models.h) suppresses within the limit */
    bool satisfied;      /* all models together suppress within the limit */
    uint32_t suppressed; /* records in violating classes; a lower bound unless `possible` */
    double loss;         /* objective with those records suppressed; infinite if not satisfied */
    uint32_t smallest;   /* records of the smallest class that is kept; 0 if none is, or if not
                            satisfied */
    double kept;         /* the part of the loss due to records that are kept */
} node_value;

typedef struct checker checker;

/* Makes a checker of the models and the suppression limit of `p`, for `n_workers` threads. Over
 * ranks `p` has the own records; answers are those for the records of all ranks, without any
 * message between them from then on. */
kith_status checker_new(checker **c, const problem *p, crew *ranks, unsigned n_workers,
                        arena *memory, kith_error *error);

/* Checks a node from the groups of a node below it. Never fails: groups that do not fit
 * into memory for reuse are computed again. */
void checker_node(checker *c, unsigned worker, const uint8_t *levels, node_value *value);

/* Gives the same answer in another way, which is fast for many nodes in the order of checker_order.
 * checker_begin_sweep must have been called. */
kith_status checker_begin_sweep(checker *c, kith_error *error);
void checker_sweep_node(checker *c, unsigned worker, const uint8_t *levels, node_value *value);
int checker_order(const checker *c, const uint8_t *a, const uint8_t *b);

/* Drops old groups beyond the memory budget. One thread calls it while no check runs. */
void checker_trim(checker *c);

/* What a node loses by generalization alone, and a lower bound of its loss. Neither needs a check.
 */
double checker_estimate(const checker *c, const uint8_t *levels);
double checker_bound(const checker *c, const uint8_t *levels);

/* Are all models monotone? Do the bounds of checker_bound grow upwards? Is `kept` of a satisfying
 * node a lower bound of the loss of every node above it? */
bool checker_monotone(const checker *c);
bool checker_rising(const checker *c);
bool checker_kept_bounds(const checker *c);

/* The answer at a node for the own records: classes by first appearance of these, closures at the
 * node's levels, class_of PARTITION_SUPPRESSED where suppressed. Lives in `memory`. */
kith_status checker_partition(checker *c, const uint8_t *levels, partition *result, arena *memory,
                              kith_error *error);

const tuples *checker_tuples(const checker *c);

#endif

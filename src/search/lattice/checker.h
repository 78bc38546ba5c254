/* Checks nodes of the lattice: groups the tuples by their codes at the node's levels, finds the
 * classes that violate a model, and prices the rest.
 *
 * The answer is a function of the node alone: it does not depend on which nodes were checked
 * before, although groups of other nodes are reused, nor on the worker, nor on the number of ranks.
 * Over ranks each checks the classes that it has (distribution.h), and whole numbers are added up.
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
#include "core/run/ranks.h"
#include "core/run/threads.h"
#include "search/partition.h"
#include "search/lattice/lattice.h"

typedef struct node_value {
    bool possible;       /* the monotone part (monotone_models.h) suppresses within the limit */
    bool satisfied;      /* all models together suppress within the limit */
    uint32_t suppressed; /* records in violating classes; a lower bound unless `satisfied` */
    double loss;         /* objective with those records suppressed; infinite if not satisfied */
    uint32_t smallest;   /* records of the smallest class that is kept; 0 if none is, or if not
                            satisfied */
    double kept;         /* the part of the loss due to records that are kept */
} node_value;

typedef struct checker checker;

/* Makes a checker of the models and the suppression limit of `p`, for the threads of `pool`. Over
 * ranks `p` has this rank's records; answers are those for the records of all ranks. A table of up
 * to `small` distinct records (0: a number that suits) is then checked by every rank alone. */
kith_status checker_new(checker **c, const problem *p, kith_ranks *ranks, uint64_t small,
                        threads *pool, arena *memory, kith_error *error);

/* Some nodes to be checked by threads. */
typedef struct checker_batch {
    uint32_t count;
    const uint8_t (*levels)[LATTICE_MAX_ATTRIBUTES];
    node_value *value;
    /* By sweeping, which is fast for many nodes in the order of checker_order: checker_begin_sweep
     * must have been called. Otherwise from the groups of a node below each. */
    bool sweeping;
} checker_batch;

/* Over ranks all check the same nodes. *stop asks to stop the search; it becomes true on all ranks
 * if any of them asks and they had to talk, and else false. Groups that do not fit into memory for
 * reuse are computed again. */
kith_status checker_nodes(checker *c, const checker_batch *b, bool *stop, kith_error *error);

kith_status checker_begin_sweep(checker *c, kith_error *error);
int checker_order(const checker *c, const uint8_t *a, const uint8_t *b);

/* How many records a node would suppress, however many those are. */
kith_status checker_count_suppressed(checker *c, const uint8_t *levels, uint32_t *suppressed,
                                     kith_error *error);

/* What a node loses by generalization alone, and a lower bound of its loss. Neither needs a check.
 */
double checker_estimate(const checker *c, const uint8_t *levels);
double checker_bound(const checker *c, const uint8_t *levels);

/* Are all models monotone? Do the bounds of checker_bound grow upwards? Is `kept` of a satisfying
 * node a lower bound of the loss of every node above it? */
bool checker_monotone(const checker *c);
bool checker_rising(const checker *c);
bool checker_kept_bounds(const checker *c);

/* The answer at a node for this rank's records: classes by first appearance of these, closures at
 * the node's levels, class_of PARTITION_SUPPRESSED where suppressed. Lives in `memory`. */
kith_status checker_partition(checker *c, const uint8_t *levels, partition *result, arena *memory,
                              kith_error *error);

/* Of the whole table: its records, its distinct records, and the values that an attribute has at a
 * level. */
uint32_t checker_n_records(const checker *c);
uint64_t checker_n_tuples(const checker *c);
uint32_t checker_n_values(const checker *c, uint32_t axis, uint32_t level);

#endif

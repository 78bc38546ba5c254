/* The inside of a checker, which checking node by node and sweeping over nodes share. */
#ifndef SEARCH_LATTICE_CHECKER_INTERNAL_H
#define SEARCH_LATTICE_CHECKER_INTERNAL_H

#include "core/check.h"
#include "search/lattice/checker.h"
#include "search/lattice/distribution.h"
#include "search/lattice/groups.h"
#include "search/lattice/groups_coarsen.h"
#include "search/lattice/monotone_models.h"
#include "search/lattice/node_loss.h"
#include "search/lattice/sweep.h"
#include "search/lattice/unit_lists.h"
#include "search/unit_tallies.h"

/* Scratch of one worker, large enough for every node of the distributions so far. Invariant between
 * checks: `count` is all zero for every sensitive attribute. */
typedef struct checker_scratch {
    groups_coarsen coarsen;
    sweep sweep;
    uint8_t *violates;                  /* [tuples] */
    uint32_t **count;                   /* [n_sensitive][n_values] */
    uint32_t **first, **value, **times; /* [n_sensitive] lists of the groups being made */
    histogram *histogram;               /* [n_sensitive] */
    unit_lists units;                   /* the class being judged, where units are counted */
    unit_tallies tallies;               /* or all groups of a node */
    uint32_t *group_of;                 /* [tuples] for these */
    unit_marks marks;                   /* the same, where nothing else is */
    uint32_t *closure;                  /* [n_attributes] of the class being judged */
    uint32_t *cells;                    /* [node_loss_count_entries] cells of some records */
    uint32_t *offset, *tuple;           /* [tuples + 1], [tuple_room] of the groups being made */
    uint32_t *n_units;                  /* [tuples] with lists_units: how long their lists are */
} checker_scratch;

struct checker {
    const problem *problem;  /* with lists of units, if there are units (unit_lists.h) */
    const problem *by_units; /* then the problem without them; NULL: each record is a unit */
    kith_ranks *ranks;
    threads *pool;
    distributions distributions;
    node_loss node_loss;
    groups_snapshots *snapshots;
    monotone_models models;
    bool lists_values;    /* groups have lists of sensitive values, */
    bool lists_tuples;    /* or of their tuples, */
    bool lists_units;     /* or of units, no more than models ask for */
    bool tallies_units;   /* the groups of a node are counted together if they are not too many */
    unit_order order;     /* then of their records */
    uint32_t min_class;   /* a class with fewer records violates some model */
    bool blanks;          /* classes that look like suppressed records count as suppressed */
    bool sweeping;        /* checker_begin_sweep has been called */
    const uint32_t *axis; /* [n_attributes] of sweeps */
    unsigned n_workers;
    arena *memory;
    arena *scratch_memory;
    uint32_t room;       /* tuples for which there is scratch, */
    uint32_t tuple_room; /* and entries of their lists of tuples or units */
    uint32_t *list_room; /* [n_sensitive] entries of lists for which there is scratch */
    checker_scratch *scratch;
};

/* What the classes of a node add up to, on one rank or on all. The cells of suppressed records, or
 * with `cells_kept` those of the others, are counted apart. */
typedef struct node_part {
    uint64_t suppressed;     /* records in violating classes */
    uint64_t part_violating; /* the same for the monotone part of the models */
    uint64_t squares;        /* of the sizes of the classes that are kept */
    uint32_t smallest;       /* of these; 0: none */
    bool cells_kept;
} node_part;

/* One check of one node by its groups. */
typedef struct node_check {
    checker *checker;
    checker_scratch *scratch;
    const distribution *distribution;
    const uint8_t *levels;
    groups from;     /* the groups of a node below, or every tuple a group */
    uint32_t n_made; /* groups at `levels`, made from those: scratch->coarsen */
    bool keep;       /* they are kept for nodes above */
    bool tallied;    /* their units have been counted */
    uint64_t small;  /* records in groups that are too small */
} node_check;

/* checker.c: makes scratch for a distribution that is larger than those before. */
kith_status checker_fit(checker *c, const distribution *e, kith_error *error) KITH_MUST_USE;

/* checker_node.c: the two halves of a check: groups are made, then judged. The second one is told
 * whether too many records are in groups that are too small. If this rank's groups suppress no more
 * than they may, the cells of what they suppress are in scratch->cells afterwards. */
void checker_node_begin(node_check *n, checker *c, unsigned worker, const distribution *e,
                        const uint8_t *levels);
void checker_node_end(node_check *n, bool hopeless, node_part *part);
/* Makes and judges the groups of a node, from all tuples: scratch->violates. */
void checker_judge_all(node_check *n, checker *c, const distribution *e, const uint8_t *levels,
                       node_part *part);

/* checker_sweep.c: a check by a sweep. The cells of what is kept are in the worker's cells. */
void checker_sweep_part(checker *c, unsigned worker, const distribution *e, const uint8_t *levels,
                        node_part *part);

/* The answer, from what the classes of all ranks add up to. Changes the counts of cells. */
void checker_settle(const checker *c, const uint8_t *levels, const node_part *whole,
                    uint32_t *cells, node_value *value);

static inline void checker_keep_class(node_part *part, uint32_t size)
{
    part->squares += (uint64_t)size * size;
    if (part->smallest == 0 || size < part->smallest)
        part->smallest = size;
}

/* In the following `row` has the leaves of a tuple of a class. */

/* Does the class show the root in all attributes, without being all records? */
bool checker_looks_suppressed(const checker *c, const uint32_t *row, const uint8_t *levels,
                              uint32_t size);
/* The nodes that the class is generalized to. */
void checker_close(const checker *c, uint32_t *closure, const uint8_t *levels, const uint32_t *row);
/* Judges the class. Its sensitive values have been counted in s->count, or its units in s->units.
 */
model_verdict checker_judge(const checker *c, checker_scratch *s, const uint32_t *row,
                            uint32_t size, const uint8_t *levels);
/* The same for group `group` of those whose units have been counted together. */
model_verdict checker_judge_tallied(const checker *c, checker_scratch *s, uint32_t group,
                                    const uint32_t *row, const uint8_t *levels);
/* Add the cells of a tuple to a count vector (node_loss.h): by leaf, each as often as the tuple has
 * records, or by their codes at the levels, `size` times. */
void checker_count_leaves(const checker *c, uint32_t *count, const tuples *t, uint32_t tuple);
void checker_count_codes(const checker *c, uint32_t *count, const uint8_t *levels,
                         const uint32_t *row, uint32_t size);
/* The entries that an attribute has in a count vector at a level. */
uint32_t checker_n_codes(const checker *c, uint32_t axis, uint32_t level);

#if KITH_DEBUG
/* Aborts unless the worker's scratch is as it should be between checks. Cost: sensitive values. */
void checker_scratch_check(const checker *c, unsigned worker);
#endif

#endif

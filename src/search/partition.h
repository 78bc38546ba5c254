/* A partition of the records into classes: what a search gives back. */
#ifndef SEARCH_PARTITION_H
#define SEARCH_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/check.h"
#include "search/problem.h"

/* The class of a record that a search has suppressed. */
#define PARTITION_SUPPRESSED UINT32_MAX

/* Classes with a closure each. Invariants of a finished partition: every class has a record, and
 * the classes are numbered in the order of their first records; the closure of a class is the
 * lowest common ancestor of its members' cells, attribute by attribute, or, after global recoding,
 * what all cells of the class are recoded to. */
typedef struct partition {
    uint32_t n_classes;
    uint32_t *class_of; /* [n_records] */
    uint32_t *closure;  /* [n_classes * n_attributes] nodes */
    uint64_t *id;       /* [n_classes] of ranks: the same for one class on all of them; NULL: there
                         * are none, or no two classes show the same */
} partition;

/* Fills closures from class_of, and renumbers the classes by first appearance, leaving out empty
 * ones and suppressed records. `closure` is allocated in `memory`. */
kith_status partition_close(partition *p, const problem *problem, arena *memory, kith_error *error);

/* The same numbers for classes whose closures are there already. */
kith_status partition_number(partition *p, const problem *problem, arena *memory,
                             kith_error *error);

/* Adds the classes that `n` of the records have in a partition of their own, which has all of them
 * in a class: its record i is records[i]; NULL: record i. Closures grow in `memory`. */
kith_status partition_add(partition *to, const partition *part, const uint32_t *records, uint32_t n,
                          const problem *problem, arena *memory, kith_error *error);

/* Makes one class of those with equal closures, which are one class in a release. *united: there
 * were such. */
kith_status partition_unite_equal(partition *classes, const problem *p, arena *memory, bool *united,
                                  kith_error *error) KITH_MUST_USE;

/* Sum over records and attributes of the closure's cost. */
double partition_cost(const partition *p, const problem *problem);

/* Do all classes satisfy all models? If not, *model and *class become the first violation. Also
 * false, with UINT32_MAX in both, if memory runs out. */
bool partition_holds(const partition *p, const problem *problem, arena *memory, uint32_t *model,
                     uint32_t *class);

#if KITH_DEBUG
/* Aborts unless the invariants hold; of the closures it checks that they cover the cells. Cost:
 * records x attributes. */
void partition_check(const partition *p, const problem *problem);
#endif

#endif

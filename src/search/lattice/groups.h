/* Groups of tuples: the result of a check, from which checks of nodes above can start.
 *
 * A group has a representative tuple, a size in records, a list of its tuples where the loss or units
 * need it (checker.lists_tuples) or of units (lists_units), and a list of values for each sensitive
 * attribute. */
#ifndef SEARCH_LATTICE_GROUPS_H
#define SEARCH_LATTICE_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "search/lattice/tuples.h"

typedef struct groups {
    uint32_t count;
    const uint32_t *representative; /* [count]; NULL: group g is tuple g */
    const uint32_t *size;           /* [count] */
    const uint32_t *offset; /* [count + 1] into `tuple`; NULL: group g is tuple g, or not kept */
    const uint32_t *tuple;  /* [offset[count]] or units */
    uint32_t *const *first; /* [n_sensitive][count + 1] */
    uint32_t *const *value; /* [n_sensitive][first[count]] */
    uint32_t *const *times;
} groups;

/* Kept groups of nodes that were checked, for roll-up: a node above can start from them instead of
 * from all tuples. All functions except groups_snapshots_trim and groups_snapshots_free may run in
 * several threads at once. */
typedef struct groups_snapshots groups_snapshots;

/* NULL if out of memory; `wipes`: blocks are wiped before they are freed; `budget`: bytes. */
groups_snapshots *groups_snapshots_new(uint32_t n_attributes, uint32_t n_sensitive, bool wipes,
                                       size_t budget);
void groups_snapshots_free(groups_snapshots *s);

/* The fewest groups among kept nodes at or below `levels` in every attribute, of the tuples with
 * the number `of`; false if none has fewer than *from. They stay valid until the next trim. */
bool groups_snapshots_find(groups_snapshots *s, uint32_t of, const uint8_t *levels, groups *from);

/* Copies groups, if the budget and memory allow. */
void groups_snapshots_keep(groups_snapshots *s, uint32_t of, const uint8_t *levels,
                           const groups *g);

/* Drops the least recently used half when most of the budget is spent. */
void groups_snapshots_trim(groups_snapshots *s);

#endif

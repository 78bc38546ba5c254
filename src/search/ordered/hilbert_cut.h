/* Cutting a sequence of records into groups. */
#ifndef SEARCH_ORDERED_HILBERT_CUT_H
#define SEARCH_ORDERED_HILBERT_CUT_H

#include "core/run/context.h"
#include "search/partition.h"

/* Cuts the records, taken in this order, into groups of at least k such that the sum of size x cost
 * of the closure is minimal; fewer than k records are one group. Fills out->n_classes and
 * out->class_of, which the caller has allocated. Groups of 2k and more are never better where costs
 * rise along every path (splitting them costs nothing), and are not tried. Cost: records x 2k x
 * attributes. Where records belong to units, k of these are asked for: of 2k units that a group
 * has, the first k that appear leave k others to the rest. Cost: 2k is then the records of so
 * many. */
kith_status hilbert_cut_sequence(partition *out, const problem *p, const uint32_t *order,
                                 context *c, kith_error *error);

#endif

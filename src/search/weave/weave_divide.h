/* Divides a large table into pieces: sets of records that are searched alone, one after the other.
 *
 * What a search keeps for each record is then needed for one piece at a time. A set that is too
 * large is split by the attribute that the tree of weave_tree.h would take first: by the nodes one
 * level below the one on which the set agrees. Neighbouring nodes are gathered as long as they stay
 * below the limit, so that pieces are few and about equally large; what is still too large is split
 * again. Every piece may itself be a class: neighbours are united where it may not.
 *
 * Only counts of values decide, never the order of the records: whoever can count can divide the
 * same table into the same pieces, wherever its records lie. */
#ifndef SEARCH_WEAVE_WEAVE_DIVIDE_H
#define SEARCH_WEAVE_WEAVE_DIVIDE_H

#include "search/weave/weave_internal.h"

/* Fills `pieces`; members of a piece ascend. A piece has more than `limit` > 0 records only if no
 * attribute can split it. Lives in c->memory. The table as a whole satisfies the models. */
kith_status weave_divide(weave_partition *pieces, const problem *p, uint32_t min_class,
                         uint32_t limit, context *c, kith_error *error) KITH_MUST_USE;

#endif

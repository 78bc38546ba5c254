/* The order of a column's values, which ranges min..max follow. */
#ifndef JOB_PREPARE_VALUE_ORDER_H
#define JOB_PREPARE_VALUE_ORDER_H

#include "hierarchy/hierarchy.h"

/* rank[leaf] is the position of a leaf: by value (numbers and dates by size, texts by bytes), or
 * in the hierarchy's leaf order; the empty text, which is the missing value, comes last. Leaves
 * that do not occur in the data are placed by what their label says. */
kith_status value_order_leaves(uint32_t **rank, const kith_hierarchy *hierarchy,
                               const dictionary *values, const uint32_t *leaf_of, bool by_hierarchy,
                               arena *memory, kith_error *error);

#endif

/* The places of values that a hierarchy need not know: people of a population. */
#ifndef HIERARCHY_PLACE_H
#define HIERARCHY_PLACE_H

#include "hierarchy/hierarchy.h"

/* node_of[code] is the lowest node whose label stands for the value: its leaf, or where the
 * hierarchy has no such value, a node above which it would have been (23 below 20-24), at last the
 * root. The hierarchy was made by `spec` and `domain`. */
kith_status place_values(const kith_hierarchy *hierarchy, const hierarchy_spec *spec,
                         const domain_spec *domain, const dictionary *values, uint32_t *node_of,
                         arena *scratch, kith_error *error);

#endif

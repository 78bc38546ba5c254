/* The leaves of the values of a dictionary. */
#ifndef HIERARCHY_LOCATE_H
#define HIERARCHY_LOCATE_H

#include "hierarchy/hierarchy.h"

/* leaf_of[code] = leaf of the value or UINT32_MAX; *strangers counts the latter. A leaf is found by
 * its label; in numeric and date columns, where that fails, by its value ("07" is 7). */
kith_status locate(const kith_hierarchy *hierarchy, const dictionary *values, uint32_t *leaf_of,
                   uint32_t *n_unknown, arena *scratch, kith_error *error);

#endif

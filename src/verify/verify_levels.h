/* Checks that a release shows no level of a hierarchy that the study forbids. */
#ifndef VERIFY_VERIFY_LEVELS_H
#define VERIFY_VERIFY_LEVELS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "hierarchy/hierarchy.h"
#include "table/table.h"
#include "verify/verify.h"

/* A column of the release and the levels that it may show. */
typedef struct levels_column {
    uint32_t release;
    const kith_hierarchy *hierarchy;
    uint32_t min_level, max_level; /* both are levels of the hierarchy */
    bool mean; /* its cells are means, which have no level, or the root: the cover check looks at
                * the bound of means */
} levels_column;

typedef struct levels_report {
    bool holds;
    uint32_t n_wrong_rows;
    uint32_t row;    /* of the release: the first wrong one */
    uint32_t column; /* index into the columns given */
} levels_report;

/* A cell must stand for all values below its node at min_level, and for no more than those below
 * its node at max_level. What counts are the values: a node with a single child is both levels.
 * Suppressed rows, of which `models` tells, show the root whatever the bounds are. */
kith_status verify_levels(levels_report *report, const kith_table *release,
                          const levels_column *columns, uint32_t n_columns,
                          const verify_report *models, arena *memory,
                          kith_error *error) KITH_MUST_USE;

#endif

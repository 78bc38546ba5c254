/* A hierarchy as a tree with the numbers of records on it. */
#ifndef CONSOLE_PAGES_TREE_VIEW_H
#define CONSOLE_PAGES_TREE_VIEW_H

#include "console/pages/workspace.h"

/* Adds to the object: "tree": {"label", "records", "children": […], "more"}, where a node with more
 * than 40 children shows the first and says how many are left out; "levels": numbers of nodes from
 * the leaves to the root; "unplaced": values of the column that the hierarchy lacks, at most 200 of
 * {"value", "records"}, and "nUnplaced" of all; "missing": records without a value. `values` is
 * what dataset_values made of the column. */
kith_status tree_view_add(cJSON *object, const kith_hierarchy *hierarchy, const kith_table *values,
                          const dataset *d, size_t column, kith_error *error);

#endif

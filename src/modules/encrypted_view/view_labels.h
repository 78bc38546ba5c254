/* Columns of a table as dictionaries of labels with codes, the input of the encrypted view. */
#ifndef MODULES_ENCRYPTED_VIEW_VIEW_LABELS_H
#define MODULES_ENCRYPTED_VIEW_VIEW_LABELS_H

#include "hierarchy/hierarchy.h"
#include "protocol/view/view.h"
#include "table/table.h"

/* A missing cell, like the empty label of a hierarchy, is a label of its own: a single NUL. */
bool view_labels_missing(const view_label *label);

/* All labels of a hierarchy from level `base` on. Everything lives in `memory`. */
kith_status view_labels_known(view_known *known, const kith_hierarchy *h, uint32_t base,
                              arena *memory, kith_error *error);

/* Cells are nodes of a hierarchy; leaves are replaced by their ancestors of level `base`. The
 * dictionary has all nodes from that level on if `whole`, else those that cells are at or below. */
kith_status view_labels_tree(view_source *s, const kith_hierarchy *h, const uint32_t *cells,
                             uint32_t n_rows, uint32_t base, bool whole, arena *memory,
                             kith_error *error);

/* Values without a hierarchy; the dictionary has those that occur. rows[i] is the row of the column
 * that becomes row i. */
kith_status view_labels_plain(view_source *s, const column *source, const uint32_t *rows,
                              uint32_t n_rows, arena *memory, kith_error *error);

#endif

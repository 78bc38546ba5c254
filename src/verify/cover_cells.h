/* The cells of a release as sets of original values. */
#ifndef VERIFY_COVER_CELLS_H
#define VERIFY_COVER_CELLS_H

#include "verify/verify_cover.h"

typedef enum cell_kind {
    CELL_NOTHING, /* not a label of the hierarchy: stands for no value */
    CELL_NODE,    /* a node of the hierarchy */
    CELL_RANGE,   /* min..max, in the order of the leaves */
    CELL_ALL      /* `*` where the hierarchy has no such label */
} cell_kind;

typedef struct cell_set {
    cell_kind kind;
    uint32_t a, b; /* the node, or the first and the last rank */
} cell_set;

/* One column, ready to compare. Invariant: `sets` is there for columns with a hierarchy, `same` for
 * all others, never both. */
typedef struct cover_cells {
    const cover_column *column;
    const uint32_t *release; /* codes of the release's column */
    const uint32_t *data;    /* codes of the data's column */
    uint32_t n_release_values, n_data_values;
    cell_set *sets;          /* [n_release_values + 1], the last for missing */
    const uint32_t *leaf_of; /* [n_data_values] for columns with a hierarchy */
    uint32_t *same; /* [n_data_values + 1] code in the release of the same text, or CELL_ABSENT */
} cover_cells;

#define CELL_ABSENT (UINT32_MAX - 1)

kith_status cover_cells_init(cover_cells *cells, arena *memory, const kith_table *release,
                             const kith_table *data, const cover_column *column, bool ranges,
                             kith_error *error);

cell_set cover_cells_set(const cover_cells *cells, uint32_t release_row);
/* Leaf of a row of the data, UINT32_MAX for a missing value without a leaf. */
uint32_t cover_cells_leaf(const cover_cells *cells, uint32_t data_row);
/* Code in the release that a row of the data should have, for columns that are not generalized. */
uint32_t cover_cells_same(const cover_cells *cells, uint32_t data_row);

bool cover_cells_match(const cover_cells *cells, uint32_t release_row, uint32_t data_row);

#endif

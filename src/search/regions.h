/* Regions: the parts of the space of quasi-identifiers that Mondrian cuts out, described by public
 * things alone.
 *
 * On an *ordered* axis a region is an interval of cells of a public grid, so that a cut never tells
 * a person's value: the cells are the nodes of level 1 of the hierarchy, or have `step` values each
 * (attribute.step). Records with a missing value are in one more cell behind all others. On an axis
 * *along the tree* a region is a node, and is split into its children; records whose cell is the
 * root from the start (wildcards) are then a child of their own.
 *
 * Regions are the same at all parties of a joint run. */
#ifndef SEARCH_REGIONS_H
#define SEARCH_REGIONS_H

#include "core/arena.h"
#include "search/problem.h"

/* Ordered: cells low … high. Along the tree: low is a node or REGION_OTHER, and high is not used.
 */
typedef struct region {
    uint32_t low, high;
} region;

/* Along the tree: the records whose cells are wildcards. */
#define REGION_OTHER UINT32_MAX

typedef struct region_axis {
    const attribute *attribute;
    bool ordered;
    bool other;            /* there may be records without a value */
    uint32_t n_cells;      /* ordered: the last one is for records without a value, if `other` */
    uint32_t *cell_of;     /* ordered: [n_leaves] */
    uint32_t missing_leaf; /* ordered: leaf of the missing value, or UINT32_MAX */
    uint32_t *lowest,
        *highest; /* ordered: [n_cells] leaves with the lowest and the highest value */
} region_axis;

typedef struct regions {
    uint32_t n_axes;
    region_axis *axes; /* [n_attributes] */
} regions;

kith_status regions_init(regions *r, const problem *p, arena *memory,
                         kith_error *error) KITH_MUST_USE;

/* All records. */
region regions_whole(const region_axis *a);

/* Can it be cut at all? */
bool regions_can_cut(const region_axis *a, region r);

/* Share of the domain that it spans: 0 for one cell or leaf, 1 for the whole. */
double regions_width(const region_axis *a, region r);

/* Ordered: the cell of a record, given its node in the problem. */
static inline uint32_t regions_cell(const region_axis *a, uint32_t node)
{
    ASSERT(a->ordered);
    return node < a->attribute->tree->n_leaves ? a->cell_of[node] : a->n_cells - 1;
}

/* Along the tree: the regions below one that can be cut, and the one that a record is in. */
uint32_t regions_n_children(const region_axis *a, region r);
region regions_child(const region_axis *a, region r, uint32_t index);
uint32_t regions_child_of(const region_axis *a, region r, uint32_t node);

/* The lowest node that covers the region: what a release shows without ranges. */
uint32_t regions_closure(const region_axis *a, region r);

/* The leaves with the lowest and the highest value of a region; the root in both if records without
 * a value are in it, or if it is a node that is not a leaf. */
void regions_range(const region_axis *a, region r, uint32_t *low, uint32_t *high);

#endif

#include "search/pricing.h"

#include <math.h>

#include "core/error.h"

/* What a leaf's cell loses at a level; a wildcard loses nothing that it had not lost before. */
static double cell_loss(const pricing *q, uint32_t attribute_index, uint32_t leaf, uint32_t level)
{
    const attribute *a = &q->problem->attribute[attribute_index];
    if (leaf == a->tree->leaves)
        return 0;
    return a->cost[tree_up(a->tree, leaf, level)] - a->cost[leaf];
}

static void look_along_paths(pricing *q, uint32_t j)
{
    const tree *t = q->problem->attribute[j].tree;
    const double slack = 1e-12;
    for (uint32_t leaf = 0; leaf < t->leaves; leaf++) {
        q->by_leaf = q->by_leaf || q->problem->attribute[j].cost[leaf] != 0;
        double root = cell_loss(q, j, leaf, t->levels - 1);
        double below = 0;
        for (uint32_t level = 0; level < t->levels; level++) {
            double here = cell_loss(q, j, leaf, level);
            q->bounded = q->bounded && here <= root + slack;
            q->rising = q->rising && here >= below - slack;
            below = here;
        }
    }
}

static kith_status total_attribute(pricing *q, uint32_t j, arena *memory, kith_error *error)
{
    const tuple_attribute *a = &q->tuples->attribute[j];
    const tree *t = a->tree;
    uint32_t *count = arena_zalloc(memory, (size_t)t->leaves + 1, sizeof *count);
    q->total[j] = arena_zalloc(memory, t->levels, sizeof **q->total);
    TRY_ALLOC(count, error);
    TRY_ALLOC(q->total[j], error);
    for (uint32_t u = 0; u < q->tuples->count; u++)
        count[tuples_leaf(q->tuples, u, j)] += q->tuples->weight[u];
    for (uint32_t level = 0; level < t->levels; level++)
        for (uint32_t leaf = 0; leaf < t->leaves; leaf++)
            if (count[leaf] > 0)
                q->total[j][level] += count[leaf] * cell_loss(q, j, leaf, level);
    return KITH_OK;
}

kith_status pricing_init(pricing *q, const problem *p, const tuples *t, arena *memory,
                         kith_error *error)
{
    *q = (pricing){.problem = p,
                   .tuples = t,
                   .among_themselves = p->measure == MEASURE_ENTROPY,
                   .by_leaf = p->measure == MEASURE_ENTROPY,
                   .bounded = p->measure != MEASURE_DM,
                   .rising = true};
    q->total = arena_array(memory, p->attributes, sizeof *q->total);
    q->offset = arena_array(memory, (size_t)p->attributes + 1, sizeof *q->offset);
    TRY_ALLOC(q->total, error);
    TRY_ALLOC(q->offset, error);
    q->offset[0] = 0;
    for (uint32_t j = 0; j < p->attributes; j++) {
        q->offset[j + 1] = q->offset[j] + p->attribute[j].tree->leaves + 1;
        TRY(total_attribute(q, j, memory, error));
        look_along_paths(q, j);
    }
    /* A suppressed record may cost less than a generalized one if it is priced among few others. */
    if (q->among_themselves && p->may_suppress > 0)
        q->bounded = false;
    return KITH_OK;
}

uint32_t pricing_counts(const pricing *q)
{
    return q->offset[q->problem->attributes];
}

/* Bits to tell the suppressed records' values from their common one: S log2 S - sum c log2 c. */
static double price_among_themselves(const uint32_t *gone, uint32_t leaves, double weight)
{
    double records = 0, bits = 0;
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        if (gone[leaf] > 0) {
            records += gone[leaf];
            bits -= gone[leaf] * log2(gone[leaf]);
        }
    return records > 0 ? weight * (bits + records * log2(records)) : 0;
}

/* Takes the suppressed cells of an attribute out of *remaining, and returns their price. */
static double reprice_by_leaf(const pricing *q, uint32_t j, uint32_t level, const uint32_t *gone,
                              double *remaining)
{
    const attribute *a = &q->problem->attribute[j];
    const tree *t = a->tree;
    double at_root = 0;
    for (uint32_t leaf = 0; leaf < t->leaves; leaf++)
        if (gone[leaf] > 0) {
            *remaining -= gone[leaf] * cell_loss(q, j, leaf, level);
            at_root += gone[leaf] * cell_loss(q, j, leaf, t->levels - 1);
        }
    return q->among_themselves ? price_among_themselves(gone, t->leaves, a->weight) : at_root;
}

/* The same where leaves cost nothing, so that a node's cells all lose the same. */
static double reprice_by_node(const pricing *q, uint32_t j, uint32_t level, const uint32_t *gone,
                              double *remaining)
{
    const attribute *a = &q->problem->attribute[j];
    const tree *t = a->tree;
    const double *cost = a->cost + t->level_start[level];
    uint32_t nodes = t->level_start[level + 1] - t->level_start[level];
    double at_root = 0;
    for (uint32_t code = 0; code < nodes; code++)
        if (gone[code] > 0) {
            *remaining -= gone[code] * cost[code];
            at_root += gone[code] * a->cost[tree_root(t)];
        }
    return at_root;
}

double pricing_loss(const pricing *q, const uint8_t *levels, uint32_t suppressed,
                    const uint32_t *gone, double squares, double *kept)
{
    const problem *p = q->problem;
    if (p->measure == MEASURE_DM) {
        *kept = squares;
        return squares + (double)suppressed * p->records;
    }
    double remaining = 0, lost = 0;
    for (uint32_t j = 0; j < p->attributes; j++) {
        remaining += q->total[j][levels[j]];
        if (suppressed > 0)
            lost += q->by_leaf ? reprice_by_leaf(q, j, levels[j], gone + q->offset[j], &remaining)
                               : reprice_by_node(q, j, levels[j], gone + q->offset[j], &remaining);
    }
    *kept = remaining;
    return remaining + lost;
}

double pricing_estimate(const pricing *q, const uint8_t *levels)
{
    double sum = 0;
    for (uint32_t j = 0; j < q->problem->attributes; j++)
        sum += q->total[j][levels[j]];
    return sum;
}

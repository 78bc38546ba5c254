#include "search/lattice/node_loss.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/sort.h"

/* What a leaf's cell loses at a level. A wildcard loses nothing: it was at the root before. */
static double cell_loss(const node_loss *q, uint32_t j, uint32_t leaf, uint32_t level)
{
    const attribute *a = &q->problem->attributes[j];
    if (leaf == a->tree->n_leaves)
        return 0;
    return a->cost[tree_up(a->tree, leaf, level)] - a->cost[leaf];
}

typedef struct cells {
    double loss;
    uint32_t count;
} cells;

/* The loss of the `kept` cheapest cells: a lower bound if at least `kept` records are kept. The
 * loss of suppressed records depends on all of them together, so the bound leaves it out. */
static double node_loss_cheapest(cells *list, uint32_t n_leaves, uint64_t kept)
{
    double sum = 0;
    qsort(list, n_leaves, sizeof *list, sort_double);
    for (uint32_t i = 0; i < n_leaves && kept > 0; i++) {
        uint32_t taken = list[i].count < kept ? list[i].count : (uint32_t)kept;
        sum += taken * list[i].loss;
        kept -= taken;
    }
    return sum;
}

/* Lower bound of the loss of an attribute at a level. A kept cell loses `here`, a suppressed one
 * what it loses at the root. */
static double min_loss(const node_loss *q, uint32_t j, uint32_t level, cells *list)
{
    const tree *t = q->tuples->attributes[j].tree;
    const uint32_t *count = q->count[j][0];
    double sum = 0;
    for (uint32_t leaf = 0; leaf < t->n_leaves; leaf++) {
        double here = cell_loss(q, j, leaf, level), root = cell_loss(q, j, leaf, t->n_levels - 1);
        list[leaf] = (cells){here, count[leaf]};
        sum += count[leaf] * fmin(here, root);
    }
    /* Wildcards lose nothing, so the bound must assume that they are among the cells kept. */
    uint32_t n_free_cells = count[t->n_leaves] + q->problem->may_suppress;
    if (!q->among_themselves || q->problem->may_suppress == 0)
        return sum;
    return n_free_cells >= q->tuples->n_records
               ? 0
               : node_loss_cheapest(list, t->n_leaves, q->tuples->n_records - n_free_cells);
}

uint32_t node_loss_count_entries(const node_loss *q)
{
    return q->offset[q->problem->n_attributes];
}

/* Counts the cells of all ranks by leaf, attribute after attribute. */
static kith_status count_leaves(uint64_t **result, const node_loss *q, kith_ranks *ranks,
                                arena *memory, kith_error *error)
{
    const tuples *t = q->tuples;
    const size_t n = node_loss_count_entries(q);
    uint64_t *count = TRY_ALLOC(arena_zalloc(memory, n, sizeof *count), error);
    for (uint32_t u = 0; u < t->count; u++)
        for (uint32_t j = 0; j < t->n_attributes; j++)
            count[q->offset[j] + tuples_leaf(t, u, j)] += t->weight[u];
    *result = count;
    return ranks_sum(ranks, count, n, error);
}

static kith_status total_attribute(node_loss *q, uint32_t j, const uint64_t *of_leaf, arena *memory,
                                   kith_error *error)
{
    const tree *t = q->tuples->attributes[j].tree;
    q->total[j] = TRY_ALLOC(arena_zalloc(memory, t->n_levels, sizeof **q->total), error);
    q->min_loss[j] = TRY_ALLOC(arena_zalloc(memory, t->n_levels, sizeof **q->min_loss), error);
    cells *list = TRY_ALLOC(arena_array(memory, t->n_leaves, sizeof *list), error);
    const tuple_attribute *a = &q->tuples->attributes[j];
    q->count[j] = TRY_ALLOC(arena_array(memory, a->tree->n_levels, sizeof **q->count), error);
    for (uint32_t level = 0; level < a->tree->n_levels; level++) {
        size_t n_nodes = a->tree->level_start[level + 1] - a->tree->level_start[level];
        /* [n_nodes]: wildcards */
        q->count[j][level] =
            TRY_ALLOC(arena_zalloc(memory, n_nodes + 1, sizeof ***q->count), error);
    }
    for (uint32_t leaf = 0; leaf <= a->tree->n_leaves; leaf++)
        for (uint32_t level = 0; level < a->tree->n_levels; level++)
            q->count[j][level][a->code[level][leaf]] += (uint32_t)of_leaf[leaf];
    for (uint32_t level = 0; level < t->n_levels; level++) {
        for (uint32_t leaf = 0; leaf < t->n_leaves; leaf++)
            if (q->count[j][0][leaf] > 0)
                q->total[j][level] += q->count[j][0][leaf] * cell_loss(q, j, leaf, level);
        q->min_loss[j][level] = min_loss(q, j, level, list);
    }
    arena_release(memory, list, t->n_leaves * sizeof *list);
    return KITH_OK;
}

kith_status node_loss_init(node_loss *q, const problem *p, const tuples *t, kith_ranks *ranks,
                           arena *memory, kith_error *error)
{
    *q = (node_loss){.problem = p,
                     .tuples = t,
                     .among_themselves = p->measure == MEASURE_ENTROPY,
                     .by_leaf = p->measure == MEASURE_ENTROPY,
                     .rising = true};
    q->total = TRY_ALLOC(arena_array(memory, p->n_attributes, sizeof *q->total), error);
    q->min_loss = TRY_ALLOC(arena_array(memory, p->n_attributes, sizeof *q->min_loss), error);
    q->count = TRY_ALLOC(arena_array(memory, p->n_attributes, sizeof *q->count), error);
    q->offset = TRY_ARRAY(q->offset, memory, (size_t)p->n_attributes + 1, error);
    q->offset[0] = 0;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        q->offset[j + 1] = q->offset[j] + p->attributes[j].tree->n_leaves + 1;
    uint64_t *of_leaf = NULL;
    TRY(count_leaves(&of_leaf, q, ranks, memory, error));
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        TRY(total_attribute(q, j, of_leaf + q->offset[j], memory, error));
        /* Finds out whether leaves have costs of their own (by_leaf) and whether losses rise
         * upwards. */
        const tree *h = q->problem->attributes[j].tree;
        for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++) {
            q->by_leaf = q->by_leaf || q->problem->attributes[j].cost[leaf] != 0;
            double below = 0;
            for (uint32_t level = 0; level < h->n_levels; level++) {
                double here = cell_loss(q, j, leaf, level);
                q->rising = q->rising && here >= below - 1e-12;
                below = here;
            }
        }
    }
    arena_release(memory, of_leaf, node_loss_count_entries(q) * sizeof *of_leaf);
    return KITH_OK;
}

uint32_t node_loss_distinct(const node_loss *q, uint32_t axis, uint32_t level)
{
    const tree *t = q->problem->attributes[axis].tree;
    const uint32_t n_codes = t->level_start[level + 1] - t->level_start[level] + 1;
    uint32_t n = 0;
    for (uint32_t code = 0; code < n_codes; code++)
        n += q->count[axis][level][code] > 0;
    return n;
}

const uint32_t *node_loss_all_cells(const node_loss *q, uint32_t axis, uint32_t level)
{
    return q->count[axis][q->by_leaf ? 0 : level];
}

/* Entropy of the suppressed records as a group of their own: S log2 S - sum c log2 c bits. */
static double price_among_themselves(const uint32_t *gone, uint32_t n_leaves, double weight)
{
    double records = 0, bits = 0;
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
        if (gone[leaf] > 0) {
            records += gone[leaf];
            bits -= gone[leaf] * log2(gone[leaf]);
        }
    return records > 0 ? weight * (bits + records * log2(records)) : 0;
}

/* Subtracts from *remaining what the suppressed cells of an attribute lose at the level, and
 * returns what they lose suppressed. */
static double reprice_by_leaf(const node_loss *q, uint32_t j, uint32_t level, const uint32_t *gone,
                              double *remaining)
{
    const attribute *a = &q->problem->attributes[j];
    const tree *t = a->tree;
    double at_root = 0;
    for (uint32_t leaf = 0; leaf < t->n_leaves; leaf++)
        if (gone[leaf] > 0) {
            *remaining -= gone[leaf] * cell_loss(q, j, leaf, level);
            at_root += gone[leaf] * cell_loss(q, j, leaf, t->n_levels - 1);
        }
    return q->among_themselves ? price_among_themselves(gone, t->n_leaves, a->weight) : at_root;
}

/* The same where leaves cost nothing, so that all cells of a node lose the same. At the root
 * wildcards and other cells share one code, but suppression changes nothing there. */
static double reprice_by_code(const node_loss *q, uint32_t j, uint32_t level, const uint32_t *gone,
                              double *remaining)
{
    const attribute *a = &q->problem->attributes[j];
    const tree *t = a->tree;
    if (level + 1 == t->n_levels)
        return 0;
    const double *cost = a->cost + t->level_start[level];
    uint32_t n_nodes = t->level_start[level + 1] - t->level_start[level];
    double at_root = 0;
    for (uint32_t code = 0; code < n_nodes; code++)
        if (gone[code] > 0) {
            *remaining -= gone[code] * cost[code];
            at_root += gone[code] * a->cost[tree_root(t)];
        }
    return at_root;
}

/* A sum of the attributes' losses; for arx-loss a geometric mean. */
typedef struct sum {
    const problem *problem;
    uint32_t n_records;
    double value, weights;
} sum;

static sum nothing(const node_loss *q)
{
    return (sum){.problem = q->problem, .n_records = q->tuples->n_records};
}

static void add_attribute(sum *s, uint32_t j, double loss)
{
    double weight = s->problem->attributes[j].weight;
    if (s->problem->measure != MEASURE_ARX_LOSS)
        s->value += loss;
    else if (weight > 0) {
        s->value += weight * log1p(fmax(loss, 0) / weight / s->n_records);
        s->weights += weight;
    }
}

static double sum_up(const sum *s)
{
    if (s->problem->measure != MEASURE_ARX_LOSS)
        return s->value;
    return s->weights > 0 ? expm1(s->value / s->weights) : 0;
}

static double round_price(double price)
{
    int exponent;
    double fraction = frexp(price, &exponent);
    return ldexp(nearbyint(ldexp(fraction, 40)), exponent - 40);
}

double node_loss_compute(const node_loss *q, const uint8_t *levels, uint32_t suppressed,
                         const uint32_t *gone, uint64_t squares, double *kept)
{
    const problem *p = q->problem;
    if (p->measure == MEASURE_DM) {
        *kept = (double)squares;
        return (double)squares + (double)suppressed * q->tuples->n_records;
    }
    sum all = nothing(q), remain = nothing(q);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        double remaining = q->total[j][levels[j]], lost = 0;
        const uint32_t *cells_gone = suppressed > 0 ? gone + q->offset[j] : NULL;
        if (suppressed > 0)
            lost = q->by_leaf ? reprice_by_leaf(q, j, levels[j], cells_gone, &remaining)
                              : reprice_by_code(q, j, levels[j], cells_gone, &remaining);
        add_attribute(&all, j, remaining + lost);
        /* At the root reprice_by_code leaves the suppressed cells in. `kept` stays a lower bound
         * for the nodes above all the same: they have the attribute at the root too. */
        add_attribute(&remain, j, remaining);
    }
    *kept = sum_up(&remain);
    return round_price(sum_up(&all));
}

static double total_of(const node_loss *q, double *const *table, const uint8_t *levels)
{
    sum all = nothing(q);
    for (uint32_t j = 0; j < q->problem->n_attributes; j++)
        add_attribute(&all, j, table[j][levels[j]]);
    return sum_up(&all);
}

double node_loss_estimate(const node_loss *q, const uint8_t *levels)
{
    return total_of(q, q->total, levels);
}

double node_loss_bound(const node_loss *q, const uint8_t *levels)
{
    return q->problem->measure == MEASURE_DM ? 0 : total_of(q, q->min_loss, levels);
}

double node_loss_objective(const problem *p, uint32_t n_records, double loss)
{
    if (p->measure == MEASURE_DM || p->measure == MEASURE_ARX_LOSS)
        return loss;
    double weights = 0;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        weights += p->attributes[j].weight;
    return weights > 0 && n_records > 0 ? loss / weights / n_records : loss;
}

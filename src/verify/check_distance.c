/* Models that look at distances between sensitive values. */
#include "verify/checks.h"

#include <math.h>
#include <stdlib.h>

/* All values are equally far apart: every surplus share is moved by 1. */
static double equal_distance(const double *change_of, uint32_t n_values)
{
    double moved = 0;
    for (uint32_t v = 0; v < n_values; v++)
        moved += change_of[v] > 0 ? change_of[v] : 0;
    return moved;
}

/* What must cross the gap between two neighbouring values, over all gaps. Sorts `change_of` into
 * the order of the values. */
static double ordered_distance(double *change_of, const verify_values *values, double *sorted)
{
    double sum = 0, left = 0;
    for (uint32_t v = 0; v < values->count; v++)
        sorted[values->place[v]] = change_of[v];
    for (uint32_t gap = 0; gap + 1 < values->count; gap++) {
        left += sorted[gap];
        sum += fabs(left);
    }
    return values->count > 1 ? sum / (values->count - 1) : 0;
}

/* Moving between the children of a node of height h costs h of H. Summed over all nodes, every node
 * but the root passes its surplus through one edge up and another one down: half each. Children
 * come before their parents. */
static double hierarchical_distance(const double *change_of, const verify_values *values,
                                    double *below)
{
    const tree *t = values->tree;
    double sum = 0;
    for (uint32_t node = 0; node < t->n_nodes; node++)
        below[node] = 0;
    for (uint32_t v = 0; v < values->count; v++)
        below[values->leaf_of[v]] += change_of[v];
    for (uint32_t node = 0; node + 1 < t->n_nodes; node++) {
        sum += fabs(below[node]);
        below[t->parent[node]] += below[node];
    }
    return sum / 2 / (t->n_levels - 1);
}

/* The earth mover's distance between class and table; the ground distance is the model's. */
static double distance_of(const verify_model *model, double *change_of, double *scratch)
{
    switch (model->distance) {
    case VERIFY_ORDERED: return ordered_distance(change_of, model->values, scratch);
    case VERIFY_HIERARCHICAL: return hierarchical_distance(change_of, model->values, scratch);
    default: return equal_distance(change_of, model->values->count);
    }
}

/* change_of[v] is the share of value v in the class minus that in the table: what must be moved.
 * Memory that runs out is reported as NAN. */
check_answer check_closeness(const verify_model *model, const check_class *c, uint64_t n_all_rows)
{
    size_t count = model->values->count;
    size_t n_nodes = model->distance == VERIFY_HIERARCHICAL ? model->values->tree->n_nodes : count;
    double *change_of = calloc(count + n_nodes, sizeof *change_of);
    if (change_of == NULL)
        return (check_answer){false, NAN};
    for (uint32_t v = 0; v < count; v++)
        change_of[v] = -(double)model->values->overall[v] / (double)n_all_rows;
    for (uint32_t i = 0; i < c->distinct; i++)
        change_of[c->value[i]] += (double)c->count[i] / c->size;
    double distance = distance_of(model, change_of, change_of + count);
    free(change_of);
    return (check_answer){distance <= model->need + 1e-8, distance};
}

/* The distance between two values, 0 to 1. In a hierarchy it is the height of their lowest common
 * ancestor, found by climbing: independent of tree_lca, which the search uses. */
static double apart(const verify_model *model, uint32_t a, uint32_t b)
{
    const verify_values *values = model->values;
    if (a == b || model->distance == VERIFY_EQUAL)
        return a != b;
    if (model->distance == VERIFY_ORDERED) {
        uint32_t x = values->place[a], y = values->place[b];
        return (double)(x > y ? x - y : y - x) / (values->count - 1);
    }
    const tree *t = values->tree;
    uint32_t node = values->leaf_of[a], height = 0;
    for (; !tree_covers(t, node, values->leaf_of[b]); height++)
        node = t->parent[node];
    return (double)height / (t->n_levels - 1);
}

/* Every row must be far from a share delta of the others. */
check_answer check_dissimilarity(const verify_model *model, const check_class *c,
                                 uint64_t n_all_rows)
{
    (void)n_all_rows;
    double lowest = 1;
    for (uint32_t i = 0; i < c->distinct && c->size > 1; i++) {
        uint32_t far = 0;
        for (uint32_t j = 0; j < c->distinct; j++)
            far += apart(model, c->value[i], c->value[j]) > model->low ? c->count[j] : 0;
        double share = (double)far / (c->size - 1);
        lowest = share < lowest ? share : lowest;
    }
    return (check_answer){c->size >= model->k && lowest >= model->need, lowest};
}

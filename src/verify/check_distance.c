/* Models that look at distances between sensitive values. */
#include "verify/checks.h"

#include <math.h>
#include <stdlib.h>

static double share_of(const check_class *c, uint32_t value)
{
    for (uint32_t i = 0; i < c->distinct; i++)
        if (c->value[i] == value)
            return (double)c->count[i] / c->size;
    return 0;
}

static double change(const verify_model *model, const check_class *c, uint32_t all_rows,
                     uint32_t value)
{
    return share_of(c, value) - (double)model->values->overall[value] / all_rows;
}

/* The share that one class has too much is moved by 1. */
static double equal_distance(const double *change_of, uint32_t values)
{
    double moved = 0;
    for (uint32_t v = 0; v < values; v++)
        moved += change_of[v] > 0 ? change_of[v] : 0;
    return moved;
}

/* What must cross the gap between two neighbouring values, over all gaps. */
static double ordered_distance(const double *change_of, const verify_values *values)
{
    double sum = 0;
    for (uint32_t gap = 1; gap < values->count; gap++) {
        double left = 0;
        for (uint32_t v = 0; v < values->count; v++)
            left += values->place[v] < gap ? change_of[v] : 0;
        sum += fabs(left);
    }
    return values->count > 1 ? sum / (values->count - 1) : 0;
}

/* Moving between the children of a node of height h costs h of H. Summed over all nodes, every node
 * but the root passes its surplus through one edge up and another one down: half each. */
static double hierarchical_distance(const double *change_of, const verify_values *values)
{
    const tree *t = values->tree;
    double sum = 0;
    for (uint32_t node = 0; node + 1 < t->nodes; node++) {
        double below = 0;
        for (uint32_t v = 0; v < values->count; v++)
            below += tree_covers(t, node, values->leaf_of[v]) ? change_of[v] : 0;
        sum += fabs(below);
    }
    return sum / 2 / (t->levels - 1);
}

check_answer check_closeness(const verify_model *model, const check_class *c, uint32_t all_rows)
{
    uint32_t count = model->values->count;
    double *change_of = malloc((count + (size_t)1) * sizeof *change_of);
    if (change_of == NULL)
        return (check_answer){false, NAN};
    for (uint32_t v = 0; v < count; v++)
        change_of[v] = change(model, c, all_rows, v);
    double distance = model->distance == VERIFY_EQUAL ? equal_distance(change_of, count)
                      : model->distance == VERIFY_ORDERED
                          ? ordered_distance(change_of, model->values)
                          : hierarchical_distance(change_of, model->values);
    free(change_of);
    return (check_answer){distance <= model->need + 1e-8, distance};
}

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
    return (double)height / (t->levels - 1);
}

/* Every row must be far from a share delta of the others. */
check_answer check_dissimilarity(const verify_model *model, const check_class *c, uint32_t all_rows)
{
    (void)all_rows;
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

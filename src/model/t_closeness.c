/* t-closeness: the distribution of the sensitive values in a class is at most t away from that in
 * the whole table, by the earth mover's distance. */
#include "model/criteria.h"

#include <math.h>

/* A class compared with the table. */
typedef struct comparison {
    const model_facts *facts;
    const uint32_t *counts;
    double size;
} comparison;

/* A value's share in the class minus its share in the table. */
static double surplus(const comparison *c, uint32_t value)
{
    return c->counts[value] / c->size - c->facts->overall[value] / (double)c->facts->n_records;
}

static double equal_distance(const comparison *c)
{
    double sum = 0;
    for (uint32_t v = 0; v < c->facts->n_values; v++)
        sum += fabs(surplus(c, v));
    return sum / 2;
}

/* What is carried from each value to the next. */
static double ordered_distance(const comparison *c)
{
    double sum = 0, carried = 0;
    for (uint32_t i = 0; i < c->facts->occurring; i++) {
        carried += surplus(c, c->facts->by_rank[i]);
        sum += fabs(carried);
    }
    return c->facts->occurring > 1 ? sum / (c->facts->occurring - 1) : 0;
}

/* The surplus of all values below a node. Adds to *cost what is moved between its children, and
 * between the children of all nodes below it. */
static double balance(const comparison *c, uint32_t node, double *cost)
{
    const tree *t = c->facts->tree;
    uint32_t level = t->level[node];
    if (level == 0) {
        uint32_t value = c->facts->value_of_leaf[node];
        return value == UINT32_MAX ? 0 : surplus(c, value);
    }
    double more = 0, less = 0;
    for (uint32_t leaf = t->first[node]; leaf < t->end[node];) {
        uint32_t child = tree_up(t, leaf, level - 1);
        double part = balance(c, child, cost);
        more += part > 0 ? part : 0;
        less -= part < 0 ? part : 0;
        leaf = t->end[child];
    }
    *cost += (double)level / (t->n_levels - 1) * fmin(more, less);
    return more - less;
}

static double hierarchical_distance(const comparison *c)
{
    double cost = 0;
    (void)balance(c, tree_root(c->facts->tree), &cost);
    return cost;
}

model_finding t_closeness_judge(const model_spec *model, const class_view *view)
{
    comparison c = {model->facts, criteria_histogram(model, view)->counts, view->size};
    double distance = model->variant == VARIANT_EQUAL     ? equal_distance(&c)
                      : model->variant == VARIANT_ORDERED ? ordered_distance(&c)
                                                          : hierarchical_distance(&c);
    model_finding f = criteria_at_most("distance from the whole table", distance, model->t);
    f.holds = distance <= model->t + MODEL_TOLERANCE;
    return f;
}

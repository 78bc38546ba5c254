#include "model/model_distance.h"

#include <math.h>

#include "core/check.h"

double model_distance(const model_facts *facts, model_variant variant, uint32_t a, uint32_t b)
{
    ASSERT(a < facts->n_values && b < facts->n_values);
    if (a == b)
        return 0;
    if (variant == VARIANT_ORDERED) {
        double apart = fabs((double)facts->rank[a] - (double)facts->rank[b]);
        return facts->occurring > 1 ? apart / (facts->occurring - 1) : 0;
    }
    if (variant == VARIANT_HIERARCHICAL) {
        const tree *t = facts->tree;
        return (double)t->level[tree_lca(t, facts->leaf_of[a], facts->leaf_of[b])] /
               (t->n_levels - 1);
    }
    return 1;
}

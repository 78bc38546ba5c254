/* Tree measure: how far up the hierarchy a released node stands, 0 for a leaf, 1 for the root. */
#include "measure/costs.h"

void height_costs(double *cost, const tree *t, const uint64_t *count)
{
    (void)count;
    double height = t->n_levels > 1 ? (double)t->n_levels - 1 : 1;
    for (uint32_t node = 0; node < t->n_nodes; node++)
        cost[node] = (double)t->level[node] / height;
}

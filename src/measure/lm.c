/* Loss metric (SEQ eq. 3): the share of the domain that a released node hides. */
#include "measure/costs.h"

void lm_costs(double *cost, const tree *t, const uint64_t *count)
{
    (void)count;
    double others = t->n_leaves > 1 ? (double)t->n_leaves - 1 : 1;
    for (uint32_t node = 0; node < t->n_nodes; node++)
        cost[node] = ((double)tree_size(t, node) - 1) / others;
}

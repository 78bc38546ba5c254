/* Loss as ARX 3.9 counts it: the share of the domain that a value hides, where the domain is the
 * rows of the hierarchy's file and a suppressed cell hides all of it; attributes are put together
 * by the geometric mean of (share + 1), minus 1. */
#include <math.h>

#include "measure/costs.h"
#include "measure/losses.h"

void arx_loss_costs(double *cost, const tree *t, uint64_t n_rows)
{
    double others = n_rows > 1 ? (double)n_rows - 1 : 1;
    for (uint32_t node = 0; node < t->n_nodes; node++)
        cost[node] = fmin(((double)tree_size(t, node) - 1) / others, 1);
    cost[tree_root(t)] = t->n_leaves > 1 || n_rows > 1 ? 1 : 0;
}

double arx_loss_aggregate(const loss_cells *attributes, uint32_t n_attributes)
{
    double sum = 0;
    for (uint32_t j = 0; j < n_attributes; j++)
        sum += log1p(attributes[j].arx);
    return n_attributes > 0 ? expm1(sum / n_attributes) : 0;
}

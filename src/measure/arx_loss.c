/* Loss as ARX 3.9 counts it: the share of the domain that a value hides, where the domain is the
 * rows of the hierarchy's file and a suppressed cell hides all of it; attributes are put together
 * by the geometric mean of (share + 1), minus 1. */
#include <math.h>

#include "measure/costs.h"
#include "measure/losses.h"

void arx_costs(double *cost, const tree *t, uint64_t rows)
{
    double others = rows > 1 ? (double)rows - 1 : 1;
    for (uint32_t node = 0; node < t->nodes; node++)
        cost[node] = fmin(((double)tree_size(t, node) - 1) / others, 1);
    cost[tree_root(t)] = t->leaves > 1 || rows > 1 ? 1 : 0;
}

double arx_aggregate(const loss_cells *attribute, uint32_t attributes)
{
    double sum = 0;
    for (uint32_t j = 0; j < attributes; j++)
        sum += log1p(attribute[j].arx);
    return attributes > 0 ? expm1(sum / attributes) : 0;
}

/* Non-uniform entropy (SEQ eq. 10): -log2 Pr(value | node). The node's part of it is the logarithm
 * of its count; the value's part is a constant of the record, which no search
 * can change. */
#include "measure/costs.h"

#include <math.h>

void entropy_costs(double *cost, const tree *t, const uint64_t *count)
{
    for (uint32_t node = 0; node < t->n_nodes; node++) {
        uint64_t total = 0;
        for (uint32_t leaf = t->first[node]; leaf < t->end[node]; leaf++)
            total += count[leaf];
        cost[node] = total > 1 ? log2((double)total) : 0;
    }
}

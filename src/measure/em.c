/* Entropy measure (Gionis and Tassa): bits needed to tell the value when only the node is known,
 * H(X | X in node). It is not monotone: a common value beside rare ones can make a parent cheaper
 * than its child. */
#include "measure/costs.h"

#include <math.h>

/* H = log2 N - (sum of c log2 c) / N over the leaves below the node. */
static double entropy_within(const uint64_t *count, uint32_t first, uint32_t end)
{
    double total = 0, weighted = 0;
    uint32_t n_kinds = 0;
    for (uint32_t leaf = first; leaf < end; leaf++) {
        if (count[leaf] == 0)
            continue;
        double c = (double)count[leaf];
        total += c;
        weighted += c * log2(c);
        n_kinds++;
    }
    return n_kinds < 2 ? 0 : log2(total) - weighted / total;
}

void em_costs(double *cost, const tree *t, const uint64_t *count)
{
    for (uint32_t node = 0; node < t->n_nodes; node++)
        cost[node] = entropy_within(count, t->first[node], t->end[node]);
}

/* The additive measures. */
#include "measure/costs.h"

#include <math.h>

#include "core/error.h"

/* Loss metric (SEQ eq. 3): the share of the domain that a released node hides. */
void lm_costs(double *cost, const tree *t, const uint64_t *count)
{
    (void)count;
    double others = t->n_leaves > 1 ? (double)t->n_leaves - 1 : 1;
    for (uint32_t node = 0; node < t->n_nodes; node++)
        cost[node] = ((double)tree_size(t, node) - 1) / others;
}

/* Entropy measure (Gionis and Tassa): bits needed to tell the value when only the node is known,
 * H(X | X in node). It is not monotone: a common value beside rare ones can make a parent cheaper
 * than its child.
 *
 * H = log2 N - (sum of c log2 c) / N over the leaves below the node. */
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

/* Non-uniform entropy (SEQ eq. 10): -log2 Pr(value | node). The node's part of it is the logarithm
 * of its count; the value's part is a constant of the record, which no search can change. */
void entropy_costs(double *cost, const tree *t, const uint64_t *count)
{
    for (uint32_t node = 0; node < t->n_nodes; node++) {
        uint64_t total = 0;
        for (uint32_t leaf = t->first[node]; leaf < t->end[node]; leaf++)
            total += count[leaf];
        cost[node] = total > 1 ? log2((double)total) : 0;
    }
}

/* Tree measure: how far up the hierarchy a released node stands, 0 for a leaf, 1 for the root. */
void height_costs(double *cost, const tree *t, const uint64_t *count)
{
    (void)count;
    double height = t->n_levels > 1 ? (double)t->n_levels - 1 : 1;
    for (uint32_t node = 0; node < t->n_nodes; node++)
        cost[node] = (double)t->level[node] / height;
}

/* Loss as ARX 3.9 counts it: the share of the domain that a value hides, where the domain is the
 * rows of the hierarchy's file and a suppressed cell hides all of it. */
void arx_loss_costs(double *cost, const tree *t, uint64_t n_rows)
{
    double others = n_rows > 1 ? (double)n_rows - 1 : 1;
    for (uint32_t node = 0; node < t->n_nodes; node++)
        cost[node] = fmin(((double)tree_size(t, node) - 1) / others, 1);
    cost[tree_root(t)] = t->n_leaves > 1 || n_rows > 1 ? 1 : 0;
}

/* Weighted mutual information (SEQ 8.4): w of what the release tells about the original table, 1 -
 * w of what it tells about the sensitive attribute. */
kith_status wmi_costs(double *cost, const sensitive_input *in, arena *memory, kith_error *error)
{
    const tree *t = in->tree;
    uint64_t *count = TRY_ZEROS(count, memory, t->n_leaves, error);
    double *mi = TRY_ARRAY(mi, memory, t->n_nodes, error);
    for (uint32_t i = 0; i < in->n_records; i++)
        if (in->cells[i] < t->n_leaves)
            count[in->cells[i]]++;
    entropy_costs(mi, t, count);
    TRY(pmi_costs(cost, in, memory, error));
    for (uint32_t node = 0; node < t->n_nodes; node++)
        for (uint32_t y = 0; y < in->distinct; y++) {
            double *c = &cost[(size_t)node * in->distinct + y];
            *c = in->w * mi[node] + (1 - in->w) * *c;
        }
    return KITH_OK;
}

/* Weighted mutual information (SEQ 8.4): w of what the release tells about the original table, 1 -
 * w of what it tells about the sensitive attribute. */
#include "core/error.h"
#include "measure/costs.h"

kith_status wmi_costs(double *cost, const sensitive_input *in, arena *memory, kith_error *error)
{
    const tree *t = in->tree;
    uint64_t *count = TRY_ALLOC(arena_zalloc(memory, t->n_leaves, sizeof *count), error);
    double *mi = TRY_ALLOC(arena_array(memory, t->n_nodes, sizeof *mi), error);
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

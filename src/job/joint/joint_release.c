#include "job/joint/joint_release.h"

#include "core/check.h"
#include "core/error.h"
#include "table/table_order.h"

kith_status joint_release_sort(kith_table *release, kith_error *error)
{
    uint32_t *order;
    arena *scratch = TRY_ALLOC(arena_new(), error);
    kith_status status = table_order_by_cells(&order, release, scratch, error);
    if (status == KITH_OK)
        status = table_order_apply(release, order, error);
    arena_free(scratch);
    return status;
}

joint_release_loss joint_release_sum_loss(const problem *mine, uint32_t n_classes,
                                          const uint32_t *closure, const uint64_t *size)
{
    joint_release_loss sum = {0, 0};
    for (uint32_t c = 0; c < n_classes; c++)
        for (uint32_t a = 0; a < mine->n_attributes; a++) {
            const attribute *at = &mine->attributes[a];
            const uint32_t node = closure[(uint64_t)c * mine->n_attributes + a];
            ASSERT(size[c] > 0 && node < at->tree->n_nodes);
            if (at->tree->n_leaves > 1) /* with one leaf nothing can be lost */
                sum.lm += (double)size[c] * (tree_size(at->tree, node) - 1.0) /
                          (at->tree->n_leaves - 1.0);
            sum.weighted += (double)size[c] * at->cost[node];
        }
    return sum;
}

bool joint_release_loss_known(measure_id measure)
{
    return measure != MEASURE_ENTROPY && measure != MEASURE_MI;
}

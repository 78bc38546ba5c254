#include "job/joint/joint_release.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"

/* Dictionaries are sorted, so codes are in the order of the texts; a missing cell comes last. */
static int by_cells(const void *a, const void *b, void *user)
{
    const kith_table *t = user;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    for (uint32_t i = 0; i < t->n_columns; i++) {
        const uint32_t one = t->columns[i].codes[x], other = t->columns[i].codes[y];
        if (one != other)
            return one < other ? -1 : 1;
    }
    return 0;
}

kith_status joint_release_sort(kith_table *release, kith_error *error)
{
    const uint32_t n_rows = release->n_rows;
    uint32_t *order = calloc(n_rows + (size_t)1, 2 * sizeof *order);
    TRY_ALLOC(order, error);
    uint32_t *sorted = order + n_rows + 1;
    for (uint32_t i = 0; i < n_rows; i++)
        order[i] = i;
    qsort_r(order, n_rows, sizeof *order, by_cells, release);
    for (uint32_t c = 0; c < release->n_columns; c++) {
        uint32_t *codes = release->columns[c].codes;
        for (uint32_t i = 0; i < n_rows; i++)
            sorted[i] = codes[order[i]];
        memcpy(codes, sorted, n_rows * sizeof *codes);
    }
    free(order);
    return KITH_OK;
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

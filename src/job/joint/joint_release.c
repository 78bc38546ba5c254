#include "job/joint/joint_release.h"

#include <math.h>

#include "core/check.h"
#include "core/error.h"
#include "table/rows/table_order.h"
#include "wire/party_work.h"

enum { UNIT_BITS = 44 }; /* what is left of 63 is for the number of columns and their weights */

kith_status joint_release_sort(kith_table *release, kith_error *error)
{
    uint32_t *order;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    TRY(table_order_by_cells(&order, release, scratch, error));
    return table_order_apply(release, order, error);
}

typedef struct building {
    kith_table *made;
    joint_release_builder *build;
    const void *user;
} building;

static kith_status build_and_sort(void *user, kith_error *error)
{
    building *b = user;
    arena *memory = arena_new(), *scratch = arena_new();
    kith_status status = memory == NULL || scratch == NULL
                             ? error_nomem(error)
                             : b->build(b->user, &b->made, memory, scratch, error);
    arena_free(scratch);
    if (status == KITH_OK)
        status = joint_release_sort(b->made, error);
    if (status != KITH_OK) {
        arena_free(memory);
        b->made = NULL;
    }
    return status;
}

kith_status joint_release_build(kith_table **out, party *p, joint_release_builder *build,
                                const void *user, kith_error *error)
{
    building b = {NULL, build, user};
    const party_work_task task = {.work = build_and_sort, .user = &b};
    const kith_status status = party_work(p, &task, error);
    *out = b.made;
    return status;
}

/* What one cell with this node loses. */
static joint_release_loss cell_loss(const attribute *at, uint32_t node)
{
    ASSERT(node < at->tree->n_nodes);
    const double n_leaves = at->tree->n_leaves; /* with one leaf nothing can be lost */
    const double lm = n_leaves > 1 ? (tree_size(at->tree, node) - 1.0) / (n_leaves - 1.0) : 0;
    return (joint_release_loss){lm, at->cost[node]};
}

joint_release_loss joint_release_sum_loss(const problem *mine, uint32_t n_classes,
                                          const uint32_t *closure, const uint64_t *size)
{
    joint_release_loss sum = {0, 0};
    for (uint32_t c = 0; c < n_classes; c++)
        for (uint32_t a = 0; a < mine->n_attributes; a++) {
            const joint_release_loss cell =
                cell_loss(&mine->attributes[a], closure[(uint64_t)c * mine->n_attributes + a]);
            sum.lm += (double)size[c] * cell.lm;
            sum.weighted += (double)size[c] * cell.weighted;
        }
    return sum;
}

double joint_release_loss_units(uint64_t sums[2], const problem *mine, uint32_t n_classes,
                                const uint32_t *closure, const uint64_t *size)
{
    uint64_t records = 0;
    int bits;
    for (uint32_t c = 0; c < n_classes; c++)
        records += size[c];
    frexp((double)records, &bits);
    const double units = ldexp(1, UNIT_BITS - bits);
    sums[0] = sums[1] = 0;
    for (uint32_t c = 0; c < n_classes; c++)
        for (uint32_t a = 0; a < mine->n_attributes; a++) {
            const joint_release_loss cell =
                cell_loss(&mine->attributes[a], closure[(uint64_t)c * mine->n_attributes + a]);
            sums[0] += size[c] * (uint64_t)llrint(cell.lm * units);
            sums[1] += size[c] * (uint64_t)llrint(cell.weighted * units);
        }
    return units;
}

bool joint_release_loss_known(measure_id measure)
{
    return measure != MEASURE_ENTROPY && measure != MEASURE_MI;
}

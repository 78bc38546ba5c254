#include "search/cluster/merge_equal.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "search/cluster/agglomerative.h"

typedef struct closure_order {
    const uint32_t *closure;
    uint32_t n_attributes;
} closure_order;

static int by_closure(const void *a, const void *b, void *user)
{
    const closure_order *s = user;
    const uint32_t *x = s->closure + (size_t) * (const uint32_t *)a * s->n_attributes;
    const uint32_t *y = s->closure + (size_t) * (const uint32_t *)b * s->n_attributes;
    for (uint32_t j = 0; j < s->n_attributes; j++)
        if (x[j] != y[j])
            return x[j] < y[j] ? -1 : 1;
    return 0;
}

/* Gives classes with equal closures one number; true if there were any. */
static kith_status merge_equal_closures(partition *classes, const problem *p, arena *memory,
                                        bool *merged, kith_error *error)
{
    uint32_t *order = TRY_ALLOC(arena_array(memory, classes->n_classes, sizeof *order), error);
    uint32_t *first = TRY_ALLOC(arena_array(memory, classes->n_classes, sizeof *first), error);
    for (uint32_t c = 0; c < classes->n_classes; c++)
        order[c] = c;
    closure_order s = {classes->closure, p->n_attributes};
    qsort_r(order, classes->n_classes, sizeof *order, by_closure, &s);
    *merged = false;
    for (uint32_t i = 0; i < classes->n_classes; i++) {
        bool same = i > 0 && by_closure(&order[i - 1], &order[i], &s) == 0;
        first[order[i]] = same ? first[order[i - 1]] : order[i];
        *merged = *merged || same;
    }
    for (uint32_t i = 0; i < p->n_records; i++)
        classes->class_of[i] = first[classes->class_of[i]];
    return *merged ? partition_close(classes, p, memory, error) : KITH_OK;
}

kith_status merge_equal(partition *classes, const problem *p, context *c, kith_error *error)
{
    for (;;) {
        bool merged = false;
        uint32_t model = UINT32_MAX, class = UINT32_MAX;
        TRY(merge_equal_closures(classes, p, c->memory, &merged, error));
        /* Repairs may make further closures equal, hence the loop. */
        if (!merged || partition_holds(classes, p, c->memory, &model, &class))
            return KITH_OK;
        if (model == UINT32_MAX)
            return error_nomem(error);
        TRY(agglomerative_finish(classes, p, c, error));
    }
}

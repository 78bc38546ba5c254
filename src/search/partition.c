#include "search/partition.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/group_by_part.h"
#include "search/class_counts.h"

/* Numbers classes by first appearance, leaving out empty ones and suppressed records; number[class]
 * becomes the new number, or UINT32_MAX. */
static kith_status renumber(partition *p, uint32_t **number, const problem *q, arena *memory,
                            kith_error *error)
{
    uint32_t n_classes = 0;
    *number = TRY_ARRAY(*number, memory, p->n_classes, error);
    memset(*number, 0xFF, p->n_classes * sizeof **number);
    for (uint32_t i = 0; i < q->n_records; i++) {
        if (p->class_of[i] == PARTITION_SUPPRESSED)
            continue;
        ASSERT(p->class_of[i] < p->n_classes);
        uint32_t *n = &(*number)[p->class_of[i]];
        if (*n == UINT32_MAX)
            *n = n_classes++;
        p->class_of[i] = *n;
    }
    p->n_classes = n_classes;
    return KITH_OK;
}

kith_status partition_close(partition *p, const problem *q, arena *memory, kith_error *error)
{
    uint32_t *number;
    TRY(renumber(p, &number, q, memory, error));
    uint32_t r = q->n_attributes;
    p->closure = TRY_ARRAY(p->closure, memory, (size_t)p->n_classes * r, error);
    memset(p->closure, 0xFF, (size_t)p->n_classes * r * sizeof *p->closure);
    for (uint32_t j = 0; j < r; j++) {
        const attribute *a = &q->attributes[j];
        for (uint32_t i = 0; i < q->n_records; i++) {
            if (p->class_of[i] == PARTITION_SUPPRESSED)
                continue;
            uint32_t *node = &p->closure[(size_t)p->class_of[i] * r + j];
            *node = *node == UINT32_MAX ? a->cells[i] : tree_lca(a->tree, *node, a->cells[i]);
        }
    }
    CHECK(partition_check(p, q));
    return KITH_OK;
}

kith_status partition_number(partition *p, const problem *q, arena *memory, kith_error *error)
{
    uint32_t *number;
    const uint32_t n_before = p->n_classes, *before = p->closure;
    const size_t row = q->n_attributes;
    TRY(renumber(p, &number, q, memory, error));
    p->closure = TRY_ALLOC(arena_array(memory, p->n_classes * row, sizeof *before), error);
    for (uint32_t c = 0; c < n_before && row > 0; c++)
        if (number[c] != UINT32_MAX)
            memcpy(p->closure + number[c] * row, before + c * row, row * sizeof *before);
    if (p->id != NULL) {
        const uint64_t *id = p->id;
        p->id = TRY_ALLOC(arena_array(memory, p->n_classes, sizeof *id), error);
        for (uint32_t c = 0; c < n_before; c++)
            if (number[c] != UINT32_MAX)
                p->id[number[c]] = id[c];
    }
    arena_release(memory, number, n_before * sizeof *number);
    return KITH_OK;
}

kith_status partition_add(partition *to, const partition *part, const uint32_t *records, uint32_t n,
                          const problem *q, arena *memory, kith_error *error)
{
    const uint32_t first = to->n_classes;
    const size_t row = q->n_attributes;
    TRY_RESIZE(to->closure, memory, first * row, (first + part->n_classes) * row, error);
    if (part->n_classes > 0 && row > 0)
        memcpy(to->closure + first * row, part->closure,
               part->n_classes * row * sizeof *to->closure);
    if (part->id != NULL) {
        TRY_RESIZE(to->id, memory, first, first + part->n_classes, error);
        memcpy(to->id + first, part->id, part->n_classes * sizeof *to->id);
    }
    for (uint32_t i = 0; i < n; i++)
        to->class_of[records == NULL ? i : records[i]] = first + part->class_of[i];
    to->n_classes += part->n_classes;
    return KITH_OK;
}

static double cell_cost(const problem *q, uint32_t j, uint32_t node, uint32_t record)
{
    const attribute *a = &q->attributes[j];
    if (a->sensitive_cost == NULL)
        return a->cost[node];
    const sensitive_attribute *s = &q->sensitive[q->cost_sensitive];
    return a->sensitive_cost[(size_t)node * s->count + s->values[record]];
}

double partition_cost(const partition *p, const problem *q)
{
    double sum = 0;
    for (uint32_t i = 0; i < q->n_records; i++) {
        const uint32_t *closure = p->closure + (size_t)p->class_of[i] * q->n_attributes;
        for (uint32_t j = 0; j < q->n_attributes; j++)
            sum += cell_cost(q, j, closure[j], i);
    }
    return sum;
}

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

kith_status partition_unite_equal(partition *classes, const problem *p, arena *memory, bool *united,
                                  kith_error *error)
{
    uint32_t *order = TRY_ARRAY(order, memory, classes->n_classes, error);
    uint32_t *first = TRY_ARRAY(first, memory, classes->n_classes, error);
    for (uint32_t c = 0; c < classes->n_classes; c++)
        order[c] = c;
    closure_order s = {classes->closure, p->n_attributes};
    qsort_r(order, classes->n_classes, sizeof *order, by_closure, &s);
    *united = false;
    for (uint32_t i = 0; i < classes->n_classes; i++) {
        bool same = i > 0 && by_closure(&order[i - 1], &order[i], &s) == 0;
        first[order[i]] = same ? first[order[i - 1]] : order[i];
        *united = *united || same;
    }
    for (uint32_t i = 0; i < p->n_records; i++)
        if (classes->class_of[i] != PARTITION_SUPPRESSED)
            classes->class_of[i] = first[classes->class_of[i]];
    return *united ? partition_close(classes, p, memory, error) : KITH_OK;
}

bool partition_holds(const partition *p, const problem *q, arena *memory, uint32_t *model,
                     uint32_t *class)
{
    *model = *class = UINT32_MAX; /* stays if memory runs out, which must not look like a yes */
    uint32_t *start = arena_array(memory, (size_t)p->n_classes + 2, sizeof *start);
    uint32_t *order = arena_array(memory, q->n_records, sizeof *order);
    class_counts counts;
    if (start == NULL || order == NULL ||
        class_counts_init(&counts, q, NULL, memory, NULL) != KITH_OK)
        return false;
    group_by_part(order, start, p->class_of, p->n_classes, NULL, q->n_records);
    for (uint32_t c = 0; c < p->n_classes; c++) {
        const uint32_t *members = order + start[c], size = start[c + 1] - start[c];
        class_counts_add(&counts, members, size);
        const class_view view =
            class_counts_view(&counts, p->closure + (size_t)c * q->n_attributes, members, size);
        for (uint32_t m = 0; m < q->n_models; m++)
            if (!model_holds(&q->models[m], &view)) {
                *model = m;
                *class = c;
                return false;
            }
        class_counts_clear(&counts, members, size);
    }
    return true;
}

#if KITH_DEBUG
void partition_check(const partition *p, const problem *q)
{
    uint32_t n_seen = 0;
    for (uint32_t i = 0; i < q->n_records; i++) {
        uint32_t class = p->class_of[i];
        if (class == PARTITION_SUPPRESSED)
            continue;
        ASSERT(class < p->n_classes && class <= n_seen);
        n_seen += class == n_seen;
        for (uint32_t j = 0; j < q->n_attributes; j++)
            ASSERT(tree_covers(q->attributes[j].tree,
                               p->closure[(size_t) class * q->n_attributes + j],
                               q->attributes[j].cells[i]));
    }
    ASSERT(n_seen == p->n_classes);
}
#endif

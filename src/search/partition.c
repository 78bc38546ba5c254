#include "search/problem.h"

#include <string.h>

#include "core/error.h"

/* New number of each class in order of first appearance, UINT32_MAX for empty ones. */
static kith_status renumber(partition *p, const problem *q, arena *memory, kith_error *error)
{
    uint32_t *number = TRY_ALLOC(arena_array(memory, p->classes, sizeof *number), error);
    memset(number, 0xFF, p->classes * sizeof *number);
    uint32_t classes = 0;
    for (uint32_t i = 0; i < q->records; i++) {
        uint32_t *n = &number[p->class_of[i]];
        if (*n == UINT32_MAX)
            *n = classes++;
        p->class_of[i] = *n;
    }
    p->classes = classes;
    return KITH_OK;
}

kith_status partition_close(partition *p, const problem *q, arena *memory, kith_error *error)
{
    TRY(renumber(p, q, memory, error));
    uint32_t r = q->attributes;
    p->closure = TRY_ALLOC(arena_array(memory, (size_t)p->classes * r, sizeof *p->closure), error);
    memset(p->closure, 0xFF, (size_t)p->classes * r * sizeof *p->closure);
    for (uint32_t j = 0; j < r; j++) {
        const attribute *a = &q->attribute[j];
        for (uint32_t i = 0; i < q->records; i++) {
            uint32_t *node = &p->closure[(size_t)p->class_of[i] * r + j];
            *node = *node == UINT32_MAX ? a->cells[i] : tree_lca(a->tree, *node, a->cells[i]);
        }
    }
    return KITH_OK;
}

static double cell_cost(const problem *q, uint32_t j, uint32_t node, uint32_t record)
{
    const attribute *a = &q->attribute[j];
    if (a->secret_cost == NULL)
        return a->cost[node];
    const secret *s = &q->secret[q->cost_secret];
    return a->secret_cost[(size_t)node * s->count + s->values[record]];
}

double partition_cost(const partition *p, const problem *q)
{
    double sum = 0;
    for (uint32_t i = 0; i < q->records; i++) {
        const uint32_t *closure = p->closure + (size_t)p->class_of[i] * q->attributes;
        for (uint32_t j = 0; j < q->attributes; j++)
            sum += cell_cost(q, j, closure[j], i);
    }
    return sum;
}

/* Records in class order: class c has order[start[c]] … order[start[c + 1] - 1]. */
static bool group_records(const partition *p, const problem *q, arena *memory, uint32_t **starts,
                          uint32_t **orders)
{
    uint32_t *start = arena_zalloc(memory, (size_t)p->classes + 2, sizeof *start);
    uint32_t *order = arena_array(memory, q->records, sizeof *order);
    if (start == NULL || order == NULL)
        return false;
    for (uint32_t i = 0; i < q->records; i++)
        start[p->class_of[i] + 2]++;
    for (uint32_t c = 0; c < p->classes; c++)
        start[c + 2] += start[c + 1];
    for (uint32_t i = 0; i < q->records; i++)
        order[start[p->class_of[i] + 1]++] = i;
    *starts = start;
    *orders = order;
    return true;
}

static uint32_t **counts_new(const problem *q, histogram *view, arena *memory)
{
    uint32_t **counts = arena_array(memory, q->secrets, sizeof *counts);
    if (counts == NULL)
        return NULL;
    for (uint32_t s = 0; s < q->secrets; s++) {
        uint32_t values = q->secret[s].count;
        counts[s] = arena_zalloc(memory, values, sizeof **counts);
        if (counts[s] == NULL)
            return NULL;
        view[s] = (histogram){counts[s], values};
    }
    return counts;
}

static void count_members(uint32_t **counts, const problem *q, const uint32_t *members,
                          uint32_t size, bool clear)
{
    for (uint32_t s = 0; s < q->secrets; s++)
        for (uint32_t m = 0; m < size; m++) {
            uint32_t *count = &counts[s][q->secret[s].values[members[m]]];
            *count = clear ? 0 : *count + 1;
        }
}

bool partition_holds(const partition *p, const problem *q, arena *memory, uint32_t *model,
                     uint32_t *class)
{
    *model = *class = UINT32_MAX; /* out of memory is not a yes */
    uint32_t *start = NULL, *order = NULL;
    histogram *sensitive = arena_array(memory, q->secrets, sizeof *sensitive);
    if (sensitive == NULL || !group_records(p, q, memory, &start, &order))
        return false;
    uint32_t **counts = counts_new(q, sensitive, memory);
    if (counts == NULL)
        return false;
    for (uint32_t c = 0; c < p->classes; c++) {
        const uint32_t *members = order + start[c];
        class_view view = {.size = start[c + 1] - start[c],
                           .sensitive = sensitive,
                           .closure = p->closure + (size_t)c * q->attributes};
        count_members(counts, q, members, view.size, false);
        for (uint32_t m = 0; m < q->models; m++)
            if (!model_holds(&q->model[m], &view)) {
                *model = m;
                *class = c;
                return false;
            }
        count_members(counts, q, members, view.size, true);
    }
    return true;
}

/* k-map: at least k people of a population look like the records of a class. */
#include "model/k_map.h"

#include "core/check.h"
#include "core/error.h"
#include "model/criteria.h"

kith_status k_map_population_index(population *p, arena *memory, kith_error *error)
{
    const uint32_t **start = TRY_ARRAY(start, memory, p->n_attributes, error);
    const uint32_t **sorted = TRY_ARRAY(sorted, memory, p->n_attributes, error);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        /* Sorts the rows of a population by the first leaf below their node in one attribute. Rows
         * at the root are left out. */
        const tree *t = p->tree[j];
        uint32_t *first = TRY_ZEROS(first, memory, t->n_leaves + (size_t)2, error);
        uint32_t *rows = TRY_ARRAY(rows, memory, p->n_rows, error);
        const uint32_t *cell = p->cells + j;
        for (uint32_t row = 0; row < p->n_rows; row++, cell += p->n_attributes)
            if (*cell != tree_root(t))
                first[t->first[*cell] + 2]++;
        for (uint32_t leaf = 0; leaf < t->n_leaves; leaf++)
            first[leaf + 2] += first[leaf + 1];
        cell = p->cells + j;
        for (uint32_t row = 0; row < p->n_rows; row++, cell += p->n_attributes)
            if (*cell != tree_root(t))
                rows[first[t->first[*cell] + 1]++] = row;
        start[j] = first;
        sorted[j] = rows;
    }
    p->start = start;
    p->sorted = sorted;
    return KITH_OK;
}

static bool covers(const population *p, const uint32_t *closure, uint32_t row)
{
    const uint32_t *cells = p->cells + (uint64_t)row * p->n_attributes;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        if (!tree_covers(p->tree[j], closure[j], cells[j]))
            return false;
    return true;
}

/* The attribute that leaves the fewest candidate rows, sorted[…][*from … *to-1]; p->n_attributes if
 * all rows are candidates. */
static uint32_t most_selective(const population *p, const uint32_t *closure, uint32_t *from,
                               uint32_t *to)
{
    uint32_t best = p->n_attributes;
    *from = 0;
    *to = p->n_rows;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const tree *t = p->tree[j];
        if (closure[j] == tree_root(t))
            continue;
        uint32_t a = p->start[j][t->first[closure[j]]], b = p->start[j][t->end[closure[j]]];
        if (b - a < *to - *from) {
            best = j;
            *from = a;
            *to = b;
        }
    }
    return best;
}

/* Counts the people that a closure covers. Stops at `enough`. */
static uint64_t count_people(const population *p, const uint32_t *closure, uint64_t enough)
{
    ASSERT(p->start != NULL && p->sorted != NULL);
    uint32_t from, to, by = most_selective(p, closure, &from, &to);
    uint64_t people = 0;
    if (from == to)
        return 0;
    for (uint32_t i = from; i < to && people < enough; i++) {
        uint32_t row = by == p->n_attributes ? i : p->sorted[by][i];
        if (covers(p, closure, row))
            people += p->weight[row];
    }
    return people;
}

uint64_t k_map_population_covered(const population *p, const uint32_t *closure)
{
    return count_people(p, closure, UINT64_MAX);
}

bool k_map_population_reaches(const population *p, const uint32_t *closure, uint32_t k)
{
    return count_people(p, closure, k) >= k;
}

model_finding k_map_judge(const model_spec *model, const class_view *view)
{
    uint64_t people = k_map_population_covered(model->facts->population, view->closure);
    return criteria_at_least("records of the population", (double)people, model->k);
}

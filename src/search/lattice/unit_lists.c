#include "search/lattice/unit_lists.h"

#include <string.h>

#include "core/error.h"
#include "search/unit_tallies.h"

kith_status unit_lists_problem(const problem **listed, const problem *p, arena *memory,
                               kith_error *error)
{
    uint32_t *used, n = 0;
    *listed = p;
    if (p->unit == NULL)
        return KITH_OK;
    problem *own = TRY_ALLOC(arena_alloc(memory, sizeof *own), error);
    TRY(unit_order_used(&used, &n, p, memory, error));
    sensitive_attribute *lists = TRY_ARRAY(lists, memory, n + (size_t)1, error);
    for (uint32_t i = 0; i < n; i++) {
        const sensitive_attribute *s = &p->sensitive[used[i]];
        lists[i] = (sensitive_attribute){.values = s->pair, .count = s->n_pairs};
    }
    lists[n] = (sensitive_attribute){.values = p->unit, .count = p->n_units};
    *own = *p;
    own->n_sensitive = n + 1;
    own->sensitive = lists;
    *listed = own;
    return KITH_OK;
}

static kith_status init_list(unit_lists *u, uint32_t list, arena *memory, kith_error *error)
{
    const problem *p = u->problem;
    const uint32_t s = u->sensitive[list];
    const sensitive_attribute *a = &p->sensitive[s];
    u->shown[list] = TRY_ARRAY(u->shown[list], memory, a->count, error);
    u->units[s] = TRY_ZEROS(u->units[s], memory, a->count, error);
    u->rows[s] = TRY_ZEROS(u->rows[s], memory, a->count, error);
    u->histogram[s] = (histogram){u->units[s], a->count};
    pair_mark *pair = TRY_ZEROS(pair, memory, a->n_pairs, error);
    for (uint32_t i = 0; i < a->n_pairs; i++)
        pair[i].value = a->value_of_pair[i];
    u->pair[list] = pair;
    return KITH_OK;
}

kith_status unit_lists_init(unit_lists *u, const problem *p, arena *memory, kith_error *error)
{
    const uint32_t n = p->n_sensitive;
    *u = (unit_lists){.problem = p};
    TRY(unit_order_used(&u->sensitive, &u->n_lists, p, memory, error));
    u->unit = TRY_ZEROS(u->unit, memory, p->n_units, error);
    u->pair = TRY_ARRAY(u->pair, memory, u->n_lists, error);
    u->units = TRY_ZEROS(u->units, memory, n, error);
    u->rows = TRY_ZEROS(u->rows, memory, n, error);
    u->shown = TRY_ARRAY(u->shown, memory, u->n_lists, error);
    u->n_shown = TRY_ZEROS(u->n_shown, memory, u->n_lists, error);
    u->histogram = TRY_ZEROS(u->histogram, memory, n, error);
    u->most_shown = TRY_ZEROS(u->most_shown, memory, n, error);
    for (uint32_t list = 0; list < u->n_lists; list++)
        TRY(init_list(u, list, memory, error));
    return KITH_OK;
}

void unit_lists_begin(unit_lists *u)
{
    const problem *p = u->problem;
    for (uint32_t list = 0; list < u->n_lists; list++) {
        const uint32_t s = u->sensitive[list];
        for (uint32_t i = 0; i < u->n_shown[list]; i++)
            u->units[s][u->shown[list][i]] = u->rows[s][u->shown[list][i]] = 0;
        u->n_shown[list] = u->most_shown[s] = 0;
    }
    u->n_units = 0;
    u->found = (class_units){.most_shown = u->most_shown};
    if (++u->class != 0)
        return;
    u->class = 1; /* all numbers have been used */
    memset(u->unit, 0, p->n_units * sizeof *u->unit);
    for (uint32_t list = 0; list < u->n_lists; list++)
        for (uint32_t i = 0; i < p->sensitive[u->sensitive[list]].n_pairs; i++)
            u->pair[list][i].class = 0;
}

static inline void add_unit(unit_lists *u, uint32_t unit, uint32_t times)
{
    unit_mark *m = &u->unit[unit];
    u->n_units += m->class != u->class;
    m->n_records = m->class != u->class ? times : m->n_records + times;
    m->class = u->class;
    u->found.n_records += times;
    if (m->n_records > u->found.most_records)
        u->found.most_records = m->n_records;
}

static inline void add_pair(unit_lists *u, uint32_t list, pair_mark *m, uint32_t times)
{
    const uint32_t s = u->sensitive[list];
    uint32_t *rows = &u->rows[s][m->value];
    if (*rows == 0)
        u->shown[list][u->n_shown[list]++] = m->value;
    *rows += times;
    u->units[s][m->value] += m->class != u->class;
    m->class = u->class;
    if (*rows > u->most_shown[s])
        u->most_shown[s] = *rows;
}

static void add_tuple(unit_lists *u, const tuples *t, uint32_t tuple)
{
    const uint32_t units = u->n_lists;
    for (uint32_t e = t->first[units][tuple]; e < t->first[units][tuple + 1]; e++)
        add_unit(u, t->value[units][e], t->times[units][e]);
    for (uint32_t list = 0; list < u->n_lists; list++)
        for (uint32_t e = t->first[list][tuple]; e < t->first[list][tuple + 1]; e++)
            add_pair(u, list, &u->pair[list][t->value[list][e]], t->times[list][e]);
}

void unit_lists_add(unit_lists *u, const tuples *t, const uint32_t *tuple, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        add_tuple(u, t, tuple[i]);
}

class_view unit_lists_view(const unit_lists *u, const uint32_t *closure)
{
    return (class_view){
        .size = u->n_units, .sensitive = u->histogram, .closure = closure, .units = &u->found};
}

uint32_t unit_lists_count(unit_marks *m, const tuples *t, const uint32_t *tuple, uint32_t count,
                          uint32_t enough)
{
    const uint32_t units = t->n_sensitive - 1;
    uint32_t n_units = 0;
    for (uint32_t i = 0; i < count && n_units < enough; i++)
        for (uint32_t e = t->first[units][tuple[i]]; e < t->first[units][tuple[i] + 1]; e++)
            n_units += unit_marks_first(m, t->value[units][e]);
    return n_units;
}

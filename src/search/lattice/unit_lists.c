#include "search/lattice/unit_lists.h"

#include "core/error.h"

kith_status unit_lists_problem(const problem **listed, const problem *p, bool only_units,
                               arena *memory, kith_error *error)
{
    const uint32_t n = only_units ? 0 : p->n_sensitive;
    *listed = p;
    if (p->unit == NULL)
        return KITH_OK;
    problem *own = TRY_ALLOC(arena_alloc(memory, sizeof *own), error);
    sensitive_attribute *lists = TRY_ARRAY(lists, memory, n + (size_t)1, error);
    for (uint32_t s = 0; s < n; s++)
        lists[s] =
            (sensitive_attribute){.values = p->sensitive[s].pair, .count = p->sensitive[s].n_pairs};
    lists[n] = (sensitive_attribute){.values = p->unit, .count = p->n_units};
    *own = *p;
    own->n_sensitive = n + 1;
    own->sensitive = lists;
    *listed = own;
    return KITH_OK;
}

kith_status unit_lists_init(unit_lists *u, const problem *p, uint32_t **times, arena *memory,
                            kith_error *error)
{
    const uint32_t n = p->n_sensitive;
    *u = (unit_lists){.problem = p, .times = times};
    u->codes = TRY_ZEROS(u->codes, memory, n + (size_t)1, error);
    u->n_codes = TRY_ZEROS(u->n_codes, memory, n + (size_t)1, error);
    u->units = TRY_ARRAY(u->units, memory, n, error);
    u->rows = TRY_ARRAY(u->rows, memory, n, error);
    u->histogram = TRY_ARRAY(u->histogram, memory, n, error);
    u->most_shown = TRY_ZEROS(u->most_shown, memory, n, error);
    for (uint32_t s = 0; s < n; s++) {
        const uint32_t n_values = p->sensitive[s].count;
        u->units[s] = TRY_ALLOC(arena_zalloc(memory, n_values, sizeof **u->units), error);
        u->rows[s] = TRY_ALLOC(arena_zalloc(memory, n_values, sizeof **u->rows), error);
        u->histogram[s] = (histogram){u->units[s], n_values};
    }
    return KITH_OK;
}

class_view unit_lists_view(unit_lists *u, uint32_t size, const uint32_t *closure)
{
    const uint32_t n = u->problem->n_sensitive;
    u->found = (class_units){.n_records = size, .most_shown = u->most_shown};
    for (uint32_t e = 0; e < u->n_codes[n]; e++) {
        const uint32_t own = u->times[n][u->codes[n][e]];
        u->found.most_records = own > u->found.most_records ? own : u->found.most_records;
    }
    for (uint32_t s = 0; s < n; s++) {
        u->most_shown[s] = 0;
        for (uint32_t e = 0; e < u->n_codes[s]; e++) {
            const uint32_t code = u->codes[s][e], v = u->problem->sensitive[s].value_of_pair[code];
            u->units[s][v]++;
            u->rows[s][v] += u->times[s][code];
            u->most_shown[s] = u->rows[s][v] > u->most_shown[s] ? u->rows[s][v] : u->most_shown[s];
        }
    }
    return (class_view){
        .size = u->n_codes[n], .sensitive = u->histogram, .closure = closure, .units = &u->found};
}

void unit_lists_clear(unit_lists *u)
{
    for (uint32_t s = 0; s < u->problem->n_sensitive; s++)
        for (uint32_t e = 0; e < u->n_codes[s]; e++) {
            const uint32_t v = u->problem->sensitive[s].value_of_pair[u->codes[s][e]];
            u->units[s][v] = u->rows[s][v] = 0;
        }
}

uint32_t unit_lists_count(unit_marks *m, const tuples *t, const uint32_t *tuple, uint32_t count,
                          uint32_t enough)
{
    uint32_t n_units = 0;
    for (uint32_t i = 0; i < count && n_units < enough; i++)
        for (uint32_t e = t->first[0][tuple[i]]; e < t->first[0][tuple[i] + 1]; e++)
            n_units += unit_marks_first(m, t->value[0][e]);
    return n_units;
}

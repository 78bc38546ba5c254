#include "search/class_counts.h"

#include "core/check.h"

kith_status class_counts_init(class_counts *c, const problem *p, const bool *uses, arena *memory,
                              kith_error *error)
{
    const uint32_t n = p->n_sensitive;
    *c = (class_counts){.problem = p};
    c->counts = TRY_ZEROS(c->counts, memory, n, error);
    c->histogram = TRY_ZEROS(c->histogram, memory, n, error);
    if (p->unit != NULL) {
        c->of_unit = TRY_ZEROS(c->of_unit, memory, p->n_units, error);
        c->of_pair = TRY_ZEROS(c->of_pair, memory, n, error);
        c->shown = TRY_ZEROS(c->shown, memory, n, error);
        c->most_shown = TRY_ZEROS(c->most_shown, memory, n, error);
        c->n_most_shown = TRY_ZEROS(c->n_most_shown, memory, n, error);
        c->less_shown = TRY_ZEROS(c->less_shown, memory, n, error);
    }
    for (uint32_t s = 0; s < n; s++)
        if (uses == NULL || uses[s]) {
            /* What is counted of one sensitive attribute. */
            const sensitive_attribute *a = &c->problem->sensitive[s];
            c->counts[s] = TRY_ALLOC(arena_zalloc(memory, a->count, sizeof **c->counts), error);
            c->histogram[s] = (histogram){c->counts[s], a->count};
            if (c->problem->unit != NULL) {
                c->of_pair[s] =
                    TRY_ALLOC(arena_zalloc(memory, a->n_pairs, sizeof **c->of_pair), error);
                c->shown[s] = TRY_ALLOC(arena_zalloc(memory, a->count, sizeof **c->shown), error);
            }
        }
    return KITH_OK;
}

/* A unit counts once, and once for each of its values. */
static void add_of_unit(class_counts *c, uint32_t record, uint32_t times)
{
    const problem *p = c->problem;
    uint32_t *own = &c->of_unit[p->unit[record]];
    c->n_units += *own == 0;
    *own += times;
    c->n_units -= *own == 0;
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        const sensitive_attribute *a = &p->sensitive[s];
        if (c->counts[s] == NULL)
            continue;
        own = &c->of_pair[s][a->pair[record]];
        c->counts[s][a->values[record]] += *own == 0;
        *own += times;
        c->counts[s][a->values[record]] -= *own == 0;
        c->shown[s][a->values[record]] += times;
    }
}

/* Adds a record so many times: UINT32_MAX, which is -1 in this arithmetic, takes it out once. */
static void class_counts_add_times(class_counts *c, uint32_t record, uint32_t times)
{
    const problem *p = c->problem;
    c->n_records += times;
    if (p->unit != NULL)
        add_of_unit(c, record, times);
    for (uint32_t s = 0; s < p->n_sensitive && p->unit == NULL; s++)
        if (c->counts[s] != NULL)
            c->counts[s][p->sensitive[s].values[record]] += times;
}

void class_counts_add(class_counts *c, const uint32_t *members, uint32_t size)
{
    const uint32_t *weight = c->problem->weight;
    for (uint32_t m = 0; m < size; m++) {
        const uint32_t record = members == NULL ? m : members[m];
        class_counts_add_times(c, record, weight == NULL ? 1 : weight[record]);
    }
}

void class_counts_take_out(class_counts *c, uint32_t record)
{
    ASSERT(c->n_records > 0);
    class_counts_add_times(c, record, UINT32_MAX);
}

void class_counts_put_back(class_counts *c, uint32_t record)
{
    class_counts_add_times(c, record, 1);
}

void class_counts_clear(class_counts *c, const uint32_t *members, uint32_t size)
{
    const problem *p = c->problem;
    c->n_records = c->n_units = 0;
    for (uint32_t m = 0; m < size && p->unit != NULL; m++)
        c->of_unit[p->unit[members == NULL ? m : members[m]]] = 0;
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        const sensitive_attribute *a = &p->sensitive[s];
        for (uint32_t m = 0; m < size && c->counts[s] != NULL; m++) {
            const uint32_t record = members == NULL ? m : members[m];
            c->counts[s][a->values[record]] = 0;
            if (p->unit != NULL)
                c->of_pair[s][a->pair[record]] = c->shown[s][a->values[record]] = 0;
        }
    }
}

/* The largest numbers of records of one unit, and with one value, and how many have them: each of
 * their records is one of so many. */
static void find_most(class_counts *c, const uint32_t *members, uint32_t size)
{
    const problem *p = c->problem;
    uint32_t most = 0, n = 0;
    for (uint32_t m = 0; m < size; m++) {
        const uint32_t own = c->of_unit[p->unit[members == NULL ? m : members[m]]];
        n = own > most ? 1 : n + (own == most);
        most = own > most ? own : most;
    }
    c->n_most = most == 0 ? 0 : n / most;
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        c->most_shown[s] = n = 0;
        for (uint32_t m = 0; m < size && c->counts[s] != NULL; m++) {
            const uint32_t own =
                c->shown[s][p->sensitive[s].values[members == NULL ? m : members[m]]];
            n = own > c->most_shown[s] ? 1 : n + (own == c->most_shown[s]);
            c->most_shown[s] = own > c->most_shown[s] ? own : c->most_shown[s];
        }
        c->n_most_shown[s] = c->most_shown[s] == 0 ? 0 : n / c->most_shown[s];
    }
    c->units = (class_units){c->n_records, most, c->most_shown};
}

class_view class_counts_view(class_counts *c, const uint32_t *closure, const uint32_t *members,
                             uint32_t size)
{
    class_view view = {.size = c->n_records, .sensitive = c->histogram, .closure = closure};
    if (c->problem->unit == NULL)
        return view;
    find_most(c, members, size);
    view.size = c->n_units;
    view.units = &c->units;
    return view;
}

/* Is one less than the largest number now the largest? */
static uint32_t largest_left(uint32_t most, uint32_t n_most, uint32_t own)
{
    return n_most == 1 && own + 1 == most ? most - 1 : most;
}

class_view class_counts_view_less(class_counts *c, const uint32_t *closure, class_units *less,
                                  uint32_t record)
{
    const problem *p = c->problem;
    class_view view = {.size = c->n_records, .sensitive = c->histogram, .closure = closure};
    if (p->unit == NULL)
        return view;
    ASSERT(p->weight == NULL && c->n_records + 1 == c->units.n_records);
    for (uint32_t s = 0; s < p->n_sensitive; s++)
        if (c->counts[s] != NULL)
            c->less_shown[s] = largest_left(c->most_shown[s], c->n_most_shown[s],
                                            c->shown[s][p->sensitive[s].values[record]]);
    *less = (class_units){
        c->n_records, largest_left(c->units.most_records, c->n_most, c->of_unit[p->unit[record]]),
        c->less_shown};
    view.size = c->n_units;
    view.units = less;
    return view;
}

#if KITH_DEBUG
void class_counts_check(const class_counts *c)
{
    const problem *p = c->problem;
    ASSERT(c->n_records == 0 && c->n_units == 0);
    for (uint32_t u = 0; p->unit != NULL && u < p->n_units; u++)
        ASSERT(c->of_unit[u] == 0);
    for (uint32_t s = 0; s < p->n_sensitive; s++)
        for (uint32_t v = 0; c->counts[s] != NULL && v < p->sensitive[s].count; v++)
            ASSERT(c->counts[s][v] == 0 && (p->unit == NULL || c->shown[s][v] == 0));
}
#endif

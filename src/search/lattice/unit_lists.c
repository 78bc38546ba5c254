#include "search/lattice/unit_lists.h"

#include <string.h>

#include "core/error.h"

/* The sensitive attributes that models look at. */
static kith_status find_used(uint32_t **used, uint32_t *n_used, const problem *p, arena *memory,
                             kith_error *error)
{
    *used = TRY_ARRAY(*used, memory, p->n_sensitive, error);
    *n_used = 0;
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        bool looks = false;
        for (uint32_t m = 0; m < p->n_models && !looks; m++)
            looks = model_looks_at_values(&p->models[m]) && p->models[m].sensitive == s;
        if (looks)
            (*used)[(*n_used)++] = s;
    }
    return KITH_OK;
}

kith_status unit_lists_problem(const problem **listed, const problem *p, arena *memory,
                               kith_error *error)
{
    uint32_t *used, n = 0;
    *listed = p;
    if (p->unit == NULL)
        return KITH_OK;
    problem *own = TRY_ALLOC(arena_alloc(memory, sizeof *own), error);
    TRY(find_used(&used, &n, p, memory, error));
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
    if (!u->ever_sure)
        return KITH_OK;
    u->values_of[list] = TRY_ZEROS(u->values_of[list], memory, p->n_units, error);
    for (uint32_t i = 0; i < p->n_records; i++)
        u->values_of[list][p->unit[i]] |= UINT64_C(1) << a->values[i];
    return KITH_OK;
}

/* Can a look at some records of a class tell that the models hold? Where shares are judged, all
 * records count. */
static bool may_be_sure(const problem *p)
{
    for (uint32_t m = 0; m < p->n_models; m++) {
        const model_spec *model = &p->models[m];
        const bool distinct = model->variant == VARIANT_DISTINCT || model->id == MODEL_P_SENSITIVE;
        if (distinct ? p->sensitive[model->sensitive].count > 64
                     : model->id != MODEL_K_ANONYMITY && model->id != MODEL_DOMINANCE)
            return false;
    }
    return true;
}

kith_status unit_lists_init(unit_lists *u, const problem *p, bool whole, arena *memory,
                            kith_error *error)
{
    const uint32_t n = p->n_sensitive;
    *u = (unit_lists){.problem = p};
    TRY(find_used(&u->sensitive, &u->n_lists, p, memory, error));
    u->unit = TRY_ZEROS(u->unit, memory, p->n_units, error);
    u->pair = TRY_ARRAY(u->pair, memory, u->n_lists, error);
    u->units = TRY_ZEROS(u->units, memory, n, error);
    u->rows = TRY_ZEROS(u->rows, memory, n, error);
    u->shown = TRY_ARRAY(u->shown, memory, u->n_lists, error);
    u->n_shown = TRY_ZEROS(u->n_shown, memory, u->n_lists, error);
    u->histogram = TRY_ZEROS(u->histogram, memory, n, error);
    u->most_shown = TRY_ZEROS(u->most_shown, memory, n, error);
    u->values_of = TRY_ZEROS(u->values_of, memory, u->n_lists, error);
    u->common = TRY_ZEROS(u->common, memory, u->n_lists, error);
    u->ever_sure = whole && p->weight == NULL && may_be_sure(p);
    for (uint32_t i = 0; i < p->n_records; i++) {
        const uint32_t own = ++u->unit[p->unit[i]].n_records;
        u->max_records = own > u->max_records ? own : u->max_records;
    }
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
        u->common[list] = UINT64_MAX;
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

/* No value is certain of any unit, whichever records follow: no unit has more records in the table
 * than there are without the value, and of the units seen one has no record with it anywhere. */
static bool surely_uncertain(const unit_lists *u, uint32_t list)
{
    return u->found.n_records - u->most_shown[u->sensitive[list]] >= u->max_records &&
           u->common[list] == 0;
}

static bool surely_holds(const unit_lists *u, const model_spec *m, uint32_t size)
{
    uint32_t list = 0;
    if (m->id == MODEL_DOMINANCE)
        return (double)u->max_records / size <= m->share;
    if (u->n_units < m->k)
        return false;
    if (m->id == MODEL_K_ANONYMITY)
        return true;
    while (u->sensitive[list] != m->sensitive)
        list++;
    return u->n_shown[list] >= (m->id == MODEL_P_SENSITIVE ? m->p : m->l) &&
           surely_uncertain(u, list);
}

static bool is_sure(const unit_lists *u, uint32_t size)
{
    for (uint32_t m = 0; m < u->problem->n_models; m++)
        if (!surely_holds(u, &u->problem->models[m], size))
            return false;
    return true;
}

static void add_tuple(unit_lists *u, const tuples *t, uint32_t tuple)
{
    const uint32_t units = u->n_lists;
    for (uint32_t e = t->first[units][tuple]; e < t->first[units][tuple + 1]; e++) {
        const uint32_t unit = t->value[units][e];
        add_unit(u, unit, t->times[units][e]);
        for (uint32_t list = 0; list < u->n_lists && u->ever_sure; list++)
            u->common[list] &= u->values_of[list][unit];
    }
    for (uint32_t list = 0; list < u->n_lists; list++)
        for (uint32_t e = t->first[list][tuple]; e < t->first[list][tuple + 1]; e++)
            add_pair(u, list, &u->pair[list][t->value[list][e]], t->times[list][e]);
}

bool unit_lists_add(unit_lists *u, const tuples *t, const uint32_t *tuple, uint32_t count,
                    uint32_t size)
{
    for (uint32_t i = 0; i < count; i++) {
        add_tuple(u, t, tuple[i]);
        const bool looks = i > 1 && (i & (i + 1)) == 0; /* after 4, 8, 16, … of them */
        if (u->ever_sure && looks && is_sure(u, size))
            return true;
    }
    return false;
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

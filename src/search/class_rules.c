#include "search/class_rules.h"

#include <math.h>

#include "core/error.h"

/* The condition that a model adds to the size, which is watched by the search. */
static kith_status add_condition(admit *a, const model_spec *model, arena *memory,
                                 kith_error *error)
{
    model_spec *own = TRY_ALLOC(arena_alloc(memory, sizeof *own), error);
    *own = *model;
    if (model->id != MODEL_K_MAP)
        own->k = 0;
    a->condition[a->conditions++] = own;
    a->frequencies = a->frequencies && model->variant == VARIANT_FREQUENCY;
    if (!model_looks_at_values(model))
        return KITH_OK;
    a->looked_at[model->sensitive] = true;
    if (model->id == MODEL_M_INVARIANCE && model->facts->signature_start != NULL)
        a->looked_at[model->facts->signature] = true;
    return KITH_OK;
}

static kith_status make_counts(admit *a, arena *memory, kith_error *error)
{
    const problem *p = a->problem;
    uint32_t values = 1;
    for (uint32_t s = 0; s < p->secrets; s++) {
        if (!a->looked_at[s])
            continue;
        values = p->secret[s].count > values ? p->secret[s].count : values;
        a->counts[s] =
            TRY_ALLOC(arena_zalloc(memory, p->secret[s].count, sizeof **a->counts), error);
        a->histogram[s] = (histogram){a->counts[s], p->secret[s].count};
    }
    a->count = TRY_ALLOC(arena_zalloc(memory, values, sizeof *a->count), error);
    return KITH_OK;
}

kith_status admit_init(admit *a, const problem *p, arena *memory, kith_error *error)
{
    *a = (admit){.problem = p, .frequencies = true};
    a->closures = models_need_closure(p->model, p->models);
    a->condition = arena_array(memory, p->models, sizeof *a->condition);
    a->looked_at = arena_zalloc(memory, p->secrets, sizeof *a->looked_at);
    a->counts = arena_zalloc(memory, p->secrets, sizeof *a->counts);
    a->histogram = arena_zalloc(memory, p->secrets, sizeof *a->histogram);
    a->closure = arena_zalloc(memory, p->attributes, sizeof *a->closure);
    if (a->condition == NULL || a->looked_at == NULL || a->counts == NULL || a->histogram == NULL ||
        a->closure == NULL)
        return error_nomem(error);
    for (uint32_t m = 0; m < p->models; m++)
        if (p->model[m].id != MODEL_K_ANONYMITY)
            TRY(add_condition(a, &p->model[m], memory, error));
    return make_counts(a, memory, error);
}

/* size / largest count >= l, written as the model does, so that both round alike. */
static bool diverse(const model_spec *model, uint32_t size, uint32_t most)
{
    return most == 0 || (double)size / (double)most >= model->l;
}

/* Largest count of a value among the members without `leaver` (UINT32_MAX: nobody leaves). */
static uint32_t largest_count(const admit *a, const uint32_t *values, const uint32_t *members,
                              uint32_t size, uint32_t leaver)
{
    uint32_t most = 0;
    for (uint32_t m = 0; m < size; m++) {
        if (members[m] == leaver)
            continue;
        uint32_t count = ++a->count[values[members[m]]];
        most = count > most ? count : most;
    }
    for (uint32_t m = 0; m < size; m++)
        a->count[values[members[m]]] = 0;
    return most;
}

static const uint32_t *values_of(const admit *a, uint32_t condition)
{
    return a->problem->secret[a->condition[condition]->sensitive].values;
}

/* Counts the members and `joiner` up, but not `leaver`; or all back to zero. */
static void count_values(const admit *a, const uint32_t *members, uint32_t size, uint32_t leaver,
                         uint32_t joiner, bool clear)
{
    for (uint32_t s = 0; s < a->problem->secrets; s++) {
        const uint32_t *values = a->problem->secret[s].values;
        if (!a->looked_at[s])
            continue;
        for (uint32_t m = 0; m < size; m++) {
            uint32_t *count = &a->counts[s][values[members[m]]];
            *count = clear ? 0 : *count + (members[m] != leaver);
        }
        if (joiner != UINT32_MAX)
            a->counts[s][values[joiner]] = clear ? 0 : a->counts[s][values[joiner]] + 1;
    }
}

static void make_closure(const admit *a, const uint32_t *members, uint32_t size, uint32_t leaver,
                         uint32_t joiner)
{
    for (uint32_t j = 0; j < a->problem->attributes; j++) {
        const attribute *at = &a->problem->attribute[j];
        uint32_t node = joiner == UINT32_MAX ? UINT32_MAX : at->cells[joiner];
        for (uint32_t m = 0; m < size; m++)
            if (members[m] != leaver)
                node = node == UINT32_MAX ? at->cells[members[m]]
                                          : tree_lca(at->tree, node, at->cells[members[m]]);
        a->closure[j] = node;
    }
}

/* Asks all models about a class of `rest` records, at least one. */
static bool all_hold(const admit *a, const uint32_t *members, uint32_t size, uint32_t leaver,
                     uint32_t joiner, uint32_t rest)
{
    class_view view = {rest, a->histogram, a->closure};
    count_values(a, members, size, leaver, joiner, false);
    if (a->closures)
        make_closure(a, members, size, leaver, joiner);
    bool holds = true;
    for (uint32_t c = 0; c < a->conditions && holds; c++)
        holds = model_holds(a->condition[c], &view);
    count_values(a, members, size, leaver, joiner, true);
    return holds;
}

bool admit_class(const admit *a, const uint32_t *members, uint32_t size)
{
    if (!a->frequencies && size > 0)
        return all_hold(a, members, size, UINT32_MAX, UINT32_MAX, size);
    for (uint32_t c = 0; c < a->conditions; c++)
        if (!diverse(a->condition[c], size,
                     largest_count(a, values_of(a, c), members, size, UINT32_MAX)))
            return false;
    return true;
}

bool admit_leave(const admit *a, const uint32_t *members, uint32_t size, uint32_t record)
{
    if (!a->frequencies)
        return size <= 1 || all_hold(a, members, size, record, UINT32_MAX, size - 1);
    for (uint32_t c = 0; c < a->conditions; c++)
        if (!diverse(a->condition[c], size - 1,
                     largest_count(a, values_of(a, c), members, size, record)))
            return false;
    return true;
}

bool admit_join(const admit *a, const uint32_t *members, uint32_t size, uint32_t record)
{
    if (!a->frequencies)
        return all_hold(a, members, size, UINT32_MAX, record, size + 1);
    for (uint32_t c = 0; c < a->conditions; c++) {
        const uint32_t *values = values_of(a, c);
        uint32_t same = 1;
        for (uint32_t m = 0; m < size; m++)
            same += values[members[m]] == values[record];
        uint32_t most = largest_count(a, values, members, size, UINT32_MAX);
        if (!diverse(a->condition[c], size + 1, same > most ? same : most))
            return false;
    }
    return true;
}

bool admit_join_sound(const admit *a, const uint32_t *members, uint32_t size, uint32_t record)
{
    if (!a->frequencies)
        return admit_join(a, members, size, record);
    for (uint32_t c = 0; c < a->conditions; c++) {
        const model_spec *model = a->condition[c];
        const uint32_t *values = a->problem->secret[model->sensitive].values;
        uint32_t value = values[record], same = 1;
        for (uint32_t m = 0; m < size; m++)
            same += values[members[m]] == value;
        if (!diverse(model, size + 1, same))
            return false;
    }
    return true;
}

uint32_t admit_minimum_size(const problem *p)
{
    uint32_t least = p->k;
    for (uint32_t m = 0; m < p->models; m++) {
        uint32_t own = model_minimum_size(&p->model[m]);
        least = own > least ? own : least;
    }
    return least < p->records ? least : p->records;
}

/* How much better than needed the whole table is; 1 where a class should be like the table. */
static double room(const model_spec *model, const class_view *all)
{
    if (model->id == MODEL_T_CLOSENESS || model->id == MODEL_DELTA_DISCLOSURE ||
        model->id == MODEL_BETA_LIKENESS || model->id == MODEL_DELTA_PRESENCE)
        return 1;
    model_finding f = model_judge(model, all);
    return f.at_most ? f.needed / f.found : f.found / f.needed;
}

uint32_t admit_tightest_of(const admit *a, const class_view *all)
{
    uint32_t tightest = UINT32_MAX;
    double least_room = INFINITY;
    for (uint32_t c = 0; c < a->conditions; c++) {
        if (!model_looks_at_values(a->condition[c]))
            continue;
        double own = room(a->condition[c], all);
        if (own < least_room || tightest == UINT32_MAX) {
            least_room = own;
            tightest = a->condition[c]->sensitive;
        }
    }
    return tightest;
}

uint32_t admit_tightest(const admit *a)
{
    const problem *p = a->problem;
    class_view all = {p->records, a->histogram, NULL};
    for (uint32_t s = 0; s < p->secrets; s++)
        for (uint32_t i = 0; i < p->records && a->looked_at[s]; i++)
            a->counts[s][p->secret[s].values[i]]++;
    uint32_t tightest = admit_tightest_of(a, &all);
    for (uint32_t s = 0; s < p->secrets; s++)
        for (uint32_t i = 0; i < p->records && a->looked_at[s]; i++)
            a->counts[s][p->secret[s].values[i]] = 0;
    return tightest;
}

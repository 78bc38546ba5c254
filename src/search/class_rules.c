#include "search/class_rules.h"

#include <math.h>

#include "core/error.h"

/* Adds a model without its k, because the search watches the number of records; but that of units
 * is left to it, and the k of k-map counts people. */
static kith_status add_condition(class_rules *a, const model_spec *model, arena *memory,
                                 kith_error *error)
{
    model_spec *own = TRY_ALLOC(arena_alloc(memory, sizeof *own), error);
    *own = *model;
    if (model->id != MODEL_K_MAP && !a->by_units)
        own->k = 0;
    a->conditions[a->n_conditions++] = own;
    a->frequencies = a->frequencies && model->variant == VARIANT_FREQUENCY && !a->by_units;
    a->only_units = a->only_units && model->id == MODEL_K_ANONYMITY;
    a->grows = a->grows && model_monotone(model, true);
    if (!model_looks_at_values(model))
        return KITH_OK;
    a->uses_sensitive[model->sensitive] = true;
    if (model->id == MODEL_M_INVARIANCE && model->facts->signature_start != NULL)
        a->uses_sensitive[model->facts->signature] = true;
    return KITH_OK;
}

static kith_status init_rules(class_rules *a, const problem *p, bool any_size, arena *memory,
                              kith_error *error)
{
    *a = (class_rules){.problem = p, .frequencies = true, .grows = true};
    a->by_units = a->only_units = p->unit != NULL;
    a->closures = models_need_closure(p->models, p->n_models);
    a->conditions = TRY_ARRAY(a->conditions, memory, p->n_models, error);
    a->uses_sensitive = TRY_ZEROS(a->uses_sensitive, memory, p->n_sensitive, error);
    a->closure = TRY_ZEROS(a->closure, memory, p->n_attributes, error);
    for (uint32_t m = 0; m < p->n_models; m++) {
        const model_spec *model = &p->models[m];
        if (model->id == MODEL_K_ANONYMITY && (any_size || !a->by_units))
            continue;
        const uint32_t k = models_minimum_size(model, 1);
        a->k = k > a->k ? k : a->k;
        TRY(add_condition(a, model, memory, error));
    }
    /* Allocates the scratch for the sensitive attributes that conditions look at. */
    uint32_t n_values = a->by_units ? p->n_units : 1;
    for (uint32_t s = 0; s < p->n_sensitive; s++)
        if (a->uses_sensitive[s] && p->sensitive[s].count > n_values)
            n_values = p->sensitive[s].count;
    a->count = TRY_ZEROS(a->count, memory, n_values, error);
    a->counts = TRY_ALLOC(arena_alloc(memory, sizeof *a->counts), error);
    return class_counts_init(a->counts, p, a->uses_sensitive, memory, error);
}

kith_status class_rules_init(class_rules *a, const problem *p, arena *memory, kith_error *error)
{
    return init_rules(a, p, false, memory, error);
}

kith_status class_rules_init_any_size(class_rules *a, const problem *p, arena *memory,
                                      kith_error *error)
{
    return init_rules(a, p, true, memory, error);
}

kith_status class_rules_expect_large(class_rules *a, arena *memory, kith_error *error)
{
    return uncertain_values_init(&a->uncertain, a->problem, memory, error);
}

/* size / largest count >= l, computed as l_frequency_judge does, so that both round alike. */
static bool diverse(const model_spec *model, uint32_t size, uint32_t max_count)
{
    return max_count == 0 || (double)size / (double)max_count >= model->l;
}

/* Largest count of a value among the members without `leaver` (UINT32_MAX: all stay). */
static uint32_t max_count(const class_rules *a, const uint32_t *values, const uint32_t *members,
                          uint32_t size, uint32_t leaver)
{
    uint32_t max = 0;
    for (uint32_t m = 0; m < size; m++) {
        if (members[m] == leaver)
            continue;
        uint32_t count = ++a->count[values[members[m]]];
        max = count > max ? count : max;
    }
    for (uint32_t m = 0; m < size; m++)
        a->count[values[members[m]]] = 0;
    return max;
}

static const uint32_t *values_of(const class_rules *a, uint32_t condition)
{
    return a->problem->sensitive[a->conditions[condition]->sensitive].values;
}

bool class_rules_allow_view(const class_rules *a, const class_view *view)
{
    for (uint32_t c = 0; c < a->n_conditions; c++)
        if (!model_holds(a->conditions[c], view))
            return false;
    return true;
}

/* Have the members without `leaver` and with `joiner` at least k units? The marks are gone again
 * afterwards. */
static bool enough_units(const class_rules *a, const uint32_t *members, uint32_t size,
                         uint32_t leaver, uint32_t joiner)
{
    const uint32_t *unit = a->problem->unit, k = a->k;
    uint32_t n = joiner != UINT32_MAX, looked = 0;
    if (n > 0)
        a->count[unit[joiner]] = 1;
    for (; looked < size && n < k; looked++)
        if (members[looked] != leaver && a->count[unit[members[looked]]] == 0) {
            a->count[unit[members[looked]]] = 1;
            n++;
        }
    while (looked > 0)
        a->count[unit[members[--looked]]] = 0;
    if (joiner != UINT32_MAX)
        a->count[unit[joiner]] = 0;
    return n >= k;
}

/* Do all models hold for the members, of which there may be none, without `leaver` and with
 * `joiner`? */
static bool all_hold(const class_rules *a, const uint32_t *members, uint32_t size, uint32_t leaver,
                     uint32_t joiner)
{
    class_counts *counts = a->counts;
    if (a->by_units && !enough_units(a, members, size, leaver, joiner))
        return false;
    if (a->only_units)
        return true;
    if (a->uncertain != NULL && leaver == UINT32_MAX && joiner == UINT32_MAX &&
        uncertain_values_sure(a->uncertain, members, size))
        return true;
    class_counts_add(counts, members, size);
    if (joiner != UINT32_MAX)
        class_counts_add(counts, &joiner, 1);
    if (leaver != UINT32_MAX)
        class_counts_take_out(counts, leaver);
    if (a->closures) {
        /* The closure of the members and `joiner` without `leaver`. */
        for (uint32_t j = 0; j < a->problem->n_attributes; j++) {
            const attribute *at = &a->problem->attributes[j];
            uint32_t node = joiner == UINT32_MAX ? UINT32_MAX : at->cells[joiner];
            for (uint32_t m = 0; m < size; m++)
                if (members[m] != leaver)
                    node = node == UINT32_MAX ? at->cells[members[m]]
                                              : tree_lca(at->tree, node, at->cells[members[m]]);
            a->closure[j] = node;
        }
    }
    const class_view view = class_counts_view(counts, a->closure, members, size);
    const bool holds = class_rules_allow_view(a, &view);
    class_counts_clear(counts, members, size);
    if (joiner != UINT32_MAX)
        class_counts_clear(counts, &joiner, 1);
    return holds;
}

bool class_rules_allow(const class_rules *a, const uint32_t *members, uint32_t size)
{
    CHECK(class_rules_check(a));
    if (!a->frequencies && size > 0)
        return all_hold(a, members, size, UINT32_MAX, UINT32_MAX);
    for (uint32_t c = 0; c < a->n_conditions; c++)
        if (!diverse(a->conditions[c], size,
                     max_count(a, values_of(a, c), members, size, UINT32_MAX)))
            return false;
    return true;
}

#if KITH_DEBUG
static void check_member(const uint32_t *members, uint32_t size, uint32_t record)
{
    uint32_t m = 0;
    while (m < size && members[m] != record)
        m++;
    ASSERT(m < size);
}
#endif

bool class_rules_leave(const class_rules *a, const uint32_t *members, uint32_t size,
                       uint32_t record)
{
    CHECK(check_member(members, size, record));
    if (!a->frequencies)
        return size <= 1 || all_hold(a, members, size, record, UINT32_MAX);
    for (uint32_t c = 0; c < a->n_conditions; c++)
        if (!diverse(a->conditions[c], size - 1,
                     max_count(a, values_of(a, c), members, size, record)))
            return false;
    return true;
}

bool class_rules_join(const class_rules *a, const uint32_t *members, uint32_t size, uint32_t record)
{
    if (!a->frequencies)
        return all_hold(a, members, size, UINT32_MAX, record);
    for (uint32_t c = 0; c < a->n_conditions; c++) {
        const uint32_t *values = values_of(a, c);
        uint32_t same = 1;
        for (uint32_t m = 0; m < size; m++)
            same += values[members[m]] == values[record];
        uint32_t max = max_count(a, values, members, size, UINT32_MAX);
        if (!diverse(a->conditions[c], size + 1, same > max ? same : max))
            return false;
    }
    return true;
}

bool class_rules_join_valid(const class_rules *a, const uint32_t *members, uint32_t size,
                            uint32_t record)
{
    if (a->grows)
        return true;
    if (!a->frequencies)
        return class_rules_join(a, members, size, record);
    for (uint32_t c = 0; c < a->n_conditions; c++) {
        const model_spec *model = a->conditions[c];
        const uint32_t *values = a->problem->sensitive[model->sensitive].values;
        uint32_t value = values[record], same = 1;
        for (uint32_t m = 0; m < size; m++)
            same += values[members[m]] == value;
        if (!diverse(model, size + 1, same))
            return false;
    }
    return true;
}

uint32_t class_rules_min_size_of(const problem *p, uint64_t n_records)
{
    uint32_t min_size = p->k;
    for (uint32_t m = 0; m < p->n_models; m++) {
        uint32_t own = model_minimum_size(&p->models[m]);
        min_size = own > min_size ? own : min_size;
    }
    return min_size < n_records ? min_size : (uint32_t)n_records;
}

uint32_t class_rules_min_size(const problem *p)
{
    return class_rules_min_size_of(p, p->n_records);
}

/* By what factor the whole table is better than needed; 1 for models that ask a class to be like
 * the table. */
static double room(const model_spec *model, const class_view *all)
{
    if (model->id == MODEL_T_CLOSENESS || model->id == MODEL_DELTA_DISCLOSURE ||
        model->id == MODEL_BETA_LIKENESS || model->id == MODEL_DELTA_PRESENCE)
        return 1;
    model_finding f = model_judge(model, all);
    return f.at_most ? f.needed / f.found : f.found / f.needed;
}

uint32_t class_rules_tightest_of(const class_rules *a, const class_view *all)
{
    uint32_t tightest = UINT32_MAX;
    double min_room = INFINITY;
    for (uint32_t c = 0; c < a->n_conditions; c++) {
        if (!model_looks_at_values(a->conditions[c]))
            continue;
        double own = room(a->conditions[c], all);
        if (own < min_room || tightest == UINT32_MAX) {
            min_room = own;
            tightest = a->conditions[c]->sensitive;
        }
    }
    return tightest;
}

uint32_t class_rules_tightest(const class_rules *a)
{
    CHECK(class_rules_check(a));
    const problem *p = a->problem;
    class_counts_add(a->counts, NULL, p->n_records);
    const class_view all = class_counts_view(a->counts, NULL, NULL, p->n_records);
    const uint32_t tightest = class_rules_tightest_of(a, &all);
    class_counts_clear(a->counts, NULL, p->n_records);
    return tightest;
}

#if KITH_DEBUG
void class_rules_check(const class_rules *a)
{
    const problem *p = a->problem;
    CHECK(class_counts_check(a->counts));
    for (uint32_t s = 0; s < p->n_sensitive; s++)
        for (uint32_t v = 0; a->uses_sensitive[s] && v < p->sensitive[s].count; v++)
            ASSERT(a->count[v] == 0);
    for (uint32_t u = 0; a->by_units && u < p->n_units; u++)
        ASSERT(a->count[u] == 0);
}
#endif

/* Records that belong to units, persons who may have several: on small random tables every
 * algorithm returns classes that keep the models, judged by their definitions,
 * unit by unit; searches of the lattice find the best node there is, and none only where there is
 * none. Where values of several classes of a unit must be left, they are, but for searches that
 * recode globally. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "search/search.h"
#include "support/problems.h"

enum { RECORDS = 12, UNITS = 5, VALUES = 4, LEAVES = 6, ATTRIBUTES = 2 };

/* --- the definitions --- */

/* A set of records, as bits. */
typedef uint32_t set;

static uint32_t size_of(set records)
{
    return (uint32_t)__builtin_popcount(records);
}

static set records_of(const problem *p, set among, uint32_t unit)
{
    set own = 0;
    for (uint32_t i = 0; i < p->n_records; i++)
        own |= (among >> i & 1) != 0 && p->unit[i] == unit ? 1U << i : 0;
    return own;
}

static set records_with(const problem *p, set among, uint32_t value)
{
    set with = 0;
    for (uint32_t i = 0; i < p->n_records; i++)
        with |= (among >> i & 1) != 0 && p->sensitive[0].values[i] == value ? 1U << i : 0;
    return with;
}

static uint32_t n_units(const problem *p, set records)
{
    uint32_t n = 0;
    for (uint32_t u = 0; u < UNITS; u++)
        n += records_of(p, records, u) != 0;
    return n;
}

/* Is it certain for who knows how many records each unit has in the class, or sees that all units
 * have it, that a unit has a value? */
static bool certain(const problem *p, set class)
{
    for (uint32_t v = 0; v < VALUES; v++) {
        const set with = records_with(p, class, v);
        if (with != 0 && n_units(p, with) == n_units(p, class))
            return true;
        for (uint32_t u = 0; u < UNITS; u++)
            if (size_of(records_of(p, class, u)) > size_of(class) - size_of(with))
                return true;
    }
    return false;
}

static double share(const problem *p, set class, uint32_t value)
{
    return (double)n_units(p, records_with(p, class, value)) / n_units(p, class);
}

static uint32_t distinct(const problem *p, set class)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < VALUES; v++)
        n += records_with(p, class, v) != 0;
    return n;
}

static double highest_share(const problem *p, set class)
{
    double most = 0;
    for (uint32_t v = 0; v < VALUES; v++)
        most = fmax(most, share(p, class, v));
    return most;
}

/* Does each share of the class stay within `factor` of that in the table? */
static bool like_table(const problem *p, set class, double gain, double lost)
{
    const set all = (1U << p->n_records) - 1;
    for (uint32_t v = 0; v < VALUES; v++) {
        const double in_table = share(p, all, v), here = share(p, class, v);
        if (in_table > 0 && (here > in_table * gain + 1e-9 || here < in_table * lost - 1e-9))
            return false;
    }
    return true;
}

static bool keeps(const problem *p, const model_spec *m, set class)
{
    const bool enough = n_units(p, class) >= m->k;
    switch (m->id) {
    case MODEL_K_ANONYMITY: return enough;
    case MODEL_L_DIVERSITY:
        if (m->variant == VARIANT_DISTINCT)
            return distinct(p, class) >= m->l && (m->l <= 1 || !certain(p, class));
        return highest_share(p, class) <= 1 / m->l + 1e-9 && (m->l <= 1 || !certain(p, class));
    case MODEL_ALPHA_K:
        return enough && highest_share(p, class) <= m->alpha + 1e-9 &&
               (m->alpha >= 1 || !certain(p, class));
    case MODEL_P_SENSITIVE:
        return enough && distinct(p, class) >= m->p && (m->p <= 1 || !certain(p, class));
    case MODEL_DOMINANCE:
        for (uint32_t u = 0; u < UNITS; u++)
            if (size_of(records_of(p, class, u)) > m->share * size_of(class))
                return false;
        return true;
    case MODEL_BETA_LIKENESS: return like_table(p, class, 1 + m->beta, 0);
    default: fail_msg("no definition of %s", model_name(m->id)); return false;
    }
}

static bool keeps_all(const problem *p, set class)
{
    for (uint32_t m = 0; m < p->n_models; m++)
        if (!keeps(p, &p->models[m], class))
            return false;
    return true;
}

/* --- tables --- */

static void number_pairs(sensitive_attribute *s, const problem *p, arena *memory)
{
    uint32_t *pair = arena_array(memory, p->n_records, sizeof *pair);
    uint32_t *value_of = arena_array(memory, p->n_records, sizeof *value_of);
    uint32_t number[UNITS][VALUES];
    memset(number, 0xff, sizeof number);
    for (uint32_t i = 0; i < p->n_records; i++) {
        uint32_t *own = &number[p->unit[i]][s->values[i]];
        if (*own == UINT32_MAX) {
            value_of[s->n_pairs] = s->values[i];
            *own = s->n_pairs++;
        }
        pair[i] = *own;
    }
    s->pair = pair;
    s->value_of_pair = value_of;
}

static void bind(model_spec *m, const problem *p, arena *memory)
{
    model_facts *f = arena_zalloc(memory, 1, sizeof *f);
    uint32_t *overall = arena_zalloc(memory, VALUES, sizeof *overall);
    for (uint32_t i = 0; i < p->sensitive[0].n_pairs; i++)
        overall[p->sensitive[0].value_of_pair[i]]++;
    *f = (model_facts){.n_records = p->n_units, .n_values = VALUES, .overall = overall};
    for (uint32_t v = 0; v < VALUES; v++)
        f->occurring += overall[v] > 0;
    m->facts = f;
    m->by_units = true;
}

static model_spec draw_model(rng *r)
{
    const uint32_t k = 1 + rng_below(r, 3);
    switch (rng_below(r, 7)) {
    case 0:
        return (model_spec){
            .id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = 1 + rng_below(r, 5) * .5};
    case 1:
        return (model_spec){
            .id = MODEL_L_DIVERSITY, .variant = VARIANT_DISTINCT, .l = 1 + rng_below(r, 3)};
    case 2: return (model_spec){.id = MODEL_ALPHA_K, .k = k, .alpha = 0.4 + rng_below(r, 4) * .2};
    case 3: return (model_spec){.id = MODEL_P_SENSITIVE, .k = k, .p = 1 + rng_below(r, 3)};
    case 4:
        return (model_spec){
            .id = MODEL_BETA_LIKENESS, .variant = VARIANT_BASIC, .beta = 0.5 + rng_below(r, 4)};
    case 5: return (model_spec){.id = MODEL_DOMINANCE, .share = 0.25 + rng_below(r, 4) * .125};
    default: return (model_spec){.id = MODEL_K_ANONYMITY, .k = k};
    }
}

/* A table in which some unit has two records, with one or two models. */
static problem *draw(uint64_t seed, arena *memory)
{
    rng r;
    rng_init(&r, seed, 5);
    const problem_shape shape = {.n_records = UNITS + 1 + rng_below(&r, RECORDS - UNITS),
                                 .n_attributes = ATTRIBUTES,
                                 .n_leaves = LEAVES,
                                 .width = 2,
                                 .n_kinds = 3 + rng_below(&r, RECORDS),
                                 .n_sensitive = VALUES,
                                 .k = 1};
    problem *p = problems_random(memory, &shape, seed);
    uint32_t *unit = arena_array(memory, p->n_records, sizeof *unit);
    for (uint32_t i = 0; i < p->n_records; i++)
        unit[i] = i < UNITS ? i : rng_below(&r, 1 + rng_below(&r, UNITS));
    p->unit = unit;
    p->n_units = UNITS;
    sensitive_attribute *s = arena_zalloc(memory, 1, sizeof *s);
    *s = p->sensitive[0];
    const bool constant = rng_below(&r, 4) == 0;
    uint32_t *values = arena_array(memory, p->n_records, sizeof *values);
    for (uint32_t i = 0; i < p->n_records; i++)
        values[i] = s->values[constant ? unit[i] : i]; /* record u is of unit u */
    s->values = values;
    number_pairs(s, p, memory);
    if (constant) {
        uint32_t *common = arena_array(memory, 1, sizeof *common);
        *common = 2 + rng_below(&r, 2);
        p->common = common;
    }
    p->sensitive = s;
    model_spec *models = arena_zalloc(memory, 2, sizeof *models);
    models[0] = (model_spec){.id = MODEL_K_ANONYMITY, .k = 1 + rng_below(&r, 3)};
    models[1] = draw_model(&r);
    p->models = models;
    p->n_models = models[1].id == MODEL_K_ANONYMITY ? 1 : 2;
    for (uint32_t m = 0; m < p->n_models; m++)
        bind(&models[m], p, memory);
    p->k = models_minimum_size(models, p->n_models);
    if (rng_below(&r, 3) == 0)
        p->may_suppress = rng_below(&r, 4);
    return p;
}

/* --- judging what a search returns --- */

/* The records of a release that look like record i, which is not suppressed. */
static set class_of(const problem *p, const partition *found, uint32_t i)
{
    const uint32_t *own = found->closure + (size_t)found->class_of[i] * ATTRIBUTES;
    set class = 0;
    for (uint32_t o = 0; o < p->n_records; o++)
        if (found->class_of[o] != PARTITION_SUPPRESSED &&
            memcmp(found->closure + (size_t)found->class_of[o] * ATTRIBUTES, own,
                   ATTRIBUTES * sizeof *own) == 0)
            class |= 1U << o;
    return class;
}

/* What is left to who knows all classes of a unit, if it is in several. */
static void check_common(const problem *p, const partition *found, uint32_t unit, const char *name,
                         uint64_t seed)
{
    set first = 0;
    bool several = false, common[VALUES];
    uint32_t n_common = 0;
    memset(common, 1, sizeof common);
    for (uint32_t i = 0; i < p->n_records; i++) {
        if (p->unit[i] != unit || found->class_of[i] == PARTITION_SUPPRESSED)
            continue;
        const set class = class_of(p, found, i);
        several = several || (first != 0 && class != first);
        first = class;
        for (uint32_t v = 0; v < VALUES; v++)
            common[v] = common[v] && records_with(p, class, v) != 0;
    }
    for (uint32_t v = 0; v < VALUES; v++)
        n_common += common[v];
    if (several && n_common < p->common[0])
        fail_msg("%s, seed %llu: %u values are left of unit %u", name, (unsigned long long)seed,
                 n_common, unit);
}

/* The classes of a release: those with equal closures are one. Records that are suppressed are
 * none, and neither is a class that looks like them. */
static void check_release(const problem *p, const partition *found, const char *name, uint64_t seed)
{
    uint32_t n_suppressed = 0;
    for (uint32_t i = 0; i < p->n_records; i++) {
        if (found->class_of[i] == PARTITION_SUPPRESSED) {
            n_suppressed++;
            continue;
        }
        const set class = class_of(p, found, i);
        if (!keeps_all(p, class))
            fail_msg("%s, seed %llu: a class of %u records breaks a model", name,
                     (unsigned long long)seed, size_of(class));
    }
    assert_true(n_suppressed <= p->may_suppress);
    for (uint32_t unit = 0; unit < UNITS && p->common != NULL; unit++)
        check_common(p, found, unit, name, seed);
}

/* Cost of the node of the lattice at these levels, with all classes that break a model suppressed;
 * INFINITY if those are too many. */
static double node_cost(const problem *p, const uint32_t *levels)
{
    double cost = 0;
    uint32_t n_suppressed = 0;
    for (uint32_t i = 0; i < p->n_records; i++) {
        set class = 0;
        double own = 0, root = 0;
        for (uint32_t j = 0; j < ATTRIBUTES; j++) {
            const attribute *a = &p->attributes[j];
            own += a->cost[tree_up(a->tree, a->cells[i], levels[j])];
            root += a->cost[tree_root(a->tree)];
        }
        for (uint32_t o = 0; o < p->n_records; o++) {
            bool same = true;
            for (uint32_t j = 0; j < ATTRIBUTES; j++) {
                const attribute *a = &p->attributes[j];
                same = same && tree_up(a->tree, a->cells[o], levels[j]) ==
                                   tree_up(a->tree, a->cells[i], levels[j]);
            }
            class |= same ? 1U << o : 0;
        }
        const bool good = keeps_all(p, class);
        n_suppressed += !good;
        cost += good ? own : root;
    }
    return n_suppressed > p->may_suppress ? INFINITY : cost;
}

static double best_node(const problem *p)
{
    double best = INFINITY;
    uint32_t levels[ATTRIBUTES];
    for (levels[0] = 0; levels[0] < p->attributes[0].tree->n_levels; levels[0]++)
        for (levels[1] = 0; levels[1] < p->attributes[1].tree->n_levels; levels[1]++)
            best = fmin(best, node_cost(p, levels));
    return best;
}

static bool is_exact(const char *name)
{
    static const char *const exact[] = {"flash", "ola", "incognito", "breadth-first",
                                        "depth-first"};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        if (strcmp(name, exact[i]) == 0)
            return true;
    return false;
}

static double cost_found(const problem *p, const partition *found)
{
    double cost = 0;
    for (uint32_t i = 0; i < p->n_records; i++)
        for (uint32_t j = 0; j < ATTRIBUTES; j++) {
            const attribute *a = &p->attributes[j];
            cost += a->cost[found->class_of[i] == PARTITION_SUPPRESSED
                                ? tree_root(a->tree)
                                : found->closure[found->class_of[i] * ATTRIBUTES + j]];
        }
    return cost;
}

typedef struct tally {
    uint32_t found, infeasible, refused;
} tally;

static void run_one(const problem *p, const algorithm *a, uint64_t seed, tally *t)
{
    context c;
    search_result result;
    kith_error error = {0};
    /* Weave divides what is more than a few records, others do not look at the limit. */
    const search_spec spec = {.relaxed = seed % 2, .piece = seed % 3 == 0 ? 0 : 3 + seed % 4};
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1 + seed % 2, .seeded = true, .seed = seed);
    assert_int_equal(context_init(&c, &run, NULL), KITH_OK);
    const kith_status status = search_run(&result, a, p, &spec, &c, &error);
    t->found += status == KITH_OK;
    t->infeasible += status == KITH_INFEASIBLE;
    t->refused += status == KITH_INVALID;
    if (status == KITH_OK)
        check_release(p, &result.partition, a->name, seed);
    else if (status != KITH_INFEASIBLE && status != KITH_INVALID)
        fail_msg("%s, seed %llu: %s", a->name, (unsigned long long)seed, error.message);
    const set all = (1U << p->n_records) - 1;
    if (status == KITH_INFEASIBLE && !is_exact(a->name) && keeps_all(p, all))
        fail_msg("%s, seed %llu: one class would do: %s", a->name, (unsigned long long)seed,
                 error.message);
    if (is_exact(a->name)) {
        const double best = best_node(p);
        if ((status == KITH_OK) != isfinite(best) ||
            (status == KITH_OK && fabs(cost_found(p, &result.partition) - best) > 1e-6))
            fail_msg("%s, seed %llu: found %g, best %g", a->name, (unsigned long long)seed,
                     status == KITH_OK ? cost_found(p, &result.partition) : INFINITY, best);
    }
    context_wipe(&c);
}

static void small_tables_of_units_keep_their_models(void **state)
{
    (void)state;
    const char *full = getenv("KITH_EXHAUSTIVE");
    const uint64_t n = full != NULL && strcmp(full, "full") == 0 ? 20000 : 2500;
    for (uint32_t i = 0; search_at(i) != NULL; i++) {
        const algorithm *a = search_at(i);
        tally t = {0};
        for (uint64_t seed = 0; seed < n; seed++) {
            arena *memory = arena_new();
            const problem *p = draw(seed, memory);
            bool serves = a->global ? p->common == NULL : p->may_suppress == 0 || a->suppresses;
            for (uint32_t m = 0; m < p->n_models; m++)
                serves = serves && a->supports_model(&p->models[m]);
            if (serves)
                run_one(p, a, seed, &t);
            arena_free(memory);
        }
        print_message("%s: %u found, %u infeasible, %u refused\n", a->name, t.found, t.infeasible,
                      t.refused);
        assert_true(t.found > n / 20);
    }
}

/* --- what is certain, by all ways in which the released values may belong to the records --- */

static bool next_order(uint32_t *values, uint32_t n)
{
    uint32_t i = n - 1, j = n - 1;
    while (i > 0 && values[i - 1] >= values[i])
        i--;
    if (i == 0)
        return false;
    while (values[j] <= values[i - 1])
        j--;
    uint32_t t = values[i - 1];
    values[i - 1] = values[j];
    values[j] = t;
    for (j = n - 1; i < j; i++, j--) {
        t = values[i];
        values[i] = values[j];
        values[j] = t;
    }
    return true;
}

/* Has some unit a value in all worlds? The first `n` records are the class, units[] known. */
static bool certain_in_all_worlds(const uint32_t *unit, uint32_t *sorted, uint32_t n)
{
    bool always[UNITS][VALUES];
    memset(always, 1, sizeof always);
    do {
        bool has[UNITS][VALUES] = {{false}};
        for (uint32_t i = 0; i < n; i++)
            has[unit[i]][sorted[i]] = true;
        for (uint32_t u = 0; u < UNITS; u++)
            for (uint32_t v = 0; v < VALUES; v++)
                always[u][v] = always[u][v] && has[u][v];
    } while (next_order(sorted, n));
    for (uint32_t u = 0; u < UNITS; u++)
        for (uint32_t v = 0; v < VALUES; v++)
            if (always[u][v])
                return true;
    return false;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void no_value_is_certain_where_frequency_holds(void **state)
{
    (void)state;
    enum { CLASS = 8 };
    uint32_t n_good = 0, n_certain = 0;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        rng r;
        rng_init(&r, seed, 6);
        uint32_t n = 2 + rng_below(&r, CLASS - 1), unit[CLASS], value[CLASS], counts[VALUES] = {0};
        uint32_t of_unit[UNITS] = {0}, shown[VALUES] = {0}, size = 0, most = 0, most_shown = 0;
        bool pair[UNITS][VALUES] = {{false}};
        for (uint32_t i = 0; i < n; i++) {
            unit[i] = rng_below(&r, 1 + rng_below(&r, UNITS));
            value[i] = rng_below(&r, VALUES);
            size += of_unit[unit[i]]++ == 0;
            counts[value[i]] += !pair[unit[i]][value[i]];
            pair[unit[i]][value[i]] = true;
            shown[value[i]]++;
            most = of_unit[unit[i]] > most ? of_unit[unit[i]] : most;
            most_shown = shown[value[i]] > most_shown ? shown[value[i]] : most_shown;
        }
        const histogram h = {counts, VALUES};
        const class_units units = {n, most, &most_shown};
        const class_view view = {.size = size, .sensitive = &h, .units = &units};
        const model_spec m = {
            .id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = 1.01, .by_units = true};
        qsort(value, n, sizeof *value, ascending);
        const bool is_certain = certain_in_all_worlds(unit, value, n);
        n_certain += is_certain;
        n_good += model_holds(&m, &view);
        assert_false(is_certain && model_holds(&m, &view));
    }
    assert_true(n_good > 300 && n_certain > 300);
}

/* What docs/people.md says that no condition counts: units of 2, 2 and 3 records in a class that shows
 * three values in 2, 2 and 3 of them. Frequency holds, and nothing is certain as long as values may
 * differ by record. But where each unit has one value, the third has the third one in all worlds. */
static void constant_values_follow_from_numbers_of_rows(void **state)
{
    (void)state;
    const uint32_t unit[] = {0, 0, 1, 1, 2, 2, 2};
    uint32_t value[] = {0, 0, 1, 1, 2, 2, 2}, counts[] = {1, 1, 1}, most_shown = 3, n_worlds = 0;
    const histogram h = {counts, 3};
    const class_units units = {7, 3, &most_shown};
    const class_view view = {.size = 3, .sensitive = &h, .units = &units};
    const model_spec m = {
        .id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = 3, .by_units = true};
    assert_true(model_holds(&m, &view));
    do {
        bool constant = true;
        for (uint32_t i = 1; i < 7; i++)
            constant = constant && (unit[i] != unit[i - 1] || value[i] == value[i - 1]);
        n_worlds += constant;
        assert_true(!constant || value[6] == 2);
    } while (next_order(value, 7));
    assert_int_equal(n_worlds, 2);
    qsort(value, 7, sizeof *value, ascending);
    assert_false(certain_in_all_worlds(unit, value, 7));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_tables_of_units_keep_their_models),
        cmocka_unit_test(no_value_is_certain_where_frequency_holds),
        cmocka_unit_test(constant_values_follow_from_numbers_of_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

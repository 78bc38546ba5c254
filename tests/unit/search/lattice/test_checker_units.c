/* Nodes of a table with enough records that groups of one node are made from those of another, where
 * records belong to units: against counting the units of each group from the records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/lattice/checker.h"
#include "support/problems.h"

enum { RECORDS = 6000, UNITS = 2500, LEAVES = 16, ATTRIBUTES = 3, LEVELS = 3 };

/* Records of groups with fewer than k units. */
static uint32_t count_suppressed(const problem *p, const uint8_t *levels, arena *memory)
{
    const size_t n_groups = (size_t)LEAVES * LEAVES * LEAVES;
    uint32_t *group = arena_zalloc(memory, RECORDS, sizeof *group);
    uint32_t *n_units = arena_zalloc(memory, n_groups, sizeof *n_units), suppressed = 0;
    bool *seen = arena_zalloc(memory, n_groups * UNITS, sizeof *seen);
    for (uint32_t i = 0; i < RECORDS; i++) {
        for (uint32_t j = 0; j < ATTRIBUTES; j++) {
            const tree *t = p->attributes[j].tree;
            const uint32_t node = tree_up(t, p->attributes[j].cells[i], levels[j]);
            group[i] = group[i] * LEAVES + node - t->level_start[levels[j]];
        }
        bool *own = &seen[(size_t)group[i] * UNITS + p->unit[i]];
        n_units[group[i]] += !*own;
        *own = true;
    }
    for (uint32_t i = 0; i < RECORDS; i++)
        suppressed += n_units[group[i]] < p->k;
    return suppressed;
}

/* Units have records that are mostly alike, so that groups have fewer units than records. */
static problem *draw(arena *memory, measure_id measure, uint32_t k, uint32_t may_suppress)
{
    const problem_shape shape = {.n_records = RECORDS,
                                 .n_attributes = ATTRIBUTES,
                                 .n_leaves = LEAVES,
                                 .width = 4,
                                 .skew = 1,
                                 .measure = measure,
                                 .k = k};
    problem *p = problems_random(memory, &shape, k);
    uint32_t *unit = arena_zalloc(memory, RECORDS, sizeof *unit);
    model_spec *model = arena_zalloc(memory, 1, sizeof *model);
    rng r;
    rng_init(&r, k, 2);
    for (uint32_t i = 0; i < RECORDS; i++)
        unit[i] = rng_below(&r, 3) == 0 ? rng_below(&r, UNITS)
                                        : p->attributes[0].cells[i] * (UNITS / LEAVES) +
                                              rng_below(&r, UNITS / LEAVES);
    *model = (model_spec){.id = MODEL_K_ANONYMITY, .k = k, .by_units = true};
    p->models = model;
    p->unit = unit;
    p->n_units = UNITS;
    p->may_suppress = may_suppress;
    return p;
}

/* --- shares of values --- */

/* Values that units mostly keep, and frequency of l. */
static problem *draw_values(arena *memory, uint32_t n_values, double l, uint32_t may_suppress)
{
    problem *p = draw(memory, MEASURE_LM, 2, may_suppress);
    sensitive_attribute *s = arena_zalloc(memory, 1, sizeof *s);
    uint32_t *value = arena_zalloc(memory, RECORDS, sizeof *value);
    uint32_t *pair = arena_zalloc(memory, RECORDS, sizeof *pair);
    uint32_t *value_of = arena_zalloc(memory, RECORDS, sizeof *value_of);
    uint32_t *number = arena_zalloc(memory, (size_t)UNITS * n_values, sizeof *number);
    model_spec *model = arena_zalloc(memory, 2, sizeof *model);
    rng r;
    rng_init(&r, n_values, 3);
    for (uint32_t i = 0; i < RECORDS; i++) {
        value[i] = rng_below(&r, 3) > 0 ? p->unit[i] % n_values : rng_below(&r, n_values);
        uint32_t *own = &number[(size_t)p->unit[i] * n_values + value[i]];
        if (*own == 0) {
            value_of[s->n_pairs] = value[i];
            *own = ++s->n_pairs;
        }
        pair[i] = *own - 1;
    }
    s->values = value;
    s->count = n_values;
    s->pair = pair;
    s->value_of_pair = value_of;
    model[0] = p->models[0];
    model[1] = (model_spec){
        .id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = l, .by_units = true};
    p->sensitive = s;
    p->n_sensitive = 1;
    p->models = model;
    p->n_models = 2;
    return p;
}

typedef struct row {
    uint32_t group, value, unit;
} row;

static int by_value(const void *a, const void *b)
{
    const row *x = a, *y = b;
    return x->group != y->group   ? (x->group > y->group) - (x->group < y->group)
           : x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                  : (x->unit > y->unit) - (x->unit < y->unit);
}

static int by_unit(const void *a, const void *b)
{
    const row *x = a, *y = b;
    return x->group != y->group ? (x->group > y->group) - (x->group < y->group)
                                : (x->unit > y->unit) - (x->unit < y->unit);
}

/* The most rows of one value, or of one unit, and units with one value, or all; rows are sorted. */
static void most_of(const row *rows, uint32_t n, bool of_value, uint32_t *most_rows,
                    uint32_t *units)
{
    uint32_t own = 0, own_units = 0, n_units = 0;
    *most_rows = *units = 0;
    for (uint32_t i = 0; i < n; i++) {
        const bool same = i > 0 && (of_value ? rows[i].value == rows[i - 1].value
                                             : rows[i].unit == rows[i - 1].unit);
        own = same ? own + 1 : 1;
        own_units = !same ? 1 : own_units + (rows[i].unit != rows[i - 1].unit);
        n_units += !same;
        *most_rows = own > *most_rows ? own : *most_rows;
        *units = own_units > *units ? own_units : *units;
    }
    *units = of_value ? *units : n_units;
}

/* Records of groups that break a model, by its definition. */
static uint32_t count_broken(const problem *p, const uint8_t *levels, arena *memory)
{
    row *rows = arena_zalloc(memory, RECORDS, sizeof *rows);
    uint32_t broken = 0;
    for (uint32_t i = 0; i < RECORDS; i++) {
        rows[i] = (row){.value = p->sensitive[0].values[i], .unit = p->unit[i]};
        for (uint32_t j = 0; j < ATTRIBUTES; j++) {
            const tree *t = p->attributes[j].tree;
            const uint32_t node = tree_up(t, p->attributes[j].cells[i], levels[j]);
            rows[i].group = rows[i].group * LEAVES + node - t->level_start[levels[j]];
        }
    }
    qsort(rows, RECORDS, sizeof *rows, by_unit);
    for (uint32_t from = 0, to; from < RECORDS; from = to) {
        uint32_t most_shown, most_with, most_records, n_units;
        for (to = from; to < RECORDS && rows[to].group == rows[from].group;)
            to++;
        most_of(rows + from, to - from, false, &most_records, &n_units);
        qsort(rows + from, to - from, sizeof *rows, by_value);
        most_of(rows + from, to - from, true, &most_shown, &most_with);
        if (n_units < p->k || most_with * p->models[1].l > n_units ||
            most_records > to - from - most_shown)
            broken += to - from;
    }
    return broken;
}

/* --- */

typedef uint32_t count_fn(const problem *p, const uint8_t *levels, arena *memory);

/* The finest nodes are asked first, so that those above can start from them, unless they are swept.
 * Returns how many have both groups that are kept and others. */
static uint32_t check_nodes(const problem *p, count_fn *count, bool sweeping, arena *memory)
{
    uint32_t n_mixed = 0;
    checker *c = NULL;
    assert_int_equal(checker_new(&c, p, NULL, 0, NULL, memory, NULL), KITH_OK);
    if (sweeping)
        assert_int_equal(checker_begin_sweep(c, NULL), KITH_OK);
    for (uint32_t sum = 0; sum <= ATTRIBUTES * (LEVELS - 1); sum++)
        for (uint32_t node = 0; node < LEVELS * LEVELS * LEVELS; node++) {
            const uint8_t levels[1][LATTICE_MAX_ATTRIBUTES] = {{(uint8_t)(node % LEVELS),
                                                                (uint8_t)(node / LEVELS % LEVELS),
                                                                (uint8_t)(node / LEVELS / LEVELS)}};
            if (levels[0][0] + levels[0][1] + levels[0][2] != (int)sum)
                continue;
            arena *scratch = arena_new();
            node_value value;
            bool stop = false;
            const checker_batch one = {
                .count = 1, .levels = levels, .value = &value, .sweeping = sweeping};
            const uint32_t suppressed = count(p, levels[0], scratch);
            assert_int_equal(checker_nodes(c, &one, &stop, NULL), KITH_OK);
            assert_int_equal(value.satisfied, suppressed <= p->may_suppress);
            assert_true(!value.satisfied || value.suppressed == suppressed);
            n_mixed += suppressed > 0 && suppressed < RECORDS;
            arena_free(scratch);
        }
    return n_mixed;
}

static void groups_have_the_units_of_their_records(void **state)
{
    (void)state;
    uint32_t n_mixed = 0;
    const uint32_t ks[] = {2, 5, 40, 64, 65, 150};
    for (uint32_t i = 0; i < sizeof ks / sizeof *ks; i++)
        for (uint32_t may = 0; may < 3; may++)
            for (uint32_t m = 0; m < 2; m++) {
                arena *memory = arena_new();
                const problem *p =
                    draw(memory, m == 0 ? MEASURE_LM : MEASURE_ENTROPY, ks[i], may * RECORDS / 2);
                n_mixed += check_nodes(p, count_suppressed, false, memory);
                arena_free(memory);
            }
    assert_true(n_mixed > 50);
}

/* Few values, so that the groups of a node are counted together, and so many that they are only at
 * coarse nodes. */
static void shares_are_those_of_units(void **state)
{
    (void)state;
    uint32_t n_mixed = 0;
    const uint32_t n_values[] = {5, 900};
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t k = 0; k < 6; k++) {
            arena *memory = arena_new();
            const double l = i == 0 ? 1.25 + k % 3 * .5 : 4;
            const problem *p = draw_values(memory, n_values[i], l, k % 3 * RECORDS / 2);
            n_mixed += check_nodes(p, count_broken, k % 2 == 1, memory);
            arena_free(memory);
        }
    assert_true(n_mixed > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_have_the_units_of_their_records),
        cmocka_unit_test(shares_are_those_of_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

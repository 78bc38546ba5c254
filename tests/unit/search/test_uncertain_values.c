/* Distinct values that are not certain of a unit, told from few counts: never where counting pair by
 * pair says no. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/rng.h"
#include "search/class_rules.h"

enum { RECORDS = 200, MAX_UNITS = 60, VALUES = 6 };

typedef struct table {
    uint32_t unit[RECORDS], values[RECORDS], pair[RECORDS], value_of_pair[MAX_UNITS * VALUES];
    sensitive_attribute sensitive;
    model_spec models[2];
    problem problem;
    uint32_t order[RECORDS];
} table;

/* Units have a usual value each, which one unit in four always has, and some tables one unit with
 * many records. */
static void draw(table *t, rng *r)
{
    const uint32_t n_units = 1 + rng_below(r, MAX_UNITS), n_values = 1 + rng_below(r, VALUES);
    const uint32_t constant = rng_below(r, 4), heavy = rng_below(r, 3);
    for (uint32_t i = 0; i < n_units * VALUES; i++)
        t->value_of_pair[i] = i % VALUES;
    for (uint32_t i = 0; i < RECORDS; i++) {
        const uint32_t unit = heavy == 0 && rng_below(r, 3) == 0 ? 0 : rng_below(r, n_units);
        t->unit[i] = unit;
        t->values[i] = rng_below(r, 4) < constant ? unit % n_values : rng_below(r, n_values);
        t->pair[i] = unit * VALUES + t->values[i];
        t->order[i] = i;
    }
    rng_shuffle(r, t->order, RECORDS);
    const bool p_sensitive = rng_below(r, 2) == 0;
    const uint32_t asked = 2 + rng_below(r, 3);
    t->models[0] = (model_spec){.id = MODEL_K_ANONYMITY, .k = 1, .by_units = true};
    t->models[1] = (model_spec){.id = p_sensitive ? MODEL_P_SENSITIVE : MODEL_L_DIVERSITY,
                                .variant = p_sensitive ? VARIANT_NONE : VARIANT_DISTINCT,
                                .k = p_sensitive ? 1 : 0,
                                .l = asked,
                                .p = asked,
                                .by_units = true};
    t->sensitive = (sensitive_attribute){.values = t->values,
                                         .count = VALUES,
                                         .pair = t->pair,
                                         .n_pairs = n_units * VALUES,
                                         .value_of_pair = t->value_of_pair};
    t->problem = (problem){.n_records = RECORDS,
                           .unit = t->unit,
                           .n_units = n_units,
                           .n_sensitive = 1,
                           .sensitive = &t->sensitive,
                           .n_models = 2,
                           .models = t->models,
                           .k = 1};
}

/* The condition, record by record. */
static bool none_is_certain(const table *t, const uint32_t *members, uint32_t size)
{
    uint32_t rows_of[MAX_UNITS] = {0}, rows_with[VALUES] = {0}, both[MAX_UNITS][VALUES] = {{0}};
    uint32_t most = 0, most_shown = 0, n_units = 0, n_values = 0;
    for (uint32_t i = 0; i < size; i++) {
        rows_of[t->unit[members[i]]]++;
        rows_with[t->values[members[i]]]++;
        both[t->unit[members[i]]][t->values[members[i]]]++;
    }
    for (uint32_t u = 0; u < MAX_UNITS; u++) {
        most = rows_of[u] > most ? rows_of[u] : most;
        n_units += rows_of[u] > 0;
    }
    for (uint32_t v = 0; v < VALUES; v++) {
        uint32_t with = 0;
        for (uint32_t u = 0; u < MAX_UNITS; u++)
            with += both[u][v] > 0;
        if (with == n_units)
            return false;
        most_shown = rows_with[v] > most_shown ? rows_with[v] : most_shown;
        n_values += rows_with[v] > 0;
    }
    return n_values >= t->models[1].l && most <= size - most_shown;
}

static void few_counts_say_what_all_do(void **state)
{
    (void)state;
    uint32_t yes = 0, no = 0, sure = 0;
    rng r;
    rng_init(&r, 3, 5);
    for (uint32_t round = 0; round < 3000; round++) {
        arena *memory = arena_new();
        table t;
        class_rules all, few;
        draw(&t, &r);
        assert_int_equal(class_rules_init(&all, &t.problem, memory, NULL), KITH_OK);
        assert_int_equal(class_rules_init(&few, &t.problem, memory, NULL), KITH_OK);
        assert_int_equal(class_rules_expect_large(&few, memory, NULL), KITH_OK);
        assert_non_null(few.uncertain);
        for (uint32_t size = 1; size <= RECORDS; size += 1 + size / 4) {
            const uint32_t *members = t.order + rng_below(&r, RECORDS - size + 1);
            const bool holds = none_is_certain(&t, members, size);
            const bool is_sure = uncertain_values_sure(few.uncertain, members, size);
            assert_true(holds || !is_sure);
            assert_int_equal(class_rules_allow(&all, members, size), holds);
            assert_int_equal(class_rules_allow(&few, members, size), holds);
            for (uint32_t u = 0; u < t.problem.n_units; u++)
                assert_int_equal(few.uncertain->records[u], 0);
            yes += holds;
            no += !holds;
            sure += is_sure;
        }
        arena_free(memory);
    }
    assert_true(yes > 5000 && no > 5000 && sure > yes / 2);
}

static void other_models_are_counted(void **state)
{
    (void)state;
    arena *memory = arena_new();
    table t;
    uncertain_values *u;
    rng r;
    rng_init(&r, 1, 1);
    draw(&t, &r);
    t.models[1] = (model_spec){.id = MODEL_DOMINANCE, .share = 0.5, .by_units = true};
    assert_int_equal(uncertain_values_init(&u, &t.problem, memory, NULL), KITH_OK);
    assert_null(u);
    t.models[1] = (model_spec){
        .id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = 2, .by_units = true};
    assert_int_equal(uncertain_values_init(&u, &t.problem, memory, NULL), KITH_OK);
    assert_null(u);
    t.models[1].variant = VARIANT_DISTINCT;
    t.sensitive.count = 65;
    assert_int_equal(uncertain_values_init(&u, &t.problem, memory, NULL), KITH_OK);
    assert_null(u);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_counts_say_what_all_do),
        cmocka_unit_test(other_models_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

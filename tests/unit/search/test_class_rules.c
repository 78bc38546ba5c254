#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "search/class_rules.h"
#include "support/problems.h"

/* What the three questions mean, asked of the models themselves. */
static bool holds(const problem *p, const uint32_t *members, uint32_t size, uint32_t leaver,
                  uint32_t joiner)
{
    uint32_t counts[8] = {0}, total = 0;
    for (uint32_t m = 0; m < size; m++)
        if (members[m] != leaver) {
            counts[p->sensitive[0].values[members[m]]]++;
            total++;
        }
    if (joiner != UINT32_MAX) {
        counts[p->sensitive[0].values[joiner]]++;
        total++;
    }
    histogram h = {counts, p->sensitive[0].count};
    class_view view = {.size = total, .sensitive = &h};
    return total == 0 || model_holds(&p->models[1], &view);
}

static void the_three_questions_agree_with_the_models(void **state)
{
    (void)state;
    uint32_t yes = 0, no = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        arena *memory = arena_new();
        problem_shape shape = {.n_records = 12,
                               .n_attributes = 1,
                               .n_leaves = 2,
                               .k = 2,
                               .n_sensitive = 2 + (uint32_t)(seed % 5),
                               .l = 1 + .25 * (double)(seed % 9)};
        problem *p = problems_random(memory, &shape, seed);
        class_rules a;
        assert_int_equal(class_rules_init(&a, p, memory, NULL), KITH_OK);
        uint32_t members[12], size = 1 + (uint32_t)(seed % 10);
        for (uint32_t m = 0; m < size; m++)
            members[m] = m;
        bool class = class_rules_allow(&a, members, size);
        assert_int_equal(class, holds(p, members, size, UINT32_MAX, UINT32_MAX));
        assert_int_equal(class_rules_join(&a, members, size, 11),
                         holds(p, members, size, UINT32_MAX, 11));
        if (class)
            assert_int_equal(class_rules_join_valid(&a, members, size, 11),
                             holds(p, members, size, UINT32_MAX, 11));
        for (uint32_t m = 0; m < size; m++)
            assert_int_equal(class_rules_leave(&a, members, size, m),
                             holds(p, members, size, m, UINT32_MAX));
        yes += class;
        no += !class;
        for (uint32_t v = 0; v < shape.n_sensitive; v++)
            assert_int_equal(a.count[v], 0);
        arena_free(memory);
    }
    assert_true(yes > 50 && no > 50);
}

static void without_conditions_everything_is_allowed(void **state)
{
    (void)state;
    arena *memory = arena_new();
    problem_shape shape = {
        .n_records = 4, .n_attributes = 1, .n_leaves = 2, .k = 3, .n_sensitive = 1};
    problem *p = problems_random(memory, &shape, 1);
    class_rules a;
    assert_int_equal(class_rules_init(&a, p, memory, NULL), KITH_OK);
    uint32_t members[] = {0, 1, 2, 3};
    assert_int_equal(a.n_conditions, 0);
    assert_true(class_rules_allow(&a, members, 4) && class_rules_leave(&a, members, 4, 2) &&
                class_rules_join(&a, members, 3, 3));
    assert_int_equal(class_rules_tightest(&a), UINT32_MAX);
    assert_int_equal(class_rules_min_size(p), 3);
    arena_free(memory);
}

static void l_raises_the_smallest_size(void **state)
{
    (void)state;
    arena *memory = arena_new();
    problem_shape shape = {
        .n_records = 40, .n_attributes = 1, .n_leaves = 2, .k = 3, .n_sensitive = 9, .l = 4.2};
    problem *p = problems_random(memory, &shape, 1);
    assert_int_equal(class_rules_min_size(p), 5);
    p->n_records = 4;
    assert_int_equal(class_rules_min_size(p), 4);
    arena_free(memory);
}

static void the_tightest_condition_has_the_least_room(void **state)
{
    (void)state;
    arena *memory = arena_new();
    sensitive_attribute sensitive[] = {{.values = (uint32_t[]){0, 1, 2, 3}, .count = 4},
                                       {.values = (uint32_t[]){0, 0, 0, 1}, .count = 2}};
    model_spec models[] = {
        {.id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = 2, .sensitive = 0},
        {.id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = 1.2, .sensitive = 1}};
    problem p = {
        .n_records = 4, .n_sensitive = 2, .sensitive = sensitive, .n_models = 2, .models = models};
    class_rules a;
    assert_int_equal(class_rules_init(&a, &p, memory, NULL), KITH_OK);
    assert_int_equal(class_rules_tightest(&a), 1);
    models[0].l = 4;
    assert_int_equal(class_rules_init(&a, &p, memory, NULL), KITH_OK);
    assert_int_equal(class_rules_tightest(&a), 0);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_three_questions_agree_with_the_models),
        cmocka_unit_test(without_conditions_everything_is_allowed),
        cmocka_unit_test(l_raises_the_smallest_size),
        cmocka_unit_test(the_tightest_condition_has_the_least_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Counts against members: both must say the same about every class, record and model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "search/cluster/value_counts.h"
#include "support/problems.h"

enum { VALUES = 4 };

static const model_spec models[] = {
    {.id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = 2},
    {.id = MODEL_L_DIVERSITY, .variant = VARIANT_DISTINCT, .l = 3},
    {.id = MODEL_L_DIVERSITY, .variant = VARIANT_ENTROPY, .l = 1.8},
    {.id = MODEL_ALPHA_K, .alpha = 0.6, .k = 3},
};

static void counts_and_members_agree(void **state)
{
    (void)state;
    uint32_t yes = 0, no = 0;
    for (uint32_t m = 0; m < 4; m++) {
        arena *memory = arena_new();
        problem_shape shape = {
            .n_records = 60, .n_attributes = 2, .n_leaves = 4, .k = 2, .n_sensitive = VALUES};
        problem *p = problems_random(memory, &shape, m);
        class_rules a;
        value_counts s;
        rng r;
        p->models = &models[m];
        p->n_models = 1;
        rng_init(&r, m, 1);
        assert_int_equal(class_rules_init(&a, p, memory, NULL), KITH_OK);
        assert_int_equal(value_counts_init(&s, &a, memory, NULL), KITH_OK);
        assert_int_equal(s.n_values, VALUES);
        for (int round = 0; round < 400; round++) {
            uint32_t members[8], size = 2 + rng_below(&r, 6), row[VALUES] = {0};
            uint32_t first = rng_below(&r, 60), joiner = (first + size) % 60;
            for (uint32_t i = 0; i < size; i++) {
                members[i] = (first + i) % 60;
                value_counts_add(&s, row, members[i]);
            }
            assert_true(value_counts_add_up(&s, row, size) &&
                        !value_counts_add_up(&s, row, size + 1));
            uint32_t before[VALUES];
            memcpy(before, row, sizeof row);
            members[size] = joiner;
            assert_true(value_counts_contain(&s, row, members, size));
            assert_false(value_counts_contain(&s, row, members, size + 1));
            assert_memory_equal(row, before, sizeof row);
            bool holds = value_counts_hold(&s, row, size);
            assert_int_equal(holds, class_rules_allow(&a, members, size));
            assert_int_equal(value_counts_may_leave(&s, row, size, members[0]),
                             class_rules_leave(&a, members, size, members[0]));
            if (holds)
                assert_int_equal(value_counts_may_join(&s, row, size, joiner),
                                 class_rules_join_valid(&a, members, size, joiner));
            yes += holds;
            no += !holds;
        }
        arena_free(memory);
    }
    assert_true(yes > 200 && no > 200);
}

static void what_is_out_of_reach(void **state)
{
    (void)state;
    arena *memory = arena_new();
    problem_shape shape = {
        .n_records = 50, .n_attributes = 2, .n_leaves = 4, .k = 2, .n_sensitive = VALUES, .l = 4.5};
    problem *p = problems_random(memory, &shape, 1);
    uint32_t row[VALUES] = {20, 10, 10, 10};
    class_rules a;
    value_counts s;
    kith_error error;
    assert_int_equal(class_rules_init(&a, p, memory, NULL), KITH_OK);
    assert_int_equal(value_counts_init(&s, &a, memory, NULL), KITH_OK);
    assert_int_equal(value_counts_find_tightest(&s, row, 50, &error), KITH_INFEASIBLE);
    assert_non_null(strstr(error.message, "4.5"));
    assert_non_null(strstr(error.message, "2.5"));
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_and_members_agree),
        cmocka_unit_test(what_is_out_of_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

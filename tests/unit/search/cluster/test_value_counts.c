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
            .records = 60, .attributes = 2, .leaves = 4, .k = 2, .secrets = VALUES};
        problem *p = problems_random(memory, &shape, m);
        admit a;
        census s;
        rng r;
        p->model = &models[m];
        p->models = 1;
        rng_init(&r, m, 1);
        assert_int_equal(admit_init(&a, p, memory, NULL), KITH_OK);
        assert_int_equal(census_init(&s, &a, memory, NULL), KITH_OK);
        assert_int_equal(s.values, VALUES);
        for (int round = 0; round < 400; round++) {
            uint32_t members[8], size = 2 + rng_below(&r, 6), row[VALUES] = {0};
            uint32_t first = rng_below(&r, 60), joiner = (first + size) % 60;
            for (uint32_t i = 0; i < size; i++) {
                members[i] = (first + i) % 60;
                census_add(&s, row, members[i]);
            }
            assert_true(census_fits(&s, row, size) && !census_fits(&s, row, size + 1));
            bool holds = census_holds(&s, row, size);
            assert_int_equal(holds, admit_class(&a, members, size));
            assert_int_equal(census_may_leave(&s, row, size, members[0]),
                             admit_leave(&a, members, size, members[0]));
            if (holds)
                assert_int_equal(census_may_join(&s, row, size, joiner),
                                 admit_join_sound(&a, members, size, joiner));
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
        .records = 50, .attributes = 2, .leaves = 4, .k = 2, .secrets = VALUES, .l = 4.5};
    problem *p = problems_random(memory, &shape, 1);
    uint32_t row[VALUES] = {20, 10, 10, 10};
    admit a;
    census s;
    kith_error error;
    assert_int_equal(admit_init(&a, p, memory, NULL), KITH_OK);
    assert_int_equal(census_init(&s, &a, memory, NULL), KITH_OK);
    assert_int_equal(census_weigh(&s, row, 50, &error), KITH_INFEASIBLE);
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

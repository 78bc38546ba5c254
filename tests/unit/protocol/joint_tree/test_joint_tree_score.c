/* The rules of the tree that sites can grow together, and the reference that grows it in one place,
 * on the example of docs/protocols/weave.md among others. Equality with the joint run:
 * tests/unit/protocol/joint_tree/test_joint_tree.c. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "reference/joint_tree_plain.h"
#include "protocol/joint_rules/joint_tree_score.h"
#include "support/random_problem.h"
#include "support/trees.h"

/* Ages 21 25 29 (20s) and 34 38 (30s). */
enum { AGE_21, AGE_25, AGE_29, AGE_34, AGE_38, AGES, TWENTIES = AGES, THIRTIES, ANY_AGE };
enum { FEMALE, MALE, ANY_SEX };

static const uint32_t age_first[] = {0, 1, 2, 3, 4, 0, 3, 0}, age_end[] = {1, 2, 3, 4, 5, 3, 5, 5};
static const uint32_t age_parent[] = {5, 5, 5, 6, 6, 7, 7, 7}, age_start[] = {0, 5, 7, 8};
static const uint8_t age_level[] = {0, 0, 0, 0, 0, 1, 1, 2};
static const uint32_t age_up[] = {0, 1, 2, 3, 4, 5, 5, 5, 6, 6, 7, 7, 7, 7, 7};
static const tree ages = {5, 8, 3, age_start, age_first, age_end, age_parent, age_level, age_up};

static const uint32_t sex_first[] = {0, 1, 0}, sex_end[] = {1, 2, 2}, sex_parent[] = {2, 2, 2};
static const uint32_t sex_start[] = {0, 2, 3}, sex_up[] = {0, 1, 2, 2};
static const uint8_t sex_level[] = {0, 0, 1};
static const tree sexes = {2, 3, 2, sex_start, sex_first, sex_end, sex_parent, sex_level, sex_up};

static const double age_cost[] = {0, 0, 0, 0, 0, .5, .25, 1}, sex_cost[] = {0, 0, 1};

static const uint32_t age_cells[] = {AGE_21, AGE_25, AGE_34, AGE_21, AGE_29,
                                     AGE_38, AGE_25, AGE_34, AGE_34};
static const uint32_t sex_cells[] = {FEMALE, FEMALE, MALE, FEMALE, MALE, MALE, MALE, MALE, FEMALE};

static void grows_the_example(void **state)
{
    (void)state;
    static const uint32_t closure[] = {AGE_21, FEMALE, TWENTIES, MALE,
                                       AGE_34, MALE,   ANY_AGE,  ANY_SEX};
    static const uint32_t class_of[] = {0, 3, 2, 0, 1, 3, 1, 2, 3};
    const attribute axis[] = {{.tree = &ages, .cells = age_cells, .cost = age_cost},
                              {.tree = &sexes, .cells = sex_cells, .cost = sex_cost}};
    const model_spec k = {.id = MODEL_K_ANONYMITY, .k = 2};
    const problem p = {
        .n_records = 9, .n_attributes = 2, .attributes = axis, .n_models = 1, .models = &k, .k = 2};
    partition result;
    kith_error error;
    arena *memory = arena_new();
    assert_int_equal(joint_tree_plain(&result, &p, NULL, 1, 0, memory, &error), KITH_OK);
    assert_int_equal(result.n_classes, 4);
    assert_memory_equal(result.closure, closure, sizeof closure);
    assert_memory_equal(result.class_of, class_of, sizeof class_of);
    arena_free(memory);
}

static void scores_as_the_rules_say(void **state)
{
    (void)state;
    /* wmax x (.6 if big) / (log2(live + big) + (.1 unless big) + .001)^.3 */
    assert_float_equal(joint_tree_score(2, 4, false, false), 2 / pow(2.101, .3), 1e-12);
    assert_float_equal(joint_tree_score(2, 3, true, false), 1.2 / pow(2.001, .3), 1e-12);
    assert_float_equal(joint_tree_score(2, 1, false, false), 2 / pow(.101, .3), 1e-12);
    assert_float_equal(joint_tree_score(2, 4, false, true), 1.5 / pow(2.101, .3), 1e-12);
    assert_true(joint_tree_score(2, 1, false, true) < 0);
    assert_true(joint_tree_score(2, 1, true, true) > 0);
    assert_true(joint_tree_score(2, 0, true, false) < 0);
}

static void cuts_classes_at_a_power_of_two(void **state)
{
    (void)state;
    assert_int_equal(joint_tree_score_max_count(10, 2), 31); /* 4 x 5 */
    assert_int_equal(joint_tree_score_max_count(10, 4), 15); /* 4 x 3 */
    assert_int_equal(joint_tree_score_max_count(1, 2), 7);
    assert_true(joint_tree_score_max_trees(3) < joint_tree_score_max_trees(4));
}

/* Every site comes first sometimes, and every order has all sites. */
static void lets_each_site_be_first(void **state)
{
    (void)state;
    uint32_t first[3] = {0};
    for (uint64_t set = 0; set < 300; set++) {
        uint32_t order[3];
        joint_tree_score_site_order(order, 7, set, 3);
        assert_int_equal(1u << order[0] | 1u << order[1] | 1u << order[2], 7);
        first[order[0]]++;
    }
    for (uint32_t site = 0; site < 3; site++)
        assert_in_range(first[site], 60, 140);
}

/* A record that is lent stays so in larger loans; about the share that the rule says is lent. */
static void lends_more_and_more(void **state)
{
    (void)state;
    const joint_tree_draws mine = joint_tree_score_seeded_draws(1, 0),
                           other = joint_tree_score_seeded_draws(1, 1);
    uint32_t n_lent[JOINT_TREE_LOANS] = {0}, n_equal = 0;
    for (uint32_t row = 0; row < 6400; row++) {
        const uint64_t drawn = joint_tree_score_draw(&mine, 5, row);
        n_equal += drawn == joint_tree_score_draw(&other, 5, row) ||
                   drawn == joint_tree_score_draw(&mine, 6, row);
        for (uint32_t loan = 0; loan < JOINT_TREE_LOANS; loan++) {
            const bool lent = joint_tree_score_is_lent(drawn, loan);
            n_lent[loan] += lent;
            assert_true(loan == 0 || lent || !joint_tree_score_is_lent(drawn, loan - 1));
        }
    }
    assert_int_equal(n_equal, 0);
    for (uint32_t loan = 0; loan < JOINT_TREE_LOANS; loan++)
        assert_in_range(n_lent[loan], (160u << loan), (240u << loan));
}

static void knows_slots(void **state)
{
    (void)state;
    const attribute a = {.tree = &ages, .cost = age_cost};
    const double flat[8] = {0};
    const attribute free_of_cost = {.tree = &ages, .cost = flat};
    uint32_t end;
    assert_int_equal(joint_tree_score_children(&ages, ANY_AGE, &end), TWENTIES);
    assert_int_equal(end, ANY_AGE);
    assert_int_equal(joint_tree_score_children(&ages, THIRTIES, &end), AGE_34);
    assert_int_equal(end, AGES);
    assert_float_equal(joint_tree_score_worth(&a, ANY_AGE), .75, 0);
    assert_float_equal(joint_tree_score_worth(&a, TWENTIES), .5, 0);
    assert_true(joint_tree_score_has_slot(&a, TWENTIES));
    assert_false(joint_tree_score_has_slot(&a, AGE_21));
    assert_false(joint_tree_score_has_slot(&free_of_cost, ANY_AGE));
}

static void says_if_there_are_too_few(void **state)
{
    (void)state;
    arena *memory = arena_new();
    random_shape shape = {
        .n_records = 4, .n_attributes = 2, .max_leaves = 3, .max_levels = 2, .k = 5};
    partition result;
    kith_error error;
    assert_int_equal(
        joint_tree_plain(&result, random_problem(&shape, 1, memory), NULL, 1, 0, memory, &error),
        KITH_INFEASIBLE);
    arena_free(memory);
}

/* Closures are the lowest common ancestors wherever slots are offered, models hold. */
static void makes_sound_partitions(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        arena *memory = arena_new();
        random_shape shape = {.n_records = 400,
                              .n_attributes = 3,
                              .max_leaves = 12,
                              .max_levels = 4,
                              .k = 2 + (uint32_t)(seed % 9),
                              .wildcards = seed % 3 * .02,
                              .skewed = true,
                              .n_sensitive = seed % 2 == 0 ? 0 : 6,
                              .l = 1.5};
        const problem *p = random_problem(&shape, seed, memory);
        partition result;
        kith_error error;
        uint32_t model, class;
        assert_int_equal(joint_tree_plain(&result, p, NULL, seed, 0, memory, &error), KITH_OK);
        assert_true(partition_holds(&result, p, memory, &model, &class));
        const double cost = partition_cost(&result, p);
        assert_int_equal(partition_close(&result, p, memory, &error), KITH_OK);
        assert_float_equal(partition_cost(&result, p), cost, 1e-9);
        arena_free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_the_example),
        cmocka_unit_test(scores_as_the_rules_say),
        cmocka_unit_test(cuts_classes_at_a_power_of_two),
        cmocka_unit_test(lets_each_site_be_first),
        cmocka_unit_test(lends_more_and_more),
        cmocka_unit_test(knows_slots),
        cmocka_unit_test(says_if_there_are_too_few),
        cmocka_unit_test(makes_sound_partitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

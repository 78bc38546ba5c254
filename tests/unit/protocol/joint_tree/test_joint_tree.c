/* The joint tree: equal to the tree of the union, however the records are distributed; edge cases,
 * properties. Its models: test_joint_tree_models.c. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "protocol/joint_tree/joint_tree.h"
#include "reference/joint_tree_plain.h"
#include "support/joint.h"
#include "support/joint_tree_twin.h"
#include "support/random_problem.h"

static const protocol_options plain = {0};

static const uint32_t parties[] = {2, 3, 5, 8};

static void equals_the_tree_of_the_union(void **state)
{
    (void)state;
    static const uint32_t ks[] = {2, 5, 10, 33};
    uint64_t seed = 1;
    for (unsigned a = 0; a < 4; a++) {
        for (unsigned b = 0; b < 4; b++) {
            arena *memory = arena_new();
            random_shape shape = {.n_records = parties[a] > 2 || b == 2 ? 2500 : 400,
                                  .n_attributes = 4,
                                  .max_leaves = 40,
                                  .max_levels = 4,
                                  .k = ks[b],
                                  .skewed = true,
                                  .wildcards = b % 2 * .03,
                                  .inner = b % 3 * .05};
            const problem *p = random_problem(&shape, seed++, memory);
            for (unsigned split = 0; split < JOINT_SPLITS; split++) {
                if (parties[a] == 2 && split != b)
                    continue; /* oblivious transfer takes its time */
                const uint32_t *site =
                    joint_sites(memory, p->n_records, parties[a], (joint_split)split, seed);
                assert_true(joint_tree_twin_equal(p, site, parties[a], &plain, memory) > 5);
            }
            arena_free(memory);
        }
    }
}

/* Tiny tables, any k up to beyond n: most of them need leftovers, the last tree or fail. */
static void survives_the_edges(void **state)
{
    (void)state;
    unsigned met = 0, unmet = 0;
    for (uint64_t seed = 0; seed < 250; seed++) {
        arena *memory = arena_new();
        random_shape shape = {.n_records = (uint32_t)(seed % 23),
                              .n_attributes = 1 + (uint32_t)(seed % 3),
                              .max_leaves = 1 + (uint32_t)(seed % 7),
                              .max_levels = 2 + (uint32_t)(seed % 3),
                              .k = 1 + (uint32_t)(seed % 11),
                              .wildcards = seed % 5 * .05,
                              .falling = seed % 4 == 0,
                              .n_sensitive = seed % 6 == 0 ? 3 : 0,
                              .l = 1.5};
        const problem *p = random_problem(&shape, seed, memory);
        const uint32_t m = parties[seed % 31 == 0 ? 0 : 1 + seed % 3];
        const uint32_t *site =
            joint_sites(memory, p->n_records, m, (joint_split)(seed % JOINT_SPLITS), seed);
        if (joint_tree_twin_equal(p, site, m, &plain, memory) > 0)
            met++;
        else
            unmet++;
        arena_free(memory);
    }
    assert_true(met > 100);
    assert_true(unmet > 30);
}

static void holds_equal_rows_together(void **state)
{
    (void)state;
    for (uint32_t k = 9; k <= 11; k++) {
        arena *memory = arena_new();
        random_shape shape = {
            .n_records = 10, .n_attributes = 2, .max_leaves = 5, .max_levels = 3, .k = k};
        const problem *p = random_problem(&shape, 4, memory);
        for (uint32_t a = 0; a < p->n_attributes; a++)
            for (uint32_t i = 1; i < p->n_records; i++)
                ((uint32_t *)p->attributes[a].cells)[i] = p->attributes[a].cells[0];
        for (unsigned split = 0; split < JOINT_SPLITS; split++) {
            const uint32_t *site = joint_sites(memory, p->n_records, 3, (joint_split)split, k);
            assert_int_equal(joint_tree_twin_equal(p, site, 3, &plain, memory), k <= 10);
        }
        arena_free(memory);
    }
}

/* Without a seed the coins are tossed: all parties still agree, and classes are good. */
static void tosses_public_coins(void **state)
{
    (void)state;
    arena *memory = arena_new();
    random_shape shape = {.n_records = 60,
                          .n_attributes = 3,
                          .max_leaves = 9,
                          .max_levels = 3,
                          .k = 4,
                          .skewed = true};
    const problem *p = random_problem(&shape, 12, memory);
    const uint32_t *site = joint_sites(memory, p->n_records, 5, SPLIT_RANDOM, 1);
    joint_tree_plain_sites sites = {5, site, 0, NULL, false};
    for (unsigned again = 0; again < 20; again++) {
        joint_job j = {.problem = p, .site = site, .options = &plain, .protocol = joint_tree_run};
        assert_int_equal(joint_tree_twin_run(&j, 5), KITH_OK);
        for (uint32_t i = 1; i < 5; i++) {
            assert_int_equal(j.result[i].n_classes, j.result[0].n_classes);
            assert_memory_equal(j.result[i].closure, j.result[0].closure,
                                j.result[0].n_classes * p->n_attributes * 4);
        }
        for (uint32_t c = 0; c < j.joined.n_classes; c++)
            joint_tree_twin_check(p, &j.joined, &sites, c);
        joint_free(&j);
    }
    arena_free(memory);
}

static void blurs_thresholds_upwards(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 4; a++) {
        arena *memory = arena_new();
        random_shape shape = {.n_records = 900,
                              .n_attributes = 3,
                              .max_leaves = 12,
                              .max_levels = 4,
                              .k = parties[a] == 2 ? 24 : 16,
                              .skewed = true};
        const problem *p = random_problem(&shape, a, memory);
        const uint32_t *site = joint_sites(memory, p->n_records, parties[a], SPLIT_ROUND, 1);
        const model_spec m_privacy = {.id = MODEL_M_PRIVACY, .k = 3};
        joint_tree_plain_sites sites = {parties[a], site, 1, &m_privacy, false};
        protocol_options options = plain;
        options.blur = true;
        options.min_others = 3;
        joint_job j = {.problem = p, .site = site, .options = &options, .protocol = joint_tree_run};
        assert_int_equal(joint_tree_twin_run(&j, parties[a]), KITH_OK);
        assert_true(j.joined.n_classes > 5);
        for (uint32_t c = 0; c < j.joined.n_classes; c++)
            joint_tree_twin_check(p, &j.joined, &sites, c);
        joint_free(&j);
        arena_free(memory);
    }
}

/* With and without diversity, however the records are distributed. */
static void reweaves_like_the_union(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 12; i++) {
        arena *memory = arena_new();
        random_shape shape = {.n_records = i % 4 == 0 ? 2000 : 500,
                              .n_attributes = 4,
                              .max_leaves = i % 4 == 0 ? 400 : 25,
                              .max_levels = i % 4 == 0 ? 2 : 4,
                              .k = 2 + i % 7,
                              .skewed = true,
                              .wildcards = i % 2 * .03,
                              .n_sensitive = i % 3 == 2 ? 6 : 0,
                              .l = 1.5};
        const problem *p = random_problem(&shape, i, memory);
        const uint32_t m = parties[i == 5 ? 0 : 1 + i % 3];
        const uint32_t *site = joint_sites(memory, p->n_records, m, (joint_split)(i % 4), i);
        protocol_options options = plain;
        partition before, after;
        kith_error error;
        options.reweave = 1 + i % 4;
        assert_true(joint_tree_twin_equal(p, site, m, &options, memory) > 5);
        assert_int_equal(joint_tree_plain(&before, p, NULL, 7, 0, memory, &error), KITH_OK);
        assert_int_equal(joint_tree_plain(&after, p, NULL, 7, 6, memory, &error), KITH_OK);
        /* Classes that were trimmed have little to gain. */
        assert_true(
            partition_cost(&after, p) < partition_cost(&before, p) ||
            (shape.n_sensitive > 0 && partition_cost(&after, p) == partition_cost(&before, p)));
        arena_free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_tree_of_the_union), cmocka_unit_test(survives_the_edges),
        cmocka_unit_test(holds_equal_rows_together),    cmocka_unit_test(tosses_public_coins),
        cmocka_unit_test(blurs_thresholds_upwards),     cmocka_unit_test(reweaves_like_the_union),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The models that the joint tree keeps: equal to the tree of the union, and classes as the models
 * ask; what it refuses. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "protocol/supports.h"
#include "protocol/joint_tree/joint_tree.h"
#include "support/joint.h"
#include "support/joint_tree_twin.h"
#include "support/random_problem.h"

static const protocol_options plain = {0};
static const uint32_t parties[] = {2, 3, 5, 8};

/* Every combination of models; sometimes they cannot be met, and then both say so. */
static void keeps_all_models(void **state)
{
    (void)state;
    unsigned met = 0, unmet = 0;
    for (unsigned set = 1; set < 32; set++) {
        for (unsigned a = set % 5 == 0 ? 0 : 1; a < 3; a++) {
            arena *memory = arena_new();
            const uint32_t m = parties[a];
            random_shape shape = {.n_records = m == 2 ? 150 : 500,
                                  .n_attributes = 3,
                                  .max_leaves = 12,
                                  .max_levels = 4,
                                  .k = 2 + set % 5,
                                  .skewed = true,
                                  .wildcards = .02,
                                  .n_sensitive = 6,
                                  .l = set % 2 == 0 ? 2 : 2.5};
            problem *p = random_problem(&shape, set, memory);
            model_spec models[3] = {p->models[0]}, about[3];
            const uint32_t among[] = {set % 3};
            protocol_options options = plain;
            p->n_models = 1;
            if (set & 1)
                models[p->n_models++] = p->models[1];
            if (set & 2)
                models[p->n_models++] =
                    (model_spec){.id = MODEL_L_DIVERSITY, .variant = VARIANT_DISTINCT, .l = 3};
            if (set & 4)
                about[options.n_site_models++] =
                    (model_spec){.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES, .l = 2};
            if (set & 8)
                about[options.n_site_models++] = (model_spec){.id = MODEL_M_PRIVACY, .k = 3};
            if (set & 16)
                about[options.n_site_models++] = (model_spec){.id = MODEL_L_SITE_DIVERSITY,
                                                              .variant = VARIANT_ATTRIBUTES,
                                                              .l = 2,
                                                              .n_values = 1,
                                                              .among = among};
            p->models = models;
            options.site_models = about;
            joint_split split = (joint_split)(set % JOINT_SPLITS);
            const uint32_t *site = joint_sites(memory, p->n_records, m, split, set);
            if (joint_tree_twin_equal(p, site, m, &options, memory) > 0)
                met++;
            else
                unmet++;
            arena_free(memory);
        }
    }
    assert_true(met > 30);
    assert_true(unmet > 10);
}

/* The default of studies, with other models, with reweaving, for k below and above what fits into
 * one threshold. */
static void keeps_m_privacy_by_default(void **state)
{
    (void)state;
    static const uint32_t ks[] = {2, 4, 5, 6, 11, 20};
    unsigned met = 0;
    for (unsigned i = 0; i < 36; i++) {
        arena *memory = arena_new();
        const uint32_t m = parties[i % 9 == 0 ? 0 : 1 + i % 3];
        random_shape shape = {.n_records = m == 2 ? 200 : 900,
                              .n_attributes = 3,
                              .max_leaves = 20,
                              .max_levels = 4,
                              .k = ks[i % 6],
                              .skewed = true,
                              .n_sensitive = i % 4 == 3 ? 6 : 0,
                              .l = 1.5};
        const problem *p = random_problem(&shape, i, memory);
        const model_spec sites = {.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES, .l = 3};
        protocol_options options = plain;
        options.min_others = PROTOCOL_MIN_OTHERS;
        options.reweave = i % 5 == 1 ? 2 : 0;
        options.n_site_models = m > 2 && i % 4 == 2;
        options.site_models = &sites;
        const joint_split split = i % 2 == 0 ? SPLIT_RANDOM : SPLIT_SKEWED;
        met += joint_tree_twin_equal(p, joint_sites(memory, p->n_records, m, split, i), m, &options,
                                     memory) > 0;
        arena_free(memory);
    }
    assert_true(met > 30);
}

/* Diversity by frequency, lean or not, and by distinct values: sites that are alike, one that has
 * most, and sites that have values of their own. */
static void trims_and_lends_like_the_union(void **state)
{
    (void)state;
    static const double ls[] = {2, 3, 2.5, 4};
    unsigned met = 0;
    for (unsigned i = 0; i < 36; i++) {
        arena *memory = arena_new();
        const uint32_t m = parties[i % 6 == 0 ? 0 : 1 + i % 2];
        random_shape shape = {.n_records = m == 2 ? 250 : 1500,
                              .n_attributes = 4,
                              .max_leaves = 20,
                              .max_levels = 4,
                              .k = 3 + i % 8,
                              .skewed = true,
                              .n_sensitive = 9,
                              .l = ls[i / 3 % 4]};
        problem *p = random_problem(&shape, 100 + i, memory);
        protocol_options options = plain;
        options.min_others = i % 4 == 3 ? PROTOCOL_MIN_OTHERS : 0;
        if (i % 4 == 2)
            ((model_spec *)p->models)[1].variant = VARIANT_DISTINCT;
        uint32_t *site = joint_sites(memory, p->n_records, m, SPLIT_SKEWED, i);
        for (uint32_t r = 0; i % 3 != 0 && r < p->n_records; r++)
            site[r] = i % 3 == 1 || r % 4 == 0 ? r % m : p->sensitive[0].values[r] % m;
        met += joint_tree_twin_equal(p, site, m, &options, memory) > 3;
        arena_free(memory);
    }
    assert_true(met > 20);
}

/* m-privacy by values, with diversity by frequency and by distinct values, quiet or not, with
 * reweaving; sites that are alike, one that has most, and sites that have values of their own. */
static void keeps_values_of_others(void **state)
{
    (void)state;
    unsigned met = 0, differs = 0;
    for (unsigned i = 0; i < 36; i++) {
        arena *memory = arena_new();
        const uint32_t m = parties[i % 3];
        random_shape shape = {.n_records = m == 2 ? 250 : 900,
                              .n_attributes = 3,
                              .max_leaves = 20,
                              .max_levels = 4,
                              .k = 4 + i % 8,
                              .skewed = true,
                              .n_sensitive = 9,
                              .l = 2 + i / 3 % 2};
        problem *p = random_problem(&shape, 300 + i, memory);
        protocol_options options = plain;
        options.min_others = i % 4 == 3 ? 1 : PROTOCOL_MIN_OTHERS;
        options.reweave = i % 5 == 1 ? 2 : 0;
        const bool distinct = i % 2 == 0;
        if (distinct)
            ((model_spec *)p->models)[1].variant = VARIANT_DISTINCT;
        options.quiet = distinct && i % 4 == 2;
        uint32_t *site = joint_sites(memory, p->n_records, m, SPLIT_SKEWED, i);
        for (uint32_t r = 0; i / 3 % 3 != 0 && r < p->n_records; r++)
            site[r] = i / 3 % 3 == 1 || r % 3 == 0 ? r % m : p->sensitive[0].values[r] % m;
        const uint32_t before = joint_tree_twin_equal(p, site, m, &options, memory);
        options.other_values = 2 + i % 2;
        const uint32_t n_classes = joint_tree_twin_equal(p, site, m, &options, memory);
        met += n_classes > 2;
        differs += n_classes != before;
        arena_free(memory);
    }
    assert_true(met > 18 && differs > 9);
}

/* Values of another kind than those of random_problem: none is very frequent. */
static void spread_values(sensitive_attribute *s, uint32_t n_records, uint32_t n_values,
                          uint64_t seed, arena *memory)
{
    rng r;
    uint32_t *values = arena_array(memory, n_records + (size_t)1, sizeof *values);
    rng_init(&r, seed, 3);
    for (uint32_t i = 0; i < n_records; i++)
        values[i] = rng_below(&r, 4) == 0 ? i % 2 : rng_below(&r, n_values);
    *s = (sensitive_attribute){.values = values, .count = n_values};
}

/* From l = 4 on a set must be lean. */
static void trims_lean_sets_like_the_union(void **state)
{
    (void)state;
    static const double ls[] = {4, 5, 4.25};
    for (unsigned i = 0; i < 9; i++) {
        arena *memory = arena_new();
        const uint32_t m = parties[i == 0 ? 0 : 1 + i % 2];
        random_shape shape = {.n_records = m == 2 ? 250 : 1500,
                              .n_attributes = 4,
                              .max_leaves = 20,
                              .max_levels = 4,
                              .k = 4 + i,
                              .skewed = true,
                              .n_sensitive = 2,
                              .l = ls[i % 3]};
        problem *p = random_problem(&shape, 300 + i, memory);
        sensitive_attribute values;
        spread_values(&values, p->n_records, 11, i, memory);
        p->sensitive = &values;
        const uint32_t *site = joint_sites(memory, p->n_records, m, SPLIT_RANDOM, i);
        assert_true(joint_tree_twin_equal(p, site, m, &plain, memory) > 3);
        arena_free(memory);
    }
}

/* Several sensitive attributes that are trimmed in turn. */
static void trims_for_several_attributes(void **state)
{
    (void)state;
    unsigned met = 0;
    for (unsigned i = 0; i < 12; i++) {
        arena *memory = arena_new();
        const uint32_t m = parties[i == 5 ? 0 : 1 + i % 2];
        random_shape shape = {.n_records = m == 2 ? 250 : 1500,
                              .n_attributes = 4,
                              .max_leaves = 20,
                              .max_levels = 4,
                              .k = 3 + i,
                              .skewed = true,
                              .n_sensitive = 9,
                              .l = 2 + i % 2 * .5};
        problem *p = random_problem(&shape, 400 + i, memory);
        sensitive_attribute both[3] = {p->sensitive[0]};
        model_spec models[] = {
            p->models[0],
            {.id = MODEL_ALPHA_K, .alpha = i % 3 == 0 ? .25 : .5, .k = 3, .sensitive = 1},
            p->models[1],
            {.id = MODEL_L_DIVERSITY, .variant = VARIANT_DISTINCT, .l = 2, .sensitive = 1},
            {.id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = 1.5, .sensitive = 2}};
        protocol_options options = plain;
        spread_values(&both[1], p->n_records, 7, i, memory);
        spread_values(&both[2], p->n_records, 3, 50 + i, memory);
        options.min_others = i % 4 == 1 ? PROTOCOL_MIN_OTHERS : 0;
        options.reweave = i % 4 == 2;
        p->sensitive = both;
        p->n_sensitive = 3;
        p->models = models;
        p->n_models = 3 + i % 3;
        uint32_t *site = joint_sites(memory, p->n_records, m, SPLIT_SKEWED, i);
        for (uint32_t r = 0; i % 3 == 2 && r < p->n_records; r++)
            site[r] = both[1].values[r] % m;
        met += joint_tree_twin_equal(p, site, m, &options, memory) > 3;
        arena_free(memory);
    }
    assert_true(met > 8);
}

/* Models that are kept by distinct values or by trimming, alone or two of them together. */
static void keeps_every_diversity(void **state)
{
    (void)state;
    static const model_spec kept[] = {
        {.id = MODEL_P_SENSITIVE, .p = 3, .k = 5},
        {.id = MODEL_ALPHA_K, .alpha = .3, .k = 5},
        {.id = MODEL_ALPHA_K, .alpha = .55, .k = 3},
        {.id = MODEL_L_DIVERSITY, .variant = VARIANT_ENTROPY, .l = 2.2},
        {.id = MODEL_L_DIVERSITY, .variant = VARIANT_RECURSIVE, .l = 3, .c = 2},
        {.id = MODEL_L_DIVERSITY, .variant = VARIANT_RECURSIVE, .l = 2, .c = .75},
        {.id = MODEL_L_DIVERSITY, .variant = VARIANT_RECURSIVE, .l = 1, .c = 1},
    };
    enum { N_KEPT = sizeof kept / sizeof *kept };
    unsigned met = 0;
    for (unsigned i = 0; i < 3 * N_KEPT; i++) {
        arena *memory = arena_new();
        const uint32_t m = parties[i == 0 || i == 8 ? 0 : 1 + i % 2];
        random_shape shape = {.n_records = m == 2 ? 250 : 1200,
                              .n_attributes = 4,
                              .max_leaves = 20,
                              .max_levels = 4,
                              .k = 5,
                              .skewed = true,
                              .n_sensitive = 9,
                              .l = 1};
        problem *p = random_problem(&shape, 200 + i, memory);
        const model_spec models[] = {p->models[0], kept[i % N_KEPT], kept[i * 5 % N_KEPT]};
        protocol_options options = plain;
        options.min_others = i % 3 == 1 ? PROTOCOL_MIN_OTHERS : 0;
        options.reweave = i % 7 == 6;
        p->models = models;
        p->n_models = 2 + i % 2;
        uint32_t *site = joint_sites(memory, p->n_records, m, SPLIT_SKEWED, i);
        for (uint32_t r = 0; i % 3 == 2 && r < p->n_records; r++)
            site[r] = p->sensitive[0].values[r] % m;
        met += joint_tree_twin_equal(p, site, m, &options, memory) > 3;
        arena_free(memory);
    }
    assert_true(met >= 2 * N_KEPT);
}

/* Quiet: the same classes, of the same reference, with every model that it supports. */
static void is_the_same_tree_if_quiet(void **state)
{
    (void)state;
    static const uint32_t ks[] = {2, 3, 5, 6, 10, 20};
    const model_spec sites = {.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES, .l = 2};
    unsigned met = 0;
    for (unsigned i = 0; i < 48; i++) {
        arena *memory = arena_new();
        const uint32_t m = parties[i % 8 == 0 ? 0 : 1 + i % 3];
        random_shape shape = {.n_records = m == 2 ? 300 : 900,
                              .n_attributes = 1 + i % 5,
                              .max_leaves = i % 7 == 3 ? 90 : 20,
                              .max_levels = i % 7 == 3 ? 2 : 4,
                              .k = ks[i % 6],
                              .skewed = true,
                              .wildcards = i % 2 * .03,
                              .inner = i % 3 * .05,
                              .n_sensitive = i % 4 == 3 ? 6 : 0,
                              .l = 1};
        problem *p = random_problem(&shape, i, memory);
        model_spec models[2] = {
            p->models[0], {.id = MODEL_L_DIVERSITY, .variant = VARIANT_DISTINCT, .l = 2 + i % 2}};
        p->models = models;
        p->n_models = 1 + (shape.n_sensitive > 0);
        protocol_options options = plain;
        options.quiet = true;
        options.min_others = i % 5 == 4 ? 0 : PROTOCOL_MIN_OTHERS;
        options.reweave = i % 6 == 1 ? 2 : 0;
        options.n_site_models = i % 4 == 2;
        options.site_models = &sites;
        const joint_split split = (joint_split)(i / 2 % JOINT_SPLITS);
        met += joint_tree_twin_equal(p, joint_sites(memory, p->n_records, m, split, i), m, &options,
                                     memory) > 1;
        arena_free(memory);
    }
    assert_true(met > 24);
}

static void refuses_what_it_cannot_do(void **state)
{
    (void)state;
    arena *memory = arena_new();
    random_shape shape = {
        .n_records = 30, .n_attributes = 2, .max_leaves = 5, .max_levels = 3, .k = 2};
    problem *p = random_problem(&shape, 1, memory);
    const uint32_t *site = joint_sites(memory, p->n_records, 3, SPLIT_ROUND, 1);
    static const model_spec refused[] = {
        {.id = MODEL_T_CLOSENESS, .variant = VARIANT_EQUAL, .t = .2},
        {.id = MODEL_T_CLOSENESS, .variant = VARIANT_ORDERED, .t = .2},
        {.id = MODEL_ALPHA_K, .alpha = .0009, .k = 2},
        {.id = MODEL_P_SENSITIVE, .p = 1025, .k = 1025},
        {.id = MODEL_L_DIVERSITY, .variant = VARIANT_RECURSIVE, .l = 2, .c = .0009},
        {.id = MODEL_DELTA_DISCLOSURE, .delta = 1},
        {.id = MODEL_BETA_LIKENESS, .variant = VARIANT_BASIC, .beta = 1},
        {.id = MODEL_DISSIMILARITY, .variant = VARIANT_EQUAL, .epsilon = .1, .delta = .5, .k = 2},
        {.id = MODEL_LKC, .l = 2, .k = 2, .c = .5},
    };
    model_spec sites = {.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES, .l = 4};
    joint_job j = {.problem = p, .site = site, .options = &plain, .protocol = joint_tree_run};
    p->n_models = 1;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        p->models = &refused[i];
        assert_int_equal(joint_tree_twin_run(&j, 3), KITH_INVALID);
    }
    p->n_models = 0;
    protocol_options options = {.n_site_models = 1, .site_models = &sites};
    j.options = &options;
    assert_int_equal(joint_tree_twin_run(&j, 3), KITH_INFEASIBLE);
    arena_free(memory);
}

static void names_the_models_that_it_keeps(void **state)
{
    (void)state;
    assert_true(supports_joint_tree(&(model_spec){.id = MODEL_K_ANONYMITY}));
    assert_true(supports_joint_tree(&(model_spec){.id = MODEL_M_PRIVACY}));
    model_spec m = {.id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = 3};
    assert_true(supports_joint_tree(&m));
    m.variant = VARIANT_DISTINCT;
    assert_true(supports_joint_tree(&m));
    m.variant = VARIANT_ENTROPY;
    assert_true(supports_joint_tree(&m));
    assert_true(supports_by_trimming(&m));
    m.variant = VARIANT_DISTINCT;
    assert_false(supports_by_trimming(&m));
    m = (model_spec){.id = MODEL_L_DIVERSITY, .variant = VARIANT_RECURSIVE, .l = 1, .c = 1};
    assert_true(supports_by_trimming(&m)); /* one value must not be all */
    m.c = 1.5;
    assert_false(supports_by_trimming(&m));
    m = (model_spec){.id = MODEL_ALPHA_K, .alpha = 1, .k = 2};
    assert_true(supports_joint_tree(&m));
    assert_false(supports_by_trimming(&m));
    m = (model_spec){.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES};
    assert_true(supports_joint_tree(&m));
    m = (model_spec){.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_ATTRIBUTES, .n_values = 1};
    assert_true(supports_joint_tree(&m));
    m.n_values = 2;
    assert_false(supports_joint_tree(&m));
    assert_false(supports_joint_tree(&(model_spec){.id = MODEL_T_CLOSENESS}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_all_models),
        cmocka_unit_test(keeps_m_privacy_by_default),
        cmocka_unit_test(keeps_values_of_others),
        cmocka_unit_test(trims_and_lends_like_the_union),
        cmocka_unit_test(keeps_every_diversity),
        cmocka_unit_test(trims_lean_sets_like_the_union),
        cmocka_unit_test(trims_for_several_attributes),
        cmocka_unit_test(is_the_same_tree_if_quiet),
        cmocka_unit_test(refuses_what_it_cannot_do),
        cmocka_unit_test(names_the_models_that_it_keeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The joint tree: equal to the tree of the union, however the records are distributed; models,
 * edge cases, properties. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "protocol/supports.h"
#include "protocol/joint_tree/joint_tree.h"
#include "reference/joint_tree_plain.h"
#include "support/joint.h"
#include "support/random_problem.h"

static const protocol_options plain = {.protocol = PROTOCOL_WEAVE};

/* Sizes, diversity, sites and closures of all classes, counted anew. */
static void check_class(const problem *p, const partition *r, const joint_tree_plain_sites *sites,
                        uint32_t class)
{
    uint32_t count[64] = {0}, at[PARTY_MAX] = {0}, size = 0;
    uint32_t max_count = 0, distinct = 0, present = 0, mine = 0;
    const uint32_t *closure = r->closure + (size_t) class * p->n_attributes;
    for (uint32_t i = 0; i < p->n_records; i++) {
        if (r->class_of[i] != class)
            continue;
        size++;
        at[sites->site_of[i]]++;
        count[p->n_sensitive > 0 ? p->sensitive[0].values[i] : 0]++;
        for (uint32_t a = 0; a < p->n_attributes; a++)
            assert_true(tree_covers(p->attributes[a].tree, closure[a], p->attributes[a].cells[i]));
    }
    for (uint32_t v = 0; v < 64; v++) {
        max_count = count[v] > max_count ? count[v] : max_count;
        distinct += count[v] > 0;
        present += at[v] > 0;
        mine = at[v] > mine ? at[v] : mine;
    }
    assert_true(size >= p->k);
    for (uint32_t m = 0; m < p->n_models; m++) {
        if (p->models[m].variant == VARIANT_FREQUENCY)
            assert_true(size >= p->models[m].l * max_count);
        if (p->models[m].variant == VARIANT_DISTINCT)
            assert_true(distinct >= p->models[m].l);
    }
    for (uint32_t m = 0; m < sites->n_models; m++) {
        if (sites->models[m].variant == VARIANT_SITES)
            assert_true(present >= sites->models[m].l);
        if (sites->models[m].id == MODEL_M_PRIVACY)
            assert_true(size - mine >= sites->models[m].k);
    }
}

static kith_status run_joint(joint_job *j, uint32_t m)
{
    void *users[PARTY_MAX] = {NULL};
    kith_error errors[PARTY_MAX] = {0};
    for (uint32_t i = 0; i < m; i++)
        users[i] = j;
    kith_status status = inproc_run(m, NULL, NULL, joint_fn, users, errors);
    for (uint32_t i = 0; i < m && status != KITH_OK && status != KITH_INFEASIBLE; i++)
        print_message("%u: %s\n", i, errors[i].message);
    for (uint32_t i = 0; i < m && status == KITH_INFEASIBLE; i++)
        assert_int_equal(errors[i].status, KITH_INFEASIBLE);
    if (status == KITH_OK)
        joint_join(j);
    return status;
}

static void compare(const joint_job *j, const partition *whole, uint32_t m)
{
    const problem *p = j->problem;
    const size_t n_cells = (size_t)whole->n_classes * p->n_attributes;
    uint64_t *size = calloc(whole->n_classes, sizeof *size);
    for (uint32_t i = 0; i < p->n_records; i++)
        size[whole->class_of[i]]++;
    for (uint32_t i = 0; i < m; i++) {
        assert_int_equal(j->result[i].n_classes, whole->n_classes);
        assert_memory_equal(j->result[i].closure, whole->closure, n_cells * sizeof *whole->closure);
        assert_memory_equal(j->size[i], size, whole->n_classes * sizeof *size);
    }
    assert_memory_equal(j->joined.class_of, whole->class_of,
                        p->n_records * sizeof *whole->class_of);
    free(size);
}

/* Runs both, compares them class by class and looks at the models; returns the number of classes.
 */
static uint32_t check_equal(const problem *p, const uint32_t *site, uint32_t m,
                            const protocol_options *options, arena *memory)
{
    joint_job j = {.problem = p, .site = site, .options = options, .protocol = joint_tree_run};
    model_spec models[8];
    joint_tree_plain_sites sites = {m, site, options->n_site_models, models, options->quiet};
    partition whole = {0};
    kith_error error;
    j.seeded = true;
    j.seed = 7;
    for (uint32_t i = 0; i < options->n_site_models; i++)
        models[i] = options->site_models[i];
    if (options->min_others > 0)
        models[sites.n_models++] = (model_spec){.id = MODEL_M_PRIVACY, .k = options->min_others};
    kith_status wanted = joint_tree_plain(&whole, p, &sites, 7, options->reweave, memory, &error);
    assert_int_equal(run_joint(&j, m), wanted);
    for (uint32_t c = 0; c < whole.n_classes; c++)
        check_class(p, &j.joined, &sites, c);
    if (wanted == KITH_OK)
        compare(&j, &whole, m);
    joint_free(&j);
    return whole.n_classes;
}

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
                assert_true(check_equal(p, site, parties[a], &plain, memory) > 5);
            }
            arena_free(memory);
        }
    }
}

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
            if (check_equal(p, site, m, &options, memory) > 0)
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
        met +=
            check_equal(p, joint_sites(memory, p->n_records, m, split, i), m, &options, memory) > 0;
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
        met += check_equal(p, site, m, &options, memory) > 3;
        arena_free(memory);
    }
    assert_true(met > 20);
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
        met +=
            check_equal(p, joint_sites(memory, p->n_records, m, split, i), m, &options, memory) > 1;
        arena_free(memory);
    }
    assert_true(met > 24);
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
        if (check_equal(p, site, m, &plain, memory) > 0)
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
            assert_int_equal(check_equal(p, site, 3, &plain, memory), k <= 10);
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
        assert_int_equal(run_joint(&j, 5), KITH_OK);
        for (uint32_t i = 1; i < 5; i++) {
            assert_int_equal(j.result[i].n_classes, j.result[0].n_classes);
            assert_memory_equal(j.result[i].closure, j.result[0].closure,
                                j.result[0].n_classes * p->n_attributes * 4);
        }
        for (uint32_t c = 0; c < j.joined.n_classes; c++)
            check_class(p, &j.joined, &sites, c);
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
        assert_int_equal(run_joint(&j, parties[a]), KITH_OK);
        assert_true(j.joined.n_classes > 5);
        for (uint32_t c = 0; c < j.joined.n_classes; c++)
            check_class(p, &j.joined, &sites, c);
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
        assert_true(check_equal(p, site, m, &options, memory) > 5);
        assert_int_equal(joint_tree_plain(&before, p, NULL, 7, 0, memory, &error), KITH_OK);
        assert_int_equal(joint_tree_plain(&after, p, NULL, 7, 6, memory, &error), KITH_OK);
        /* Classes that were trimmed have little to gain. */
        assert_true(
            partition_cost(&after, p) < partition_cost(&before, p) ||
            (shape.n_sensitive > 0 && partition_cost(&after, p) == partition_cost(&before, p)));
        arena_free(memory);
    }
}

static void refuses_what_it_cannot_do(void **state)
{
    (void)state;
    arena *memory = arena_new();
    random_shape shape = {
        .n_records = 30, .n_attributes = 2, .max_leaves = 5, .max_levels = 3, .k = 2};
    problem *p = random_problem(&shape, 1, memory);
    const uint32_t *site = joint_sites(memory, p->n_records, 3, SPLIT_ROUND, 1);
    model_spec closeness = {.id = MODEL_T_CLOSENESS, .variant = VARIANT_EQUAL, .t = .2};
    model_spec sites = {.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES, .l = 4};
    joint_job j = {.problem = p, .site = site, .options = &plain, .protocol = joint_tree_run};
    p->n_models = 1;
    p->models = &closeness;
    assert_int_equal(run_joint(&j, 3), KITH_INVALID);
    p->n_models = 0;
    protocol_options options = {.n_site_models = 1, .site_models = &sites};
    j.options = &options;
    assert_int_equal(run_joint(&j, 3), KITH_INFEASIBLE);
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
    assert_false(supports_joint_tree(&m));
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
        cmocka_unit_test(equals_the_tree_of_the_union),
        cmocka_unit_test(keeps_all_models),
        cmocka_unit_test(keeps_m_privacy_by_default),
        cmocka_unit_test(trims_and_lends_like_the_union),
        cmocka_unit_test(is_the_same_tree_if_quiet),
        cmocka_unit_test(survives_the_edges),
        cmocka_unit_test(holds_equal_rows_together),
        cmocka_unit_test(tosses_public_coins),
        cmocka_unit_test(blurs_thresholds_upwards),
        cmocka_unit_test(reweaves_like_the_union),
        cmocka_unit_test(refuses_what_it_cannot_do),
        cmocka_unit_test(names_the_models_that_it_keeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

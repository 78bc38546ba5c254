/* Distributed Mondrian: the same classes as in one place, however the records are distributed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "protocol/mondrian/mondrian_protocol.h"
#include "reference/mondrian_plain.h"
#include "search/algorithms.h"
#include "support/joint.h"
#include "support/random_problem.h"

static search_spec spec_of_run;

/* joint.h runs with an empty spec; this one has the test's. */
static kith_status with_spec(rows_result *result, party *p, const rows_task *task,
                             kith_error *error)
{
    rows_task changed = *task;
    changed.spec = &spec_of_run;
    return mondrian_protocol_run(result, p, &changed, error);
}

/* Random kinds of axes: ordered with some step, or along the tree; with missing values or wildcards
 * in some. */
static problem *draw_problem(const random_shape *shape, uint64_t seed, arena *memory)
{
    rng r;
    problem *p = random_problem(shape, seed, memory);
    attribute *attributes = (attribute *)p->attributes;
    rng_init(&r, seed, 77);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        attribute *a = &attributes[j];
        uint32_t *rank = arena_array(memory, a->tree->n_leaves, sizeof *rank);
        for (uint32_t leaf = 0; leaf < a->tree->n_leaves; leaf++)
            rank[leaf] = leaf;
        rng_shuffle(&r, rank, a->tree->n_leaves);
        a->ordered = rng_below(&r, 2);
        a->step = rng_below(&r, 4);
        a->rank = rng_below(&r, 2) ? rank : NULL;
        a->wildcards = shape->wildcards > 0; /* a study has one or the other */
        a->missing_last = !a->wildcards && a->tree->n_leaves > 1 && rng_below(&r, 3) == 0;
    }
    return p;
}

typedef struct scene {
    random_shape shape;
    uint32_t m;
    joint_split split;
    double alpha;
    bool relaxed;
    uint32_t n_site_models;
    model_spec site_models[2];
    uint32_t by_default; /* m-privacy that the study does not name */
    bool distinct;
} scene;

static kith_status run_joint(joint_job *j, uint32_t m)
{
    void *users[PARTY_MAX] = {NULL};
    kith_error errors[PARTY_MAX] = {0};
    for (uint32_t i = 0; i < m; i++)
        users[i] = j;
    kith_status status = inproc_run(m, NULL, NULL, joint_fn, users, errors);
    for (uint32_t i = 0; i < m; i++)
        if (status == KITH_INFEASIBLE)
            assert_int_equal(errors[i].status, KITH_INFEASIBLE);
        else if (status != KITH_OK)
            print_message("%u: %s\n", i, errors[i].message);
    if (status == KITH_OK)
        joint_join(j);
    return status;
}

/* Classes of the joint run by first record, as the reference numbers them. */
static void same_classes(const joint_job *j, const partition *whole)
{
    const problem *p = j->problem;
    uint32_t *number = calloc(j->joined.n_classes + 1, sizeof *number), next = 0;
    memset(number, 0xff, (j->joined.n_classes + 1) * sizeof *number);
    assert_int_equal(j->joined.n_classes, whole->n_classes);
    for (uint32_t i = 0; i < p->n_records; i++) {
        uint32_t *class = &number[j->joined.class_of[i]];
        if (*class == UINT32_MAX)
            *class = next++;
        assert_int_equal(*class, whole->class_of[i]);
        assert_memory_equal(j->joined.closure + (size_t)j->joined.class_of[i] * p->n_attributes,
                            whole->closure + (size_t)whole->class_of[i] * p->n_attributes,
                            p->n_attributes * sizeof *whole->closure);
        for (uint32_t a = 0; a < p->n_attributes; a++)
            assert_true(
                tree_covers(p->attributes[a].tree,
                            whole->closure[(size_t)whole->class_of[i] * p->n_attributes + a],
                            p->attributes[a].cells[i]));
    }
    free(number);
}

/* Every party knows the sizes. */
static void right_sizes(const joint_job *j, uint32_t m)
{
    uint64_t *size = calloc(j->joined.n_classes + 1, sizeof *size);
    for (uint32_t i = 0; i < j->problem->n_records; i++)
        size[j->joined.class_of[i]]++;
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t c = 0; c < j->joined.n_classes; c++)
            assert_int_equal(j->size[i][c], size[c]);
    free(size);
}

static bool play(const scene *s, uint64_t seed)
{
    arena *memory = arena_new();
    kith_error error;
    search_result whole;
    problem *p = draw_problem(&s->shape, seed, memory);
    if (s->distinct)
        ((model_spec *)p->models)[1].variant = VARIANT_DISTINCT;
    const uint32_t *site = joint_sites(memory, p->n_records, s->m, s->split, seed);
    const model_spec kept[] = {
        s->site_models[0], s->site_models[1], {.id = MODEL_M_PRIVACY, .k = s->by_default}};
    const mondrian_plain_sites sites = {s->m, site, s->by_default > 0 ? 3 : s->n_site_models, kept};
    const mondrian_plain_options plain = {.relaxed = s->relaxed, .alpha = s->alpha, .seed = seed};
    const protocol_options options = {.alpha = s->alpha,
                                      .min_others = s->by_default,
                                      .n_site_models = s->n_site_models,
                                      .site_models = s->site_models};
    joint_job j = {.problem = p,
                   .site = site,
                   .options = &options,
                   .protocol = with_spec,
                   .seeded = true,
                   .seed = seed,
                   .memory = memory};
    spec_of_run = (search_spec){.relaxed = s->relaxed, .regions = true};
    kith_status alone = mondrian_plain(&whole, p, &sites, &plain, memory, &error);
    kith_status status = run_joint(&j, s->m);
    assert_int_equal(status, alone);
    bool split = false;
    if (status == KITH_OK) {
        same_classes(&j, &whole.partition);
        right_sizes(&j, s->m);
        split = whole.partition.n_classes > 1;
    }
    joint_free(&j);
    arena_free(memory);
    return split;
}

/* Many small tables; most of them must really be split, or the test would show nothing. */
static void play_many(scene s, uint32_t n)
{
    static const uint32_t parties[] = {2, 3, 5};
    uint32_t n_split = 0;
    for (uint32_t i = 0; i < n; i++) {
        s.m = parties[i % 3];
        s.split = (joint_split)(i / 3 % JOINT_SPLITS);
        n_split += play(&s, i);
    }
    assert_true(n_split > n / 4);
}

static const random_shape small = {
    .n_records = 60, .n_attributes = 3, .max_leaves = 14, .max_levels = 4, .k = 3};

static void k_anonymity(void **state)
{
    (void)state;
    play_many((scene){.shape = small, .alpha = 1}, 60);
}

static void wildcards(void **state)
{
    (void)state;
    scene s = {.shape = small, .alpha = 1};
    s.shape.wildcards = 0.15;
    play_many(s, 36);
}

static void relaxed(void **state)
{
    (void)state;
    scene s = {.shape = small, .alpha = 1, .relaxed = true};
    s.shape.skewed = true;
    play_many(s, 36);
}

static void diversity_by_frequency(void **state)
{
    (void)state;
    scene s = {.shape = small, .alpha = 1};
    s.shape.n_sensitive = 5;
    s.shape.l = 1.5;
    play_many(s, 36);
}

static void distinct_diversity(void **state)
{
    (void)state;
    scene s = {.shape = small, .alpha = 1, .distinct = true};
    s.shape.n_sensitive = 6;
    s.shape.l = 3;
    play_many(s, 36);
}

/* Sites in the split rule, and in the score. */
static void sites(void **state)
{
    (void)state;
    scene s = {.shape = small, .n_site_models = 1};
    s.site_models[0] = (model_spec){.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES, .l = 2};
    s.split = SPLIT_RANDOM;
    uint32_t n_split = 0;
    for (uint32_t i = 0; i < 36; i++) {
        static const double alphas[] = {1, 0.3, 0};
        static const uint32_t parties[] = {2, 3, 5};
        s.m = parties[i % 3];
        s.alpha = alphas[i / 3 % 3];
        s.relaxed = i % 4 == 3;
        n_split += play(&s, i);
    }
    assert_true(n_split > 9);
}

static void m_privacy(void **state)
{
    (void)state;
    scene s = {.shape = small, .alpha = 0.3, .split = SPLIT_RANDOM, .n_site_models = 2};
    s.site_models[0] = (model_spec){.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES, .l = 2};
    s.site_models[1] = (model_spec){.id = MODEL_M_PRIVACY, .k = 2};
    uint32_t n_split = 0;
    for (uint32_t i = 0; i < 24; i++) {
        s.m = 2 + i % 4;
        n_split += play(&s, i);
    }
    assert_true(n_split > 6);
}

/* The default, which is part of the size where k allows it, and a condition of its own where not.
 */
static void m_privacy_by_default(void **state)
{
    (void)state;
    scene s = {.shape = small, .alpha = 1, .by_default = PROTOCOL_MIN_OTHERS};
    uint32_t n_split = 0;
    for (uint32_t i = 0; i < 36; i++) {
        static const uint32_t sizes[] = {2, 3, 5, 6, 7};
        s.shape.k = sizes[i % 5];
        s.m = 2 + i % 4;
        s.split = (joint_split)(i % JOINT_SPLITS);
        n_split += play(&s, i);
    }
    assert_true(n_split > 9);
}

/* What is left without a site also has two values, or three. */
static void m_privacy_by_values(void **state)
{
    (void)state;
    scene s = {.shape = small, .alpha = 1, .n_site_models = 1};
    uint32_t n_split = 0;
    s.shape.n_sensitive = 6;
    s.shape.n_records = 120;
    for (uint32_t i = 0; i < 36; i++) {
        s.distinct = i % 2;
        s.shape.l = s.distinct ? 2 : 1.5;
        s.m = 2 + i % 4;
        s.split = (joint_split)(i % JOINT_SPLITS);
        s.site_models[0] =
            (model_spec){.id = MODEL_M_PRIVACY, .k = 1 + i % 3, .other_values = 2 + i / 2 % 2};
        n_split += play(&s, i);
    }
    assert_true(n_split > 9);
}

static void all_models_at_once(void **state)
{
    (void)state;
    scene s = {.shape = small, .alpha = 0.3, .m = 3, .split = SPLIT_ROUND, .n_site_models = 1};
    s.shape.n_records = 150;
    s.shape.n_sensitive = 4;
    s.shape.l = 1.25;
    s.site_models[0] = (model_spec){.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES, .l = 3};
    uint32_t n_split = 0;
    for (uint32_t i = 0; i < 12; i++)
        n_split += play(&s, i);
    assert_true(n_split > 3);
}

static void a_hundred_sites(void **state)
{
    (void)state;
    scene s = {.shape = small, .alpha = 0.3, .m = 100, .split = SPLIT_RANDOM, .n_site_models = 1};
    s.shape.n_records = 600;
    s.shape.k = 20;
    s.site_models[0] =
        (model_spec){.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES, .l = 15};
    assert_true(play(&s, 1));
}

/* The centralized search is the same rule without sites. */
static void centralized_search(void **state)
{
    (void)state;
    uint32_t n_split = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        arena *memory = arena_new();
        kith_error error;
        search_result whole;
        context c;
        random_shape shape = small;
        shape.skewed = seed % 2;
        shape.n_sensitive = seed % 3 == 0 ? 4 : 0;
        shape.l = 1.5;
        shape.wildcards = seed % 5 == 0 ? 0.1 : 0;
        problem *p = draw_problem(&shape, seed, memory);
        const uint32_t *site = arena_zalloc(memory, p->n_records, sizeof *site);
        const mondrian_plain_sites sites = {1, site, 0, NULL};
        const mondrian_plain_options plain = {
            .relaxed = seed % 4 == 1, .ranges = seed % 2, .alpha = 1, .seed = seed};
        const search_spec spec = {
            .relaxed = plain.relaxed, .ranges = plain.ranges, .regions = true};
        assert_int_equal(
            context_init(&c, &(kith_run)KITH_OPTIONS(kith_run, .seeded = true, .seed = seed),
                         &error),
            KITH_OK);
        search_result found = {0};
        if (mondrian_plain(&whole, p, &sites, &plain, memory, &error) == KITH_OK) {
            assert_int_equal(mondrian_run(&found, p, &spec, &c, &error), KITH_OK);
            assert_int_equal(found.partition.n_classes, whole.partition.n_classes);
            assert_memory_equal(found.partition.class_of, whole.partition.class_of,
                                p->n_records * sizeof(uint32_t));
            assert_memory_equal(found.partition.closure, whole.partition.closure,
                                (size_t)whole.partition.n_classes * p->n_attributes *
                                    sizeof(uint32_t));
            if (plain.ranges) {
                const size_t n_cells = (size_t)whole.partition.n_classes * p->n_attributes;
                assert_memory_equal(found.low, whole.low, n_cells * sizeof(uint32_t));
                assert_memory_equal(found.high, whole.high, n_cells * sizeof(uint32_t));
            }
            n_split += whole.partition.n_classes > 1;
        }
        context_wipe(&c);
        arena_free(memory);
    }
    assert_true(n_split > 100);
}

/* A table in one place may have its columns in another order than the study, which sites use. */
static void columns_in_another_order(void **state)
{
    (void)state;
    uint32_t n_split = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        arena *memory = arena_new();
        kith_error error;
        context c;
        problem *p = draw_problem(&small, seed, memory), turned = *p;
        attribute *attributes = (attribute *)p->attributes;
        attribute *reversed = arena_array(memory, p->n_attributes, sizeof *reversed);
        for (uint32_t j = 0; j < p->n_attributes; j++) {
            attributes[j].turn = j;
            reversed[p->n_attributes - 1 - j] = attributes[j];
        }
        turned.attributes = reversed;
        const search_spec spec = {.regions = true};
        search_result found[2] = {{.low = NULL}, {.low = NULL}};
        assert_int_equal(
            context_init(&c, &(kith_run)KITH_OPTIONS(kith_run, .seeded = true, .seed = seed),
                         &error),
            KITH_OK);
        assert_int_equal(mondrian_run(&found[0], p, &spec, &c, &error), KITH_OK);
        assert_int_equal(mondrian_run(&found[1], &turned, &spec, &c, &error), KITH_OK);
        assert_int_equal(found[0].partition.n_classes, found[1].partition.n_classes);
        assert_memory_equal(found[0].partition.class_of, found[1].partition.class_of,
                            p->n_records * sizeof(uint32_t));
        n_split += found[0].partition.n_classes > 1;
        context_wipe(&c);
        arena_free(memory);
    }
    assert_true(n_split > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(centralized_search),
        cmocka_unit_test(columns_in_another_order),
        cmocka_unit_test(k_anonymity),
        cmocka_unit_test(wildcards),
        cmocka_unit_test(relaxed),
        cmocka_unit_test(diversity_by_frequency),
        cmocka_unit_test(distinct_diversity),
        cmocka_unit_test(sites),
        cmocka_unit_test(m_privacy),
        cmocka_unit_test(m_privacy_by_default),
        cmocka_unit_test(m_privacy_by_values),
        cmocka_unit_test(all_models_at_once),
        cmocka_unit_test(a_hundred_sites),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

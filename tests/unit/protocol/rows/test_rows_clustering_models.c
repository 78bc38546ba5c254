/* Horizontal clustering with models: diversity as in one place, private diversity, and the models
 * about sites, judged by naive counts over all records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "protocol/supports.h"
#include "protocol/rows/rows_clustering.h"
#include "support/distributed.h"

static const problem_shape diverse = {.n_records = 500,
                                      .n_attributes = 4,
                                      .n_leaves = 24,
                                      .width = 3,
                                      .n_kinds = 300,
                                      .skew = 2,
                                      .measure = MEASURE_LM,
                                      .k = 8,
                                      .n_sensitive = 6,
                                      .l = 2.5};

static uint32_t class_of(const distributed *j, uint32_t record)
{
    return j->result[j->site[record]].class_of[j->place[record]];
}

/* The same model of all parts and the whole. */
static void set_models(distributed *j, const model_spec *model, uint32_t count)
{
    j->all->models = model;
    j->all->n_models = count;
    j->all->k = models_minimum_size(model, count);
    for (uint32_t i = 0; i < j->m; i++) {
        j->part[i]->models = model;
        j->part[i]->n_models = count;
        j->part[i]->k = j->all->k;
    }
}

static void the_same_with_diversity(void **state)
{
    (void)state;
    static const uint32_t parties[] = {2, 3, 5, 8}, block[] = {1, 7, 64, 256};
    uint64_t later = 0;
    for (uint32_t i = 0; i < 16; i++) {
        distributed j;
        search_spec spec = {.block = block[i % 4],
                            .finish = (i / 4 + i) % 2 ? FINISH_MERGE : FINISH_HYBRID};
        problem_shape shape = diverse;
        shape.n_records = i % 4 == 0 ? 160 : 400; /* block 1 takes a call per question */
        distributed_init(&j, &shape, parties[i / 4], i, NULL);
        assert_int_equal(distributed_run(&j, rows_clustering, &spec, NULL), KITH_OK);
        later += distributed_equals_central(&j, &spec).n_passes - 1;
        distributed_wipe(&j);
    }
    assert_true(later > 20);
}

/* Models other than frequencies are judged by whole histograms. */
static void the_same_with_other_models(void **state)
{
    (void)state;
    const model_spec k = {.id = MODEL_K_ANONYMITY, .k = 6};
    const model_spec models[][2] = {
        {k, {.id = MODEL_L_DIVERSITY, .variant = VARIANT_DISTINCT, .l = 3}},
        {k, {.id = MODEL_L_DIVERSITY, .variant = VARIANT_ENTROPY, .l = 2}},
        {k, {.id = MODEL_L_DIVERSITY, .variant = VARIANT_RECURSIVE, .l = 2, .c = 2}},
        {k, {.id = MODEL_ALPHA_K, .alpha = 0.5, .k = 5}},
        {k, {.id = MODEL_P_SENSITIVE, .p = 3, .k = 5}},
    };
    for (uint32_t i = 0; i < 5; i++) {
        distributed j;
        search_spec spec = {.block = 30};
        distributed_init(&j, &diverse, 3, i, NULL);
        set_models(&j, models[i], 2);
        assert_true(rows_clustering_supports(&models[i][1]));
        assert_int_equal(distributed_run(&j, rows_clustering, &spec, NULL), KITH_OK);
        (void)distributed_equals_central(&j, &spec);
        distributed_wipe(&j);
    }
}

/* A value that half of the records have, and one site has alone. */
static void skewed_values(void **state)
{
    (void)state;
    for (uint32_t m = 2; m < 5; m++) {
        distributed j;
        problem_shape shape = diverse;
        search_spec usual = {0};
        shape.l = 1.8;
        distributed_init(&j, &shape, m, m, NULL);
        for (uint32_t i = 0; i < j.all->n_records; i++) {
            uint32_t *values = (uint32_t *)j.all->sensitive[0].values;
            uint32_t *own = (uint32_t *)j.part[j.site[i]]->sensitive[0].values;
            values[i] = i % 2 ? 0 : j.site[i] == 0 ? 1 : values[i] > 1 ? values[i] : 2;
            own[j.place[i]] = values[i];
        }
        assert_int_equal(distributed_run(&j, rows_clustering, &usual, NULL), KITH_OK);
        (void)distributed_equals_central(&j, &usual);
        distributed_wipe(&j);
    }
}

static void too_much_diversity(void **state)
{
    (void)state;
    static const bool hidden[] = {false, true};
    for (int h = 0; h < 2; h++) {
        distributed j;
        problem_shape shape = diverse;
        search_spec usual = {0};
        protocol_options options = {.partition = PARTITION_HORIZONTAL,
                                    .private_diversity = hidden[h]};
        shape.l = 6.5;
        distributed_init(&j, &shape, 3, 1, NULL);
        (void)distributed_run(&j, rows_clustering, &usual, &options);
        for (uint32_t i = 0; i < 3; i++) {
            assert_int_equal(j.error[i].status, KITH_INFEASIBLE);
            const char *said = hidden[h] ? "as one class keep the diversity" : "l-diversity asks";
            assert_non_null(strstr(j.error[i].message, said));
        }
        distributed_wipe(&j);
    }
}

/* Diverse classes, though nobody learns a count. */
static void learned(party *p, void *user)
{
    atomic_bool *counts = user;
    const ledger *l = party_ledger(p);
    for (size_t i = 0; i < l->n_disclosures; i++)
        if (strcmp(l->disclosures[i].what, "counts of sensitive values") == 0)
            atomic_store(counts, true);
}

typedef struct watched {
    distributed j;
    atomic_bool counts;
} watched;

static kith_status sit_and_learn(party *p, void *user, kith_error *error)
{
    watched *w = user;
    kith_status status = distributed_take_part(p, &w->j, error);
    learned(p, &w->counts);
    return status;
}

static void private_diversity(void **state)
{
    (void)state;
    for (uint32_t m = 2; m < 6; m++)
        for (int hidden = 0; hidden < 2; hidden++) {
            watched w = {.counts = false};
            search_spec usual = {0};
            protocol_options options = {.partition = PARTITION_HORIZONTAL,
                                        .private_diversity = hidden};
            void *user[DISTRIBUTED_MAX];
            for (uint32_t i = 0; i < m; i++)
                user[i] = &w;
            distributed_init(&w.j, &diverse, m, m, NULL);
            distributed_prepare(&w.j, rows_clustering, &usual, &options);
            assert_int_equal(inproc_run(m, NULL, NULL, sit_and_learn, user, NULL), KITH_OK);
            distributed_is_sound(&w.j); /* k and l hold */
            assert_true(w.j.result[0].n_classes > 5);
            assert_int_equal(atomic_load(&w.counts), !hidden);
            distributed_wipe(&w.j);
        }
    distributed j;
    search_spec usual = {0};
    const model_spec distinct[] = {{.id = MODEL_K_ANONYMITY, .k = 6},
                                   {.id = MODEL_L_DIVERSITY, .variant = VARIANT_DISTINCT, .l = 3}};
    protocol_options options = {.partition = PARTITION_HORIZONTAL, .private_diversity = true};
    distributed_init(&j, &diverse, 3, 1, NULL);
    set_models(&j, distinct, 2);
    assert_int_equal(distributed_run(&j, rows_clustering, &usual, &options), KITH_INVALID);
    assert_non_null(strstr(j.error[0].message, "private_diversity"));
    distributed_wipe(&j);
}

/* --- models about sites --- */

static kith_status run_sites(distributed *j, const model_spec *models, uint32_t n_models)
{
    search_spec usual = {0};
    protocol_options options = {
        .partition = PARTITION_HORIZONTAL, .n_site_models = n_models, .site_models = models};
    return distributed_run(j, rows_clustering, &usual, &options);
}

static uint32_t sites_in_class(const distributed *j, uint32_t class)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < j->all->n_records; i++)
        if (class_of(j, i) == class)
            seen |= UINT32_C(1) << j->site[i];
    return (uint32_t)__builtin_popcount(seen);
}

static void classes_of_several_sites(void **state)
{
    (void)state;
    static const double skewed[] = {0.9, 0.04, 0.03, 0.03};
    model_spec model = {.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES};
    problem_shape shape = diverse;
    shape.n_sensitive = 0;
    shape.l = 0;
    for (uint32_t l = 2; l <= 4; l++) {
        distributed j;
        model.l = l;
        distributed_init(&j, &shape, 4, l, l % 2 ? skewed : NULL);
        assert_int_equal(run_sites(&j, &model, 1), KITH_OK);
        distributed_is_sound(&j);
        assert_true(j.result[0].n_classes > 2);
        for (uint32_t c = 0; c < j.result[0].n_classes; c++)
            assert_true(sites_in_class(&j, c) >= l);
        distributed_wipe(&j);
    }
    static const double two[] = {0.5, 0.5, 0, 0};
    distributed j;
    model.l = 3;
    distributed_init(&j, &shape, 4, 1, two);
    assert_int_equal(run_sites(&j, &model, 1), KITH_INFEASIBLE);
    for (uint32_t i = 0; i < 4; i++)
        assert_non_null(strstr(j.error[i].message, "only 2 sites have any"));
    distributed_wipe(&j);
}

/* Records of a class that are not of this site. */
static uint32_t others_in(const distributed *j, uint32_t class, uint32_t site)
{
    uint32_t others = 0;
    for (uint32_t i = 0; i < j->all->n_records; i++)
        others += class_of(j, i) == class && j->site[i] != site;
    return others;
}

static void m_privacy(void **state)
{
    (void)state;
    static const double skewed[] = {0.8, 0.1, 0.1};
    model_spec model = {.id = MODEL_M_PRIVACY, .k = 5};
    distributed j;
    distributed_init(&j, &diverse, 3, 1, skewed);
    assert_int_equal(run_sites(&j, &model, 1), KITH_OK);
    distributed_is_sound(&j);
    assert_true(j.result[0].n_classes > 2);
    for (uint32_t c = 0; c < j.result[0].n_classes; c++)
        for (uint32_t s = 0; s < 3; s++)
            assert_true(others_in(&j, c, s) == 0 || others_in(&j, c, s) >= 5);
    distributed_wipe(&j);
}

/* The default of studies, where one site has nearly all records: as in one place, and never one or
 * two records of others. */
static void m_privacy_by_default(void **state)
{
    (void)state;
    static const double skewed[] = {0.9, 0.05, 0.05};
    for (uint32_t i = 0; i < 6; i++) {
        distributed j;
        search_spec spec = {.block = 64, .finish = i % 2 ? FINISH_MERGE : FINISH_HYBRID};
        protocol_options options = {.partition = PARTITION_HORIZONTAL,
                                    .withhold = i % 3 + 1,
                                    .min_others = PROTOCOL_MIN_OTHERS};
        problem_shape shape = diverse;
        shape.l = i < 3 ? 2.5 : 0;
        options.withhold = spec.finish == FINISH_MERGE && shape.l > 0 ? 1 : options.withhold;
        distributed_init(&j, &shape, 3, i, skewed);
        assert_int_equal(distributed_run(&j, rows_clustering, &spec, &options), KITH_OK);
        (void)distributed_equals_central(&j, &spec);
        assert_true(j.result[0].n_classes > 2);
        for (uint32_t c = 0; c < j.result[0].n_classes; c++)
            for (uint32_t s = 0; s < 3; s++)
                assert_false(others_in(&j, c, s) == 1 || others_in(&j, c, s) == 2);
        distributed_wipe(&j);
    }
}

/* Values of a class that others than this site have. */
static uint32_t values_in(const distributed *j, uint32_t class, uint32_t site)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < j->all->n_records; i++)
        if (class_of(j, i) == class && j->site[i] != site)
            seen |= UINT32_C(1) << j->all->sensitive[0].values[i];
    return (uint32_t)__builtin_popcount(seen);
}

/* What others have in a class has two values, or three, or they have nothing there. */
static void m_privacy_by_values(void **state)
{
    (void)state;
    static const double skewed[] = {0.8, 0.1, 0.1};
    uint32_t mended = 0;
    for (uint32_t i = 0; i < 8; i++) {
        distributed j;
        search_spec spec = {.block = 64, .finish = i % 2 ? FINISH_MERGE : FINISH_HYBRID};
        protocol_options options = {
            .partition = PARTITION_HORIZONTAL, .withhold = 1, .min_others = PROTOCOL_MIN_OTHERS};
        problem_shape shape = diverse;
        shape.l = 1.6;
        distributed_init(&j, &shape, i < 4 ? 3 : 2, i, i < 4 ? skewed : NULL);
        assert_int_equal(distributed_run(&j, rows_clustering, &spec, &options), KITH_OK);
        const uint32_t n_classes = j.result[0].n_classes;
        distributed_wipe(&j);
        options.other_values = 2 + i % 2;
        distributed_init(&j, &shape, i < 4 ? 3 : 2, i, i < 4 ? skewed : NULL);
        assert_int_equal(distributed_run(&j, rows_clustering, &spec, &options), KITH_OK);
        (void)distributed_equals_central(&j, &spec);
        mended += j.result[0].n_classes < n_classes;
        for (uint32_t c = 0; c < j.result[0].n_classes; c++)
            for (uint32_t s = 0; s < j.m; s++)
                assert_true(others_in(&j, c, s) == 0 ||
                            values_in(&j, c, s) >= options.other_values);
        distributed_wipe(&j);
    }
    assert_true(mended > 2);
}

/* How many sites have a record below a node of an attribute; as a set. */
static uint32_t supporters(const distributed *j, uint32_t a, uint32_t node)
{
    const attribute *at = &j->all->attributes[a];
    uint32_t seen = 0;
    for (uint32_t i = 0; i < j->all->n_records; i++)
        if (tree_covers(at->tree, node, at->cells[i]))
            seen |= UINT32_C(1) << j->site[i];
    return seen;
}

/* Values that only some sites have: site s has those below the nodes s, s+1, … of a level. */
static void tie_to_sites(distributed *j, uint32_t a)
{
    const tree *t = j->all->attributes[a].tree;
    uint32_t *cells = (uint32_t *)j->all->attributes[a].cells;
    for (uint32_t i = 0; i < j->all->n_records; i++) {
        uint32_t *own = (uint32_t *)j->part[j->site[i]]->attributes[a].cells;
        cells[i] = (j->site[i] * 3 + i % 8) % (t->n_leaves - 2); /* the last two are nobody's */
        own[j->place[i]] = cells[i];
    }
}

/* The lowest node that covers the records of a class. */
static uint32_t lowest(const distributed *j, uint32_t class, uint32_t a)
{
    const attribute *at = &j->all->attributes[a];
    uint32_t node = UINT32_MAX;
    for (uint32_t i = 0; i < j->all->n_records; i++)
        if (class_of(j, i) == class)
            node = node == UINT32_MAX ? at->cells[i] : tree_lca(at->tree, node, at->cells[i]);
    return node;
}

static void attributes_that_tell_sites(void **state)
{
    (void)state;
    static const uint32_t among[] = {2, 0};
    problem_shape shape = diverse;
    uint32_t lowered = 0, raised = 0;
    shape.k = 3;
    shape.l = 0;
    for (uint32_t l = 2; l <= 3; l++)
        for (uint32_t names = 1; names <= 2; names++) {
            model_spec model = {.id = MODEL_L_SITE_DIVERSITY,
                                .variant = VARIANT_ATTRIBUTES,
                                .l = l,
                                .n_values = names,
                                .among = among};
            distributed j;
            distributed_init(&j, &shape, 4, l + 10 * names, NULL);
            for (uint32_t i = 0; i < names; i++)
                tie_to_sites(&j, among[i]);
            assert_int_equal(run_sites(&j, &model, 1), KITH_OK);
            const rows_result *r = &j.result[0];
            for (uint32_t c = 0; c < r->n_classes; c++) {
                const uint32_t *closure = r->closure + (size_t)c * j.all->n_attributes;
                uint32_t common = UINT32_MAX;
                for (uint32_t i = 0; i < names; i++) {
                    common &= supporters(&j, among[i], closure[among[i]]);
                    const tree *t = j.all->attributes[among[i]].tree;
                    lowered += closure[among[i]] != tree_root(t);
                    raised += closure[among[i]] != lowest(&j, c, among[i]);
                }
                assert_true((uint32_t)__builtin_popcount(common) >= l);
                for (uint32_t i = 0; i < j.all->n_records; i++) /* it covers its records */
                    for (uint32_t a = 0; class_of(&j, i) == c && a < j.all->n_attributes; a++)
                        assert_true(tree_covers(j.all->attributes[a].tree, closure[a],
                                                j.all->attributes[a].cells[i]));
            }
            distributed_wipe(&j);
        }
    assert_true(lowered > 20 && raised > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_with_diversity),
        cmocka_unit_test(the_same_with_other_models),
        cmocka_unit_test(skewed_values),
        cmocka_unit_test(too_much_diversity),
        cmocka_unit_test(private_diversity),
        cmocka_unit_test(classes_of_several_sites),
        cmocka_unit_test(m_privacy),
        cmocka_unit_test(m_privacy_by_default),
        cmocka_unit_test(m_privacy_by_values),
        cmocka_unit_test(attributes_that_tell_sites),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

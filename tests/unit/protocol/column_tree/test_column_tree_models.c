/* The joint tree of columns with models that look at sensitive values: the same classes as in one
 * place, which keep the models by a second opinion; and models that it cannot keep are refused by
 * name, before anything is sent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "protocol/column_tree/column_tree_score.h"
#include "protocol/supports.h"
#include "support/column_twin.h"
#include "support/naive_models.h"
#include "wire/inproc.h"

/* l-diversity by frequency, from easy to hard, at any site. */
static void keeps_diversity_of_one_place(void **state)
{
    (void)state;
    problem_shape shape = problems_shape_secret(900, 5, 6);
    static const double ls[] = {2, 3, 4};
    uint32_t least = UINT32_MAX;
    for (uint32_t m = 2; m <= 4; m++)
        for (unsigned i = 0; i < 3; i++) {
            column_job j;
            shape.l = ls[i];
            column_job_open(&j, &shape, m, 30 + 3 * m + i);
            j.options.name = NAMING_IF_CHEAP; /* never with such models */
            const partition found = column_twin_equal(&j);
            assert_true(problems_hold(j.whole, found.class_of, found.n_classes));
            assert_true(j.result[0].report.n_facts == 5);
            least = found.n_classes < least ? found.n_classes : least;
            arena_free(j.memory);
        }
    assert_true(least > 3); /* some sets were split under all of them */
}

/* What one site and the pivot say to each other about splits. */
typedef struct overheard {
    uint32_t site, pivot;
    uint64_t n_replies, n_answers; /* bytes */
    bool only_bits;
} overheard;

static void listen(void *user, uint32_t self, uint32_t from, const char *type, const void *bytes,
                   size_t length)
{
    overheard *o = user;
    if (self == o->pivot && from == o->site && strcmp(type, "column.reply") == 0)
        o->n_replies += length;
    if (self != o->site || from != o->pivot || strcmp(type, "column.answer") != 0)
        return;
    o->n_answers += length;
    for (size_t i = 0; i < length; i++)
        o->only_bits &= ((const unsigned char *)bytes)[i] <= 1;
}

/* A byte for every split that was shown or not, and a byte with one bit for the answer: no part is
 * named. */
static void answers_one_bit_for_a_split(void **state)
{
    (void)state;
    problem_shape shape = problems_shape_secret(900, 5, 6);
    shape.l = 3;
    column_job j;
    column_job_open(&j, &shape, 2, 31);
    j.pivot = 1;
    for (uint32_t a = 0; a < shape.n_attributes; a++)
        j.holder[a] = 0;
    overheard o = {.site = 0, .pivot = 1, .only_bits = true};
    const inproc_options options = {.record = {listen, &o}};
    void *users[] = {&j, &j};
    assert_int_equal(inproc_run(2, NULL, &options, column_job_sit, users, NULL), KITH_OK);
    assert_true(o.n_answers > 10 && o.n_answers == o.n_replies && o.only_bits);
    arena_free(j.memory);
}

static void asks_about_enough_records(void **state)
{
    (void)state;
    /* The largest part aside, 2k records: 10 for k = 5. */
    assert_true(column_tree_score_may_ask(90, 100, 5));
    assert_false(column_tree_score_may_ask(91, 100, 5));
    assert_false(column_tree_score_may_ask(100, 100, 5));
    assert_false(column_tree_score_may_ask(101, 100, 5)); /* a liar's */
    /* The smaller half joins the rest, and more until they have 2k records; one stays. */
    bool joins[4];
    assert_true(column_tree_score_join(joins, (uint32_t[]){30, 7, 0, 8}, 4, 5));
    assert_true(!joins[0] && joins[1] && !joins[2] && joins[3]);
    assert_true(column_tree_score_join(joins, (uint32_t[]){40, 20, 30, 50}, 4, 5));
    assert_true(!joins[0] && joins[1] && joins[2] && !joins[3]);
    assert_false(column_tree_score_join(joins, (uint32_t[]){50, 9}, 2, 5));
    assert_false(column_tree_score_join(joins, (uint32_t[]){50}, 1, 5));
    assert_false(joins[0]);
}

/* A model of this kind beside k-anonymity, with parameters that allow some splits. */
static model_spec example(uint32_t kind)
{
    return (model_spec){.id = naive_kinds[kind].id,
                        .variant = naive_kinds[kind].variant,
                        .k = 5,
                        .l = 2,
                        .c = naive_kinds[kind].id == MODEL_LKC ? .6 : 2,
                        .t = .3,
                        .alpha = .5,
                        .p = 3,
                        .min = .1,
                        .max = .7,
                        .epsilon = .2,
                        .delta = 1.5,
                        .beta = 1,
                        .m = 2,
                        .attribute = "secret"};
}

/* A problem with six sensitive values, the lower ones more frequent, and two models. */
static void open_model(column_job *j, model_spec model, uint32_t m, uint64_t seed)
{
    problem_shape shape = problems_shape_secret(360, 4, 4);
    shape.n_sensitive = NAIVE_VALUES;
    column_job_open(j, &shape, m, seed);
    problem *whole = arena_array(j->memory, 1, sizeof *whole);
    model_spec *models = arena_array(j->memory, 2, sizeof *models);
    naive_list *all = arena_array(j->memory, 1, sizeof *all);
    sensitive_attribute *secret = arena_array(j->memory, 1, sizeof *secret);
    rng r;
    rng_init(&r, seed, 1);
    naive_fill(all, shape.n_records, NAIVE_VALUES, &r);
    *whole = *j->whole;
    *secret = (sensitive_attribute){.values = all->value, .count = NAIVE_VALUES};
    models[0] = whole->models[0];
    models[1] = model;
    models[1].facts = naive_facts(j->memory, all);
    whole->models = models;
    whole->n_models = 2;
    whole->sensitive = secret;
    whole->k = models_minimum_size(models, 2);
    j->whole = whole;
}

/* Is every class good, record by record? */
static void hold_by_record(const column_job *j, const partition *found)
{
    naive_list *all = arena_zalloc(j->memory, 1, sizeof *all);
    naive_list *class = arena_zalloc(j->memory, 1, sizeof *class);
    for (uint32_t i = 0; i < j->whole->n_records; i++)
        all->value[all->size++] = j->whole->sensitive[0].values[i];
    for (uint32_t c = 0; c < found->n_classes; c++) {
        class->size = 0;
        for (uint32_t i = 0; i < all->size; i++)
            if (found->class_of[i] == c)
                class->value[class->size++] = all->value[i];
        assert_true(class->size >= j->whole->k);
        assert_true(naive_holds(&j->whole->models[1], class, all));
    }
}

/* Nothing is sent: the other party's line is dead. */
static kith_status sit_alone(party *p, void *user, kith_error *error)
{
    const kith_status status = column_job_sit(p, user, error);
    assert_int_equal(party_ledger(p)->sent.bytes, 0);
    return status;
}

static void refuses(column_job *j, const char *name)
{
    kith_error errors[PARTY_MAX] = {0};
    void *users[PARTY_MAX] = {j, j};
    assert_int_equal(inproc_run(2, NULL, NULL, sit_alone, users, errors), KITH_INVALID);
    for (uint32_t i = 0; i < 2; i++)
        assert_non_null(strstr(errors[i].message, name));
}

static void keeps_every_model_or_refuses_it(void **state)
{
    (void)state;
    uint32_t n_kept = 0;
    for (uint32_t kind = 0; kind < NAIVE_KINDS; kind++) {
        column_job j;
        open_model(&j, example(kind), 2 + kind % 3, 50 + kind);
        const model_id id = j.whole->models[1].id;
        if (id == MODEL_DISSIMILARITY || id == MODEL_M_INVARIANCE) {
            column_job_distribute(&j, 2, kind);
            refuses(&j, model_name(id));
        } else {
            const partition found = column_twin_equal(&j);
            hold_by_record(&j, &found);
            assert_true(found.n_classes > 3);
            n_kept++;
        }
        arena_free(j.memory);
    }
    assert_int_equal(n_kept, 15);
}

/* Those about closures and about sites: every record is at every site. */
static void refuses_models_of_closures_and_sites(void **state)
{
    (void)state;
    static const model_spec models[] = {
        {.id = MODEL_K_MAP, .k = 3},
        {.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES, .l = 2},
        {.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_ATTRIBUTES, .l = 2},
        {.id = MODEL_M_PRIVACY, .k = 3}};
    for (unsigned i = 0; i < sizeof models / sizeof *models; i++) {
        column_job j;
        open_model(&j, models[i], 2, i);
        refuses(&j, model_name(models[i].id));
        arena_free(j.memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_diversity_of_one_place),
        cmocka_unit_test(answers_one_bit_for_a_split),
        cmocka_unit_test(asks_about_enough_records),
        cmocka_unit_test(keeps_every_model_or_refuses_it),
        cmocka_unit_test(refuses_models_of_closures_and_sites),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

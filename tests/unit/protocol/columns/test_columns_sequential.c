/* Clustering over columns against a naive reading of its header: clusters must come out the same,
 * number by number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/context.h"
#include "protocol/columns/columns_sequential.h"
#include "reference/columns_plain.h"
#include "support/problems.h"

typedef struct seen {
    uint64_t put_off, n_ties;
    uint32_t n_splits, dissolved, united;
} seen;

static void compare(const problem_shape *shape, uint32_t block, bool merges, uint64_t seed, seen *s)
{
    context c;
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    columns_plain *w = arena_zalloc(c.memory, 1, sizeof *w);
    problem *p = problems_random(c.memory, shape, seed);
    w->memory = c.memory;
    w->p = p;
    w->k = shape->k;
    w->aim = shape->l > shape->k ? (uint32_t)ceil(shape->l) : shape->k;
    w->diverse = shape->l > 0;
    w->adapts = block == 0;
    w->block = block == 0 ? 512 : block;
    rng_init(&w->r, seed, 0);
    assert_int_equal(random_split_init(&w->split, w->diverse ? p->sensitive : NULL, p->n_records,
                                       p->n_records, c.memory, NULL),
                     KITH_OK);
    columns_plain_run(w, merges);

    columns_sequential_result r;
    search_spec spec = {.block = block, .finish = merges ? FINISH_MERGE : FINISH_HYBRID};
    assert_int_equal(columns_sequential_run(&r, p, &spec, &(columns_link){0}, seed, &c, NULL),
                     KITH_OK);
    assert_int_equal(r.n_passes, w->n_passes);
    assert_int_equal(r.n_visits, w->n_visits);
    assert_int_equal(r.put_off, w->put_off);
    assert_int_equal(r.partition.n_classes, columns_plain_clusters(w));
    uint32_t number[COLUMNS_PLAIN_RECORDS];
    memset(number, 0xff, sizeof number);
    for (uint32_t i = 0, next = 0; i < p->n_records; i++) {
        uint32_t *own = &number[w->of[i]];
        *own = *own == UINT32_MAX ? next++ : *own;
        assert_int_equal(r.partition.class_of[i], *own);
    }
    assert_true(problems_hold(p, r.partition.class_of, r.partition.n_classes));
    s->put_off += w->put_off;
    s->n_ties += w->n_ties;
    s->n_splits += w->n_splits;
    s->dissolved += w->dissolved;
    s->united += w->united;
    context_wipe(&c);
}

static void does_what_its_header_says(void **state)
{
    (void)state;
    static const problem_shape shapes[] = {
        {.n_records = 180, .n_attributes = 3, .n_leaves = 12, .width = 3, .k = 6},
        {.n_records = 150,
         .n_attributes = 2,
         .n_leaves = 9,
         .skew = 2,
         .k = 4,
         .measure = MEASURE_EM},
        {.n_records = 160,
         .n_attributes = 3,
         .n_leaves = 8,
         .width = 2,
         .k = 5,
         .n_sensitive = 5,
         .l = 2.5},
        {.n_records = 120,
         .n_attributes = 3,
         .n_leaves = 20,
         .n_kinds = 30,
         .k = 3,
         .wildcards = 0.1},
        {.n_records = 400, .n_attributes = 4, .n_leaves = 16, .width = 4, .skew = 2, .k = 12},
        {.n_records = 90,
         .n_attributes = 2,
         .n_leaves = 800,
         .width = 9,
         .k = 4}, /* a large tree */
    };
    static const uint32_t blocks[] = {1, 7, 16, 0};
    seen s = {0};
    for (unsigned shape = 0; shape < 6; shape++)
        for (unsigned b = 0; b < 4; b++)
            for (int merges = 0; merges < 2; merges++)
                compare(&shapes[shape], blocks[b], merges, 10 * shape + b, &s);
    assert_true(s.put_off > 100);
    assert_true(s.n_ties > 100);
    assert_true(s.n_splits > 10);

    assert_true(s.dissolved > 5);
    assert_true(s.united > 50);
}

static kith_status run(const problem *p, const search_spec *spec, context *c,
                       columns_sequential_result *r, kith_error *error)
{
    return columns_sequential_run(r, p, spec, &(columns_link){0}, 1, c, error);
}

/* With a key the seed is of no account; another key makes other choices. */
static void a_key_decides_the_choices(void **state)
{
    (void)state;
    problem_shape shape = {.n_records = 200, .n_attributes = 3, .n_leaves = 9, .width = 3, .k = 5};
    unsigned char key[RNG_KEY_BYTES] = {1};
    const columns_link link = {.choices = key};
    context c;
    columns_sequential_result r[3];
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    problem *p = problems_random(c.memory, &shape, 4);
    for (uint64_t run_number = 0; run_number < 3; run_number++) {
        key[1] = run_number == 2;
        assert_int_equal(columns_sequential_run(&r[run_number], p, &(search_spec){0}, &link,
                                                run_number, &c, NULL),
                         KITH_OK);
    }
    const size_t bytes = p->n_records * sizeof *r[0].partition.class_of;
    assert_memory_equal(r[0].partition.class_of, r[1].partition.class_of, bytes);
    assert_memory_not_equal(r[0].partition.class_of, r[2].partition.class_of, bytes);
    context_wipe(&c);
}

static void keeps_the_models_in_odd_cases(void **state)
{
    (void)state;
    static const problem_shape shapes[] = {
        {.n_records = 7, .n_attributes = 2, .n_leaves = 4, .k = 7},
        {.n_records = 9, .n_attributes = 2, .n_leaves = 4, .k = 5},
        {.n_records = 40, .n_attributes = 2, .n_leaves = 4, .n_kinds = 1, .k = 3},
        {.n_records = 40, .n_attributes = 0, .n_leaves = 4, .k = 3},
        {.n_records = 60, .n_attributes = 2, .n_leaves = 4, .k = 2, .n_sensitive = 2, .l = 1.6},
        {.n_records = 1, .n_attributes = 1, .n_leaves = 4, .k = 1},
        {.n_records = 50, .n_attributes = 1, .n_leaves = 1000, .k = 2, .width = 10},
    };
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int f = 0; f < 4; f++) {
            context c;
            columns_sequential_result r;
            assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
            problem *p = problems_random(c.memory, &shapes[i], 3);
            search_spec spec = {.finish = f % 2 ? FINISH_MERGE : FINISH_HYBRID, .n_restarts = f};
            assert_int_equal(run(p, &spec, &c, &r, NULL), KITH_OK);
            assert_true(problems_hold(p, r.partition.class_of, r.partition.n_classes));
            context_wipe(&c);
        }
}

static void keeps_the_best_start(void **state)
{
    (void)state;
    problem_shape shape = {.n_records = 200, .n_attributes = 3, .n_leaves = 9, .width = 3, .k = 5};
    context c;
    columns_sequential_result one, many;
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    problem *p = problems_random(c.memory, &shape, 4);
    assert_int_equal(run(p, &(search_spec){0}, &c, &one, NULL), KITH_OK);
    assert_int_equal(run(p, &(search_spec){.n_restarts = 5}, &c, &many, NULL), KITH_OK);
    assert_true(partition_cost(&many.partition, p) < partition_cost(&one.partition, p));
    context_wipe(&c);
}

static void refuses(const problem_shape *shape, model_id extra, kith_status status,
                    const char *text)
{
    context c;
    kith_error error = {0};
    columns_sequential_result r;
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    problem *p = problems_random(c.memory, shape, 1);
    model_spec models[3] = {p->models[0], p->models[1], {.id = extra}};
    if (extra != MODEL_K_ANONYMITY) {
        p->models = models;
        models[p->n_models++] = (model_spec){
            .id = extra, .variant = extra == MODEL_DISSIMILARITY ? VARIANT_EQUAL : VARIANT_NONE};
    }
    assert_int_equal(run(p, &(search_spec){0}, &c, &r, &error), status);
    assert_non_null(strstr(error.message, text));
    context_wipe(&c);
}

static void refuses_what_it_cannot_do(void **state)
{
    (void)state;
    problem_shape shape = {.n_records = 10, .n_attributes = 1, .n_leaves = 4, .k = 11};
    refuses(&shape, MODEL_K_ANONYMITY, KITH_INFEASIBLE, "only 10 records");
    shape.n_records = 0;
    refuses(&shape, MODEL_K_ANONYMITY, KITH_INFEASIBLE, "no records");
    shape = (problem_shape){
        .n_records = 40, .n_attributes = 1, .n_leaves = 4, .k = 2, .n_sensitive = 2, .l = 3};
    refuses(&shape, MODEL_K_ANONYMITY, KITH_INFEASIBLE, "l-diversity");
    shape.l = 0;
    refuses(&shape, MODEL_DISSIMILARITY, KITH_INVALID, "dissimilarity");
    refuses(&shape, MODEL_K_MAP, KITH_INVALID, "k-map");
    shape.by_sensitive = true;
    refuses(&shape, MODEL_K_ANONYMITY, KITH_INVALID, "sensitive values");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(does_what_its_header_says),
        cmocka_unit_test(keeps_the_models_in_odd_cases),
        cmocka_unit_test(a_key_decides_the_choices),
        cmocka_unit_test(keeps_the_best_start),
        cmocka_unit_test(refuses_what_it_cannot_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

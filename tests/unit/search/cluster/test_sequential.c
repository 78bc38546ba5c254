#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "search/search.h"
#include "support/problems.h"

static arena *memory;
static context c;
static const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 3);

static int set_up(void **state)
{
    (void)state;
    memory = arena_new();
    return context_init(&c, &run, NULL) != KITH_OK;
}

static int tear_down(void **state)
{
    (void)state;
    context_wipe(&c);
    arena_free(memory);
    return 0;
}

static search_result cluster(const problem *p, search_spec spec)
{
    search_result result;
    kith_error error;
    if (search_run(&result, search_find("sequential"), p, &spec, &c, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return result;
}

/* SEQ Table 1: four kinds of records, each k/2 times. The optimum puts the kinds that differ in one
 * attribute together and suppresses one cell of each of the 2k records. */
static void the_example_of_table_1_is_solved(void **state)
{
    (void)state;
    enum { K = 6, N = 2 * K };
    static const uint32_t kind[4][4] = {{0, 0, 0, 0}, {1, 1, 1, 0}, {0, 0, 0, 1}, {1, 1, 1, 1}};
    attribute a[4];
    uint32_t cells[4][N];
    model_spec model = {.id = MODEL_K_ANONYMITY, .k = K};
    problem p = {.n_records = N,
                 .n_attributes = 4,
                 .attributes = a,
                 .n_models = 1,
                 .models = &model,
                 .k = K};
    for (uint32_t j = 0; j < 4; j++) {
        for (uint32_t i = 0; i < N; i++)
            cells[j][i] = kind[i % 4][j];
        a[j] = (attribute){.tree = trees_flat(memory, 2), .cells = cells[j]};
        problems_costs(&p, &a[j], MEASURE_LM, memory);
    }
    for (int finish = FINISH_MERGE; finish <= FINISH_HYBRID; finish++) {
        search_result r =
            cluster(&p, (search_spec){.n_restarts = 10, .finish = (search_finish)finish});
        assert_true(fabs(partition_cost(&r.partition, &p) - N) < 1e-9);
        assert_int_equal(r.partition.n_classes, 2);
    }
}

/* SEQ 7: with h and n - h without a common divisor only the whole table has the diversity n / h. */
static void the_diversity_of_the_table_itself_leaves_one_class(void **state)
{
    (void)state;
    problem_shape shape = {
        .n_records = 7, .n_attributes = 2, .n_leaves = 3, .k = 2, .n_sensitive = 2};
    problem *p = problems_random(memory, &shape, 4);
    model_spec models[] = {{.id = MODEL_K_ANONYMITY, .k = 2},
                           {.id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = 7. / 4}};
    memcpy((uint32_t *)p->sensitive[0].values, (uint32_t[]){0, 1, 0, 1, 0, 1, 0}, 28);
    p->models = models;
    p->n_models = 2;
    assert_int_equal(cluster(p, (search_spec){0}).partition.n_classes, 1);
    models[1].l = 1.5;
    assert_true(cluster(p, (search_spec){.n_restarts = 20}).partition.n_classes > 1);
}

static void the_reason_for_stopping_is_told(void **state)
{
    (void)state;
    problem_shape shape = {.n_records = 800, .n_attributes = 5, .n_leaves = 12, .width = 3, .k = 5};
    problem *p = problems_random(memory, &shape, 4);
    search_result one = cluster(p, (search_spec){.max_passes = 1});
    assert_int_equal(one.n_passes, 1);
    assert_string_equal(one.stopped, "max_passes");
    search_result all = cluster(p, (search_spec){0});
    assert_true(all.n_passes > 1);
    assert_true(strcmp(all.stopped, "no move") == 0 || strcmp(all.stopped, "small gain") == 0);
    assert_true(all.n_passes >= 5 || strcmp(all.stopped, "no move") == 0);
    assert_true(partition_cost(&all.partition, p) < partition_cost(&one.partition, p));
}

static void identical_records_cost_nothing(void **state)
{
    (void)state;
    problem_shape shape = {
        .n_records = 400, .n_attributes = 4, .n_leaves = 9, .k = 8, .n_kinds = 1};
    problem *p = problems_random(memory, &shape, 4);
    search_result r = cluster(p, (search_spec){0});
    assert_true(partition_cost(&r.partition, p) == 0);
}

/* Sizes beyond what the index can tell apart (LANES_MAX_SIZE). */
static void huge_classes_are_possible(void **state)
{
    (void)state;
    problem_shape shape = {
        .n_records = 50000, .n_attributes = 2, .n_leaves = 3, .k = 20000, .skew = 2};
    problem *p = problems_random(memory, &shape, 4);
    search_result r = cluster(p, (search_spec){0});
    uint32_t model, class;
    assert_true(partition_holds(&r.partition, p, memory, &model, &class));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_example_of_table_1_is_solved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_diversity_of_the_table_itself_leaves_one_class, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_reason_for_stopping_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(identical_records_cost_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(huge_classes_are_possible, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

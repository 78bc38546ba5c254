#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "search/algorithms.h"
#include "support/problems.h"

static search_result run(const problem *p, context *c)
{
    kith_run how = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 3);
    search_spec spec = {0};
    search_result result = {0};
    assert_int_equal(context_init(c, &how, NULL), KITH_OK);
    assert_int_equal(hilbert_run(&result, p, &spec, c, NULL), KITH_OK);
    return result;
}

/* SEQ Table 1: each of the four records k/2 times, three attributes with two values and one with
 * three. The classes must be {R1, R3} and {R2, R4}, at a suppression cost of 2k. */
static void the_example_of_the_paper_is_grouped_optimally(void **state)
{
    (void)state;
    enum { K = 6, N = 2 * K };
    static const uint32_t rows[4][4] = {{0, 0, 0, 0}, {1, 1, 1, 0}, {0, 0, 0, 2}, {1, 1, 1, 2}};
    arena *memory = arena_new();
    uint32_t cells[4][N];
    attribute a[4];
    for (uint32_t j = 0; j < 4; j++) {
        for (uint32_t i = 0; i < N; i++)
            cells[j][i] = rows[i % 4][j];
        const tree *t = trees_flat(memory, j < 3 ? 2 : 3);
        double *cost = arena_zalloc(memory, t->n_nodes, sizeof *cost);
        cost[tree_root(t)] = 1;
        a[j] = (attribute){.tree = t, .cells = cells[j], .cost = cost};
    }
    model_spec model = {.id = MODEL_K_ANONYMITY, .k = K};
    problem p = {.n_records = N,
                 .n_attributes = 4,
                 .attributes = a,
                 .n_models = 1,
                 .models = &model,
                 .k = K};
    context c;
    search_result result = run(&p, &c);
    assert_int_equal(result.partition.n_classes, 2);
    assert_true(partition_cost(&result.partition, &p) == 2 * K);
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(result.partition.class_of[i], i % 4 % 2);
    context_wipe(&c);
    arena_free(memory);
}

/* A column of unique values beside two frequent ones must not tear the frequent ones apart. */
static void rare_values_do_not_scatter(void **state)
{
    (void)state;
    enum { N = 40 };
    arena *memory = arena_new();
    uint32_t unique[N], pair[N];
    for (uint32_t i = 0; i < N; i++) {
        unique[i] = i * 7 % N;
        pair[i] = i % 2;
    }
    double costs[2][N + 1] = {{0}, {0}};
    costs[0][N] = costs[1][2] = 1;
    attribute a[2] = {{.tree = trees_flat(memory, N), .cells = unique, .cost = costs[0]},
                      {.tree = trees_flat(memory, 2), .cells = pair, .cost = costs[1]}};
    model_spec model = {.id = MODEL_K_ANONYMITY, .k = 5};
    problem p = {.n_records = N,
                 .n_attributes = 2,
                 .attributes = a,
                 .n_models = 1,
                 .models = &model,
                 .k = 5};
    context c;
    search_result result = run(&p, &c);
    assert_true(partition_cost(&result.partition, &p) == N);
    context_wipe(&c);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_paper_is_grouped_optimally),
        cmocka_unit_test(rare_values_do_not_scatter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

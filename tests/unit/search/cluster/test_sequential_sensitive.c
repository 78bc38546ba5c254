#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "search/cluster/sequential_sensitive.h"
#include "support/problems.h"

/* With costs that are the same for every value the problem is the plain one: both runs follow the
 * same algorithm, so that their losses are close, and neither beats the other by much. */
static void equal_costs_give_the_plain_loss(void **state)
{
    (void)state;
    double plain = 0, sensitive_path = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        context c;
        kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = seed);
        assert_int_equal(context_init(&c, &run, NULL), KITH_OK);
        problem_shape shape = {.n_records = 300,
                               .n_attributes = 4,
                               .n_leaves = 9,
                               .width = 3,
                               .k = 5,
                               .n_sensitive = 2};
        problem *p = problems_random(c.memory, &shape, seed);
        search_spec spec = {0};
        search_result result = {0};
        assert_int_equal(sequential_run(&result, p, &spec, &c, NULL), KITH_OK);
        plain += partition_cost(&result.partition, p);
        attribute same[4];
        for (uint32_t j = 0; j < 4; j++) {
            same[j] = p->attributes[j];
            double *cost = arena_zalloc(c.memory, same[j].tree->n_nodes, 2 * sizeof *cost);
            for (uint32_t node = 0; node < same[j].tree->n_nodes; node++)
                cost[2 * node] = cost[2 * node + 1] = same[j].cost[node];
            same[j].sensitive_cost = cost;
        }
        p->attributes = same;
        result = (search_result){0};
        assert_int_equal(sequential_run(&result, p, &spec, &c, NULL), KITH_OK);
        assert_true(problems_hold(p, result.partition.class_of, result.partition.n_classes));
        assert_true(result.n_passes > 0);
        sensitive_path += partition_cost(&result.partition, p);
        context_wipe(&c);
    }
    assert_true(fabs(plain - sensitive_path) < 0.03 * plain);
}

/* Attribute 0 tells the sensitive value, attribute 1 tells nothing: pmi must keep the first. */
static void pmi_keeps_what_tells_the_sensitive_value(void **state)
{
    (void)state;
    enum { N = 64 };
    context c;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 1);
    assert_int_equal(context_init(&c, &run, NULL), KITH_OK);
    uint32_t value[N], cells[2][N];
    for (uint32_t i = 0; i < N; i++) {
        value[i] = cells[0][i] = i % 2;
        cells[1][i] = i / 2 % 16;
    }
    const tree *trees[2] = {trees_flat(c.memory, 2), trees_flat(c.memory, 16)};
    attribute a[2];
    for (uint32_t j = 0; j < 2; j++) {
        sensitive_input in = {trees[j], N, cells[j], value, 2, 0};
        double *cost = arena_array(c.memory, trees[j]->n_nodes, 2 * sizeof *cost);
        assert_int_equal(measure_sensitive_costs(cost, MEASURE_PMI, &in, c.memory, NULL), KITH_OK);
        a[j] = (attribute){.tree = trees[j], .cells = cells[j], .sensitive_cost = cost};
    }
    model_spec model = {.id = MODEL_K_ANONYMITY, .k = 4};
    sensitive_attribute s = {.values = value, .count = 2};
    problem p = {.n_records = N,
                 .n_attributes = 2,
                 .attributes = a,
                 .n_sensitive = 1,
                 .sensitive = &s,
                 .n_models = 1,
                 .models = &model,
                 .k = 4};
    search_spec spec = {.n_restarts = 3};
    search_result result = {0};
    assert_int_equal(sequential_sensitive_run(&result, &p, &spec, &c, NULL), KITH_OK);
    for (uint32_t class = 0; class < result.partition.n_classes; class ++)
        assert_int_not_equal(result.partition.closure[class * 2], 2);
    assert_true(fabs(partition_cost(&result.partition, &p) - N) < 1e-9);
    context_wipe(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_costs_give_the_plain_loss),
        cmocka_unit_test(pmi_keeps_what_tells_the_sensitive_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/measure.h"
#include "support/trees.h"

/* Four leaves in two pairs: nodes 0-3, pairs 4 and 5, root 6. */
static tree *pairs(arena *memory)
{
    return trees_grouped(memory, 4, 2);
}

static void check_costs(measure_id id, const uint64_t *count, const double *expected)
{
    arena *memory = arena_new();
    tree *t = pairs(memory);
    double cost[7];
    assert_int_equal(t->n_nodes, 7);
    measure_node_costs(cost, id, t, count);
    for (int node = 0; node < 7; node++)
        assert_true(fabs(cost[node] - expected[node]) < 1e-12);
    arena_free(memory);
}

static void lm_is_the_share_of_the_domain(void **state)
{
    (void)state;
    check_costs(MEASURE_LM, (uint64_t[]){1, 1, 1, 1}, (double[]){0, 0, 0, 0, 1 / 3., 1 / 3., 1});
}

static void tree_is_the_relative_height(void **state)
{
    (void)state;
    check_costs(MEASURE_TREE, (uint64_t[]){9, 1, 0, 1}, (double[]){0, 0, 0, 0, .5, .5, 1});
}

static void em_is_the_entropy_within_the_node(void **state)
{
    (void)state;
    check_costs(MEASURE_EM, (uint64_t[]){2, 2, 4, 0}, (double[]){0, 0, 0, 0, 1, 0, 1.5});
}

static void em_of_a_parent_may_be_below_its_child(void **state)
{
    (void)state;
    arena *memory = arena_new();
    double cost[7];
    measure_node_costs(cost, MEASURE_EM, pairs(memory), (uint64_t[]){1, 1, 1000, 0});
    assert_true(cost[6] < cost[4]);
    arena_free(memory);
}

static void entropy_is_the_logarithm_of_the_count(void **state)
{
    (void)state;
    check_costs(MEASURE_ENTROPY, (uint64_t[]){2, 2, 4, 0}, (double[]){1, 1, 2, 0, 2, 2, 3});
}

static void a_domain_of_one_leaf_costs_nothing(void **state)
{
    (void)state;
    arena *memory = arena_new();
    double cost[2];
    measure_node_costs(cost, MEASURE_LM, trees_flat(memory, 1), (uint64_t[]){5});
    assert_true(cost[0] == 0 && cost[1] == 0);
    arena_free(memory);
}

static void the_registry_knows_its_names(void **state)
{
    (void)state;
    for (int id = 0; id < MEASURE_COUNT; id++) {
        const measure_info *info = measure_at((measure_id)id);
        assert_int_equal(info->id, id);
        assert_ptr_equal(measure_find(info->name), info);
    }
    assert_true(measure_find("tree")->additive);
    assert_false(measure_find("dm")->additive);
    assert_null(measure_find("LM"));
    assert_null(measure_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lm_is_the_share_of_the_domain),
        cmocka_unit_test(tree_is_the_relative_height),
        cmocka_unit_test(em_is_the_entropy_within_the_node),
        cmocka_unit_test(em_of_a_parent_may_be_below_its_child),
        cmocka_unit_test(entropy_is_the_logarithm_of_the_count),
        cmocka_unit_test(a_domain_of_one_leaf_costs_nothing),
        cmocka_unit_test(the_registry_knows_its_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

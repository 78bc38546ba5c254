/* Records that no tree can bring together: they join the classes of others where that is cheaper,
 * and are a class of their own where it is not. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "search/search.h"
#include "support/problems.h"

enum { K = 5 };

/* K records for each leaf, but one only for every n-th of them. */
static problem *make_table(const tree *t, uint32_t nth, arena *memory)
{
    problem *p = arena_zalloc(memory, 1, sizeof *p);
    attribute *a = arena_zalloc(memory, 1, sizeof *a);
    model_spec *model = arena_zalloc(memory, 1, sizeof *model);
    uint32_t *cells = arena_array(memory, (size_t)K * t->n_leaves, sizeof *cells);
    for (uint32_t leaf = 0; leaf < t->n_leaves; leaf++)
        for (uint32_t i = 0; i < (leaf % nth == nth - 1 ? 1 : K); i++)
            cells[p->n_records++] = leaf;
    *a = (attribute){.tree = t, .cells = cells};
    *model = (model_spec){.id = MODEL_K_ANONYMITY, .k = K};
    p->n_attributes = p->n_models = 1;
    p->attributes = a;
    p->models = model;
    p->k = K;
    problems_costs(p, a, MEASURE_LM, memory);
    return p;
}

static double cost_of_start(const problem *p)
{
    context c;
    search_result result;
    const search_spec quick = {.effort = EFFORT_QUICK};
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    assert_int_equal(search_run(&result, search_find("weave"), p, &quick, &c, NULL), KITH_OK);
    assert_true(problems_hold(p, result.partition.class_of, result.partition.n_classes));
    const double cost = partition_cost(&result.partition, p);
    context_wipe(&c);
    return cost;
}

/* 8 of 256 values are rare, and no 5 of them have a common node below the root. Each costs a step
 * up for 6 records if it joins its neighbours. */
static void rare_values_join_their_neighbours(void **state)
{
    (void)state;
    arena *memory = arena_new();
    const problem *p = make_table(trees_grouped(memory, 256, 2), 32, memory);
    assert_float_equal(cost_of_start(p), 8 * (K + 1) / 255.0, 1e-6);
    arena_free(memory);
}

/* In a hierarchy without levels whoever joins a class loses everything for it. */
static void rare_values_stay_together(void **state)
{
    (void)state;
    arena *memory = arena_new();
    const problem *p = make_table(trees_flat(memory, 240), 30, memory);
    assert_float_equal(cost_of_start(p), 8, 1e-6);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rare_values_join_their_neighbours),
        cmocka_unit_test(rare_values_stay_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

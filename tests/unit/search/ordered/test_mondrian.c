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
static const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true);

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

/* One attribute over ten leaves in two groups of five. */
static problem *line(const uint32_t *cells, uint32_t n_records, uint32_t k, const uint32_t *rank)
{
    problem *p = arena_zalloc(memory, 1, sizeof *p);
    attribute *a = arena_zalloc(memory, 1, sizeof *a);
    model_spec *model = arena_zalloc(memory, 1, sizeof *model);
    *a = (attribute){.tree = trees_grouped(memory, 10, 5), .cells = cells, .rank = rank};
    *model = (model_spec){.id = MODEL_K_ANONYMITY, .k = k};
    *p = (problem){.n_records = n_records,
                   .n_attributes = 1,
                   .attributes = a,
                   .n_models = 1,
                   .models = model,
                   .k = k};
    problems_costs(p, a, MEASURE_LM, memory);
    return p;
}

static search_result cut(const problem *p, search_spec spec)
{
    search_result result;
    assert_int_equal(search_run(&result, search_find("mondrian"), p, &spec, &c, NULL), KITH_OK);
    return result;
}

static void a_line_is_cut_at_its_medians(void **state)
{
    (void)state;
    const uint32_t cells[] = {0, 1, 2, 3, 4, 5, 6, 7};
    search_result r = cut(line(cells, 8, 2, NULL), (search_spec){0});
    assert_int_equal(r.partition.n_classes, 4);
    assert_memory_equal(r.partition.class_of, ((uint32_t[]){0, 0, 1, 1, 2, 2, 3, 3}), 32);
    assert_int_equal(r.n_passes, 0);
}

static void equal_values_stay_together_unless_relaxed(void **state)
{
    (void)state;
    const uint32_t cells[] = {3, 3, 3, 3, 3, 9};
    assert_int_equal(cut(line(cells, 6, 2, NULL), (search_spec){0}).partition.n_classes, 1);
    assert_int_equal(
        cut(line(cells, 6, 2, NULL), (search_spec){.relaxed = true}).partition.n_classes, 2);
}

static void the_other_side_of_the_median_is_tried(void **state)
{
    (void)state;
    const uint32_t low[] = {0, 0, 5, 5, 5, 5, 5}, high[] = {0, 0, 0, 0, 0, 5, 5};
    assert_int_equal(cut(line(low, 7, 2, NULL), (search_spec){0}).partition.n_classes, 2);
    assert_int_equal(cut(line(high, 7, 2, NULL), (search_spec){0}).partition.n_classes, 2);
}

static void the_order_of_values_may_differ_from_the_leaves(void **state)
{
    (void)state;
    const uint32_t cells[] = {0, 1, 2, 3};
    const uint32_t rank[] = {0, 2, 1, 3, 4, 5, 6, 7, 8, 9};
    search_result by_value = cut(line(cells, 4, 2, rank), (search_spec){0});
    search_result by_leaf = cut(line(cells, 4, 2, rank), (search_spec){.by_hierarchy = true});
    assert_memory_equal(by_value.partition.class_of, ((uint32_t[]){0, 1, 0, 1}), 16);
    assert_memory_equal(by_leaf.partition.class_of, ((uint32_t[]){0, 0, 1, 1}), 16);
}

static void ranges_are_the_extremes_in_value_order(void **state)
{
    (void)state;
    const uint32_t cells[] = {0, 1, 2, 3};
    const uint32_t rank[] = {3, 2, 1, 0, 4, 5, 6, 7, 8, 9};
    search_result r = cut(line(cells, 4, 4, rank), (search_spec){.ranges = true});
    assert_int_equal(r.partition.n_classes, 1);
    assert_int_equal(r.low[0], 3);
    assert_int_equal(r.high[0], 0);
    assert_int_equal(r.partition.closure[0], 10); /* the first group of five */
    assert_null(cut(line(cells, 4, 4, rank), (search_spec){0}).low);
}

static void wildcards_are_set_apart(void **state)
{
    (void)state;
    const uint32_t cells[] = {12, 9, 8, 12, 8, 12};
    search_result r = cut(line(cells, 6, 3, NULL), (search_spec){.ranges = true});
    assert_memory_equal(r.partition.class_of, ((uint32_t[]){0, 1, 1, 0, 1, 0}), 24);
    assert_int_equal(r.low[0], 12);
    assert_int_equal(r.high[0], 12);
    assert_int_equal(r.low[1], 8);
    assert_int_equal(r.high[1], 9);
    const uint32_t mixed[] = {9, 12, 8};
    r = cut(line(mixed, 3, 3, NULL), (search_spec){.ranges = true});
    assert_int_equal(r.low[0], 12);
    assert_int_equal(r.high[0], 12);
}

static void sparse_places_are_sorted_instead_of_counted(void **state)
{
    (void)state;
    uint32_t cells[] = {0, 990, 500, 10, 7, 995, 505, 999};
    problem *p = line(cells, 8, 2, NULL);
    attribute *a = arena_zalloc(memory, 1, sizeof *a);
    *a = (attribute){.tree = trees_flat(memory, 1000), .cells = cells};
    problems_costs(p, a, MEASURE_LM, memory);
    p->attributes = a;
    search_result r = cut(p, (search_spec){0});
    assert_int_equal(r.partition.n_classes, 4);
    assert_memory_equal(r.partition.class_of, ((uint32_t[]){0, 1, 2, 2, 0, 3, 1, 3}), 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_line_is_cut_at_its_medians, set_up, tear_down),
        cmocka_unit_test_setup_teardown(equal_values_stay_together_unless_relaxed, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_other_side_of_the_median_is_tried, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_order_of_values_may_differ_from_the_leaves, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(ranges_are_the_extremes_in_value_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wildcards_are_set_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sparse_places_are_sorted_instead_of_counted, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

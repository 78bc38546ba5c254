#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "search/cluster/sequential_repair.h"
#include "support/problems.h"

/* Starts from the whole table as one class, the worst that is allowed. */
static void a_worse_result_is_replaced_and_a_better_one_kept(void **state)
{
    (void)state;
    arena *memory = arena_new();
    problem_shape shape = {.n_records = 80,
                           .n_attributes = 3,
                           .n_leaves = 8,
                           .width = 2,
                           .k = 4,
                           .n_sensitive = 4,
                           .l = 2};
    problem *p = problems_random(memory, &shape, 3);
    context c;
    assert_int_equal(
        context_init(&c, &(kith_run)KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true), NULL),
        KITH_OK);
    search_result result = {.partition.n_classes = 1};
    result.partition.class_of = arena_zalloc(c.memory, p->n_records, sizeof(uint32_t));
    assert_int_equal(partition_close(&result.partition, p, c.memory, NULL), KITH_OK);
    double whole = partition_cost(&result.partition, p);
    assert_int_equal(sequential_repair(&result, p, &(search_spec){0}, &c, NULL), KITH_OK);
    double first = partition_cost(&result.partition, p);
    assert_true(first < whole);
    assert_true(problems_hold(p, result.partition.class_of, result.partition.n_classes));
    assert_int_equal(sequential_repair(&result, p, &(search_spec){0}, &c, NULL), KITH_OK);
    assert_true(partition_cost(&result.partition, p) == first);
    context_wipe(&c);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worse_result_is_replaced_and_a_better_one_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

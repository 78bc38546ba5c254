#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "search/partition.h"
#include "support/problems.h"

static void classes_are_numbered_by_first_appearance(void **state)
{
    (void)state;
    arena *memory = arena_new();
    problem_shape shape = {.n_records = 6, .n_attributes = 2, .n_leaves = 4, .width = 2, .k = 2};
    problem *p = problems_random(memory, &shape, 1);
    uint32_t class_of[] = {7, 3, 7, 3, 0, 7};
    partition part = {.n_classes = 9, .class_of = class_of};
    assert_int_equal(partition_close(&part, p, memory, NULL), KITH_OK);
    assert_int_equal(part.n_classes, 3);
    assert_memory_equal(class_of, ((uint32_t[]){0, 1, 0, 1, 2, 0}), sizeof class_of);
    arena_free(memory);
}

/* A partition that is put together from those of its parts is that of the whole. */
static void parts_make_a_whole(void **state)
{
    (void)state;
    arena *memory = arena_new();
    problem_shape shape = {.n_records = 7, .n_attributes = 2, .n_leaves = 4, .width = 2, .k = 1};
    const problem *p = problems_random(memory, &shape, 1);
    uint32_t whole_of[] = {0, 1, 0, 1, 2, PARTITION_SUPPRESSED, 0}, found_of[7];
    partition whole = {.n_classes = 3, .class_of = whole_of};
    assert_int_equal(partition_close(&whole, p, memory, NULL), KITH_OK);
    const uint32_t *closure = whole.closure;
    uint32_t turned[] = {closure[4], closure[5], closure[2], closure[3]};
    const partition late = {.n_classes = 2, .class_of = (uint32_t[]){1, 1, 0}, .closure = turned};
    const partition early = {
        .n_classes = 1, .class_of = (uint32_t[]){0, 0, 0}, .closure = whole.closure};
    memset(found_of, 0xff, sizeof found_of);
    partition found = {.class_of = found_of};
    assert_int_equal(partition_add(&found, &late, (uint32_t[]){1, 3, 4}, 3, p, memory, NULL),
                     KITH_OK);
    assert_int_equal(partition_add(&found, &early, (uint32_t[]){0, 2, 6}, 3, p, memory, NULL),
                     KITH_OK);
    assert_int_equal(partition_number(&found, p, memory, NULL), KITH_OK);
    assert_int_equal(found.n_classes, 3);
    assert_memory_equal(found_of, whole_of, sizeof found_of);
    assert_memory_equal(found.closure, closure, 6 * sizeof *closure);
    arena_free(memory);
}

static void closures_and_costs_agree_with_the_naive_evaluation(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        arena *memory = arena_new();
        problem_shape shape = {.n_records = 1 + (uint32_t)(seed % 30),
                               .n_attributes = 1 + (uint32_t)(seed % 4),
                               .n_leaves = 1 + (uint32_t)(seed % 9),
                               .width = (uint32_t)(seed % 4 == 1 ? 0 : seed % 4),
                               .wildcards = seed % 5 == 0 ? .1 : 0,
                               .measure = (measure_id)(seed % 4),
                               .k = 1};
        shape.width = shape.width == 1 ? 2 : shape.width;
        problem *p = problems_random(memory, &shape, seed);
        rng r;
        rng_init(&r, seed, 1);
        uint32_t *class_of = arena_zalloc(memory, p->n_records, sizeof *class_of);
        for (uint32_t i = 0; i < p->n_records; i++)
            class_of[i] = rng_below(&r, 5);
        double naive = problems_cost(p, class_of, 5);
        partition part = {.n_classes = 5, .class_of = class_of};
        assert_int_equal(partition_close(&part, p, memory, NULL), KITH_OK);
        assert_true(fabs(partition_cost(&part, p) - naive) < 1e-9);
        for (uint32_t c = 0; c < part.n_classes; c++)
            for (uint32_t j = 0; j < p->n_attributes; j++)
                assert_int_equal(part.closure[c * p->n_attributes + j],
                                 problems_cover(p, class_of, c, j));
        arena_free(memory);
    }
}

static void the_first_violation_is_named(void **state)
{
    (void)state;
    arena *memory = arena_new();
    problem_shape shape = {
        .n_records = 6, .n_attributes = 1, .n_leaves = 2, .k = 2, .n_sensitive = 2, .l = 2};
    problem *p = problems_random(memory, &shape, 3);
    memcpy((uint32_t *)p->sensitive[0].values, (uint32_t[]){0, 1, 0, 0, 1, 1},
           6 * sizeof(uint32_t));
    uint32_t model, class;
    partition good = {.n_classes = 2, .class_of = (uint32_t[]){0, 0, 1, 1, 1, 1}, .closure = NULL};
    assert_true(partition_holds(&good, p, memory, &model, &class));
    partition small = {.n_classes = 3, .class_of = (uint32_t[]){0, 0, 1, 1, 1, 2}, .closure = NULL};
    assert_false(partition_holds(&small, p, memory, &model, &class));
    assert_int_equal(class, 1);
    assert_int_equal(model, 1);
    partition single = {
        .n_classes = 3, .class_of = (uint32_t[]){0, 0, 1, 2, 2, 2}, .closure = NULL};
    assert_false(partition_holds(&single, p, memory, &model, &class));
    assert_int_equal(class, 1);
    assert_int_equal(model, 0);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_numbered_by_first_appearance),
        cmocka_unit_test(parts_make_a_whole),
        cmocka_unit_test(closures_and_costs_agree_with_the_naive_evaluation),
        cmocka_unit_test(the_first_violation_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

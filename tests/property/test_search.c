/* Random problems of many shapes: whatever an algorithm returns must be a partition that satisfies
 * the models, with the closures that a naive evaluation finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "search/search.h"
#include "support/problems.h"

static uint32_t *solved(const problem *p, const char *name, const search_spec *spec,
                        unsigned n_workers, arena *memory, double *cost)
{
    context c;
    search_result result;
    kith_error error = {0};
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = n_workers, .seeded = true, .seed = 42);
    assert_int_equal(context_init(&c, &run, NULL), KITH_OK);
    kith_status status = search_run(&result, search_find(name), p, spec, &c, &error);
    if (status != KITH_OK)
        fail_msg("%s: %s", name, error.message);
    partition *part = &result.partition;
    assert_true(problems_hold(p, part->class_of, part->n_classes));
    uint32_t model, class;
    assert_true(partition_holds(part, p, c.memory, &model, &class));
    *cost = partition_cost(part, p);
    double naive = problems_cost(p, part->class_of, part->n_classes);
    double slack = 1e-9 * (1 + fabs(naive));
    /* Global recoding may show more than a class needs. */
    assert_true(search_find(name)->global ? (result.levels == NULL) == search_find(name)->cuts
                                          : fabs(*cost - naive) <= slack);
    uint32_t *copy = arena_array(memory, p->n_records + 1, sizeof *copy);
    memcpy(copy, part->class_of, p->n_records * sizeof *copy);
    context_wipe(&c);
    return copy;
}

static void check(const problem_shape *shape, uint64_t seed)
{
    for (uint32_t i = 0; search_at(i) != NULL; i++) {
        arena *memory = arena_new();
        problem *p = problems_random(memory, shape, seed);
        bool serves = search_at(i)->sensitive_costs || !problem_costs_sensitive(p);
        serves &= !search_at(i)->global || search_at(i)->cuts ||
                  shape->n_attributes < 10; /* or the lattice is too large */
        for (uint32_t m = 0; m < p->n_models; m++)
            serves &= search_at(i)->supports_model(&p->models[m]);
        if (!serves) {
            arena_free(memory);
            continue;
        }
        double cost, again;
        search_spec spec = {.relaxed = seed % 2,
                            .n_restarts = (uint32_t)(seed % 3),
                            .block = problem_costs_sensitive(p) ? 1 : (uint32_t)(seed % 4 * 5),
                            .finish = (search_finish)(seed / 2 % 3)};
        uint32_t *one = solved(p, search_at(i)->name, &spec, 1, memory, &cost);
        uint32_t *three = solved(p, search_at(i)->name, &spec, 3, memory, &again);
        assert_memory_equal(one, three, p->n_records * sizeof *one);
        assert_true(cost == again);
        arena_free(memory);
    }
}

static const problem_shape shapes[] = {
    {.n_records = 60, .n_attributes = 3, .n_leaves = 8, .width = 2, .k = 3},
    {.n_records = 200, .n_attributes = 4, .n_leaves = 20, .k = 5, .skew = 2},
    {.n_records = 120, .n_attributes = 3, .n_leaves = 27, .width = 3, .k = 4, .n_kinds = 10},
    {.n_records = 50, .n_attributes = 3, .n_leaves = 8, .width = 2, .k = 50},
    {.n_records = 51, .n_attributes = 3, .n_leaves = 8, .width = 2, .k = 49},
    {.n_records = 64, .n_attributes = 3, .n_leaves = 8, .width = 2, .k = 2, .n_kinds = 1},
    {.n_records = 100, .n_attributes = 50, .n_leaves = 6, .width = 2, .k = 5},
    {.n_records = 100, .n_attributes = 50, .n_leaves = 3, .k = 2, .skew = 3},
    {.n_records = 150, .n_attributes = 1, .n_leaves = 100, .width = 10, .k = 7},
    {.n_records = 80, .n_attributes = 1, .n_leaves = 2, .k = 3},
    {.n_records = 80, .n_attributes = 2, .n_leaves = 1, .k = 3},
    {.n_records = 90, .n_attributes = 3, .n_leaves = 9, .width = 3, .k = 4, .wildcards = .2},
    {.n_records = 90, .n_attributes = 2, .n_leaves = 4, .k = 4, .wildcards = .9},
    {.n_records = 30, .n_attributes = 2, .n_leaves = 4, .k = 4, .wildcards = 1},
    {.n_records = 150,
     .n_attributes = 3,
     .n_leaves = 8,
     .width = 2,
     .k = 4,
     .n_sensitive = 4,
     .l = 1.5},
    {.n_records = 150,
     .n_attributes = 3,
     .n_leaves = 8,
     .width = 2,
     .k = 4,
     .n_sensitive = 5,
     .l = 3},
    {.n_records = 150, .n_attributes = 3, .n_leaves = 8, .width = 2, .n_sensitive = 9, .l = 4},
    {.n_records = 150, .n_attributes = 3, .n_leaves = 8, .k = 10, .n_sensitive = 150, .l = 9.5},
    {.n_records = 100, .n_attributes = 2, .n_leaves = 8, .k = 1},
    {.n_records = 120,
     .n_attributes = 3,
     .n_leaves = 8,
     .width = 2,
     .k = 4,
     .n_sensitive = 3,
     .by_sensitive = 1},
    {.n_records = 90,
     .n_attributes = 2,
     .n_leaves = 9,
     .k = 5,
     .n_sensitive = 2,
     .by_sensitive = 1,
     .l = 1.3},
    {.n_records = 70,
     .n_attributes = 3,
     .n_leaves = 9,
     .k = 3,
     .n_sensitive = 1,
     .by_sensitive = 1},
    {.n_records = 80,
     .n_attributes = 2,
     .n_leaves = 5,
     .k = 3,
     .n_sensitive = 4,
     .by_sensitive = 1,
     .l = 2,
     .wildcards = .2},
    {.n_records = 3, .n_attributes = 2, .n_leaves = 3, .k = 2},
    {.n_records = 2, .n_attributes = 2, .n_leaves = 3, .k = 2},
    {.n_records = 1, .n_attributes = 2, .n_leaves = 3, .k = 1},
};

static void random_problems_are_solved(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (uint64_t seed = 0; seed < 12; seed++) {
            problem_shape shape = shapes[s];
            shape.measure = (measure_id)(seed % 4);
            check(&shape, seed);
        }
}

static void restarts_never_make_it_worse(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        arena *memory = arena_new();
        problem *p = problems_random(memory, &shapes[0], seed);
        double once, best;
        solved(p, "sequential", &(search_spec){.n_restarts = 1}, 1, memory, &once);
        solved(p, "sequential", &(search_spec){.n_restarts = 6}, 1, memory, &best);
        assert_true(best <= once + 1e-3); /* compared as fixed-point numbers */
        arena_free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_are_solved),
        cmocka_unit_test(restarts_never_make_it_worse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

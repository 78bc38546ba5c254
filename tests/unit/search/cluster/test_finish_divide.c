/* Divided clusters against what was there before: nothing is lost, nothing costs more, all hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "search/cluster/finish_divide.h"
#include "support/problems.h"

typedef struct fixture {
    arena *memory;
    problem *p;
    slots rows;
    class_rules admit;
    clusters c;
} fixture;

static void start(fixture *f, const problem_shape *shape, uint32_t n_parts, uint64_t seed)
{
    f->memory = arena_new();
    f->p = problems_random(f->memory, shape, seed);
    assert_int_equal(slots_build(&f->rows, f->p, 1, f->memory, NULL), KITH_OK);
    assert_int_equal(class_rules_init(&f->admit, f->p, f->memory, NULL), KITH_OK);
    assert_int_equal(clusters_init(&f->c, &f->rows, &f->admit, n_parts, f->memory, NULL), KITH_OK);
    for (uint32_t i = 0; i < n_parts; i++)
        assert_int_equal(clusters_add(&f->c), i);
    for (uint32_t i = 0; i < f->p->n_records; i++)
        assert_int_equal(clusters_append(&f->c, i % n_parts, i, NULL), KITH_OK);
    for (uint32_t i = 0; i < n_parts; i++)
        clusters_close(&f->c, i);
    assert_int_equal(clusters_arrange(&f->c, NULL), KITH_OK);
}

static uint32_t in_use(const fixture *f)
{
    return f->c.used - f->c.n_idle;
}

static bool hold(const fixture *f)
{
    return problems_hold(f->p, f->c.of, f->c.used);
}

/* Returns how many clusters there are more. */
static uint32_t check(const problem_shape *shape, uint32_t n_parts, uint64_t seed)
{
    fixture f;
    start(&f, shape, n_parts, seed);
    bool held = hold(&f);
    uint32_t before = in_use(&f);
    double cost = problems_cost(f.p, f.c.of, f.c.used);
    assert_int_equal(finish_divide_large(&f.c, shape->k, NULL), KITH_OK);
    assert_true(!held || hold(&f));
    assert_true(problems_cost(f.p, f.c.of, f.c.used) <= cost + 1e-9);
    uint32_t all = 0;
    for (uint32_t cluster = 0; cluster < f.c.used; cluster++) {
        const uint32_t *member = f.c.member[cluster];
        uint16_t closure[512];
        all += f.c.size[cluster];
        for (uint32_t m = 0; m < f.c.size[cluster]; m++)
            assert_true(f.c.of[member[m]] == cluster && f.c.place[member[m]] == m);
        if (f.c.size[cluster] == 0)
            continue;
        slots_close(&f.rows, closure, member, f.c.size[cluster]);
        assert_int_equal(f.c.cost[cluster], slots_cost(&f.rows, closure, member[0]));
    }
    assert_int_equal(all, f.p->n_records);
    uint32_t more = in_use(&f) - before;
    arena_free(f.memory);
    return more;
}

static const problem_shape shapes[] = {
    {.n_records = 300,
     .n_attributes = 4,
     .n_leaves = 12,
     .width = 3,
     .k = 6,
     .n_sensitive = 2,
     .l = 1.6},
    {.n_records = 300,
     .n_attributes = 4,
     .n_leaves = 5,
     .k = 10,
     .n_sensitive = 4,
     .l = 2.5,
     .skew = 2},
    {.n_records = 200, .n_attributes = 3, .n_leaves = 9, .k = 5, .n_sensitive = 40, .l = 4},
    {.n_records = 200, .n_attributes = 3, .n_leaves = 9, .width = 3, .k = 5, .wildcards = .2},
    {.n_records = 200,
     .n_attributes = 2,
     .n_leaves = 4,
     .k = 5,
     .n_sensitive = 3,
     .l = 1.5,
     .n_kinds = 1},
};

static void parts_hold_and_cost_less(void **state)
{
    (void)state;
    for (size_t s = 0; s < 4; s++) {
        uint32_t more = 0;
        for (uint64_t seed = 0; seed < 12; seed++) {
            problem_shape shape = shapes[s];
            shape.measure = (measure_id)(seed % 4);
            more += check(&shape, 1 + (uint32_t)seed % 3, seed);
        }
        assert_true(more > 12 * 4);
    }
}

static void nothing_is_divided_in_vain(void **state)
{
    (void)state;
    assert_int_equal(check(&shapes[4], 2, 1), 0); /* all records are alike */
    problem_shape shape = shapes[0];
    shape.k = 160; /* no room for two */
    assert_int_equal(check(&shape, 1, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_hold_and_cost_less),
        cmocka_unit_test(nothing_is_divided_in_vain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

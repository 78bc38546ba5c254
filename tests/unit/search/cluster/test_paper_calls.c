/* The paper's calls on a tree small enough to count by hand: nine leaves in three groups. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "search/cluster/paper_calls.h"
#include "support/problems.h"
#include "support/trees.h"

typedef struct fixture {
    arena *memory;
    problem p;
    attribute a;
    uint32_t cells[4];
    slots rows;
    paper_calls calls;
    uint16_t joint[16], without[16];
} fixture;

static void open_fixture(fixture *f)
{
    *f = (fixture){.memory = arena_new(), .cells = {0, 1, 4, 0}};
    f->a.tree = trees_grouped(f->memory, 9, 3);
    f->a.cells = f->cells;
    f->p = (problem){.n_records = 4, .n_attributes = 1, .attributes = &f->a, .k = 2};
    problems_costs(&f->p, &f->a, MEASURE_LM, f->memory);
    assert_int_equal(f->a.tree->n_levels, 3);
    assert_int_equal(slots_build_whole(&f->rows, &f->p, f->memory, NULL), KITH_OK);
    assert_int_equal(paper_calls_init(&f->calls, &f->p, &f->rows, f->memory, NULL), KITH_OK);
}

static void expect(fixture *f, uint64_t ands, uint64_t strict)
{
    assert_int_equal(f->calls.n_ands, ands);
    assert_int_equal(f->calls.strict, strict);
    f->calls.n_ands = f->calls.strict = 0;
}

static void counts_what_one_counts_by_hand(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    uint32_t leaf = 4, group = f.a.tree->parent[4], root = tree_root(f.a.tree);
    slots_from_nodes(&f.rows, &f.p, f.joint, &leaf);
    paper_calls_close(&f.calls, NULL, f.joint); /* root: second child; group: second child */
    expect(&f, 2, 4);
    slots_from_nodes(&f.rows, &f.p, f.joint, &group);
    paper_calls_close(&f.calls, NULL, f.joint); /* root: second child; group: three, none of them */
    expect(&f, 2, 5);
    slots_from_nodes(&f.rows, &f.p, f.without, &leaf);
    paper_calls_close(&f.calls, f.joint, f.without); /* from the group on */
    expect(&f, 1, 2);

    /* Record 2 leaves records 0 and 1: the root becomes their group, the first child. */
    uint32_t all[] = {0, 1, 2}, twice[] = {0, 3}, low = f.a.tree->parent[0];
    slots_from_nodes(&f.rows, &f.p, f.joint, &root);
    slots_from_nodes(&f.rows, &f.p, f.without, &low);
    paper_calls_visit(&f.calls, 2, all, 3, f.joint, f.without);
    expect(&f, 2, 4);
    /* Nothing changes here if one of two equal records leaves. */
    paper_calls_visit(&f.calls, 3, twice, 2, f.joint, f.joint);
    expect(&f, 0, 0);
    /* Nobody else is here: the others are asked. */
    paper_calls_visit(&f.calls, 0, all, 1, f.joint, f.joint);
    expect(&f, 1, 3);
    arena_free(f.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_what_one_counts_by_hand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

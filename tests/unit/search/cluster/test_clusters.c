/* Clusters under many random moves, against costs computed from nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "search/cluster/finish_merge.h"
#include "search/cluster/clusters.h"
#include "search/cluster/finish_hybrid.h"
#include "support/problems.h"

typedef struct fixture {
    arena *memory;
    problem *p;
    slots rows;
    class_rules admit;
    clusters c;
    rng r;
} fixture;

static void start(fixture *f, const problem_shape *shape, uint32_t n_parts, uint64_t seed)
{
    f->memory = arena_new();
    f->p = problems_random(f->memory, shape, seed);
    rng_init(&f->r, seed, 9);
    assert_int_equal(slots_build(&f->rows, f->p, 1, f->memory, NULL), KITH_OK);
    assert_int_equal(class_rules_init(&f->admit, f->p, f->memory, NULL), KITH_OK);
    assert_int_equal(clusters_init(&f->c, &f->rows, &f->admit, 1, f->memory, NULL), KITH_OK);
    assert_int_equal(clusters_reserve(&f->c, n_parts, NULL), KITH_OK);
    for (uint32_t i = 0; i < n_parts; i++)
        assert_int_equal(clusters_add(&f->c), i);
    for (uint32_t i = 0; i < f->p->n_records; i++)
        assert_int_equal(clusters_append(&f->c, i % n_parts, i, NULL), KITH_OK);
    for (uint32_t i = 0; i < n_parts; i++)
        clusters_close(&f->c, i);
    assert_int_equal(clusters_arrange(&f->c, NULL), KITH_OK);
}

/* Total cost of a set of records in fixed-point units, through the slots of its members. */
static int64_t total_of(const fixture *f, const uint32_t *members, uint32_t size)
{
    uint16_t closure[512];
    if (size == 0)
        return 0;
    slots_close(&f->rows, closure, members, size);
    return (int64_t)slots_cost(&f->rows, closure, members[0]) * size;
}

static int64_t total_with(const fixture *f, uint32_t cluster, uint32_t record)
{
    uint32_t members[512], size = f->c.size[cluster];
    for (uint32_t m = 0; m < size; m++)
        members[m] = f->c.member[cluster][m];
    members[size] = record;
    return total_of(f, members, size + 1);
}

static int64_t total_without(const fixture *f, uint32_t cluster, uint32_t record)
{
    uint32_t members[512], size = 0;
    for (uint32_t m = 0; m < f->c.size[cluster]; m++)
        if (f->c.member[cluster][m] != record)
            members[size++] = f->c.member[cluster][m];
    return total_of(f, members, size);
}

static void check_invariants(const fixture *f)
{
    uint32_t n_records = 0;
    for (uint32_t cluster = 0; cluster < f->c.used; cluster++) {
        for (uint32_t m = 0; m < f->c.size[cluster]; m++) {
            uint32_t record = f->c.member[cluster][m];
            assert_int_equal(f->c.of[record], cluster);
            assert_int_equal(f->c.place[record], m);
        }
        n_records += f->c.size[cluster];
        if (f->c.size[cluster] > 0)
            assert_int_equal(clusters_total(&f->c, cluster),
                             total_of(f, f->c.member[cluster], f->c.size[cluster]));
    }
    assert_int_equal(n_records, f->p->n_records);
}

/* Smallest growth among the other clusters that may take the record. */
static int64_t min_growth(const fixture *f, uint32_t record)
{
    int64_t min = INT64_MAX;
    for (uint32_t h = 0; h < f->c.used; h++) {
        if (h == f->c.of[record] || f->c.size[h] == 0 ||
            !class_rules_join_valid(&f->admit, f->c.member[h], f->c.size[h], record))
            continue;
        int64_t growth = total_with(f, h, record) - clusters_total(&f->c, h);
        assert_int_equal(growth, clusters_growth(&f->c, h, record));
        min = growth < min ? growth : min;
    }
    return min;
}

static void visit(fixture *f, uint32_t record)
{
    clusters *c = &f->c;
    int32_t remaining;
    uint32_t own = c->of[record];
    int64_t gain = clusters_gain(c, record, &remaining), expected = min_growth(f, record);
    assert_int_equal(gain, clusters_total(c, own) - total_without(f, own, record));
    uint32_t best = clusters_best(c, record, INT64_MAX);
    assert_int_equal(best == CLUSTER_NONE, expected == INT64_MAX);
    if (best != CLUSTER_NONE)
        assert_int_equal(clusters_growth(c, best, record), expected);
    assert_int_equal(clusters_best(c, record, gain) != CLUSTER_NONE, expected < gain);
    if (best != CLUSTER_NONE && rng_below(&f->r, 3) == 0)
        assert_int_equal(clusters_move(c, record, best, remaining, NULL), KITH_OK);
}

static const problem_shape shapes[] = {
    {.n_records = 100, .n_attributes = 3, .n_leaves = 9, .width = 3, .k = 2},
    {.n_records = 150, .n_attributes = 4, .n_leaves = 6, .k = 2, .wildcards = .1},
    {.n_records = 90, .n_attributes = 40, .n_leaves = 4, .width = 2, .k = 2},
    {.n_records = 100, .n_attributes = 2, .n_leaves = 5, .k = 2, .n_sensitive = 4, .l = 1.5},
};

static void moves_keep_the_invariants_and_find_the_best(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            fixture f;
            problem_shape shape = shapes[s];
            shape.measure = (measure_id)seed;
            start(&f, &shape, 45, seed);
            for (uint32_t i = 0; i < f.p->n_records; i++) {
                visit(&f, rng_below(&f.r, f.p->n_records));
                if (i % 40 == 39)
                    assert_int_equal(clusters_arrange(&f.c, NULL), KITH_OK);
            }
            check_invariants(&f);
            arena_free(f.memory);
        }
}

static void dropped_ids_are_used_again(void **state)
{
    (void)state;
    fixture f;
    start(&f, &shapes[0], 50, 1);
    for (uint32_t i = 1; i < 50; i++)
        assert_int_equal(clusters_merge(&f.c, 0, i, NULL), KITH_OK);
    check_invariants(&f);
    assert_int_equal(f.c.size[0], 100);
    assert_int_equal(f.c.n_idle, 49);
    assert_int_equal(clusters_add(&f.c), 49);
    arena_free(f.memory);
}

/* Neither finish leaves a small cluster, and hybrid is the cheaper one on the whole. */
static void both_finishes_leave_no_small_cluster(void **state)
{
    (void)state;
    context run;
    int64_t cost[2] = {0, 0};
    assert_int_equal(context_init(&run, NULL, NULL), KITH_OK);
    for (uint64_t seed = 0; seed < 24; seed++)
        for (int hybrid = 0; hybrid < 2; hybrid++) {
            fixture f;
            start(&f, &shapes[seed % 4], 33, seed);
            uint32_t k = 2 + (uint32_t)(seed % 9);
            assert_int_equal(hybrid ? finish_hybrid(&f.c, k, &run, NULL)
                                    : finish_merge_small(&f.c, k, &run, NULL),
                             KITH_OK);
            check_invariants(&f);
            for (uint32_t cluster = 0; cluster < f.c.used; cluster++) {
                assert_true(f.c.size[cluster] == 0 || f.c.size[cluster] >= k);
                if (f.c.size[cluster] > 0)
                    cost[hybrid] += clusters_total(&f.c, cluster);
            }
            arena_free(f.memory);
        }
    assert_true(cost[1] < cost[0]);
    context_wipe(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_keep_the_invariants_and_find_the_best),
        cmocka_unit_test(dropped_ids_are_used_again),
        cmocka_unit_test(both_finishes_leave_no_small_cluster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

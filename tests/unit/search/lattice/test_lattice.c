/* Searches of the lattice against a brute force that shares nothing with them: groups by comparing
 * records pair by pair, checks the models, prices cell by cell. */
#include <math.h>
#include <string.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "search/algorithms.h"
#include "search/lattice/lattice_search.h"
#include "support/random_problem.h"

typedef struct truth {
    bool found;
    double loss;
    uint32_t levels[8];
    uint64_t satisfied;
} truth;

static uint32_t node_at(const problem *p, uint32_t record, uint32_t j, uint32_t level)
{
    const attribute *a = &p->attributes[j];
    return a->cells[record] >= a->tree->n_leaves ? tree_root(a->tree)
                                                 : tree_up(a->tree, a->cells[record], level);
}

static bool same(const problem *p, const uint32_t *levels, uint32_t x, uint32_t y)
{
    for (uint32_t j = 0; j < p->n_attributes; j++)
        if (node_at(p, x, j, levels[j]) != node_at(p, y, j, levels[j]))
            return false;
    return true;
}

static bool record_safe(const problem *p, const uint32_t *levels, uint32_t record)
{
    uint32_t size = 0, count[64] = {0}, largest = 0;
    for (uint32_t i = 0; i < p->n_records; i++)
        if (same(p, levels, record, i)) {
            size++;
            if (p->n_sensitive > 0 && ++count[p->sensitive[0].values[i]] > largest)
                largest = count[p->sensitive[0].values[i]];
        }
    return size >= p->k && (p->n_models < 2 || size >= p->models[1].l * largest);
}

static double cell_price(const problem *p, uint32_t record, uint32_t j, uint32_t level)
{
    const attribute *a = &p->attributes[j];
    uint32_t cell = a->cells[record];
    return cell >= a->tree->n_leaves ? 0 : a->cost[tree_up(a->tree, cell, level)] - a->cost[cell];
}

/* Returns the loss at these levels, infinite if too many records would be suppressed. */
static double brute_loss(const problem *p, const uint32_t *levels)
{
    uint32_t gone = 0;
    double loss = 0;
    for (uint32_t i = 0; i < p->n_records; i++) {
        bool safe = record_safe(p, levels, i);
        gone += !safe;
        for (uint32_t j = 0; j < p->n_attributes; j++)
            loss += cell_price(p, i, j, safe ? levels[j] : p->attributes[j].tree->n_levels - 1);
    }
    return gone <= p->may_suppress ? loss : INFINITY;
}

static bool wins(double loss, const uint32_t *levels, const truth *t, uint32_t n_attributes)
{
    if (!t->found || loss < t->loss - 1e-9)
        return true;
    if (loss > t->loss + 1e-9)
        return false;
    uint32_t mine = 0, other = 0;
    for (uint32_t j = 0; j < n_attributes; j++) {
        mine += levels[j];
        other += t->levels[j];
    }
    return mine < other; /* vectors come in lexicographic order: of equals the first stays */
}

static truth brute_force(const problem *p)
{
    truth t = {0};
    uint32_t levels[8] = {0};
    for (;;) {
        double loss = brute_loss(p, levels);
        if (isfinite(loss)) {
            t.satisfied++;
            if (wins(loss, levels, &t, p->n_attributes)) {
                t.found = true;
                t.loss = loss;
                memcpy(t.levels, levels, sizeof levels);
            }
        }
        uint32_t j = p->n_attributes;
        while (j > 0 && levels[j - 1] + 1 == p->attributes[j - 1].tree->n_levels)
            levels[--j] = 0;
        if (j == 0)
            return t;
        levels[j - 1]++;
    }
}

static double result_loss(const problem *p, const search_result *r)
{
    double loss = 0;
    uint32_t gone = 0;
    for (uint32_t i = 0; i < p->n_records; i++) {
        uint32_t class = r->partition.class_of[i];
        gone += class == PARTITION_SUPPRESSED;
        for (uint32_t j = 0; j < p->n_attributes; j++) {
            const attribute *a = &p->attributes[j];
            uint32_t shown = class == PARTITION_SUPPRESSED
                                 ? tree_root(a->tree)
                                 : r->partition.closure[class * p->n_attributes + j];
            assert_true(tree_covers(a->tree, shown, a->cells[i]));
            if (a->cells[i] < a->tree->n_leaves)
                loss += a->cost[shown] - a->cost[a->cells[i]];
        }
    }
    assert_true(gone <= p->may_suppress);
    return loss;
}

typedef kith_status (*run_fn)(search_result *, const problem *, const search_spec *, context *,
                              kith_error *);

static void compare(const problem *p, const truth *t, run_fn run, bool optimal,
                    unsigned thread_count)
{
    kith_run how = KITH_OPTIONS(kith_run, .n_threads = thread_count, .seeded = true, .seed = 1);
    context c;
    assert_int_equal(context_init(&c, &how, NULL), KITH_OK);
    search_result result = {0};
    kith_error error;
    kith_status status = run(&result, p, &(search_spec){0}, &c, &error);
    if (!t->found) {
        assert_int_equal(status, KITH_INFEASIBLE);
    } else {
        assert_int_equal(status, KITH_OK);
        double loss = result_loss(p, &result);
        assert_true(loss >= t->loss - 1e-6);
        if (optimal) {
            assert_true(fabs(loss - t->loss) < 1e-6);
            for (uint32_t j = 0; j < p->n_attributes; j++)
                assert_int_equal(result.levels[j], t->levels[j]);
        }
    }
    context_wipe(&c);
}

static void all_searches(const problem *p, const truth *t)
{
    compare(p, t, flash_run, true, 1);
    compare(p, t, flash_run, true, 2);
    compare(p, t, ola_run, true, 1);
    compare(p, t, incognito_run, true, 1);
    compare(p, t, exhaustive_breadth_first_run, true, 1);
    compare(p, t, exhaustive_depth_first_run, true, 1);
    compare(p, t, datafly_run, false, 1);
}

static void run_shape(const random_shape *shape, uint32_t may_suppress, uint64_t seeds)
{
    for (uint64_t seed = 0; seed < seeds; seed++) {
        arena *memory = arena_new();
        problem *p = random_problem(shape, seed, memory);
        p->may_suppress = may_suppress;
        p->measure = MEASURE_LM;
        truth t = brute_force(p);
        all_searches(p, &t);
        arena_free(memory);
    }
}

static void test_k_anonymity(void **state)
{
    (void)state;
    random_shape shape = {
        .n_records = 30, .n_attributes = 3, .max_leaves = 6, .max_levels = 4, .k = 3};
    run_shape(&shape, 0, 60);
    run_shape(&shape, 4, 60);
    run_shape(&shape, 30, 30);
}

static void test_diversity_with_suppression(void **state)
{
    (void)state;
    random_shape shape = {.n_records = 40,
                          .n_attributes = 3,
                          .max_leaves = 5,
                          .max_levels = 4,
                          .k = 2,
                          .n_sensitive = 4,
                          .l = 2,
                          .skewed = true};
    run_shape(&shape, 0, 40);
    run_shape(&shape, 6, 60);
    run_shape(&shape, 40, 30);
}

static void test_wildcards_and_falling_costs(void **state)
{
    (void)state;
    random_shape shape = {.n_records = 25,
                          .n_attributes = 2,
                          .max_leaves = 6,
                          .max_levels = 4,
                          .k = 2,
                          .wildcards = 0.1,
                          .falling = true};
    run_shape(&shape, 0, 40);
    run_shape(&shape, 3, 40);
}

static bool stop_after(void *user, const char *phase, double done)
{
    assert_memory_equal(phase, "search: ", 8);
    assert_true(done >= 0 && done <= 1);
    return --*(int *)user > 0;
}

/* A search that is stopped gives the best node so far, or nothing if there is none. */
static void test_stop(void **state)
{
    (void)state;
    static const run_fn runs[] = {flash_run, ola_run, incognito_run, datafly_run};
    random_shape shape = {
        .n_records = 60, .n_attributes = 4, .max_leaves = 6, .max_levels = 4, .k = 3};
    uint32_t partial = 0, nothing = 0;
    for (int n_calls = 1; n_calls < 40; n_calls++)
        for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
            arena *memory = arena_new();
            problem *p = random_problem(&shape, (uint64_t)n_calls / 4, memory);
            p->may_suppress = 5;
            int left = n_calls;
            kith_run how =
                KITH_OPTIONS(kith_run, .n_threads = 1, .progress = stop_after, .user = &left);
            context c;
            kith_error error;
            search_result result = {0};
            assert_int_equal(context_init(&c, &how, NULL), KITH_OK);
            kith_status status = runs[i](&result, p, &(search_spec){0}, &c, &error);
            assert_true(status == KITH_OK || (status == KITH_CANCELLED && left <= 0));
            if (status == KITH_OK)
                (void)result_loss(p, &result);
            partial += status == KITH_OK && result.interrupted;
            nothing += status == KITH_CANCELLED;
            context_wipe(&c);
            arena_free(memory);
        }
    assert_true(partial > 10 && nothing > 3);
}

static void test_many_words(void **state)
{
    (void)state;
    /* Eight attributes of up to 600 values need more than one word of key. */
    random_shape shape = {
        .n_records = 400, .n_attributes = 7, .max_leaves = 4000, .max_levels = 3, .k = 2};
    for (uint64_t seed = 0; seed < 3; seed++) {
        arena *memory = arena_new();
        problem *p = random_problem(&shape, seed, memory);
        p->may_suppress = 20;
        truth t = brute_force(p);
        compare(p, &t, flash_run, true, 2);
        arena_free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_k_anonymity),
        cmocka_unit_test(test_diversity_with_suppression),
        cmocka_unit_test(test_wildcards_and_falling_costs),
        cmocka_unit_test(test_many_words),
        cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

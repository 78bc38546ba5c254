/* Suppression with local recoding: never more records than allowed, never dearer than without, and
 * on tiny tables never better than what trying everything finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "search/search.h"
#include "search/suppress.h"
#include "support/problems.h"

static const char *const algorithms[] = {"weave", "sequential"};

/* Cost of a partition counted the slow way; suppressed records cost the roots. -1: a class is too
 * small. */
static double naive_cost(const problem *p, const uint32_t *class_of, uint32_t n_classes)
{
    double root = 0, sum = problems_cost(p, class_of, n_classes);
    for (uint32_t j = 0; j < p->n_attributes; j++)
        root += p->attributes[j].cost[tree_root(p->attributes[j].tree)];
    for (uint32_t i = 0; i < p->n_records; i++)
        sum += class_of[i] == PARTITION_SUPPRESSED ? root : 0;
    return problems_hold(p, class_of, n_classes) ? sum : -1;
}

/* The best of all partitions with at most `room` suppressed records. */
static double best_of_all(const problem *p, uint32_t *class_of, uint32_t at, uint32_t n_classes,
                          uint32_t room)
{
    double best = -1;
    if (at == p->n_records)
        return naive_cost(p, class_of, n_classes);
    for (uint32_t class = 0; class <= n_classes + 1; class ++) {
        bool suppress = class == n_classes + 1;
        if (suppress && room == 0)
            continue;
        class_of[at] = suppress ? PARTITION_SUPPRESSED : class;
        double cost =
            best_of_all(p, class_of, at + 1, n_classes + (class == n_classes), room - suppress);
        if (cost >= 0 && (best < 0 || cost < best))
            best = cost;
    }
    return best;
}

/* Runs an algorithm, checks what it says, and returns its cost; -1 if it is infeasible. */
static double solve(const problem *p, const char *name, unsigned n_threads, uint32_t *class_of,
                    uint32_t *n_suppressed)
{
    context c;
    search_result result;
    kith_error error = {0};
    double cost = -1;
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = n_threads, .seeded = true, .seed = 3);
    assert_int_equal(context_init(&c, &run, NULL), KITH_OK);
    kith_status status = search_run(&result, search_find(name), p, &(search_spec){0}, &c, &error);
    if (status == KITH_OK) {
        const partition *out = &result.partition;
        *n_suppressed = suppress_count(out, p->n_records);
        assert_true(*n_suppressed <= p->may_suppress);
        assert_true(problems_hold(p, out->class_of, out->n_classes));
        cost = suppress_cost(out, p);
        for (uint32_t i = 0; i < p->n_records; i++)
            for (uint32_t j = 0; j < p->n_attributes; j++) {
                const attribute *a = &p->attributes[j];
                if (out->class_of[i] == PARTITION_SUPPRESSED)
                    continue;
                uint32_t node = out->closure[(size_t)out->class_of[i] * p->n_attributes + j];
                assert_true(tree_covers(a->tree, node, a->cells[i]));
                assert_true(a->tree->level[node] >= a->min_level &&
                            a->tree->level[node] + a->n_forbidden < a->tree->n_levels);
            }
        memcpy(class_of, out->class_of, p->n_records * sizeof *class_of);
    } else if (status != KITH_INFEASIBLE) {
        fail_msg("%s: %s", name, error.message);
    }
    context_wipe(&c);
    return cost;
}

static void tiny_tables_against_everything(void **state)
{
    (void)state;
    uint32_t n_used = 0, n_best = 0, n_cases = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        arena *memory = arena_new();
        const problem_shape shape = {.n_records = 7,
                                     .n_attributes = 2,
                                     .n_leaves = 9,
                                     .width = seed % 3 == 0 ? 0 : 3,
                                     .k = seed % 2 == 0 ? 3 : 6,
                                     .skew = 4,
                                     .measure = (measure_id)(seed % 2)};
        problem *p = problems_random(memory, &shape, seed);
        uint32_t class_of[7], n_suppressed = 0;
        for (size_t a = 0; a < 2; a++) {
            p->may_suppress = 0;
            double without = solve(p, algorithms[a], 1, class_of, &n_suppressed);
            p->may_suppress = 1 + (uint32_t)(seed % 2);
            double with = solve(p, algorithms[a], 1, class_of, &n_suppressed);
            double best = best_of_all(p, class_of, 0, 0, p->may_suppress);
            assert_true(without >= 0 && with >= 0);
            assert_true(with <= without + 1e-9);
            assert_true(with >= best - 1e-9);
            n_used += n_suppressed > 0;
            n_best += with <= best + 1e-9;
            n_cases++;
        }
        arena_free(memory);
    }
    assert_true(n_used > 10);
    assert_true(n_best * 2 > n_cases);
}

/* With sensitive values, and groups that no class can join because of their highest levels. */
static void larger_tables(void **state)
{
    (void)state;
    uint32_t n_used = 0;
    for (uint64_t seed = 0; seed < 24; seed++) {
        arena *memory = arena_new();
        const problem_shape shape = {.n_records = 200,
                                     .n_attributes = 3,
                                     .n_leaves = 27,
                                     .width = 3,
                                     .k = 8,
                                     .skew = 5,
                                     .n_sensitive = seed % 3 == 0 ? 5 : 0,
                                     .l = seed % 3 == 0 ? 1.5 : 0};
        problem *p = problems_random(memory, &shape, seed);
        attribute *attributes = (attribute *)(uintptr_t)p->attributes;
        attributes[0].n_forbidden = (uint32_t)(seed % 2);
        attributes[1].min_level = (uint32_t)(seed / 2 % 2);
        uint32_t one[200], three[200], n_suppressed = 0;
        for (size_t a = 0; a < 2; a++) {
            p->may_suppress = 0;
            double without = solve(p, algorithms[a], 1, one, &n_suppressed);
            p->may_suppress = 40;
            double with = solve(p, algorithms[a], 1, one, &n_suppressed);
            double again = solve(p, algorithms[a], 3, three, &n_suppressed);
            assert_true(with == again);
            if (with >= 0) {
                assert_memory_equal(one, three, sizeof one);
                assert_true(without < 0 || with <= without + 1e-9);
                n_used += n_suppressed > 0;
            } else {
                assert_true(without < 0);
            }
        }
        arena_free(memory);
    }
    assert_true(n_used > 4);
}

/* Six records are alike and the seventh is not: it goes, if that is allowed. */
static void an_outlier_goes(void **state)
{
    (void)state;
    for (size_t a = 0; a < 2; a++) {
        arena *memory = arena_new();
        const problem_shape shape = {
            .n_records = 7, .n_attributes = 2, .n_leaves = 8, .width = 2, .k = 6};
        problem *p = problems_random(memory, &shape, 1);
        uint32_t class_of[7], n_suppressed;
        for (uint32_t j = 0; j < 2; j++)
            for (uint32_t i = 0; i < 7; i++)
                ((uint32_t *)(uintptr_t)p->attributes[j].cells)[i] = i == 3 ? 7 : 0;
        p->may_suppress = 1;
        double cost = solve(p, algorithms[a], 1, class_of, &n_suppressed);
        assert_int_equal(n_suppressed, 1);
        assert_int_equal(class_of[3], PARTITION_SUPPRESSED);
        assert_true(fabs(cost - 2) < 1e-9); /* both cells of one record, by lm */
        arena_free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiny_tables_against_everything),
        cmocka_unit_test(larger_tables),
        cmocka_unit_test(an_outlier_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

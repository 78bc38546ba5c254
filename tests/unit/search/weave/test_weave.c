#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "search/search.h"
#include "search/slots/cpu.h"
#include "support/random_problem.h"

/* What a run gave, kept beyond its context. */
typedef struct outcome {
    kith_status status;
    uint32_t n_classes;
    uint32_t *class_of;
    double cost;
    bool interrupted;
} outcome;

typedef struct setting {
    unsigned team;
    uint64_t seed;
    search_effort effort;
    double seconds;
    kith_progress_fn progress;
    void *user;
} setting;

static outcome run_weave(const problem *p, const setting *how, arena *memory)
{
    context c;
    kith_error error;
    search_result result;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = how->team, .seeded = true, .seed = how->seed,
                                .progress = how->progress, .user = how->user);
    search_spec spec = {.effort = how->effort, .seconds = how->seconds};
    assert_int_equal(context_init(&c, &run, &error), KITH_OK);
    outcome o = {.status = search_run(&result, search_find("weave"), p, &spec, &c, &error)};
    if (o.status == KITH_OK) {
        o.n_classes = result.partition.n_classes;
        o.class_of = arena_array(memory, p->n_records, sizeof *o.class_of);
        memcpy(o.class_of, result.partition.class_of, p->n_records * sizeof *o.class_of);
        o.cost = partition_cost(&result.partition, p);
        o.interrupted = result.interrupted;
    }
    context_wipe(&c);
    return o;
}

/* Cost of one class, straight from the trees. */
static double class_cost(const problem *p, const uint32_t *class_of, uint32_t class, uint32_t *size)
{
    double cost = 0;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const attribute *a = &p->attributes[j];
        uint32_t node = UINT32_MAX;
        *size = 0;
        for (uint32_t i = 0; i < p->n_records; i++) {
            if (class_of[i] != class)
                continue;
            node = node == UINT32_MAX ? a->cells[i] : tree_lca(a->tree, node, a->cells[i]);
            ++*size;
        }
        cost += a->cost[node];
    }
    return cost * *size;
}

static bool is_diverse(const problem *p, const uint32_t *class_of, uint32_t class, uint32_t size)
{
    for (uint32_t m = 0; m < p->n_models; m++) {
        if (p->models[m].id != MODEL_L_DIVERSITY)
            continue;
        const sensitive_attribute *s = &p->sensitive[p->models[m].sensitive];
        for (uint32_t value = 0; value < s->count; value++) {
            uint32_t count = 0;
            for (uint32_t i = 0; i < p->n_records; i++)
                count += class_of[i] == class && s->values[i] == value;
            if ((double)count * p->models[m].l > size + 1e-9)
                return false;
        }
    }
    return true;
}

static double cost_as_one_class(const problem *p)
{
    uint32_t *together = calloc(p->n_records, sizeof *together), size;
    double cost = class_cost(p, together, 0, &size);
    free(together);
    return cost;
}

/* Everything that must hold of any result, by code that shares nothing with the search. */
static void check(const problem *p, const outcome *o)
{
    assert_int_equal(o->status, KITH_OK);
    double cost = 0;
    uint32_t covered = 0;
    for (uint32_t class = 0; class < o->n_classes; class ++) {
        uint32_t size;
        cost += class_cost(p, o->class_of, class, &size);
        assert_true(size >= p->k);
        assert_true(is_diverse(p, o->class_of, class, size));
        covered += size;
    }
    assert_int_equal(covered, p->n_records);
    assert_true(fabs(cost - o->cost) < 1e-6 * (1 + cost));
}

static const random_shape shapes[] = {
    {.n_records = 300, .n_attributes = 4, .max_leaves = 8, .max_levels = 2, .k = 3},
    {.n_records = 500,
     .n_attributes = 5,
     .max_leaves = 20,
     .max_levels = 5,
     .k = 5,
     .skewed = true},
    {.n_records = 300,
     .n_attributes = 3,
     .max_leaves = 9,
     .max_levels = 4,
     .k = 2,
     .wildcards = .2,
     .inner = .2},
    {.n_records = 200,
     .n_attributes = 4,
     .max_leaves = 9,
     .max_levels = 5,
     .k = 4,
     .falling = true},
    {.n_records = 150,
     .n_attributes = 50,
     .max_leaves = 7,
     .max_levels = 4,
     .k = 3,
     .skewed = true},
    {.n_records = 200, .n_attributes = 1, .max_leaves = 40, .max_levels = 3, .k = 4},
    {.n_records = 100, .n_attributes = 3, .max_leaves = 1, .max_levels = 2, .k = 10},
    {.n_records = 200, .n_attributes = 4, .max_leaves = 200, .max_levels = 2, .k = 5},
    {.n_records = 7, .n_attributes = 3, .max_leaves = 4, .max_levels = 3, .k = 7},
    {.n_records = 8, .n_attributes = 3, .max_leaves = 4, .max_levels = 3, .k = 7},
    {.n_records = 40, .n_attributes = 2, .max_leaves = 3, .max_levels = 3, .k = 1},
    {.n_records = 400,
     .n_attributes = 4,
     .max_leaves = 6,
     .max_levels = 3,
     .k = 4,
     .skewed = true,
     .n_sensitive = 4,
     .l = 1.5},
    {.n_records = 400,
     .n_attributes = 4,
     .max_leaves = 6,
     .max_levels = 4,
     .k = 2,
     .n_sensitive = 8,
     .l = 2},
    {.n_records = 120,
     .n_attributes = 3,
     .max_leaves = 6,
     .max_levels = 2,
     .k = 3,
     .n_sensitive = 9,
     .l = 2.5,
     .wildcards = .1},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static void every_result_is_valid(void **state)
{
    (void)state;
    static const search_effort efforts[] = {EFFORT_QUICK, EFFORT_NORMAL, EFFORT_BEST};
    uint32_t served = 0;
    for (uint32_t shape = 0; shape < SHAPES; shape++)
        for (uint64_t seed = 0; seed < 9; seed++) {
            arena *memory = arena_new();
            const problem *p = random_problem(&shapes[shape], seed, memory);
            setting how = {.team = 1, .seed = seed, .effort = efforts[seed % 3]};
            outcome o = run_weave(p, &how, memory);
            if (o.status != KITH_INFEASIBLE || shapes[shape].n_sensitive == 0) {
                check(p, &o);
                assert_true(shapes[shape].falling || o.cost <= cost_as_one_class(p) + 1e-9);
                served++;
            }
            arena_free(memory);
        }
    assert_true(served > SHAPES * 8);
}

static void threads_do_not_change_the_result(void **state)
{
    (void)state;
    static const uint32_t some[] = {1, 2, 4, 12};
    uint32_t differ = 0; /* by the seed: some of these problems leave no choice */
    for (uint32_t i = 0; i < 4; i++) {
        arena *memory = arena_new();
        random_shape shape = shapes[some[i]];
        shape.n_records = 6000; /* several chunks, and sets that are put off for other threads */
        const problem *p = random_problem(&shape, i, memory);
        setting how = {.team = 1, .seed = 5};
        outcome one = run_weave(p, &how, memory);
        assert_int_equal(one.status, KITH_OK);
        for (how.team = 2; how.team <= 3; how.team++) {
            outcome more = run_weave(p, &how, memory);
            assert_int_equal(more.n_classes, one.n_classes);
            assert_memory_equal(more.class_of, one.class_of, p->n_records * sizeof *one.class_of);
        }
        how = (setting){.team = 1, .seed = 6};
        outcome other = run_weave(p, &how, memory);
        differ += memcmp(other.class_of, one.class_of, p->n_records * sizeof *one.class_of) != 0;
        arena_free(memory);
    }
    assert_true(differ >= 2);
}

static void instruction_sets_do_not_change_the_result(void **state)
{
    (void)state;
    static const char *const sets[] = {"portable", "avx2", "avx512"};
    for (uint32_t shape = 0; shape < SHAPES; shape++) {
        arena *memory = arena_new();
        const problem *p = random_problem(&shapes[shape], 3, memory);
        setting how = {.team = 1, .seed = 1};
        outcome first = {0};
        for (int i = 0; i < 3; i++) {
            if (cpu_find_kernels(sets[i]) == SIMD_NONE)
                continue;
            setenv("KITH_SIMD", sets[i], 1);
            outcome o = run_weave(p, &how, memory);
            if (i == 0)
                first = o;
            assert_int_equal(o.status, first.status);
            if (o.status == KITH_OK)
                assert_memory_equal(o.class_of, first.class_of, p->n_records * sizeof *o.class_of);
        }
        unsetenv("KITH_SIMD");
        arena_free(memory);
    }
}

static void more_effort_loses_less(void **state)
{
    (void)state;
    arena *memory = arena_new();
    random_shape shape = shapes[1];
    shape.n_records = 3000;
    const problem *p = random_problem(&shape, 1, memory);
    double cost[3];
    static const search_effort efforts[] = {EFFORT_QUICK, EFFORT_NORMAL, EFFORT_BEST};
    for (int i = 0; i < 3; i++) {
        outcome o = run_weave(p, &(setting){.team = 2, .seed = 1, .effort = efforts[i]}, memory);
        check(p, &o);
        cost[i] = o.cost;
    }
    assert_true(cost[1] < cost[0]);
    assert_true(cost[2] < cost[1]);
    arena_free(memory);
}

/* The run uses its budget and ends: its rounds have no other end. On a busy machine little may
 * happen in the first budget, hence larger ones. */
static void a_budget_in_seconds_is_kept(void **state)
{
    (void)state;
    arena *memory = arena_new();
    random_shape shape = shapes[1];
    shape.n_records = 3000;
    const problem *p = random_problem(&shape, 2, memory);
    outcome quick = run_weave(p, &(setting){.team = 2, .seed = 1, .effort = EFFORT_QUICK}, memory);
    outcome o = quick;
    for (double seconds = 0.3; o.cost >= quick.cost && seconds < 2000; seconds *= 4) {
        double begun = context_seconds();
        setting how = {.team = 2, .seed = 1, .effort = EFFORT_SECONDS, .seconds = seconds};
        o = run_weave(p, &how, memory);
        assert_true(context_seconds() - begun >= 0.99 * seconds);
        check(p, &o);
        assert_false(o.interrupted);
    }
    assert_true(o.cost < quick.cost);
    arena_free(memory);
}

static bool stop_after(void *user, const char *phase, double done)
{
    (void)phase;
    (void)done;
    int *left = user;
    return (*left)-- > 0;
}

static void interrupted_at_any_time_it_returns_something_valid(void **state)
{
    (void)state;
    arena *memory = arena_new();
    random_shape shape = shapes[1];
    shape.n_records = 9000;
    const problem *p = random_problem(&shape, 3, memory);
    for (int n_calls = 0; n_calls < 40; n_calls += 3) {
        for (unsigned team = 1; team <= 2; team++) {
            int left = n_calls;
            setting how = {.team = team,
                           .seed = 1,
                           .effort = EFFORT_BEST,
                           .progress = stop_after,
                           .user = &left};
            outcome o = run_weave(p, &how, memory);
            assert_int_equal(o.status, KITH_OK);
            assert_true(o.interrupted);
            uint32_t *size = arena_zalloc(memory, o.n_classes, sizeof *size);
            for (uint32_t i = 0; i < p->n_records; i++)
                size[o.class_of[i]]++;
            for (uint32_t class = 0; class < o.n_classes; class ++)
                assert_true(size[class] >= p->k);
        }
    }
    arena_free(memory);
}

/* Cheapest partition of a tiny table, by trying all of them. */
static double optimum(const problem *p, uint32_t *class_of, uint32_t at, uint32_t n_classes)
{
    if (at == p->n_records) {
        double cost = 0;
        for (uint32_t class = 0; class < n_classes; class ++) {
            uint32_t size;
            cost += class_cost(p, class_of, class, &size);
            if (size < p->k || !is_diverse(p, class_of, class, size))
                return INFINITY;
        }
        return cost;
    }
    double best = INFINITY;
    for (uint32_t class = 0; class <= n_classes; class ++) {
        class_of[at] = class;
        double cost = optimum(p, class_of, at + 1, class == n_classes ? n_classes + 1 : n_classes);
        best = cost < best ? cost : best;
    }
    return best;
}

static void tiny_tables_come_close_to_the_optimum(void **state)
{
    (void)state;
    double sum = 0, min_sum = 0;
    uint32_t exact = 0, n_tables = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        arena *memory = arena_new();
        random_shape shape = {.n_records = 8,
                              .n_attributes = 3,
                              .max_leaves = 4,
                              .max_levels = 3,
                              .k = 2 + (uint32_t)(seed % 2),
                              .n_sensitive = seed % 3 == 0 ? 3 : 0,
                              .l = 1.5,
                              .falling = seed % 7 == 0};
        const problem *p = random_problem(&shape, seed, memory);
        outcome o = run_weave(p, &(setting){.team = 1, .seed = 1, .effort = EFFORT_BEST}, memory);
        uint32_t class_of[8];
        double best = optimum(p, class_of, 0, 0);
        if (o.status == KITH_OK) {
            check(p, &o);
            assert_true(o.cost >= best - 1e-9);
            sum += o.cost;
            min_sum += best;
            exact += o.cost < best + 1e-6;
            n_tables++;
        } else {
            assert_true(isinf(best));
        }
        arena_free(memory);
    }
    print_message("tiny tables: %u of %u optimal, total cost %.1f%% above the optimum\n", exact,
                  n_tables, 100 * (sum / min_sum - 1));
    assert_true(exact * 2 > n_tables);
    assert_true(sum <= 1.1 * min_sum);
}

static void too_few_records_are_refused(void **state)
{
    (void)state;
    arena *memory = arena_new();
    random_shape shape = {
        .n_records = 5, .n_attributes = 2, .max_leaves = 3, .max_levels = 2, .k = 6};
    const problem *p = random_problem(&shape, 1, memory);
    outcome o = run_weave(p, &(setting){.team = 1}, memory);
    assert_int_equal(o.status, KITH_INFEASIBLE);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_result_is_valid),
        cmocka_unit_test(threads_do_not_change_the_result),
        cmocka_unit_test(instruction_sets_do_not_change_the_result),
        cmocka_unit_test(more_effort_loses_less),
        cmocka_unit_test(a_budget_in_seconds_is_kept),
        cmocka_unit_test(interrupted_at_any_time_it_returns_something_valid),
        cmocka_unit_test(tiny_tables_come_close_to_the_optimum),
        cmocka_unit_test(too_few_records_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

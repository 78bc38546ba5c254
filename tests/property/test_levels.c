/* Bounds on levels: every algorithm keeps them or says that it cannot, and on tiny tables nothing
 * is better than what trying everything finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "search/search.h"
#include "support/problems.h"

static const char *const optimal[] = {"flash", "ola", "incognito", "breadth-first", "depth-first"};

/* Random bounds; some attributes have none. */
static void bound(problem *p, uint64_t seed)
{
    rng r;
    rng_init(&r, seed, 99);
    attribute *attributes = (attribute *)(uintptr_t)p->attributes;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        uint32_t top = attributes[j].tree->n_levels - 1;
        uint32_t low = rng_below(&r, top + 1), high = low + rng_below(&r, top + 1 - low);
        attributes[j].min_level = rng_below(&r, 2) == 0 ? 0 : low;
        attributes[j].n_forbidden = rng_below(&r, 3) == 0 ? top - high : 0;
    }
}

/* What a cell may show at least: its ancestor at the lowest level, found from its leaf upwards. */
static uint32_t raised(const attribute *a, uint32_t cell)
{
    while (a->tree->level[cell] < a->min_level)
        cell = a->tree->parent[cell];
    return cell;
}

static bool allowed(const attribute *a, uint32_t node)
{
    return a->tree->level[node] + a->n_forbidden < a->tree->n_levels &&
           a->tree->level[node] >= a->min_level;
}

static kith_status solve(search_result *result, const problem *p, const char *name, context *c,
                         unsigned n_threads, kith_error *error)
{
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = n_threads, .seeded = true, .seed = 3);
    assert_int_equal(context_init(c, &run, NULL), KITH_OK);
    return search_run(result, search_find(name), p, &(search_spec){.effort = EFFORT_BEST}, c,
                      error);
}

/* Cost of a partition whose cells begin at their lowest levels; -1 if it is not allowed. */
static double cost_within(const problem *p, const uint32_t *class_of, uint32_t n_classes)
{
    double sum = 0;
    for (uint32_t class = 0; class < n_classes; class ++)
        for (uint32_t j = 0; j < p->n_attributes; j++) {
            const attribute *a = &p->attributes[j];
            uint32_t node = UINT32_MAX, size = 0;
            for (uint32_t i = 0; i < p->n_records; i++)
                if (class_of[i] == class) {
                    uint32_t cell = raised(a, a->cells[i]);
                    node = size++ == 0 ? cell : tree_lca(a->tree, node, cell);
                }
            if (size < p->k || !allowed(a, node))
                return -1;
            sum += size * a->cost[node];
        }
    return sum;
}

/* The best partition of all, by trying every one: records get the class of an earlier one or the
 * next new one. -1 if none is allowed. */
static double best_partition(const problem *p, uint32_t *class_of, uint32_t at, uint32_t n_classes)
{
    double best = -1;
    if (at == p->n_records)
        return cost_within(p, class_of, n_classes);
    for (uint32_t class = 0; class <= n_classes; class ++) {
        class_of[at] = class;
        double cost = best_partition(p, class_of, at + 1, n_classes + (class == n_classes));
        if (cost >= 0 && (best < 0 || cost < best))
            best = cost;
    }
    return best;
}

/* The best node of the lattice without suppression, by trying every vector of levels. */
static double best_node(const problem *p, uint32_t *levels, uint32_t j)
{
    double best = -1, cost = 0;
    if (j == p->n_attributes) {
        for (uint32_t i = 0; i < p->n_records; i++) {
            uint32_t alike = 0;
            for (uint32_t o = 0; o < p->n_records; o++) {
                bool same = true;
                for (uint32_t x = 0; x < p->n_attributes; x++) {
                    const attribute *a = &p->attributes[x];
                    same &= tree_up(a->tree, a->cells[i], levels[x]) ==
                            tree_up(a->tree, a->cells[o], levels[x]);
                }
                alike += same;
            }
            if (alike < p->k)
                return -1;
            for (uint32_t x = 0; x < p->n_attributes; x++) {
                const attribute *a = &p->attributes[x];
                cost += a->cost[tree_up(a->tree, a->cells[i], levels[x])];
            }
        }
        return cost;
    }
    for (levels[j] = 0; levels[j] < p->attributes[j].tree->n_levels; levels[j]++) {
        if (levels[j] < p->attributes[j].min_level ||
            levels[j] + p->attributes[j].n_forbidden >= p->attributes[j].tree->n_levels)
            continue;
        uint32_t here = levels[j];
        double found = best_node(p, levels, j + 1);
        levels[j] = here;
        if (found >= 0 && (best < 0 || found < best))
            best = found;
    }
    return best;
}

/* Runs an algorithm and checks its answer; returns its cost, -1 if it is infeasible. */
static double checked(const problem *p, const char *name)
{
    context c;
    search_result result;
    kith_error error = {0};
    double cost = -1;
    kith_status status = solve(&result, p, name, &c, 2, &error);
    if (status == KITH_OK) {
        const partition *out = &result.partition;
        assert_true(problems_hold(p, out->class_of, out->n_classes));
        for (uint32_t i = 0; i < p->n_records; i++)
            for (uint32_t j = 0; j < p->n_attributes; j++) {
                const attribute *a = &p->attributes[j];
                uint32_t node = out->closure[(size_t)out->class_of[i] * p->n_attributes + j];
                assert_true(tree_covers(a->tree, node, a->cells[i]));
                assert_true(allowed(a, node));
            }
        for (uint32_t j = 0; result.levels != NULL && j < p->n_attributes; j++)
            assert_true(result.levels[j] >= p->attributes[j].min_level);
        cost = partition_cost(out, p);
    } else if (status != KITH_INFEASIBLE) {
        fail_msg("%s: %s", name, error.message);
    }
    context_wipe(&c);
    return cost;
}

static void tiny_tables_against_everything(void **state)
{
    (void)state;
    uint32_t n_best = 0, n_feasible = 0, n_infeasible = 0;
    for (uint64_t seed = 0; seed < 150; seed++) {
        arena *memory = arena_new();
        const problem_shape shape = {.n_records = 7,
                                     .n_attributes = 2,
                                     .n_leaves = seed % 2 == 0 ? 8 : 6,
                                     .width = seed % 3 == 0 ? 0 : 2,
                                     .k = 2,
                                     .n_kinds = seed % 5 == 0 ? 3 : 0};
        problem *p = problems_random(memory, &shape, seed);
        uint32_t scratch[8];
        bound(p, seed);
        double best = best_partition(p, scratch, 0, 0), node = best_node(p, scratch, 0);
        n_feasible += best >= 0;
        n_infeasible += best < 0;
        for (uint32_t a = 0; search_at(a) != NULL; a++) {
            double cost = checked(p, search_at(a)->name);
            if (!search_at(a)->global)
                assert_true((cost >= 0) == (best >= 0));
            else if (!search_at(a)->cuts)
                assert_true((cost >= 0) == (node >= 0));
            if (cost >= 0)
                assert_true(cost >= best - 1e-9);
            if (strcmp(search_at(a)->name, "weave") == 0)
                n_best += cost >= 0 && cost <= best + 1e-3;
        }
        for (size_t a = 0; a < sizeof optimal / sizeof *optimal; a++)
            assert_true(fabs(checked(p, optimal[a]) - node) < 1e-6);
        arena_free(memory);
    }
    assert_true(n_feasible > 50 && n_infeasible > 10);
    assert_true(n_best * 10 >= n_feasible * 8);
}

static void larger_tables_keep_their_bounds(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        arena *memory = arena_new();
        const problem_shape shape = {.n_records = 300,
                                     .n_attributes = 3,
                                     .n_leaves = 27,
                                     .width = 3,
                                     .k = 3,
                                     .skew = 2,
                                     .n_sensitive = seed % 2 == 0 ? 0 : 6,
                                     .l = seed % 2 == 0 ? 0 : 2,
                                     .measure = (measure_id)(seed % 4)};
        problem *p = problems_random(memory, &shape, seed);
        bound(p, seed);
        for (uint32_t a = 0; search_at(a) != NULL; a++) {
            bool serves = true;
            for (uint32_t m = 0; m < p->n_models; m++)
                serves &= search_at(a)->supports_model(&p->models[m]);
            if (serves)
                checked(p, search_at(a)->name);
        }
        arena_free(memory);
    }
}

/* With both bounds equal everywhere the lattice has one node, which every search applies. */
static void a_single_node_is_applied(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        arena *memory = arena_new();
        const problem_shape shape = {
            .n_records = 60, .n_attributes = 3, .n_leaves = 9, .width = 3, .k = 2};
        problem *p = problems_random(memory, &shape, seed);
        attribute *attributes = (attribute *)(uintptr_t)p->attributes;
        for (uint32_t j = 0; j < 3; j++) {
            attributes[j].min_level = (uint32_t)(seed >> j & 1) + 1;
            attributes[j].n_forbidden = attributes[j].tree->n_levels - 1 - attributes[j].min_level;
        }
        uint32_t levels[3];
        double node = best_node(p, levels, 0);
        for (size_t a = 0; a < sizeof optimal / sizeof *optimal; a++) {
            context c;
            search_result result;
            kith_status status = solve(&result, p, optimal[a], &c, 1, NULL);
            assert_int_equal(status, node < 0 ? KITH_INFEASIBLE : KITH_OK);
            for (uint32_t j = 0; status == KITH_OK && j < 3; j++)
                assert_int_equal(result.levels[j], attributes[j].min_level);
            if (status == KITH_OK)
                assert_int_equal(result.n_transformations, 1);
            context_wipe(&c);
        }
        arena_free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiny_tables_against_everything),
        cmocka_unit_test(larger_tables_keep_their_bounds),
        cmocka_unit_test(a_single_node_is_applied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

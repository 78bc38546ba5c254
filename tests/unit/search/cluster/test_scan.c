#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "search/cluster/scan.h"
#include "support/random_problem.h"

static const random_shape shapes[] = {
    {.n_records = 70, .n_attributes = 3, .max_leaves = 9, .max_levels = 4, .k = 2},
    {.n_records = 33, .n_attributes = 1, .max_leaves = 40, .max_levels = 2, .k = 2},
    {.n_records = 64,
     .n_attributes = 50,
     .max_leaves = 5,
     .max_levels = 3,
     .k = 2,
     .wildcards = .2},
    {.n_records = 90, .n_attributes = 5, .max_leaves = 20, .max_levels = 5, .k = 2, .inner = .3},
    {.n_records = 90,
     .n_attributes = 5,
     .max_leaves = 20,
     .max_levels = 5,
     .k = 2,
     .falling = true},
    {.n_records = 1, .n_attributes = 2, .max_leaves = 3, .max_levels = 3, .k = 1},
};

/* Gives every attribute random costs per node and sensitive value. */
static void add_sensitive_costs(problem *p, uint32_t n_values, arena *memory)
{
    rng r;
    rng_init(&r, 5, 5);
    sensitive_attribute *s = arena_zalloc(memory, 1, sizeof *s);
    uint32_t *values = arena_array(memory, p->n_records + 1, sizeof *values);
    for (uint32_t i = 0; i < p->n_records; i++)
        values[i] = rng_below(&r, n_values);
    *s = (sensitive_attribute){.values = values, .count = n_values};
    p->n_sensitive = 1;
    p->sensitive = s;
    attribute *attributes = arena_array(memory, p->n_attributes, sizeof *attributes);
    memcpy(attributes, p->attributes, p->n_attributes * sizeof *attributes);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        uint32_t n_nodes = attributes[j].tree->n_nodes;
        double *cost = arena_array(memory, (size_t)n_nodes * n_values, sizeof *cost);
        for (uint32_t i = 0; i < n_nodes * n_values; i++)
            cost[i] = rng_unit(&r);
        attributes[j].sensitive_cost = cost;
    }
    p->attributes = attributes;
}

/* Cost of the union of two records or record sets, from the problem alone. */
static double naive_cost(const problem *p, const uint32_t *members, uint32_t size)
{
    double sum = 0;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const attribute *a = &p->attributes[j];
        uint32_t node = a->cells[members[0]];
        for (uint32_t m = 1; m < size; m++)
            node = tree_lca(a->tree, node, a->cells[members[m]]);
        for (uint32_t m = 0; m < size; m++)
            sum += a->sensitive_cost == NULL
                       ? a->cost[node]
                       : a->sensitive_cost[node * p->sensitive[0].count +
                                           p->sensitive[0].values[members[m]]];
    }
    return sum;
}

/* Clusters of pairs of records (2i, 2i+1), and a query of three records. */
static void check_distances(const problem *p, scan_kernel *kernel, arena *memory)
{
    scan s;
    scan_query q;
    uint32_t *node = arena_array(memory, p->n_attributes, sizeof *node), pairs = p->n_records / 2;
    assert_int_equal(scan_init(&s, p, p->n_records, memory, NULL), KITH_OK);
    assert_int_equal(scan_query_init(&q, &s, memory, NULL), KITH_OK);
    s.kernel = kernel;
    double *members = arena_array(memory, s.n_values, sizeof *members);
    for (uint32_t i = 0; i < pairs; i++) {
        scan_put_record(&s, i, 2 * i);
        scan_record(&s, 2 * i + 1, node, members);
        scan_join(&s, node, members, i);
        scan_put(&s, i, node, members);
    }
    for (uint32_t i = 0; i + 1 < pairs; i += 3)
        scan_remove(&s, i);
    for (uint32_t a = 0; a < pairs; a++) {
        scan_hit best = {SCAN_NONE, HUGE_VAL}, worst = {SCAN_NONE, -HUGE_VAL};
        if (scan_is_free(&s, a))
            continue;
        for (uint32_t b = 0; b < pairs; b++) {
            uint32_t both[4] = {2 * a, 2 * a + 1, 2 * b, 2 * b + 1};
            if (scan_is_free(&s, b))
                continue;
            double d = naive_cost(p, both, 4) - naive_cost(p, both, 2) - naive_cost(p, both + 2, 2);
            if (b != a && d < best.distance)
                best = (scan_hit){b, d};
            if (d > worst.distance)
                worst = (scan_hit){b, d};
        }
        scan_ask_position(&s, &q, a);
        scan_hit hit = scan_nearest(&s, &q, pairs, a);
        assert_int_equal(hit.position == SCAN_NONE, best.position == SCAN_NONE);
        if (hit.position != SCAN_NONE)
            assert_true(fabs(hit.distance / s.unit - best.distance) < 1e-4);
        assert_true(fabs(scan_farthest(&s, &q, pairs).distance / s.unit - worst.distance) < 1e-4);
    }
}

static const char *const sets[] = {"portable", "avx2", "avx512"};

static void distances_are_those_of_a_naive_evaluation(void **state)
{
    (void)state;
    for (size_t set = 0; set < 3; set++) {
        scan_kernel *kernel = scan_kernel_find(sets[set]);
        if (kernel == NULL)
            continue;
        for (uint64_t i = 0; i < 6 * 8; i++) {
            arena *memory = arena_new();
            problem *p = random_problem(&shapes[i % 6], i, memory);
            check_distances(p, kernel, memory);
            add_sensitive_costs(p, 1 + (uint32_t)i % 5, memory);
            check_distances(p, kernel, memory);
            arena_free(memory);
        }
    }
    assert_ptr_equal(scan_kernel_find("portable"), scan_block_portable);
    assert_null(scan_kernel_find("abacus"));
}

static void all_instruction_sets_agree(void **state)
{
    (void)state;
    arena *memory = arena_new();
    problem *p = random_problem(&shapes[3], 9, memory);
    scan s;
    scan_query q;
    assert_int_equal(scan_init(&s, p, p->n_records, memory, NULL), KITH_OK);
    assert_int_equal(scan_query_init(&q, &s, memory, NULL), KITH_OK);
    for (uint32_t i = 0; i < p->n_records; i++)
        scan_put_record(&s, i, i);
    for (uint32_t i = 0; i < p->n_records; i++) {
        double want[SCAN_LANES], got[SCAN_LANES];
        scan_ask_position(&s, &q, i);
        for (uint32_t block = 0; block < 3; block++) {
            double kernel_min = scan_block_portable(want, &s, &q, block), min = want[0];
            for (int lane = 1; lane < SCAN_LANES; lane++)
                min = want[lane] < min ? want[lane] : min;
            assert_true(kernel_min == min);
            for (size_t set = 1; set < 3; set++) {
                scan_kernel *kernel = scan_kernel_find(sets[set]);
                if (kernel == NULL)
                    continue;
                assert_true(kernel(got, &s, &q, block) == kernel_min);
                assert_memory_equal(got, want, sizeof got);
            }
        }
    }
    arena_free(memory);
}

static void compaction_keeps_the_living_in_order(void **state)
{
    (void)state;
    arena *memory = arena_new();
    problem *p = random_problem(&shapes[0], 4, memory);
    scan s;
    assert_int_equal(scan_init(&s, p, p->n_records, memory, NULL), KITH_OK);
    uint32_t *moved = arena_array(memory, p->n_records, sizeof *moved), next = 0;
    for (uint32_t i = 0; i < p->n_records; i++)
        scan_put_record(&s, i, i);
    for (uint32_t i = 0; i < p->n_records; i++)
        if (i % 5 < 2)
            scan_remove(&s, i);
    scan_compact(&s, moved);
    for (uint32_t i = 0; i < p->n_records; i++) {
        assert_int_equal(moved[i], i % 5 < 2 ? SCAN_NONE : next);
        if (i % 5 < 2)
            continue;
        for (uint32_t j = 0; j < p->n_attributes; j++)
            assert_int_equal(s.node[next * p->n_attributes + j], p->attributes[j].cells[i]);
        assert_true(scan_count(&s, next, 0) == 1);
        next++;
    }
    assert_int_equal(s.count, next);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_a_naive_evaluation),
        cmocka_unit_test(all_instruction_sets_agree),
        cmocka_unit_test(compaction_keeps_the_living_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>

#include <cmocka.h>

#include "search/ordered/hilbert_cut.h"
#include "support/problems.h"

static double group_cost(const problem *p, const uint32_t *order, uint32_t from, uint32_t end)
{
    double sum = 0;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const attribute *a = &p->attributes[j];
        uint32_t node = a->cells[order[from]];
        for (uint32_t m = from; m < end; m++)
            node = tree_lca(a->tree, node, a->cells[order[m]]);
        sum += (end - from) * a->cost[node];
    }
    return sum;
}

/* The least cost of cutting what comes before `end`, by trying every last group of any size. */
static double min_cost(const problem *p, const uint32_t *order, uint32_t end)
{
    double best = HUGE_VAL;
    for (uint32_t from = 0; from + p->k <= end; from++)
        if (from == 0 || from >= p->k)
            best = fmin(best, group_cost(p, order, from, end) +
                                  (from == 0 ? 0 : min_cost(p, order, from)));
    return best;
}

static void cuts_are_optimal(void **state)
{
    (void)state;
    context c;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true);
    assert_int_equal(context_init(&c, &run, NULL), KITH_OK);
    uint32_t n_groups = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        problem_shape shape = {.n_records = 4 + (uint32_t)seed % 15,
                               .n_attributes = 1 + (uint32_t)seed % 3,
                               .n_leaves = 9,
                               .width = 3,
                               .wildcards = seed % 4 == 0 ? .2 : 0,
                               .k = 2 + (uint32_t)seed % 3};
        problem *p = problems_random(c.memory, &shape, seed);
        uint32_t order[32], class_of[32];
        for (uint32_t i = 0; i < p->n_records; i++)
            order[i] = p->n_records - 1 - i;
        partition out = {.class_of = class_of};
        assert_int_equal(hilbert_cut_sequence(&out, p, order, &c, NULL), KITH_OK);
        assert_true(problems_hold(p, class_of, out.n_classes));
        double cost = problems_cost(p, class_of, out.n_classes);
        assert_true(fabs(cost - min_cost(p, order, p->n_records)) < 1e-9);
        n_groups += out.n_classes > 1;
    }
    assert_true(n_groups > 10);
    context_wipe(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cuts_are_optimal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

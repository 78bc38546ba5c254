#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "core/rng.h"
#include "search/algorithms.h"
#include "support/random_problem.h"

enum { N = 64 };
#define FREE UINT32_MAX

/* Growth of the total cost if a record joins the records marked with a class. */
static double growth(const problem *p, const uint32_t *class_of, uint32_t class, uint32_t record)
{
    double sum = 0;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const attribute *a = &p->attributes[j];
        uint32_t node = UINT32_MAX, size = 0;
        for (uint32_t i = 0; i < p->n_records; i++)
            if (class_of[i] == class) {
                node = node == UINT32_MAX ? a->cells[i] : tree_lca(a->tree, node, a->cells[i]);
                size++;
            }
        sum += (size + 1) * a->cost[tree_lca(a->tree, node, a->cells[record])] -
               size * a->cost[node] - a->cost[a->cells[record]];
    }
    return sum;
}

static uint32_t extreme(const problem *p, const uint32_t *class_of, uint32_t class, double sign)
{
    uint32_t best = FREE;
    double min = HUGE_VAL;
    for (uint32_t i = 0; i < p->n_records; i++)
        if (class_of[i] == FREE && sign * growth(p, class_of, class, i) < min - 1e-7) {
            min = sign * growth(p, class_of, class, i);
            best = i;
        }
    return best;
}

/* The algorithm word by word, from the same first centre. */
static void plain(const problem *p, uint32_t *class_of, uint32_t centre)
{
    uint32_t left = p->n_records, n_classes = 0;
    for (uint32_t i = 0; i < p->n_records; i++)
        class_of[i] = FREE;
    for (; left >= p->k; n_classes++) {
        uint32_t alone[N];
        class_of[centre] = n_classes;
        for (uint32_t size = 1; size < p->k; size++)
            class_of[extreme(p, class_of, n_classes, 1)] = n_classes;
        left -= p->k;
        for (uint32_t i = 0; i < p->n_records; i++)
            alone[i] = class_of[i] == FREE ? FREE : i == centre ? 0 : 1;
        if (left > 0)
            centre = extreme(p, alone, 0, -1);
    }
    for (uint32_t i = 0; i < p->n_records; i++) {
        double min = HUGE_VAL;
        uint32_t best = 0;
        if (class_of[i] != FREE)
            continue;
        for (uint32_t c = 0; c < n_classes; c++)
            if (growth(p, class_of, c, i) < min - 1e-7) {
                min = growth(p, class_of, c, i);
                best = c;
            }
        class_of[i] = best;
    }
}

static void classes_are_those_of_the_plain_algorithm(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        context c;
        kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = seed);
        assert_int_equal(context_init(&c, &run, NULL), KITH_OK);
        random_shape shape = {.n_records = 20 + (uint32_t)seed % 30,
                              .n_attributes = 6,
                              .max_leaves = 40,
                              .max_levels = 4,
                              .k = 2 + (uint32_t)seed % 6,
                              .wildcards = seed % 3 == 0 ? .1 : 0,
                              .falling = true};
        problem *p = random_problem(&shape, seed, c.memory);
        search_result result = {0};
        search_spec spec = {0};
        uint32_t want[N];
        rng r;
        rng_init(&r, seed, 0);
        plain(p, want, rng_below(&r, p->n_records));
        assert_int_equal(k_member_run(&result, p, &spec, &c, NULL), KITH_OK);
        for (uint32_t a = 0; a < p->n_records; a++)
            for (uint32_t b = 0; b < a; b++)
                assert_int_equal(result.partition.class_of[a] == result.partition.class_of[b],
                                 want[a] == want[b]);
        context_wipe(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_those_of_the_plain_algorithm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "search/algorithms.h"
#include "support/random_problem.h"

enum { N = 60 };

/* The algorithm word by word: all pairs of small clusters, again after every union. */
typedef struct naive {
    const problem *p;
    uint32_t class_of[N];
    bool tied; /* two pairs were equally close: the order of unions is open */
} naive;

static double class_cost(const naive *s, uint32_t a, uint32_t b)
{
    double sum = 0;
    for (uint32_t j = 0; j < s->p->n_attributes; j++) {
        const attribute *t = &s->p->attributes[j];
        uint32_t node = UINT32_MAX, size = 0;
        for (uint32_t i = 0; i < s->p->n_records; i++)
            if (s->class_of[i] == a || s->class_of[i] == b) {
                node = node == UINT32_MAX ? t->cells[i] : tree_lca(t->tree, node, t->cells[i]);
                size++;
            }
        sum += size * t->cost[node];
    }
    return sum;
}

static uint32_t class_size(const naive *s, uint32_t c)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < s->p->n_records; i++)
        size += s->class_of[i] == c;
    return size;
}

static bool small(const naive *s, uint32_t c)
{
    uint32_t size = class_size(s, c);
    return size > 0 && size < s->p->k;
}

/* The closest pair of which the first is small; with `both` the second is, too. */
static bool closest(naive *s, bool both, uint32_t *one, uint32_t *other)
{
    double best = HUGE_VAL, second = HUGE_VAL;
    for (uint32_t a = 0; a < s->p->n_records; a++)
        for (uint32_t b = 0; b < s->p->n_records; b++) {
            if (a == b || !small(s, a) || class_size(s, b) == 0 ||
                (both && (!small(s, b) || b > a)))
                continue;
            double d = class_cost(s, a, b) - class_cost(s, a, a) - class_cost(s, b, b);
            second = fmin(second, fmax(d, best));
            if (d < best) {
                best = d;
                *one = a;
                *other = b;
            }
        }
    s->tied |= second - best < 1e-6;
    return best < HUGE_VAL;
}

static void agglomerate(naive *s)
{
    uint32_t a, b;
    for (uint32_t i = 0; i < s->p->n_records; i++)
        s->class_of[i] = i;
    while (closest(s, true, &a, &b) || closest(s, false, &a, &b))
        for (uint32_t i = 0; i < s->p->n_records; i++)
            if (s->class_of[i] == a)
                s->class_of[i] = b;
}

/* Random node costs leave hardly any ties, so that the classes themselves must agree. */
static void classes_are_those_of_the_plain_algorithm(void **state)
{
    (void)state;
    uint32_t compared = 0;
    for (uint64_t seed = 0; seed < 24; seed++) {
        context c;
        kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1 + (unsigned)seed % 2, .seeded = true);
        assert_int_equal(context_init(&c, &run, NULL), KITH_OK);
        random_shape shape = {.n_records = 20 + (uint32_t)seed % 20,
                              .n_attributes = 5,
                              .max_leaves = 30,
                              .max_levels = 4,
                              .k = 2 + (uint32_t)seed % 5,
                              .wildcards = seed % 3 == 0 ? .1 : 0,
                              .falling = true};
        problem *p = random_problem(&shape, seed, c.memory);
        naive s = {.p = p};
        search_result result = {0};
        search_spec spec = {0};
        assert_int_equal(agglomerative_run(&result, p, &spec, &c, NULL), KITH_OK);
        agglomerate(&s);
        if (!s.tied) {
            for (uint32_t a = 0; a < p->n_records; a++)
                for (uint32_t b = 0; b < a; b++)
                    assert_int_equal(result.partition.class_of[a] == result.partition.class_of[b],
                                     s.class_of[a] == s.class_of[b]);
            compared++;
        }
        context_wipe(&c);
    }
    assert_true(compared >= 12);
}

static void identical_records_stay_together(void **state)
{
    (void)state;
    context c;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true);
    assert_int_equal(context_init(&c, &run, NULL), KITH_OK);
    random_shape shape = {
        .n_records = 50, .n_attributes = 2, .max_leaves = 4, .max_levels = 3, .k = 2};
    problem *p = random_problem(&shape, 3, c.memory);
    search_result result = {0};
    search_spec spec = {0};
    assert_int_equal(agglomerative_run(&result, p, &spec, &c, NULL), KITH_OK);
    for (uint32_t a = 0; a < p->n_records; a++)
        for (uint32_t b = 0; b < a; b++)
            if (p->attributes[0].cells[a] == p->attributes[0].cells[b] &&
                p->attributes[1].cells[a] == p->attributes[1].cells[b])
                assert_int_equal(result.partition.class_of[a], result.partition.class_of[b]);
    context_wipe(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_those_of_the_plain_algorithm),
        cmocka_unit_test(identical_records_stay_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

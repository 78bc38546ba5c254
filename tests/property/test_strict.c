/* Tables in which size alone leaves many classes without diversity, because records that are alike
 * tend to have the same sensitive value: weave and sequential clustering must still find results
 * that are at most a tenth dearer than the best of the other algorithms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "search/search.h"
#include "support/problems.h"

enum { RECORDS = 600, VALUES = 5, K = 5 };

/* The sensitive value follows the first attribute in most records. */
static problem *strict_problem(arena *memory, uint64_t seed, double noise)
{
    problem_shape shape = {.n_records = RECORDS,
                           .n_attributes = 4,
                           .n_leaves = 16,
                           .width = 2,
                           .n_sensitive = VALUES,
                           .skew = 1,
                           .k = K,
                           .l = 2};
    problem *p = problems_random(memory, &shape, seed);
    uint32_t *values = arena_array(memory, RECORDS, sizeof *values);
    rng r;
    rng_init(&r, seed, 4);
    for (uint32_t i = 0; i < RECORDS; i++)
        values[i] =
            rng_unit(&r) < noise ? rng_below(&r, VALUES) : p->attributes[0].cells[i] * VALUES / 16;
    sensitive_attribute *s = arena_alloc(memory, sizeof *s);
    *s = (sensitive_attribute){.values = values, .count = VALUES};
    p->sensitive = s;
    return p;
}

/* Runs an algorithm on some of the problem's models. */
static double run(const problem *p, const model_spec *models, uint32_t count, const char *name,
                  double *bad, arena *memory)
{
    context c;
    kith_run settings = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = 1);
    assert_int_equal(context_init(&c, &settings, NULL), KITH_OK);
    problem q = *p;
    q.models = models;
    q.n_models = count;
    q.k = models_minimum_size(models, count);
    search_result result;
    assert_int_equal(search_run(&result, search_find(name), &q, &(search_spec){0}, &c, NULL),
                     KITH_OK);
    double cost = partition_cost(&result.partition, p);
    uint32_t broken = 0, counts[VALUES];
    for (uint32_t k = 0; k < result.partition.n_classes; k++) {
        memset(counts, 0, sizeof counts);
        uint32_t size = 0;
        for (uint32_t i = 0; i < RECORDS; i++)
            if (result.partition.class_of[i] == k) {
                counts[p->sensitive[0].values[i]]++;
                size++;
            }
        histogram h = {counts, VALUES};
        broken += !model_holds(&p->models[1], &(class_view){.size = size, .sensitive = &h});
    }
    *bad = (double)broken / result.partition.n_classes;
    (void)memory;
    context_wipe(&c);
    return cost;
}

static double best_rival(const problem *p, const char *self, arena *memory)
{
    double best = INFINITY, bad;
    for (uint32_t i = 0; search_at(i) != NULL; i++) {
        const algorithm *a = search_at(i);
        if (strcmp(a->name, self) == 0 || strcmp(a->name, "weave") == 0 ||
            !a->supports_model(&p->models[1]))
            continue;
        double cost = run(p, p->models, p->n_models, a->name, &bad, memory);
        assert_true(bad == 0);
        best = cost < best ? cost : best;
    }
    return best;
}

static void with_variant(model_variant variant, double l, double c)
{
    double sum_weave = 0, sum_sequential = 0, sum_rival = 0, bad;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        arena *memory = arena_new();
        problem *p = strict_problem(memory, seed, .45);
        model_spec models[2] = {p->models[0], p->models[1]};
        models[1].variant = variant;
        models[1].l = l;
        models[1].c = c;
        p->models = models;
        run(p, models, 1, "weave", &bad, memory);
        assert_true(bad > .3); /* size alone is not enough here */
        sum_weave += run(p, models, 2, "weave", &bad, memory);
        assert_true(bad == 0);
        sum_sequential += run(p, models, 2, "sequential", &bad, memory);
        assert_true(bad == 0);
        sum_rival += best_rival(p, "sequential", memory);
        arena_free(memory);
    }
    print_message("weave %.3f, sequential %.3f of the best rival\n", sum_weave / sum_rival,
                  sum_sequential / sum_rival);
    assert_true(sum_weave <= 1.1 * sum_rival);
    assert_true(sum_sequential <= 1.1 * sum_rival);
}

static void frequency(void **state)
{
    (void)state;
    with_variant(VARIANT_FREQUENCY, 2.5, 0);
}

static void distinct(void **state)
{
    (void)state;
    with_variant(VARIANT_DISTINCT, 4, 0);
}

static void entropy(void **state)
{
    (void)state;
    with_variant(VARIANT_ENTROPY, 3, 0);
}

static void recursive(void **state)
{
    (void)state;
    with_variant(VARIANT_RECURSIVE, 3, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequency),
        cmocka_unit_test(distinct),
        cmocka_unit_test(entropy),
        cmocka_unit_test(recursive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

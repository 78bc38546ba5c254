/* What the registry says about unions of classes, tried on random ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/naive_models.h"

enum { PAIRS = 20000 };

static void count(const naive_list *c, uint32_t *counts)
{
    for (uint32_t v = 0; v < NAIVE_VALUES; v++)
        counts[v] += naive_count(c, v);
}

static bool holds(const model_spec *m, const uint32_t *counts, uint32_t size)
{
    histogram h = {counts, NAIVE_VALUES};
    return model_holds(m, &(class_view){.size = size, .sensitive = &h});
}

/* How often a union of good classes is bad, and how often a good class is spoilt by a bad one. */
typedef struct broken {
    uint32_t closed, grows;
} broken;

static void try_pair(const model_spec *m, const naive_list *a, const naive_list *b, broken *seen)
{
    uint32_t x[NAIVE_VALUES] = {0}, y[NAIVE_VALUES] = {0}, both[NAIVE_VALUES] = {0};
    count(a, x);
    count(b, y);
    count(a, both);
    count(b, both);
    bool one = holds(m, x, a->size), other = holds(m, y, b->size);
    bool united = holds(m, both, a->size + b->size);
    seen->closed += one && other && !united;
    seen->grows += one && !united;
}

static void unions_behave_as_the_registry_says(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < NAIVE_KINDS; kind++) {
        broken seen = {0, 0};
        model_spec m;
        for (uint64_t seed = 0; seed < PAIRS; seed++) {
            arena *memory = arena_new();
            rng r;
            rng_init(&r, seed, kind);
            naive_list a, b, all;
            naive_fill(&a, 1 + rng_below(&r, 9), NAIVE_VALUES, &r);
            naive_fill(&b, 1 + rng_below(&r, 9), NAIVE_VALUES, &r);
            naive_fill(&all, 20, NAIVE_VALUES, &r);
            for (uint32_t i = 0; i < a.size + b.size; i++)
                all.value[all.size++] = i < a.size ? a.value[i] : b.value[i - a.size];
            m = naive_draw(kind, &r);
            m.facts = naive_facts(memory, &all);
            try_pair(&m, &a, &b, &seen);
            arena_free(memory);
        }
        assert_int_equal(seen.closed == 0, model_closed(&m));
        assert_int_equal(seen.closed == 0, model_monotone(&m, false));
        assert_int_equal(seen.grows == 0, model_monotone(&m, true));
    }
}

/* No class that satisfies a model has fewer records than the bound says. */
static void the_smallest_size_is_a_lower_bound(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < NAIVE_KINDS; kind++)
        for (uint64_t seed = 0; seed < 2000; seed++) {
            arena *memory = arena_new();
            rng r;
            rng_init(&r, seed, kind);
            naive_list c, all;
            naive_fill(&c, 1 + rng_below(&r, 7), NAIVE_VALUES, &r);
            all = c;
            for (uint32_t i = 0; i < 10; i++)
                all.value[all.size++] = c.value[rng_below(&r, c.size)];
            model_spec m = naive_draw(kind, &r);
            m.facts = naive_facts(memory, &all);
            uint32_t counts[NAIVE_VALUES] = {0};
            count(&c, counts);
            if (holds(&m, counts, c.size))
                assert_true(c.size >= model_minimum_size(&m));
            arena_free(memory);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unions_behave_as_the_registry_says),
        cmocka_unit_test(the_smallest_size_is_a_lower_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

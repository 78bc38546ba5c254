/* Every table of 5 records x 2 attributes x 3 values with random sensitive values, every model and
 * variant, every algorithm that serves it: the classes that show in the release satisfy the model
 * by its naive definition; and there is a result whenever the whole table satisfies it. By default
 * a fixed sample of 3%, chosen by hash; KITH_EXHAUSTIVE=full takes all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "search/search.h"
#include "support/naive_models.h"
#include "support/problems.h"

enum { RECORDS = 5, KINDS = 9, N_SENSITIVE = 3 };

static uint64_t solved, refused;

static bool alike(const problem *p, const partition *part, uint32_t a, uint32_t b)
{
    return memcmp(part->closure + (size_t)part->class_of[a] * p->n_attributes,
                  part->closure + (size_t)part->class_of[b] * p->n_attributes,
                  p->n_attributes * sizeof *part->closure) == 0;
}

/* The records that look like record i in the release. */
static void released_class(naive_list *class, const problem *p, const partition *part, uint32_t i)
{
    class->size = 0;
    for (uint32_t o = 0; o < p->n_records; o++)
        if (alike(p, part, i, o))
            class->value[class->size++] = p->sensitive[0].values[o];
}

static void check(const problem *p, const naive_list *all, const algorithm *a, context *c)
{
    search_result result;
    kith_error error;
    const model_spec *m = &p->models[0];
    kith_status status = search_run(&result, a, p, &(search_spec){0}, c, &error);
    if (status == KITH_INFEASIBLE) {
        assert_false(naive_holds(m, all, all));
        refused++;
        return;
    }
    assert_int_equal(status, KITH_OK);
    for (uint32_t i = 0; i < p->n_records; i++) {
        naive_list class;
        released_class(&class, p, &result.partition, i);
        if (!naive_holds(m, &class, all))
            fail_msg("%s breaks %s %s", a->name, model_name(m->id), model_variant_name(m->variant));
    }
    solved++;
}

static void check_table(const uint32_t *kind, uint64_t hash, const tree *const *trees)
{
    arena *memory = arena_new();
    context c;
    rng r;
    rng_init(&r, hash, 5);
    assert_int_equal(context_init(&c,
                                  &(kith_run)KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true,
                                                          .seed = hash),
                                  NULL),
                     KITH_OK);
    uint32_t cells[2][RECORDS];
    naive_list all = {.size = RECORDS};
    for (uint32_t i = 0; i < RECORDS; i++) {
        cells[0][i] = kind[i] / 3;
        cells[1][i] = kind[i] % 3;
        all.value[i] = rng_below(&r, N_SENSITIVE);
    }
    attribute a[2] = {{.tree = trees[0], .cells = cells[0]}, {.tree = trees[1], .cells = cells[1]}};
    sensitive_attribute s = {.values = all.value, .count = NAIVE_VALUES};
    problem p = {.n_records = RECORDS,
                 .n_attributes = 2,
                 .attributes = a,
                 .n_sensitive = 1,
                 .sensitive = &s};
    problems_costs(&p, &a[0], MEASURE_LM, memory);
    problems_costs(&p, &a[1], MEASURE_LM, memory);
    model_facts *facts = naive_facts(memory, &all);
    for (uint32_t k = 0; k < NAIVE_KINDS; k++) {
        model_spec m = naive_draw(k, &r);
        m.facts = facts;
        m.attribute = "secret";
        p.n_models = 1;
        p.models = &m;
        p.k = models_minimum_size(&m, 1);
        for (uint32_t i = 0; search_at(i) != NULL; i++)
            if (search_at(i)->supports_model(&m))
                check(&p, &all, search_at(i), &c);
    }
    context_wipe(&c);
    arena_free(memory);
}

static uint64_t hash_of(const uint32_t *kind)
{
    uint64_t hash = 0x2545f4914f6cdd1dU;
    for (uint32_t i = 0; i < RECORDS; i++)
        hash = (hash ^ kind[i]) * 0xff51afd7ed558ccdU, hash ^= hash >> 29;
    return hash;
}

static bool in_order(const uint32_t *kind)
{
    for (uint32_t i = 1; i < RECORDS; i++)
        if (kind[i] < kind[i - 1])
            return false;
    return true;
}

static void every_model_on_every_tiny_table(void **state)
{
    (void)state;
    const char *asked = getenv("KITH_EXHAUSTIVE");
    bool full = asked != NULL && strcmp(asked, "full") == 0;
    arena *memory = arena_new();
    const uint32_t paired[] = {0, 1, 2, 0, 0, 1, 0, 0, 0};
    const tree *trees[] = {trees_flat(memory, 3), trees_from_groups(memory, 3, 3, paired)};
    uint32_t kind[RECORDS], n_tables = 0;
    for (uint32_t code = 0; code < KINDS * KINDS * KINDS * KINDS * KINDS; code++) {
        uint32_t rest = code;
        for (uint32_t i = 0; i < RECORDS; i++, rest /= KINDS)
            kind[i] = rest % KINDS;
        uint64_t hash = hash_of(kind);
        if (!in_order(kind) || (!full && hash % 1000 >= 30))
            continue;
        check_table(kind, hash, trees);
        n_tables++;
    }
    assert_true(n_tables > 20 && solved > 500 && refused > 100);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_model_on_every_tiny_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

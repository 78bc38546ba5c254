#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "core/arena.h"
#include "core/rng.h"
#include "search/weave/weave_trim.h"

/* A problem with one sensitive attribute, or two, and l-diversity of them. */
typedef struct room {
    problem p;
    sensitive_attribute s[2];
    model_spec m[2];
    uint32_t values[2][16];
} room;

static void furnish(room *r, uint32_t n_records, uint32_t n_sensitive, double l, uint32_t distinct,
                    rng *random)
{
    *r = (room){0};
    for (uint32_t i = 0; i < n_sensitive; i++) {
        for (uint32_t j = 0; j < n_records; j++)
            r->values[i][j] = rng_below(random, distinct);
        r->s[i] = (sensitive_attribute){.values = r->values[i], .count = distinct};
        r->m[i] = (model_spec){
            .id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY, .l = l, .sensitive = i};
    }
    r->p = (problem){.n_records = n_records,
                     .n_sensitive = n_sensitive,
                     .sensitive = r->s,
                     .n_models = n_sensitive,
                     .models = r->m,
                     .k = 1};
}

/* Size of the largest subset that is admitted, by trying all of them. */
static uint32_t largest_subset(const class_rules *a, uint32_t n_records)
{
    uint32_t best = 0, members[16];
    for (uint32_t set = 1; set < UINT32_C(1) << n_records; set++) {
        uint32_t size = 0;
        for (uint32_t i = 0; i < n_records; i++)
            if (set >> i & 1)
                members[size++] = i;
        if (size > best && class_rules_allow(a, members, size))
            best = size;
    }
    return best;
}

static void keeps_as_many_as_possible(void **state)
{
    (void)state;
    static const double ls[] = {1, 1.5, 2, 2.7, 4};
    rng random;
    rng_init(&random, 1, 1);
    for (int round = 0; round < 200; round++) {
        arena *memory = arena_new();
        room r;
        uint32_t n_records = 1 + rng_below(&random, 10), members[16], spare[16], seen = 0;
        furnish(&r, n_records, 1, ls[round % 5], 1 + rng_below(&random, 5), &random);
        class_rules a;
        assert_int_equal(class_rules_init(&a, &r.p, memory, NULL), KITH_OK);
        for (uint32_t i = 0; i < n_records; i++)
            members[i] = i;
        uint32_t kept = weave_trim(&a, members, n_records, spare);
        assert_int_equal(kept, largest_subset(&a, n_records));
        assert_true(kept == 0 || class_rules_allow(&a, members, kept));
        for (uint32_t i = 0; i < n_records; i++)
            seen |= UINT32_C(1) << members[i];
        assert_int_equal(seen, (UINT32_C(1) << n_records) - 1);
        arena_free(memory);
    }
}

static void serves_two_attributes_at_once(void **state)
{
    (void)state;
    rng random;
    rng_init(&random, 2, 2);
    uint32_t found = 0;
    for (int round = 0; round < 100; round++) {
        arena *memory = arena_new();
        room r;
        uint32_t members[16], spare[16];
        furnish(&r, 12, 2, 2, 4, &random);
        class_rules a;
        assert_int_equal(class_rules_init(&a, &r.p, memory, NULL), KITH_OK);
        for (uint32_t i = 0; i < 12; i++)
            members[i] = i;
        uint32_t kept = weave_trim(&a, members, 12, spare);
        assert_true(kept == 0 || class_rules_allow(&a, members, kept));
        found += kept > 0;
        arena_free(memory);
    }
    assert_true(found > 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_as_many_as_possible),
        cmocka_unit_test(serves_two_attributes_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

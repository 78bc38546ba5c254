#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "search/random_split.h"

enum { RECORDS = 103 };

static uint32_t members[RECORDS], part[RECORDS], values[RECORDS];

static void split(const sensitive_attribute *s, uint32_t n_parts, uint64_t seed)
{
    arena *memory = arena_new();
    random_split sp;
    rng r;
    rng_init(&r, seed, 0);
    for (uint32_t i = 0; i < RECORDS; i++)
        members[i] = i;
    assert_int_equal(random_split_init(&sp, s, RECORDS, n_parts, memory, NULL), KITH_OK);
    random_split_assign(&sp, part, members, RECORDS, n_parts, &r);
    arena_free(memory);
    uint8_t seen[RECORDS] = {0};
    for (uint32_t i = 0; i < RECORDS; i++) {
        assert_true(part[i] < n_parts);
        assert_int_equal(seen[members[i]]++, 0);
    }
}

/* Records in a part that have this value (UINT32_MAX: any). */
static uint32_t count(uint32_t in, uint32_t value)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < RECORDS; i++)
        found += part[i] == in && (value == UINT32_MAX || values[members[i]] == value);
    return found;
}

static void plain_parts_differ_by_one_at_most(void **state)
{
    (void)state;
    for (uint32_t n_parts = 1; n_parts <= RECORDS; n_parts += 17) {
        split(NULL, n_parts, n_parts);
        for (uint32_t p = 0; p < n_parts; p++)
            assert_in_range(count(p, UINT32_MAX), RECORDS / n_parts, RECORDS / n_parts + 1);
    }
}

/* SEQ eqs. (24) and (25). */
static void every_value_is_spread_evenly(void **state)
{
    (void)state;
    const uint32_t kinds[] = {1, 2, 5, 103, 5000};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            rng r;
            rng_init(&r, seed, 5);
            for (uint32_t i = 0; i < RECORDS; i++)
                values[i] = rng_below(&r, 1 + rng_below(&r, kinds[k]));
            sensitive_attribute s = {.values = values, .count = kinds[k]};
            uint32_t n_parts = 1 + (uint32_t)seed;
            split(&s, n_parts, seed);
            for (uint32_t i = 0; i < RECORDS; i++) {
                uint32_t all = 0;
                for (uint32_t o = 0; o < RECORDS; o++)
                    all += values[o] == values[i];
                for (uint32_t p = 0; p < n_parts; p++)
                    assert_in_range(count(p, values[i]), all / n_parts,
                                    (all + n_parts - 1) / n_parts);
            }
        }
}

static void the_choice_is_random_but_reproducible(void **state)
{
    (void)state;
    uint32_t first[RECORDS], first_part[RECORDS];
    split(NULL, 7, 1);
    memcpy(first, members, sizeof first);
    memcpy(first_part, part, sizeof first_part);
    split(NULL, 7, 1);
    assert_memory_equal(first, members, sizeof first);
    assert_memory_equal(first_part, part, sizeof first_part);
    split(NULL, 7, 2);
    assert_memory_not_equal(first, members, sizeof first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_parts_differ_by_one_at_most),
        cmocka_unit_test(every_value_is_spread_evenly),
        cmocka_unit_test(the_choice_is_random_but_reproducible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

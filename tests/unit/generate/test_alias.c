#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "generate/alias.h"

/* Adds up what each value gets over all cells, in units of 2^-32 of a cell. */
static void check_shares(const uint32_t *weights, uint32_t count)
{
    alias_cell *cells = calloc(count, sizeof *cells);
    uint64_t *scratch = calloc(count, 3 * sizeof *scratch);
    double *share = calloc(count, sizeof *share);
    assert_true(alias_build(cells, weights, count, scratch));
    double sum = 0;
    for (uint32_t v = 0; v < count; v++) {
        assert_in_range(cells[v].other, 0, count - 1);
        share[v] += cells[v].threshold / 0x1p32;
        share[cells[v].other] += 1 - cells[v].threshold / 0x1p32;
        sum += weights[v];
    }
    for (uint32_t v = 0; v < count; v++) {
        assert_true(fabs(share[v] / count - weights[v] / sum) < 1e-8);
        if (weights[v] == 0)
            assert_true(share[v] == 0);
    }
    free(share);
    free(scratch);
    free(cells);
}

static void shares_equal_weights(void **state)
{
    (void)state;
    check_shares((uint32_t[]){1}, 1);
    check_shares((uint32_t[]){0, 7}, 2);
    check_shares((uint32_t[]){1, 1, 1}, 3);
    check_shares((uint32_t[]){5, 0, 0, 0, 1}, 5);
    check_shares((uint32_t[]){0xfffffff0, 1, 0, 2}, 4);
    rng r;
    rng_init(&r, 4, 0);
    for (int round = 0; round < 200; round++) {
        uint32_t weights[50], count = 1 + rng_below(&r, 50), sum = 0;
        for (uint32_t v = 0; v < count; v++)
            sum += weights[v] = rng_below(&r, 3) == 0 ? 0 : rng_below(&r, 1000000);
        if (sum > 0)
            check_shares(weights, count);
    }
}

static void draws_follow_weights(void **state)
{
    (void)state;
    uint32_t weights[] = {1, 10, 0, 89};
    alias_cell cells[4];
    uint64_t scratch[12];
    assert_true(alias_build(cells, weights, 4, scratch));
    rng r;
    rng_init(&r, 1, 0);
    uint32_t seen[4] = {0};
    for (int i = 0; i < 100000; i++)
        seen[alias_draw(cells, 4, &r)]++;
    assert_int_equal(seen[2], 0);
    for (int v = 0; v < 4; v++) /* six standard deviations of the widest binomial */
        assert_true(abs((int)seen[v] - (int)weights[v] * 1000) < 600);
}

static void refuses_empty_and_overflowing_sums(void **state)
{
    (void)state;
    alias_cell cells[2];
    uint64_t scratch[6];
    assert_false(alias_build(cells, (uint32_t[]){0, 0}, 2, scratch));
    assert_false(alias_build(cells, (uint32_t[]){UINT32_MAX, 1}, 2, scratch));
    assert_true(alias_build(cells, (uint32_t[]){UINT32_MAX, 0}, 2, scratch));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_equal_weights),
        cmocka_unit_test(draws_follow_weights),
        cmocka_unit_test(refuses_empty_and_overflowing_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

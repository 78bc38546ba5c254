/* Moments, quantiles and associations, with values worked out by hand. */
#include "measure/statistics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "measure/association.h"

static void near(double found, double expected)
{
    if (!(fabs(found - expected) < 1e-12))
        fail_msg("%.15g, not %.15g", found, expected);
}

/* 1 2 2 3 7: mean 3, squares 4+1+1+0+16 = 22, deviation sqrt(22 / 4). */
static void five_numbers(void **state)
{
    (void)state;
    counted_number numbers[] = {{7, 1}, {1, 1}, {3, 1}, {2, 2}};
    statistics s;
    statistics_make(&s, numbers, 4);
    assert_int_equal(s.n_records, 5);
    near(s.mean, 3);
    near(s.deviation, sqrt(5.5));
    static const double expected[] = {1, 2, 2, 3, 7};
    for (size_t i = 0; i < STATISTICS_QUANTILES; i++)
        near(s.quantiles[i], expected[i]);
}

/* The 95% quantile of 1 … 20 is 19: 19 of 20 do not exceed it. */
static void quantiles_are_exact_at_the_border(void **state)
{
    (void)state;
    counted_number numbers[20];
    statistics s;
    for (int i = 0; i < 20; i++)
        numbers[i] = (counted_number){20 - i, 1};
    statistics_make(&s, numbers, 20);
    static const double expected[] = {1, 5, 10, 15, 19};
    for (size_t i = 0; i < STATISTICS_QUANTILES; i++)
        near(s.quantiles[i], expected[i]);
}

static void large_numbers_keep_their_spread(void **state)
{
    (void)state;
    counted_number numbers[] = {{1e9 + 1, 500}, {1e9 + 3, 500}};
    statistics s;
    statistics_make(&s, numbers, 2);
    near(s.mean - 1e9, 2);
    near(s.deviation, sqrt(1000.0 / 999));
}

static void nothing_and_one(void **state)
{
    (void)state;
    counted_number one = {4, 1};
    statistics s;
    statistics_make(&s, &one, 0);
    assert_true(isnan(s.mean) && isnan(s.deviation) && isnan(s.quantiles[2]));
    statistics_make(&s, &one, 1);
    near(s.mean, 4);
    near(s.quantiles[0], 4);
    assert_true(isnan(s.deviation));
}

/* 30 10 / 10 30: phi^2 = (20/80)*... chi^2 = 80 * (30*30 - 10*10)^2 / 40^4 = 20, phi^2 = 1/4. By
 * Bergsma: (1/4 - 1/79) / (2 - 1/79 - 1). */
static void two_by_two(void **state)
{
    (void)state;
    contingency t = {0};
    t.counts[0][0] = t.counts[4][2] = 30;
    t.counts[0][2] = t.counts[4][0] = 10;
    near(association_v(&t), sqrt((0.25 - 1.0 / 79) / (1 - 1.0 / 79)));
}

static void extremes(void **state)
{
    (void)state;
    contingency same = {0}, independent = {0}, single = {0};
    for (int i = 0; i < 3; i++)
        same.counts[i][i] = 100;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            independent.counts[i][j] = 25 * (i + 1);
    single.counts[0][0] = 10;
    single.counts[0][1] = 10;
    near(association_v(&same), 1);
    near(association_v(&independent), 0);
    near(association_v(&single), 0);
    near(association_v(&(contingency){0}), 0);
}

/* Ten values of one record each: two in every bin; the eleventh is missing. */
static void ordered_values_are_cut_evenly(void **state)
{
    (void)state;
    const uint64_t counts[11] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7};
    uint8_t bins[11];
    association_bins(bins, counts, 11, true, true);
    for (int i = 0; i < 10; i++)
        assert_int_equal(bins[i], i / 2);
    assert_int_equal(bins[10], 5);
}

static void frequent_values_have_bins_of_their_own(void **state)
{
    (void)state;
    const uint64_t counts[6] = {1, 50, 3, 20, 2, 30};
    static const uint8_t expected[6] = {4, 0, 3, 2, 4, 1};
    uint8_t bins[6];
    association_bins(bins, counts, 6, false, false);
    assert_memory_equal(bins, expected, sizeof bins);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_numbers),
        cmocka_unit_test(quantiles_are_exact_at_the_border),
        cmocka_unit_test(large_numbers_keep_their_spread),
        cmocka_unit_test(nothing_and_one),
        cmocka_unit_test(two_by_two),
        cmocka_unit_test(extremes),
        cmocka_unit_test(ordered_values_are_cut_evenly),
        cmocka_unit_test(frequent_values_have_bins_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Estimates of population uniqueness: by hand, against their definitions, and against populations
 * of which the truth is known. */
#include "risk/uniqueness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>

#include <cmocka.h>

#include "support/populations.h"

static void near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.10g, not %.10g", found, expected);
}

static class_sizes sizes_of(arena *memory, const uint32_t *sizes, uint32_t n)
{
    class_sizes s;
    kith_error error;
    assert_int_equal(class_sizes_make(&s, sizes, n, UINT32_MAX, memory, &error), KITH_OK);
    return s;
}

static void counts_sizes(void **state)
{
    (void)state;
    arena *memory = arena_new();
    const uint32_t sizes[] = {3, 1, 9, 1, 3, 1};
    class_sizes s;
    kith_error error;
    assert_int_equal(class_sizes_make(&s, sizes, 6, 2, memory, &error), KITH_OK);
    assert_int_equal(s.count, 2);
    assert_int_equal(s.sizes[0], 1);
    assert_int_equal(s.n_classes[0], 3);
    assert_int_equal(s.sizes[1], 3);
    assert_int_equal(s.n_classes[1], 2);
    assert_int_equal(s.n_records, 9);
    assert_int_equal(s.n_all, 5);
    assert_int_equal(s.n_singles, 3);
    arena_free(memory);
}

/* Four of eight people, in classes of 1, 1, 2. One of four is drawn from a class of one with
 * probability C(7,3) / C(8,4) = 1/2, one alone from a class of two with 2 C(6,3) / C(8,4) = 4/7:
 * (2/3 * 1/2) / (2/3 * 1/2 + 1/3 * 4/7) = 7/11. */
static void zayatz_by_hand(void **state)
{
    (void)state;
    arena *memory = arena_new();
    const uint32_t sizes[] = {1, 2, 1};
    const class_sizes s = sizes_of(memory, sizes, 3);
    uniqueness u;
    near(uniqueness_zayatz_chance(&s, 8), 7.0 / 11, 1e-12);
    uniqueness_estimate(&u, &s, 8);
    near(u.zayatz, 7.0 / 11 * 2 * 2, 1e-12);
    arena_free(memory);
}

/* The formula as it is printed, factor by factor. */
static double naive_likelihood(const class_sizes *s, double alpha, double theta)
{
    double sum = 0;
    for (uint32_t i = 1; i < s->n_all; i++)
        sum += log(theta + i * alpha);
    for (uint32_t i = 1; i < s->n_records; i++)
        sum -= log(theta + i);
    for (uint32_t c = 0; c < s->count; c++)
        for (uint32_t j = 1; j < s->sizes[c]; j++)
            sum += s->n_classes[c] * log(j - alpha);
    return sum;
}

static void pitman_likelihood_and_maximum(void **state)
{
    (void)state;
    arena *memory = arena_new();
    const uint32_t sizes[] = {1, 1, 1, 1, 1, 1, 2, 2, 3, 5, 9};
    const class_sizes s = sizes_of(memory, sizes, 11);
    const pitman_fit fit = pitman_estimate(&s);
    const double best = pitman_log_likelihood(&s, fit.alpha, fit.theta);
    near(best, naive_likelihood(&s, fit.alpha, fit.theta), 1e-9);
    for (double alpha = 0.01; alpha < 1; alpha += 0.01)
        for (double sum = 0.01; sum < 200; sum *= 1.05) /* theta + alpha */
            if (naive_likelihood(&s, alpha, sum - alpha) > best + 1e-6)
                fail_msg("%g %g is more likely than %g %g", alpha, sum - alpha, fit.alpha,
                         fit.theta);
    arena_free(memory);
}

/* Two people: both are unique with probability (theta + alpha) / (theta + 1). */
static void pitman_expectation_by_hand(void **state)
{
    (void)state;
    const pitman_fit fit = {0.3, 2};
    near(pitman_uniques(fit, 1), 1, 1e-9);
    near(pitman_uniques(fit, 2), 2 * 2.3 / 3, 1e-9);
    near(pitman_uniques(fit, 3), 3 * (2.3 / 3) * (3.3 / 4), 1e-9);
}

typedef double estimate_of(const uniqueness *u);
static double by_pitman(const uniqueness *u)
{
    return u->pitman;
}
static double by_snb(const uniqueness *u)
{
    return u->snb;
}
static double by_dankar(const uniqueness *u)
{
    return u->dankar;
}

/* The mean of ten estimates is within a share of the truth. */
static void is_right_on_average(people *p, double share, estimate_of *take, double tolerance,
                                rng *r)
{
    arena *memory = arena_new();
    class_sizes all, s;
    double sum = 0;
    people_sample(&all, p, p->count, r, memory);
    for (int i = 0; i < 10; i++) {
        uniqueness u;
        people_sample(&s, p, (uint32_t)(share * p->count), r, memory);
        uniqueness_estimate(&u, &s, p->count);
        sum += take(&u) / 10;
    }
    assert_true(all.n_singles > 100);
    near(sum / all.n_singles, 1, tolerance);
    arena_free(memory);
    people_free(p);
}

/* Where the population is as a model assumes, the model finds the truth. */
static void models_find_their_own_populations(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 5, 0);
    people p = people_pitman(40000, 0.5, 40, &r);
    is_right_on_average(&p, 0.05, by_pitman, 0.2, &r);
    p = people_pitman(40000, 0.8, 200, &r);
    is_right_on_average(&p, 0.02, by_pitman, 0.2, &r);
    p = people_slide(40000, 2, 6, &r);
    is_right_on_average(&p, 0.3, by_snb, 0.15, &r);
    p = people_slide(40000, 1, 3, &r);
    is_right_on_average(&p, 0.2, by_snb, 0.15, &r);
}

/* Columns as real tables have them: neither model is exact, but the rule is near. */
static void the_rule_is_near_where_no_model_is_exact(void **state)
{
    (void)state;
    const uint32_t widths[] = {80, 2, 300, 12};
    rng r;
    rng_init(&r, 6, 0);
    people p = people_columns(50000, widths, 4, 1, &r);
    is_right_on_average(&p, 0.5, by_dankar, 0.25, &r);
    p = people_columns(50000, widths, 4, 1, &r);
    is_right_on_average(&p, 0.1, by_dankar, 0.25, &r);
}

static void whole_populations_need_no_estimate(void **state)
{
    (void)state;
    arena *memory = arena_new();
    const uint32_t sizes[] = {1, 1, 1, 4, 2};
    const class_sizes s = sizes_of(memory, sizes, 5);
    uniqueness u;
    uniqueness_estimate(&u, &s, 9);
    near(u.dankar, 3, 0);
    near(u.pitman, 3, 0);
    near(u.snb, 3, 0);
    near(u.zayatz, 3, 0);
    arena_free(memory);
}

/* No unique record, or nothing but unique records: no model can be fitted. */
static void extremes(void **state)
{
    (void)state;
    arena *memory = arena_new();
    const uint32_t pairs[] = {2, 2, 3}, singles[] = {1, 1, 1, 1};
    class_sizes s = sizes_of(memory, pairs, 3);
    uniqueness u;
    uniqueness_estimate(&u, &s, 1000);
    assert_true(u.dankar == 0 && u.pitman == 0 && u.zayatz == 0 && u.snb == 0);
    s = sizes_of(memory, singles, 4);
    uniqueness_estimate(&u, &s, 1000);
    assert_true(isnan(u.pitman) && isnan(u.snb));
    near(u.dankar, 1000, 1e-9); /* as far as can be seen, everybody is */
    assert_string_equal(u.dankar_took, "zayatz");
    s = sizes_of(memory, singles, 1);
    uniqueness_estimate(&u, &s, 1000);
    assert_true(isfinite(u.dankar));
    s = sizes_of(memory, singles, 0);
    uniqueness_estimate(&u, &s, 1000);
    assert_true(u.dankar == 0);
    arena_free(memory);
}

static void the_rule_of_dankar(void **state)
{
    (void)state;
    arena *memory = arena_new();
    rng r;
    rng_init(&r, 9, 0);
    people p = people_pitman(5000, 0.4, 20, &r);
    class_sizes s;
    uniqueness u;
    people_sample(&s, &p, 500, &r, memory);
    uniqueness_estimate(&u, &s, 5000);
    assert_string_equal(u.dankar_took, "pitman"); /* 10% is still small */
    assert_true(u.dankar == u.pitman);
    uniqueness_estimate(&u, &s, 4990);
    assert_true(u.dankar == fmin(u.snb, u.zayatz));
    assert_string_equal(u.dankar_took, u.snb <= u.zayatz ? "snb" : "zayatz");
    people_free(&p);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_sizes),
        cmocka_unit_test(zayatz_by_hand),
        cmocka_unit_test(pitman_likelihood_and_maximum),
        cmocka_unit_test(pitman_expectation_by_hand),
        cmocka_unit_test(models_find_their_own_populations),
        cmocka_unit_test(the_rule_is_near_where_no_model_is_exact),
        cmocka_unit_test(whole_populations_need_no_estimate),
        cmocka_unit_test(extremes),
        cmocka_unit_test(the_rule_of_dankar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

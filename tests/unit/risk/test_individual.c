/* The risk of single records, against its definition as a sum and by hand. */
#include "risk/individual.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9 * expected))
        fail_msg("%.15g, not %.15g", found, expected);
}

/* The sum over j >= f of Pr(j people) / j, with Pr(j) = C(j-1, f-1) p^f q^(j-f). */
static double naive(uint32_t f, double p)
{
    double probability = pow(p, f), sum = 0;
    for (double j = f; j < f + 4e6 && (probability > 1e-18 || j < f / p); j++) {
        sum += probability / j;
        probability *= (1 - p) * j / (j - f + 1);
    }
    return sum;
}

/* The same as p times the integral of (1 - u)^(f - 1) / (1 - q u) over 0 … 1, by Simpson's rule
 * with u = 1 - v^2, which is smooth at the end. */
static double integral(uint32_t f, double p)
{
    const int n = 400000;
    double sum = 0;
    for (int i = 0; i <= n; i++) {
        const double v = (double)i / n;
        const double height = 2 * pow(v, 2.0 * f - 1) / (p + (1 - p) * v * v);
        sum += height * (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2);
    }
    return p * sum / (3 * n);
}

static void agrees_with_the_definition(void **state)
{
    (void)state;
    static const double shares[] = {0.999, 0.9, 0.51, 0.5, 0.3, 0.05, 0.01};
    for (uint32_t f = 1; f <= 40; f += f < 5 ? 1 : 7)
        for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
            near(individual_risk(f, shares[i]), naive(f, shares[i]));
    for (uint32_t f = 1; f <= 2500; f *= 3)
        for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
            near(individual_risk(f, shares[i]), integral(f, shares[i]));
}

/* The printed formulas for one and two records. */
static void one_and_two_records(void **state)
{
    (void)state;
    const double p = 0.2, q = 0.8;
    near(individual_risk(1, p), p / q * log(1 / p));
    near(individual_risk(2, p), p / q - p / q * (p / q) * log(1 / p));
    near(individual_risk(3, 1), 1.0 / 3);
    near(individual_risk(3, 1.5), 1.0 / 3);
}

/* Three records: two alike of weights 3 and 5, one alone of weight 4, and one left out. */
static void a_table_by_hand(void **state)
{
    (void)state;
    const uint32_t class_of[] = {0, 1, 0, 2}, sizes[] = {2, 1, 1}, weight_of[] = {2, 3, 1, 0};
    const double weights[] = {1, 5, 3, 4};
    const double pair = individual_risk(2, 2.0 / 8), single = individual_risk(1, 1.0 / 4);
    individual_task task = {.n_records = 4,
                            .n_classes = 3,
                            .class_of = class_of,
                            .sizes = sizes,
                            .left_out = 2,
                            .weight_of = weight_of,
                            .weights = weights,
                            .threshold = 0.4};
    individual_report r;
    arena *memory = arena_new();
    assert_int_equal(individual_assess(&r, &task, memory, NULL), KITH_OK);
    near(r.highest, single);
    near(r.expected, 2 * pair + single);
    near(r.mean, (2 * pair + single) / 4);
    assert_int_equal(r.n_above, 1);
    task.weights = NULL;
    task.weight = 4;
    assert_int_equal(individual_assess(&r, &task, memory, NULL), KITH_OK);
    near(r.expected, 2 * pair + single); /* the same sums */
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_definition),
        cmocka_unit_test(one_and_two_records),
        cmocka_unit_test(a_table_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

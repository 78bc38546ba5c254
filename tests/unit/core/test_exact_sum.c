#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "core/exact_sum.h"

/* Bits of very different size: floating-point sums lose the small ones. */
static void no_bit_is_lost(void **state)
{
    (void)state;
    exact_sum sum = {0};
    exact_sum_add(&sum, 0x1p900L);
    for (int i = 0; i < 1000; i++) {
        exact_sum_add(&sum, 0x1p-2L);
        exact_sum_add(&sum, 0x1.8p40L);
    }
    assert_true(exact_sum_value(&sum) == 0x1p900L);
    sum.limb[(900 + 64) / 32] = 0; /* without the largest one the others are all there */
    assert_true(exact_sum_value(&sum) == 1500 * 0x1p40L + 1000 * 0x1p-2L);
}

static void order_and_division_do_not_matter(void **state)
{
    (void)state;
    exact_sum forth = {0}, back = {0}, parts[3] = {0};
    for (int i = 1; i <= 3000; i++) {
        const long double value = ldexpl(1.0L / (long double)i, i % 90);
        exact_sum_add(&forth, value);
        exact_sum_add(&parts[i % 3], value);
    }
    for (int i = 3000; i >= 1; i--)
        exact_sum_add(&back, ldexpl(1.0L / (long double)i, i % 90));
    exact_sum_merge(&parts[0], &parts[1]);
    exact_sum_merge(&parts[0], &parts[2]);
    assert_true(exact_sum_value(&forth) == exact_sum_value(&back));
    assert_true(exact_sum_value(&forth) == exact_sum_value(&parts[0]));
}

static void what_no_double_can_tell_is_infinite(void **state)
{
    (void)state;
    exact_sum sum = {0};
    exact_sum_add(&sum, 0);
    exact_sum_add(&sum, 0x1.fp1023L);
    assert_true(exact_sum_value(&sum) == 0x1.fp1023L);
    exact_sum_add(&sum, HUGE_VALL);
    assert_true(isinf(exact_sum_value(&sum)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_bit_is_lost),
        cmocka_unit_test(order_and_division_do_not_matter),
        cmocka_unit_test(what_no_double_can_tell_is_infinite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

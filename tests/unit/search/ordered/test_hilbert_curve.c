#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/ordered/hilbert_curve.h"

static uint64_t key_of(uint32_t d, uint32_t bits, const uint32_t *at)
{
    uint32_t point[64];
    uint64_t key[16];
    for (uint32_t i = 0; i < d; i++)
        point[i] = at[i];
    assert_int_equal(hilbert_curve_words(d, bits), 1);
    hilbert_curve_key(key, point, d, bits);
    return key[0];
}

/* Visits the whole cube: keys are a bijection, and neighbours on the curve are neighbours in space.
 */
static void walk(uint32_t d, uint32_t bits)
{
    uint32_t n_cells = 1u << d * bits, side = 1u << bits;
    uint32_t *where = calloc(n_cells, sizeof *where);
    char *seen = calloc(n_cells, 1);
    for (uint32_t cell = 0; cell < n_cells; cell++) {
        uint32_t at[8];
        for (uint32_t i = 0; i < d; i++)
            at[i] = cell >> i * bits & (side - 1);
        uint64_t key = key_of(d, bits, at);
        assert_true(key < n_cells);
        assert_false(seen[key]);
        seen[key] = 1;
        where[key] = cell;
    }
    assert_int_equal(where[0], 0);
    for (uint32_t key = 1; key < n_cells; key++) {
        uint32_t steps = 0;
        for (uint32_t i = 0; i < d; i++)
            steps += (uint32_t)abs((int)(where[key] >> i * bits & (side - 1)) -
                                   (int)(where[key - 1] >> i * bits & (side - 1)));
        assert_int_equal(steps, 1);
    }
    free(where);
    free(seen);
}

static void the_curve_visits_every_point_by_single_steps(void **state)
{
    (void)state;
    for (uint32_t d = 1; d <= 5; d++)
        for (uint32_t bits = 1; d * bits <= 12; bits++)
            walk(d, bits);
}

/* SEQ Table 1: unscaled, the order is R1 R2 R3 R4; stretched to the same range, R1 R3 R4 R2. (Its
 * numbers belong to another of the many curves of this kind; the orders are the same.) */
static void the_example_of_the_paper_has_its_orders(void **state)
{
    (void)state;
    static const uint32_t plain[4][4] = {{0, 0, 0, 0}, {1, 1, 1, 0}, {0, 0, 0, 2}, {1, 1, 1, 2}};
    static const uint32_t scaled[4][4] = {{0, 0, 0, 0}, {2, 2, 2, 0}, {0, 0, 0, 2}, {2, 2, 2, 2}};
    uint64_t p[4], s[4];
    for (int i = 0; i < 4; i++) {
        p[i] = key_of(4, 2, plain[i]);
        s[i] = key_of(4, 2, scaled[i]);
    }
    assert_true(p[0] == 0 && p[0] < p[1] && p[1] < p[2] && p[2] < p[3]);
    assert_true(s[0] == 0 && s[0] < s[2] && s[2] < s[3] && s[3] < s[1]);
}

/* Keys of several words: the same bits as one word, in front of them only zeros. */
static void long_keys_order_like_short_ones(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < 16; a++)
        for (uint32_t b = 0; b < 16; b++) {
            uint32_t one[64] = {0}, other[64] = {0};
            uint64_t x[4], y[4];
            one[0] = a << 12;
            one[63] = 5;
            other[0] = b << 12;
            other[63] = 5;
            assert_int_equal(hilbert_curve_words(16, 16), 4);
            hilbert_curve_key(x, one, 16, 16);
            hilbert_curve_key(y, other, 16, 16);
            if (a == b)
                assert_memory_equal(x, y, sizeof x);
            else
                assert_memory_not_equal(x, y, sizeof x);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_curve_visits_every_point_by_single_steps),
        cmocka_unit_test(the_example_of_the_paper_has_its_orders),
        cmocka_unit_test(long_keys_order_like_short_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

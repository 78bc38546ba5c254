/* Numbers digit by digit. */
#include "verify/exact_number.h"

#include <stdio.h>

#include "core/text.h"
#include "unit/verify/support.h"

static void reads(const char *text, char mark, long long digits, long decimals)
{
    exact_number n;
    assert_true(exact_number_read(&n, text, mark));
    assert_true(n.digits == digits);
    assert_int_equal(n.decimals, decimals);
}

static void reads_what_tables_have(void **state)
{
    (void)state;
    reads("7", 0, 7, 0);
    reads("+007", 0, 7, 0);
    reads("-12.50", 0, -1250, 2);
    reads(".5", 0, 5, 1);
    reads("5.", 0, 5, 0);
    reads("1.5e3", 0, 15, -2);
    reads("1E-3", 0, 1, 3);
    reads("1.234,50", ',', 123450, 2);
    reads("1'234.5", '.', 12345, 1);
    reads("9223372036854775807", 0, 9223372036854775807, 0);
    reads("0000000000000000000000000000000000000001", 0, 1, 0);
}

static void refuses_other_texts(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",    "-",     ".",   "x",
                                        "1x",  "1.2.3", "1e",  "1e5x",
                                        "1,5", "20-24", "1e+", "1234567890123456789012345678901"};
    exact_number n;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(exact_number_read(&n, wrong[i], 0));
}

/* Every double of few digits comes back as the shortest text has it. */
static void doubles_have_their_shortest_form(void **state)
{
    (void)state;
    exact_number n, text;
    for (int i = -3000; i < 3000; i++)
        for (int power = 1; power <= 100000; power *= 10) {
            const double value = (double)i * 0.7 / power;
            char shortest[40];
            const double rounded = (double)(long)(value * 1e6) / 1e6;
            text_format_decimal(shortest, rounded);
            assert_true(exact_number_of(&n, rounded));
            assert_true(exact_number_read(&text, shortest, 0));
            __int128 a = 0, b = 0;
            assert_true(exact_number_units(&a, n, 15) && exact_number_units(&b, text, 15));
            assert_true(a == b);
        }
    assert_false(exact_number_of(&n, 1e15));
    assert_false(exact_number_of(&n, 1.0 / 3));
    assert_true(exact_number_of(&n, 0.1) && n.digits == 1 && n.decimals == 1);
}

static void units_are_whole(void **state)
{
    (void)state;
    __int128 units;
    assert_true(exact_number_units(&units, (exact_number){15, -2}, 1) && units == 15000);
    assert_true(exact_number_units(&units, (exact_number){-1250, 3}, 2) && units == -125);
    assert_false(exact_number_units(&units, (exact_number){-1251, 3}, 2));
    assert_false(exact_number_units(&units, (exact_number){1, -300}, 0));
    assert_true(exact_number_units(&units, (exact_number){0, -300}, 0) && units == 0);
}

static void writes(const char *expected, long long units, long decimals, long least, char mark)
{
    char text[EXACT_NUMBER_BYTES];
    exact_number_write(text, units, decimals, least, mark);
    assert_string_equal(text, expected);
}

static void writes_decimals(void **state)
{
    (void)state;
    writes("12.50", 1250, 2, 2, 0);
    writes("12,5", 1250, 2, 0, ',');
    writes("12", 1200, 2, 0, 0);
    writes("-0.05", -5, 2, 0, 0);
    writes("0", 0, 2, 0, 0);
    writes("0.00", 0, 2, 2, 0);
    writes("100", 100, 0, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_tables_have),
        cmocka_unit_test(refuses_other_texts),
        cmocka_unit_test(doubles_have_their_shortest_form),
        cmocka_unit_test(units_are_whole),
        cmocka_unit_test(writes_decimals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "core/text.h"

/* --- UTF-8 ---------------------------------------------------------------------------------- */

static size_t encode(uint32_t c, char *s)
{
    if (c < 0x80)
        return s[0] = (char)c, 1;
    if (c < 0x800)
        return s[0] = (char)(0xc0 | c >> 6), s[1] = (char)(0x80 | (c & 63)), 2;
    if (c < 0x10000)
        return s[0] = (char)(0xe0 | c >> 12), s[1] = (char)(0x80 | (c >> 6 & 63)),
               s[2] = (char)(0x80 | (c & 63)), 3;
    return s[0] = (char)(0xf0 | c >> 18), s[1] = (char)(0x80 | (c >> 12 & 63)),
           s[2] = (char)(0x80 | (c >> 6 & 63)), s[3] = (char)(0x80 | (c & 63)), 4;
}

static void every_code_point(void **state)
{
    (void)state;
    for (uint32_t c = 0; c <= 0x1fffff; c++) {
        char s[4];
        size_t n = encode(c, s);
        bool good = c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
        if (text_utf8_error(s, n) != (good ? n : 0))
            fail_msg("U+%04X", c);
    }
}

/* Counts the well-formed sequences of each length by trying all bytes: there are exactly as many
 * as code points that need this length, so no overlong or broken one gets through. */
static void every_sequence_of_up_to_three_bytes(void **state)
{
    (void)state;
    size_t one = 0, two = 0, three = 0;
    for (uint32_t bytes = 0; bytes < 1U << 24; bytes++) {
        const char s[3] = {(char)(bytes >> 16), (char)(bytes >> 8), (char)bytes};
        if ((bytes & 0xffff) == 0)
            one += text_utf8_error(s, 1) == 1;
        if ((bytes & 0xff) == 0)
            two += (s[0] & 0x80) != 0 && text_utf8_error(s, 2) == 2;
        three += (s[0] & 0x80) != 0 && text_utf8_error(s, 1) == 0 && text_utf8_error(s, 2) == 0 &&
                 text_utf8_error(s, 3) == 3;
    }
    assert_int_equal(one, 128);
    assert_int_equal(two, 0x800 - 0x80);
    assert_int_equal(three, 0x10000 - 0x800 - 0x800);
}

static void errors_are_placed_at_any_offset(void **state)
{
    (void)state;
    char text[64];
    for (size_t length = 0; length < sizeof text; length++) {
        memset(text, 'a', sizeof text);
        assert_int_equal(text_utf8_error(text, length), length);
        for (size_t i = 0; i < length; i++) {
            text[i] = (char)0xff;
            assert_int_equal(text_utf8_error(text, length), i);
            text[i] = (char)0xc3; /* needs a second byte */
            assert_int_equal(text_utf8_error(text, length), i);
            text[i] = 'a';
        }
    }
}

/* --- numbers -------------------------------------------------------------------------------- */

static void check_integer(const char *text, bool good, int64_t expected)
{
    int64_t value = 12345;
    if (text_integer(text, strlen(text), &value) != good || value != (good ? expected : 12345))
        fail_msg("'%s'", text);
}

static void integers(void **state)
{
    (void)state;
    check_integer("0", true, 0);
    check_integer("-0", true, 0);
    check_integer("+7", true, 7);
    check_integer("007", true, 7);
    check_integer("9223372036854775807", true, INT64_MAX);
    check_integer("-9223372036854775808", true, INT64_MIN);
    static const char *const bad[] = {"",
                                      "-",
                                      "+",
                                      " 1",
                                      "1 ",
                                      "1.0",
                                      "--1",
                                      "+-1",
                                      "0x1",
                                      "1e",
                                      "1 2",
                                      "a",
                                      "\xd9\xa1",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "99999999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_integer(bad[i], false, 0);
    int64_t value;
    assert_false(text_integer("1\0002", 3, &value));
    assert_true(text_integer("123456", 3, &value)); /* the length counts, not a NUL */
    assert_int_equal(value, 123);
}

static void check_decimal(const char *text, bool good, double expected)
{
    double value = 0.5;
    if (text_decimal(text, strlen(text), &value) != good || value != (good ? expected : 0.5))
        fail_msg("'%s'", text);
}

static void decimals(void **state)
{
    (void)state;
    check_decimal("1", true, 1);
    check_decimal("-1.5", true, -1.5);
    check_decimal("+.5", true, 0.5);
    check_decimal("5.", true, 5);
    check_decimal("1e3", true, 1000);
    check_decimal("1.5E-3", true, 0.0015);
    check_decimal("1e308", true, 1e308);
    check_decimal("1e-400", true, 0);
    static const char *const bad[] = {"",      ".",     "-",    "e1",  "1e",  "1e+",     "1,5",
                                      " 1",    "1 ",    "0x10", "inf", "nan", "-inf",    "1e309",
                                      "1.2.3", "1e1.5", "1_0",  "1f",  "++1", "infinity"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_decimal(bad[i], false, 0);
    char endless[1000];
    memset(endless, '1', sizeof endless);
    double value;
    assert_false(text_decimal(endless, sizeof endless, &value));
}

static void check_format(double value, const char *expected)
{
    char text[32];
    text_format_decimal(text, value);
    assert_string_equal(text, expected);
}

static void formatted_decimals(void **state)
{
    (void)state;
    check_format(0, "0");
    check_format(40, "40");
    check_format(-100000, "-100000");
    check_format(0.1, "0.1");
    check_format(0.25, "0.25");
    check_format(12.5, "12.5");
    check_format(1.0 / 3, "0.3333333333333333");
    check_format(0.00001, "0.00001");
    check_format(1e-6, "1e-06");
    check_format(123456789012345, "123456789012345");
    check_format(1e15, "1e+15");
    check_format(1.7976931348623157e308, "1.7976931348623157e+308");
    rng r;
    rng_init(&r, 1, 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = rng_next(&r);
        double value, back;
        if (i % 2 == 0)
            memcpy(&value, &bits, sizeof value);
        else
            value = ldexp((double)(int32_t)bits, -(int)(bits >> 60));
        if (!isfinite(value))
            continue;
        char text[32];
        text_format_decimal(text, value);
        assert_true(strlen(text) < 32);
        assert_true(text_decimal(text, strlen(text), &back));
        assert_true(back == value);
    }
}

/* --- dates ---------------------------------------------------------------------------------- */

static bool leap(int64_t y)
{
    return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
}

/* Walks the calendar day by day through 1600 years and compares both directions. */
static void dates_round_trip(void **state)
{
    (void)state;
    static const unsigned lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t days = text_days(1000, 1, 1);
    for (int64_t y = 1000; y < 2600; y++)
        for (unsigned m = 1; m <= 12; m++)
            for (unsigned d = 1; d <= lengths[m - 1] + (m == 2 && leap(y)); d++, days++) {
                int64_t year, parsed;
                unsigned month, day;
                text_civil(days, &year, &month, &day);
                char text[32];
                snprintf(text, sizeof text, "%04d-%02u-%02u", (int)y, m, d);
                if (text_days(y, m, d) != days || year != y || month != m || day != d ||
                    !text_date(text, 10, &parsed) || parsed != days)
                    fail_msg("%s", text);
            }
    assert_int_equal(text_days(1970, 1, 1), 0);
    assert_int_equal(text_days(2000, 3, 1), 11017);
    for (int64_t far = -4000000; far < 4000000; far += 997) {
        int64_t year;
        unsigned month, day;
        text_civil(far, &year, &month, &day);
        assert_int_equal(text_days(year, month, day), far);
    }
}

static void wrong_dates(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "2023-02-29", "1900-02-29", "2024-00-10", "2024-13-01", "2024-01-00", "2024-01-32",
        "2024-04-31", "2024-1-01",  "2024-01-1",  "24-01-01",   "2024/01/01", "2024-01-01 ",
        " 2024-01-0", "+024-01-01", "2024-+1-01", "2024-01--1", "",           "2024-01-0x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int64_t days = 77;
        if (text_date(bad[i], strlen(bad[i]), &days) || days != 77)
            fail_msg("'%s'", bad[i]);
    }
    int64_t days;
    assert_true(text_date("2000-02-29", 10, &days));
    assert_true(text_date("2024-02-29", 10, &days));
}

/* --- messages ------------------------------------------------------------------------------- */

static void check_quote(const char *text, size_t size, const char *expected)
{
    char out[64];
    memset(out, 'X', sizeof out);
    text_quote(out, size, text, strlen(text));
    assert_string_equal(out, expected);
    assert_int_equal(out[size], 'X');
}

static void quoting(void **state)
{
    (void)state;
    check_quote("plain", 20, "plain");
    check_quote("a\nb\tc\rd\x01"
                "e\x7f",
                40, "a\\nb\\tc\\rd\\x01e\\x7f");
    check_quote("\xc3\xa4\xff", 20, "\xc3\xa4\\xff");
    check_quote("\xc2\x9b"
                "31m\xe2\x80\xae\xc2\xa0",
                40, "\\u009b31m\\u202e\xc2\xa0"); /* obeyed by some terminals, but not seen */
    check_quote("123456789", 10, "123456789");    /* just fits */
    check_quote("1234567890", 10, "123456\xe2\x80\xa6");
    check_quote("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 10,
                "\xc3\xa4\xc3\xa4\xc3\xa4\xe2\x80\xa6");
    check_quote("123456", 4, "\xe2\x80\xa6");
    check_quote("123456", 3, "");
    check_quote("123456", 1, "");
    for (size_t size = 1; size < 40; size++) { /* never too long, always UTF-8 */
        char out[64];
        static const char text[] =
            "\xe2\x82\xac\x01\xf0\x9f\x98\x80\xff-\n\xc3\xa4\xe2\x82\xac tail";
        text_quote(out, size, text, sizeof text - 1);
        assert_true(strlen(out) < size);
        assert_int_equal(text_utf8_error(out, strlen(out)), strlen(out));
    }
}

static void characters(void **state)
{
    (void)state;
    assert_int_equal(text_characters("", 0), 0);
    assert_int_equal(text_characters("abc", 3), 3);
    assert_int_equal(text_characters("abc", 2), 2);
    assert_int_equal(text_characters("Größe …", strlen("Größe …")), 7);
}

static void distances(void **state)
{
    (void)state;
    assert_int_equal(text_distance("", ""), 0);
    assert_int_equal(text_distance("abc", ""), 3);
    assert_int_equal(text_distance("", "abc"), 3);
    assert_int_equal(text_distance("kitten", "sitting"), 3);
    assert_int_equal(text_distance("hopsital", "hospital"), 1);
    assert_int_equal(text_distance("ROLE", "rloe"), 1);
    assert_int_equal(text_distance("Role", "rOLE"), 0);
    assert_int_equal(text_distance("ca", "abc"), 3);
    char endless[200];
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_int_equal(text_distance(endless, "abc"), 202);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_point),
        cmocka_unit_test(every_sequence_of_up_to_three_bytes),
        cmocka_unit_test(errors_are_placed_at_any_offset),
        cmocka_unit_test(integers),
        cmocka_unit_test(decimals),
        cmocka_unit_test(formatted_decimals),
        cmocka_unit_test(dates_round_trip),
        cmocka_unit_test(wrong_dates),
        cmocka_unit_test(quoting),
        cmocka_unit_test(characters),
        cmocka_unit_test(distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/text.h"
#include "table/typed_value.h"

static locale_t c_locale;

static int set_up(void **state)
{
    (void)state;
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return c_locale == (locale_t)0;
}

static int tear_down(void **state)
{
    (void)state;
    freelocale(c_locale);
    return 0;
}

static bool date(const char *text, const char *format, int64_t *seconds)
{
    return typed_value_date(text, strlen(text), format, c_locale, seconds);
}

static void test_dates(void **state)
{
    (void)state;
    static const struct {
        const char *text, *format;
        int64_t days;
    } cases[] = {{"01.01.1970", "%d.%m.%Y", 0},
                 {"1.3.1970", "%d.%m.%Y", 59},
                 {"29 Feb 2024", "%d %b %Y", 19782},
                 {"1/2/69", "%m/%d/%y", -364},
                 {"1972", "%Y", 730},
                 {"1970-02", "%Y-%m", 31}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t seconds = 12345;
        assert_true(date(cases[i].text, cases[i].format, &seconds));
        assert_int_equal(seconds, cases[i].days * 86400);
    }
    int64_t seconds;
    assert_true(typed_value_iso_date("1969-12-31", 10, &seconds));
    assert_int_equal(seconds, -86400);
}

/* Two times of a day are two values; what the format leaves out is 0. */
static void test_times(void **state)
{
    (void)state;
    static const struct {
        const char *text, *format;
        int64_t seconds;
    } cases[] = {{"1970-01-01 00:00:00", "%Y-%m-%d %H:%M:%S", 0},
                 {"1970-01-01 08:00:01", "%Y-%m-%d %H:%M:%S", 28801},
                 {"1970-01-02T17:45", "%Y-%m-%dT%H:%M", 86400 + 63900},
                 {"31.12.1969 23:59", "%d.%m.%Y %H:%M", -60},
                 {"08:15", "%H:%M", 29700},
                 {"12:15 AM", "%I:%M %p", 900},
                 {"1970-01-01 23:59:60", "%Y-%m-%d %H:%M:%S", 86399},
                 {"1970-01-01 08:00 +0100", "%Y-%m-%d %H:%M %z", 28800}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t seconds = 12345;
        assert_true(date(cases[i].text, cases[i].format, &seconds));
        assert_int_equal(seconds, cases[i].seconds);
    }
    int64_t seconds;
    assert_false(date("24:61", "%H:%M", &seconds));
    assert_false(date("25:00", "%H:%M", &seconds));
}

static void test_no_dates(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"30.02.2024", "%d.%m.%Y"}, {"29.02.2023", "%d.%m.%Y"},  {"1.1.2024x", "%d.%m.%Y"},
        {"1.1.2024 ", "%d.%m.%Y"},  {" 1.1.2024", "%d.%m.%Y"},   {"", "%d.%m.%Y"},
        {"x", "%d.%m.%Y"},          {"01 Mai 2024", "%d %b %Y"}, {"13/13/24", "%m/%d/%y"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t days;
        assert_false(date(cases[i][0], cases[i][1], &days));
    }
    int64_t days;
    assert_false(typed_value_date("1970\0", 5, "%Y", c_locale, &days));
}

static void test_numbers_with_marks(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        char mark;
        double value;
    } good[] = {
        {"1,5", ',', 1.5},
        {",5", ',', 0.5},
        {"1234,50", ',', 1234.5},
        {"1.234,50", ',', 1234.5},
        {"-1.234.567", ',', -1234567},
        {"+0,25", ',', 0.25},
        {"12", ',', 12},
        {"1,5e3", ',', 1500},
        {"1.234", ',', 1234},
        {"1 234,5", ',', 1234.5},
        {"1\xc2\xa0"
         "234,5",
         ',', 1234.5},
        {"1\xe2\x80\xaf"
         "234 ,5",
         0, 0},
        {"1'234.5", '.', 1234.5},
        {"1,234.5", '.', 1234.5},
        {"1,234,567", '.', 1234567},
        {"1.5", '.', 1.5},
        {"1\xe2\x80\x99"
         "234",
         '.', 1234},
        {"1.5", 0, 1.5},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double value = 0;
        bool fine = typed_value_decimal(good[i].text, strlen(good[i].text), good[i].mark, &value);
        assert_int_equal(fine, good[i].value != 0);
        if (fine)
            assert_true(value == good[i].value);
    }
    static const struct {
        const char *text;
        char mark;
    } bad[] = {
        {"1.5", ','},     {"12.34,5", ','},     {"1234.567,5", ','}, {"1.234.5", ','},
        {"1,234.5", ','}, {"1,2,3", ','},       {"", ','},           {"-", ','},
        {",5x", ','},     {".234", ','},        {"1.234 567", ','},  {"1..234", ','},
        {"1,5", '.'},     {"1,23,456", '.'},    {"1,234,", '.'},     {"1,5", 0},
        {"1,234", 0},     {"1.234,567.8", ','}, {"1 ", ','},         {" 1", ','},
        {"0,1.234", ','},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value;
        assert_false(typed_value_decimal(bad[i].text, strlen(bad[i].text), bad[i].mark, &value));
    }
    int64_t whole = 0;
    assert_true(typed_value_integer("1.234.567", 9, ',', &whole));
    assert_int_equal(whole, 1234567);
    assert_false(typed_value_integer("1,5", 3, ',', &whole));
    assert_true(typed_value_integer("-1,234", 6, '.', &whole));
    assert_int_equal(whole, -1234);
}

/* POSIX: 69 to 99 are 1969 to 1999, 00 to 68 are 2000 to 2068. */
static void test_years_of_two_digits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t year;
    } cases[] = {{"01.01.69", 1969}, {"01.01.99", 1999}, {"01.01.00", 2000}, {"01.01.68", 2068}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t seconds;
        assert_true(date(cases[i].text, "%d.%m.%y", &seconds));
        assert_int_equal(seconds, text_days(cases[i].year, 1, 1) * 86400);
    }
}

/* What is written is read back, or refused. */
static void test_dates_are_written_as_they_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *format, *text;
    } cases[] = {{"%d.%m.%Y", "13.03.2024"},
                 {"%Y-%m-%d %H:%M:%S", "2024-03-13 08:05:09"},
                 {"%d %b %Y", "13 Mar 2024"},
                 {"%A, %d %B %Y", "Wednesday, 13 March 2024"},
                 {"%m/%y", NULL},
                 {"%Y-%m-%dT%H:%M", "2024-03-13T08:05"}};
    const int64_t day = text_days(2024, 3, 13) * 86400;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[40];
        int64_t seconds = day + (strstr(cases[i].format, "%H") == NULL ? 0 : 8 * 3600 + 5 * 60) +
                          (strstr(cases[i].format, "%S") == NULL ? 0 : 9);
        bool written = typed_value_date_text(text, sizeof text, seconds, cases[i].format, c_locale);
        assert_int_equal(written, cases[i].text != NULL);
        if (written)
            assert_string_equal(text, cases[i].text);
        assert_false(typed_value_date_text(text, 4, seconds, cases[i].format, c_locale));
    }
    char text[40];
    assert_true(typed_value_date_text(text, sizeof text, -86400 * 366, "%d.%m.%Y", c_locale));
    assert_string_equal(text, "31.12.1968");
}

static void test_expected(void **state)
{
    (void)state;
    char text[80];
    typed_value_expected(text, sizeof text, KITH_TYPE_DATE, "%d.%m.%Y");
    assert_string_equal(text, "a date of format %d.%m.%Y");
    typed_value_expected(text, sizeof text, KITH_TYPE_INTEGER, NULL);
    assert_string_equal(text, "an integer");
    typed_value_expected(text, sizeof text, KITH_TYPE_DECIMAL, ",");
    assert_string_equal(text, "a number such as 1.234,50");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_no_dates),
        cmocka_unit_test(test_numbers_with_marks),
        cmocka_unit_test(test_years_of_two_digits),
        cmocka_unit_test(test_dates_are_written_as_they_are_read),
        cmocka_unit_test(test_expected),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

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

static bool date(const char *text, const char *format, int64_t *days)
{
    return typed_value_date(text, strlen(text), format, c_locale, days);
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
        int64_t days = 12345;
        assert_true(date(cases[i].text, cases[i].format, &days));
        assert_int_equal(days, cases[i].days);
    }
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

static void test_expected(void **state)
{
    (void)state;
    char text[80];
    typed_value_expected(text, sizeof text, KITH_TYPE_DATE, "%d.%m.%Y");
    assert_string_equal(text, "a date of format %d.%m.%Y");
    typed_value_expected(text, sizeof text, KITH_TYPE_INTEGER, NULL);
    assert_string_equal(text, "an integer");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_no_dates),
        cmocka_unit_test(test_expected),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

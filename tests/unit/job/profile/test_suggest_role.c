#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "job/profile/profile.h"

static void suggests(const char *name, kith_type type, uint32_t distinct, uint32_t unique,
                     uint32_t n_rows, role expected)
{
    column c = {.name = name};
    column_profile p = {.column = &c, .type = type, .distinct = distinct, .unique = unique};
    profile_suggest(&p, n_rows);
    if (p.role != expected)
        fail_msg("%s: %s", name, profile_role_name(p.role));
    assert_non_null(p.why);
}

static void names_decide(void **state)
{
    (void)state;
    suggests("email", KITH_TYPE_STRING, 10, 0, 1000, ROLE_IDENTIFYING);
    suggests("Name", KITH_TYPE_STRING, 300, 50, 1000, ROLE_IDENTIFYING);
    suggests("age", KITH_TYPE_INTEGER, 90, 1, 1000, ROLE_QUASI_IDENTIFYING);
    suggests("dateOfBirth", KITH_TYPE_DATE, 990, 980, 1000, ROLE_QUASI_IDENTIFYING);
    suggests("native-country", KITH_TYPE_STRING, 40, 1, 1000, ROLE_QUASI_IDENTIFYING);
    suggests("main_diagnosis", KITH_TYPE_STRING, 40, 1, 1000, ROLE_SENSITIVE);
    suggests("salary", KITH_TYPE_INTEGER, 999, 998, 1000, ROLE_SENSITIVE);
    suggests("average", KITH_TYPE_INTEGER, 90, 1, 1000,
             ROLE_QUASI_IDENTIFYING); /* no word: careful */
}

static void statistics_decide(void **state)
{
    (void)state;
    suggests("patient_id", KITH_TYPE_INTEGER, 1000, 1000, 1000, ROLE_IDENTIFYING);
    suggests("blood_code", KITH_TYPE_STRING, 8, 0, 1000, ROLE_QUASI_IDENTIFYING);
    suggests("x", KITH_TYPE_STRING, 950, 920, 1000, ROLE_IDENTIFYING);
    suggests("x", KITH_TYPE_DECIMAL, 950, 920, 1000, ROLE_QUASI_IDENTIFYING);
    suggests("x", KITH_TYPE_STRING, 5, 5, 5, ROLE_QUASI_IDENTIFYING); /* too few rows to tell */
    suggests("x", KITH_TYPE_STRING, 1, 0, 1000, ROLE_INSENSITIVE);
    suggests("", KITH_TYPE_STRING, 2, 0, 1000, ROLE_QUASI_IDENTIFYING);
}

/* Numbers and dates do not identify by being different, texts do. */
static void numbers_and_dates_do_not_identify(void **state)
{
    (void)state;
    suggests("x", KITH_TYPE_INTEGER, 1000, 1000, 1000, ROLE_QUASI_IDENTIFYING);
    suggests("x", KITH_TYPE_DATE, 1000, 1000, 1000, ROLE_QUASI_IDENTIFYING);
    suggests("person_seen", KITH_TYPE_DATE, 1000, 1000, 1000, ROLE_QUASI_IDENTIFYING);
    column c = {.name = "x"};
    column_profile p = {.column = &c, .distinct = 100, .unique = 100, .commas = true};
    profile_suggest(&p, 100);
    assert_int_equal(p.role, ROLE_QUASI_IDENTIFYING);
    p.commas = false;
    p.short_date = true;
    profile_suggest(&p, 100);
    assert_int_equal(p.role, ROLE_QUASI_IDENTIFYING);
    p.short_date = false;
    profile_suggest(&p, 100);
    assert_int_equal(p.role, ROLE_IDENTIFYING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_decide),
        cmocka_unit_test(statistics_decide),
        cmocka_unit_test(numbers_and_dates_do_not_identify),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

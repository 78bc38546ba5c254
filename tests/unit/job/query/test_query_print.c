/* Answers as texts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "job/query/query_print.h"

static const char *titles[] = {"city", "sum(x) \"lowest\""};
static query_value values[] = {
    {QUERY_VALUE_TEXT, 0, "Köln, \"am\" Rhein"},
    {QUERY_VALUE_NUMBER, 2.5, NULL},
    {QUERY_VALUE_NULL, 0, NULL},
    {QUERY_VALUE_NUMBER, -1234567.00004, NULL},
    {QUERY_VALUE_TEXT, 0, "Bonn"},
    {QUERY_VALUE_NUMBER, 1200, NULL},
};
static const query_answer answer = {2, titles, 3, values};

static void prints(query_format format, const char *expected)
{
    char *text = NULL;
    kith_error error;
    assert_int_equal(query_print(&text, &answer, format, "SELECT 1", &error), KITH_OK);
    assert_string_equal(text, expected);
    free(text);
}

static void a_table(void **state)
{
    (void)state;
    prints(QUERY_TABLE, "city              sum(x) \"lowest\"\n"
                        "Köln, \"am\" Rhein              2.5\n"
                        "-                        -1234567\n"
                        "Bonn                         1200\n");
}

static void csv(void **state)
{
    (void)state;
    prints(QUERY_CSV, "city,\"sum(x) \"\"lowest\"\"\"\n"
                      "\"Köln, \"\"am\"\" Rhein\",2.5\n"
                      ",-1234567.00004\n"
                      "Bonn,1200\n");
}

static void json(void **state)
{
    (void)state;
    prints(QUERY_JSON, "{\n\t\"query\":\t\"SELECT 1\",\n"
                       "\t\"columns\":\t[\"city\", \"sum(x) \\\"lowest\\\"\"],\n"
                       "\t\"rows\":\t[[\"Köln, \\\"am\\\" Rhein\", 2.5], [null, "
                       "-1234567.00004], [\"Bonn\", 1200]]\n}\n");
}

static void formats_have_names(void **state)
{
    query_format format;
    kith_error error;
    (void)state;
    assert_int_equal(query_format_find(&format, NULL, &error), KITH_OK);
    assert_int_equal(format, QUERY_TABLE);
    assert_int_equal(query_format_find(&format, "json", &error), KITH_OK);
    assert_int_equal(format, QUERY_JSON);
    assert_int_equal(query_format_find(&format, "xml", &error), KITH_INVALID);
    assert_string_equal(error.message, "unknown format 'xml': expected table, csv or json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table),
        cmocka_unit_test(csv),
        cmocka_unit_test(json),
        cmocka_unit_test(formats_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "table/uri.h"

static int set_up(void **state)
{
    return (*state = arena_new()) == NULL;
}

static int tear_down(void **state)
{
    arena_free(*state);
    return 0;
}

static void test_which(void **state)
{
    (void)state;
    assert_int_equal(uri_which("data.csv"), URI_CSV);
    assert_int_equal(uri_which("-"), URI_CSV);
    assert_int_equal(uri_which("sqlite:x.db?table=t"), URI_SQLITE);
    assert_int_equal(uri_which("postgresql://h/d?table=t"), URI_POSTGRES);
    assert_int_equal(uri_which("postgres://h/d?table=t"), URI_POSTGRES);
    assert_int_equal(uri_which("duckdb:x.db?table=t"), URI_DUCKDB);
    assert_int_equal(uri_which("duckdb:x.parquet?table=t"), URI_DUCKDB);
    assert_int_equal(uri_which("a/x.parquet"), URI_PARQUET);
    assert_int_equal(uri_which("parts/*.Parquet"), URI_PARQUET);
    assert_int_equal(uri_which("x.json"), URI_JSON);
    assert_int_equal(uri_which("x.ndjson"), URI_JSON);
    assert_int_equal(uri_which("x.jsonl"), URI_JSON);
    /* what is to become such a file, and what has only a part of its name */
    assert_int_equal(uri_which("a/.x.parquet.kith-abc123"), URI_PARQUET);
    assert_int_equal(uri_which(".x.csv.kith-abc123"), URI_CSV);
    assert_int_equal(uri_which("x.parquet.kith-abc123"), URI_CSV);
    assert_int_equal(uri_which("a/.parquet"), URI_CSV);
    assert_int_equal(uri_which("parquet"), URI_CSV);
    assert_int_equal(uri_which("x.parquet.csv"), URI_CSV);
    assert_true(uri_is_path("x.parquet") && uri_is_path("x.csv") && uri_is_path("-"));
    assert_false(uri_is_path("duckdb:x.db?table=t") || uri_is_path("sqlite:x.db?table=t"));
}

static void test_shown(void **state)
{
    static const char *const cases[][2] = {
        {"x.csv", "x.csv"},
        {"-", "standard input"},
        {"sqlite:a:b@c?table=password=1", "sqlite:a:b@c?table=password=1"},
        {"postgresql://u@h/d?table=t", "postgresql://u@h/d?table=t"},
        {"postgresql://u:s3:c@r@h:5/d?table=t", "postgresql://u:***@h:5/d?table=t"},
        {"postgresql://u:@h/d", "postgresql://u:***@h/d"},
        {"postgresql:///d?password=a%20b&table=t&sslpassword=x",
         "postgresql:///d?password=***&table=t&sslpassword=***"},
        /* libpq reads passwords out of these, or the user meant one */
        {"postgresql://u:a?b@h/d?table=t", "postgresql://u:***@h/d?table=t"},
        {"postgresql://u:a?b@h", "postgresql://u:***@h"},
        {"postgresql://u:a/b@h/d?table=t", "postgresql://u:***@h/d?table=t"},
        {"postgresql://u?x=1:p@h/d?password=s", "postgresql://u?x=1:***@h/d?password=***"},
        {"postgresql://h/d?pass%77ord=s&%73slpassword=&password",
         "postgresql://h/d?pass%77ord=***&%73slpassword=***&password"},
        {"postgresql://h?password=s&x=a://@b?", "postgresql://h?password=***&x=a:***@b?"},
        {"postgresql://h:5/d?user=a:b@c&table=t", "postgresql://h:5/d?user=a:b@c&table=t"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(uri_shown(*state, cases[i][0]), cases[i][1]);
}

static void test_split(void **state)
{
    static const char *const cases[][3] = {
        {"sqlite:x.db?table=t", "x.db", "t"},
        {"sqlite:what?.db?table=a%20b%22", "what?.db", "a b\""},
        {"duckdb:x.db?table=s.t", "x.db", "s.t"},
        {"postgresql://h/d?table=s.t", "postgresql://h/d", "s.t"},
        {"postgresql://h/d?a=1&table=t&b=2", "postgresql://h/d?a=1&b=2", "t"},
        {"postgresql://h/d?table=t&b=2", "postgresql://h/d?b=2", "t"},
        {"postgresql://u:a?table=b@h/d?table=t", "postgresql://u:a?table=b@h/d", "t"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *address, *table;
        assert_int_equal(uri_split(*state, cases[i][0], &address, &table, NULL), KITH_OK);
        assert_string_equal(address, cases[i][1]);
        assert_string_equal(table, cases[i][2]);
    }
}

static void test_refused(void **state)
{
    static const char *const cases[][2] = {
        {"sqlite:x.db", "sqlite:x.db names no table"},
        {"sqlite:x.db?table=", "sqlite:x.db?table= names no table"},
        {"sqlite:?table=t", "sqlite:?table=t names no file"},
        {"sqlite:x.db?table=t&mode=ro",
         "sqlite:x.db?table=t&mode=ro: unknown parameter mode=ro, expected only table=NAME"},
        {"sqlite:x.db?table=%4", "sqlite:x.db?table=%4: broken percent escape in the table's name"},
        {"sqlite:x.db?table=%00",
         "sqlite:x.db?table=%00: broken percent escape in the table's name"},
        {"duckdb:x.db", "duckdb:x.db names no table"},
        {"duckdb:x.db?table=t&a=b",
         "duckdb:x.db?table=t&a=b: unknown parameter a=b, expected only table=NAME"},
        {"postgresql://u:pw@h/d", "postgresql://u:***@h/d names no table"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *address, *table;
        kith_error error;
        assert_int_equal(uri_split(*state, cases[i][0], &address, &table, &error), KITH_INVALID);
        assert_string_equal(error.message, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_which, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_shown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_split, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

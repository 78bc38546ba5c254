/* The query language: what it takes, and where it says that something is wrong. */
#include "query/query.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static arena *memory;

static int set_up(void **state)
{
    (void)state;
    memory = arena_new();
    return memory == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(memory);
    return 0;
}

static query parsed(const char *text)
{
    query q;
    kith_error error;
    if (query_parse(&q, text, memory, &error) != KITH_OK)
        fail_msg("%s: %s", text, error.message);
    return q;
}

static void refused(const char *text, const char *message)
{
    query q;
    kith_error error;
    assert_int_equal(query_parse(&q, text, memory, &error), KITH_INVALID);
    assert_string_equal(error.message, message);
}

static void every_clause(void **state)
{
    (void)state;
    query q = parsed("select sex, Count(*) AS n, sum(age)\nfrom cardio where age >= 30 and (sex = "
                     "'f' or not zip in ('1', '2')) group by sex order by n desc, sex limit 10;");
    assert_int_equal(q.n_items, 3);
    assert_string_equal(q.items[0].column, "sex");
    assert_int_equal(q.items[1].function, QUERY_COUNT);
    assert_string_equal(q.items[1].title, "n");
    assert_int_equal(q.items[2].function, QUERY_SUM);
    assert_string_equal(q.items[2].title, "sum(age)");
    assert_string_equal(q.from.text, "cardio");
    assert_int_equal(q.from.place.line, 2);
    assert_int_equal(q.from.place.column, 6);
    assert_int_equal(q.where->connective, QUERY_AND);
    assert_int_equal(q.where->right->connective, QUERY_OR);
    assert_int_equal(q.where->right->right->connective, QUERY_NOT);
    assert_int_equal(q.n_atoms, 3);
    assert_int_equal(q.atoms[0].op, QUERY_GREATER_EQUAL);
    assert_true(q.atoms[0].literals[0].is_number);
    assert_int_equal(q.atoms[2].n_literals, 2);
    assert_int_equal(q.n_groups, 1);
    assert_int_equal(q.n_orders, 2);
    assert_int_equal(q.orders[0].item, 1);
    assert_true(q.orders[0].descending);
    assert_int_equal(q.limit, 10);
    assert_true(q.aggregate);
}

static void and_binds_closer_than_or(void **state)
{
    (void)state;
    query q = parsed("select a where a = 1 or b = 2 and not c = 3");
    assert_int_equal(q.where->connective, QUERY_OR);
    assert_int_equal(q.where->right->connective, QUERY_AND);
    assert_false(q.aggregate);
    assert_int_equal(q.limit, -1);
}

static void negations_stand_where_sql_has_them(void **state)
{
    (void)state;
    query q =
        parsed("select a where a not between -1 and +2.5e1 and b is not null and c not in (1)");
    assert_int_equal(q.atoms[0].op, QUERY_BETWEEN);
    assert_string_equal(q.atoms[0].literals[0].text, "-1");
    assert_string_equal(q.atoms[0].literals[1].text, "2.5e1");
    assert_int_equal(q.where->left->left->connective, QUERY_NOT);
    assert_int_equal(q.atoms[1].op, QUERY_IS_NULL);
    assert_int_equal(q.where->left->right->connective, QUERY_NOT);
    assert_int_equal(q.where->right->connective, QUERY_NOT);
}

static void quotes(void **state)
{
    (void)state;
    query q =
        parsed("select \"group\", \"a \"\"b\"\"\" where \"gr\xc3\xb6\xc3\x9f\x65\" = 'it''s'");
    assert_string_equal(q.items[0].column, "group");
    assert_string_equal(q.items[1].column, "a \"b\"");
    assert_string_equal(q.atoms[0].column, "gr\xc3\xb6\xc3\x9f\x65");
    assert_string_equal(q.atoms[0].literals[0].text, "it's");
    assert_false(q.atoms[0].literals[0].is_number);
}

static void errors_have_a_place(void **state)
{
    (void)state;
    refused("", "query:1:1: the query ends where SELECT is expected");
    refused("selct a", "query:1:1: expected SELECT, found 'selct'");
    refused("select *", "query:1:8: name the columns: * is not supported");
    refused("select a,\n  from t", "query:2:3: expected a column or an aggregate, found 'from'");
    refused("select a where", "query:1:15: the query ends where a column is expected");
    refused("select a where a 5",
            "query:1:18: expected =, <>, <, >, IN, BETWEEN or IS NULL, found '5'");
    refused("select a where a = b", "query:1:20: expected a number or a 'text', found 'b'");
    refused("select a where a = \"b\"",
            "query:1:20: \"b\" is a name; a text is written in single quotes");
    refused("select a where a = null",
            "query:1:20: no value equals NULL: write IS NULL or IS NOT NULL");
    refused("select a where a = 'x", "query:1:20: this text does not end: ' is missing");
    refused("select a where a = 5x",
            "query:1:20: a number ends in a letter; texts and dates are written in 'quotes'");
    refused("select a where (a = 5", "query:1:22: the query ends where ) is expected");
    refused("select a where a = 5)", "query:1:21: expected the end of the query, found ')'");
    refused("select a where a in ()", "query:1:22: expected a number or a 'text', found ')'");
    refused("select a where a in (select b)",
            "query:1:22: queries inside queries are not supported");
    refused("select med(a)", "query:1:8: no function 'med': count, sum, avg, min and max");
    refused("select count(a)", "query:1:14: expected *, found 'a'");
    refused("select a, count(*)",
            "query:1:8: column a is next to an aggregate: it must be in GROUP BY");
    refused("select a from t, u", "query:1:16: joins are not supported");
    refused("select a from t join u", "query:1:17: join is not supported");
    refused("select distinct a", "query:1:8: distinct is not supported");
    refused("select a where a like 'x'", "query:1:18: like is not supported");
    refused("select a order by b",
            "query:1:19: ORDER BY takes an item of the SELECT list, which has no b");
    refused("select a limit 1.5", "query:1:16: expected a whole number, found '1.5'");
    refused("select a; drop table t", "query:1:11: drop is not supported");
    refused("select a -- comment", "query:1:10: expected the end of the query, found '-'");
    refused("select a where \xc3\xa4 = @", "query:1:20: unexpected character '@'");
    refused("select \xff", "the query is not valid UTF-8");
}

/* Bounds: each limit is reached, and one more is refused. */
static void bounds(void **state)
{
    (void)state;
    enum { ROOM = 2 * QUERY_MAX_BYTES };
    query q;
    kith_error error;
    char *text = malloc(ROOM);
    assert_non_null(text);
    strcpy(text, "select a where ");
    size_t n = strlen(text);
    memset(text + n, '(', QUERY_MAX_DEPTH - 1);
    strcpy(text + n + QUERY_MAX_DEPTH - 1, "a = 1");
    memset(text + n + QUERY_MAX_DEPTH + 4, ')', QUERY_MAX_DEPTH - 1);
    text[n + 2 * QUERY_MAX_DEPTH + 3] = '\0';
    parsed(text);
    memset(text + n, '(', 50000);
    strcpy(text + n + 50000, "a = 1");
    refused(text, "query:1:116: conditions are nested more than 100 deep");
    strcpy(text, "select a where");
    for (int i = 0; i <= QUERY_MAX_DEPTH; i++)
        strcat(text, " not");
    strcat(text, " a = 1");
    assert_int_equal(query_parse(&q, text, memory, &error), KITH_INVALID);
    strcpy(text, "select a where a in (1");
    for (int i = 1; i < QUERY_MAX_LITERALS; i++)
        strcat(text, ",1");
    strcat(text, ")");
    parsed(text);
    strcpy(text + strlen(text) - 1, ",1)");
    assert_int_equal(query_parse(&q, text, memory, &error), KITH_INVALID);
    assert_non_null(strstr(error.message, "more than 1000 values"));
    strcpy(text, "select a where a = 1");
    for (int i = 1; i < QUERY_MAX_ATOMS; i++)
        strcat(text, " or a = 1");
    parsed(text);
    strcat(text, " or a = 1");
    assert_int_equal(query_parse(&q, text, memory, &error), KITH_INVALID);
    strcpy(text, "select a");
    for (int i = 1; i < QUERY_MAX_ITEMS; i++)
        strcat(text, ",a");
    parsed(text);
    strcat(text, ",a");
    assert_int_equal(query_parse(&q, text, memory, &error), KITH_INVALID);
    memset(text, ' ', ROOM);
    text[QUERY_MAX_BYTES + 1] = '\0';
    assert_int_equal(query_parse(&q, text, memory, &error), KITH_INVALID);
    assert_non_null(strstr(error.message, "too long"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_clause),
        cmocka_unit_test(and_binds_closer_than_or),
        cmocka_unit_test(negations_stand_where_sql_has_them),
        cmocka_unit_test(quotes),
        cmocka_unit_test(errors_have_a_place),
        cmocka_unit_test(bounds),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

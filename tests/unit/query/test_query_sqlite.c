/* On data that is not generalized the three answers are one: the answer of SQLite. */
#include <math.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "query/query_answer.h"
#include "query/query_local.h"

enum { COLUMNS = 4, ROWS = 60, MAX_VALUES = 12 };

static const char *const names[COLUMNS] = {"age", "city", "born", "dose"};
static const kith_type types[COLUMNS] = {KITH_TYPE_INTEGER, KITH_TYPE_STRING, KITH_TYPE_DATE,
                                         KITH_TYPE_DECIMAL};

typedef struct table {
    query_domain domains[COLUMNS];
    char texts[COLUMNS][MAX_VALUES][16];
    const char *text_list[COLUMNS][MAX_VALUES];
    double numbers[COLUMNS][MAX_VALUES];
    uint32_t codes[COLUMNS][ROWS];
    query_interval intervals[MAX_VALUES + 1];
    const uint32_t *code_list[COLUMNS];
    const query_interval *interval_list[COLUMNS];
    uint32_t n_codes[COLUMNS];
    query_rows rows;
} table;

static void set_value(table *t, uint32_t j, uint32_t v)
{
    char *text = t->texts[j][v];
    double *number = &t->numbers[j][v];
    switch (types[j]) {
    case KITH_TYPE_INTEGER:
        *number = (double)v * 3 - 5;
        snprintf(text, 16, "%d", (int)*number);
        break;
    case KITH_TYPE_DECIMAL:
        *number = v * 0.25;
        snprintf(text, 16, "%.2f", *number);
        break;
    case KITH_TYPE_DATE:
        *number = (31.0 + v) * 86400; /* seconds since 1970 */
        snprintf(text, 16, "1970-02-%02u", 1 + v);
        break;
    default: snprintf(text, 16, "%c'%u", 'a' + (char)(v * 7 % 5), v); /* with a quote */
    }
    t->text_list[j][v] = text;
}

static void table_draw(table *t, rng *r)
{
    for (uint32_t v = 0; v <= MAX_VALUES; v++)
        t->intervals[v] = (query_interval){v, v};
    for (uint32_t j = 0; j < COLUMNS; j++) {
        const uint32_t n = 2 + rng_below(r, MAX_VALUES - 2);
        for (uint32_t v = 0; v < n; v++)
            set_value(t, j, v);
        for (uint32_t i = 0; i < ROWS; i++)
            t->codes[j][i] = rng_below(r, n + 1); /* n is missing */
        t->domains[j] = (query_domain){names[j],
                                       types[j],
                                       NULL,
                                       n,
                                       t->text_list[j],
                                       types[j] == KITH_TYPE_STRING ? NULL : t->numbers[j],
                                       NULL,
                                       0};
        t->code_list[j] = t->codes[j];
        t->interval_list[j] = t->intervals;
        t->n_codes[j] = n + 1;
    }
    t->rows = (query_rows){ROWS, t->code_list, t->interval_list, t->n_codes};
}

/* --- SQLite --- */

static void run(sqlite3 *db, const char *sql)
{
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message);
}

static sqlite3 *fill_database(const table *t)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    run(db, "create table t (age integer, city text, born text, dose real)");
    for (uint32_t i = 0; i < ROWS; i++) {
        sqlite3_stmt *insert;
        assert_int_equal(
            sqlite3_prepare_v2(db, "insert into t values (?, ?, ?, ?)", -1, &insert, NULL),
            SQLITE_OK);
        for (uint32_t j = 0; j < COLUMNS; j++) {
            const uint32_t v = t->codes[j][i];
            if (v == t->domains[j].n_values)
                sqlite3_bind_null(insert, (int)j + 1);
            else if (j == 0)
                sqlite3_bind_int(insert, 1, (int)t->numbers[0][v]);
            else if (j == 3)
                sqlite3_bind_double(insert, 4, t->numbers[3][v]);
            else
                sqlite3_bind_text(insert, (int)j + 1, t->texts[j][v], -1, SQLITE_STATIC);
        }
        assert_int_equal(sqlite3_step(insert), SQLITE_DONE);
        sqlite3_finalize(insert);
    }
    return db;
}

/* --- rows as lines of text, to be compared in any order --- */

typedef struct lines {
    char line[ROWS * 10][200];
    uint32_t n;
} lines;

static void put_number(char *line, double x)
{
    char text[40];
    snprintf(text, sizeof text, "|%.3f", fabs(x) < 1e-4 ? 0 : x);
    strcat(line, text);
}

static void ask_sqlite(lines *out, sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement;
    out->n = 0;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    while (sqlite3_step(statement) == SQLITE_ROW) {
        char *line = out->line[out->n++];
        line[0] = '\0';
        for (int c = 0; c < sqlite3_column_count(statement); c++)
            if (sqlite3_column_type(statement, c) == SQLITE_NULL)
                strcat(line, "|null");
            else if (sqlite3_column_type(statement, c) == SQLITE_TEXT)
                strcat(strcat(line, "|"), (const char *)sqlite3_column_text(statement, c));
            else
                put_number(line, sqlite3_column_double(statement, c));
    }
    sqlite3_finalize(statement);
}

static void put_value(char *line, query_value v)
{
    if (v.kind == QUERY_VALUE_NULL)
        strcat(line, "|null");
    else if (v.kind == QUERY_VALUE_TEXT)
        strcat(strcat(line, "|"), v.text);
    else
        put_number(line, v.number);
}

/* Of the three answers of an aggregate the expected one; the others must be the same. */
static void ask_kith(lines *out, const table *t, const char *sql)
{
    query q;
    query_plan p;
    query_answer a;
    kith_error error;
    arena *memory = arena_new();
    if (query_parse(&q, sql, memory, &error) != KITH_OK ||
        query_plan_make(&p, &q, t->domains, COLUMNS, ROWS, memory, &error) != KITH_OK)
        fail_msg("%s: %s", sql, error.message);
    uint64_t *vector = arena_array(memory, query_plan_length(&p), sizeof *vector);
    double *numbers = arena_array(memory, query_plan_length(&p), sizeof *numbers);
    assert_int_equal(query_local_vector(&p, vector, &t->rows, memory, &error), KITH_OK);
    query_plan_decode(&p, numbers, vector);
    assert_int_equal(query_answer_make(&a, &p, numbers, memory, &error), KITH_OK);
    out->n = 0;
    for (uint32_t row = 0; row < a.n_rows; row++) {
        char *line = out->line[out->n++];
        const query_value *v = a.values + (size_t)row * a.n_columns;
        line[0] = '\0';
        for (uint32_t i = 0; i < q.n_items; i++) {
            if (q.items[i].function == QUERY_COLUMN) {
                put_value(line, *v++);
                continue;
            }
            char three[3][200] = {"", "", ""};
            for (int k = 0; k < 3; k++)
                put_value(three[k], *v++);
            assert_string_equal(three[0], three[1]);
            assert_string_equal(three[1], three[2]);
            strcat(line, three[1]);
        }
    }
    arena_free(memory);
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void compare_answers(lines *found, lines *expected, const char *sql, bool ordered)
{
    if (!ordered) {
        qsort(found->line, found->n, sizeof *found->line, compare_lines);
        qsort(expected->line, expected->n, sizeof *expected->line, compare_lines);
    }
    if (found->n != expected->n)
        fail_msg("%s: %u rows, not %u", sql, found->n, expected->n);
    for (uint32_t i = 0; i < found->n; i++)
        if (strcmp(found->line[i], expected->line[i]) != 0)
            fail_msg("%s: %s, not %s", sql, found->line[i], expected->line[i]);
}

/* --- random queries --- */

static void draw_literal(char *out, size_t size, const table *t, uint32_t j, rng *r)
{
    const uint32_t v = rng_below(r, t->domains[j].n_values);
    if (types[j] == KITH_TYPE_STRING) /* quotes are doubled */
        snprintf(out, size, "'%c''%s'", t->texts[j][v][0], t->texts[j][v] + 2);
    else if (types[j] == KITH_TYPE_DATE)
        snprintf(out, size, "'%s'", t->texts[j][v]);
    else
        snprintf(out, size, "%s%s", rng_below(r, 4) == 0 ? "-" : "",
                 t->texts[j][v] + (t->texts[j][v][0] == '-'));
}

static void draw_condition(char *out, size_t size, const table *t, rng *r, int depth)
{
    static const char *const ops[] = {"=", "<>", "!=", "<", "<=", ">", ">="};
    char left[400], right[400];
    const uint32_t j = rng_below(r, COLUMNS), kind = rng_below(r, depth > 0 ? 8 : 5);
    if (kind >= 5) {
        draw_condition(left, sizeof left, t, r, depth - 1);
        draw_condition(right, sizeof right, t, r, depth - 1);
        if (kind == 5)
            snprintf(out, size, "NOT (%.180s)", left);
        else
            snprintf(out, size, "(%.180s) %s (%.180s)", left, kind == 6 ? "AND" : "OR", right);
        return;
    }
    draw_literal(left, sizeof left, t, j, r);
    draw_literal(right, sizeof right, t, j, r);
    const char *not = rng_below(r, 2) ? "NOT " : "";
    if (kind == 0)
        snprintf(out, size, "%s IS %sNULL", names[j], not );
    else if (kind == 1)
        snprintf(out, size, "%s %sIN (%.100s, %.100s)", names[j], not, left, right);
    else if (kind == 2)
        snprintf(out, size, "%s %sBETWEEN %.100s AND %.100s", names[j], not, left, right);
    else
        snprintf(out, size, "%s %s %.100s", names[j], ops[rng_below(r, 7)], left);
}

static void random_queries(void **state)
{
    (void)state;
    rng r;
    static table t;
    static lines found, expected;
    rng_init(&r, 1, 0);
    for (int round = 0; round < 40; round++) {
        table_draw(&t, &r);
        sqlite3 *db = fill_database(&t);
        for (int i = 0; i < 50; i++) {
            char where[500], sql[900];
            const char *by = names[rng_below(&r, COLUMNS)], *of = rng_below(&r, 2) ? "age" : "dose";
            draw_condition(where, sizeof where, &t, &r, 2);
            snprintf(
                sql, sizeof sql,
                "SELECT %s, count(*) AS n, sum(%s), avg(%s), min(born), max(%s) FROM t WHERE %s "
                "GROUP BY %s",
                by, of, of, of, where, by);
            if (rng_below(&r, 3) == 0) /* no groups: one row, also if nothing matches */
                snprintf(sql, sizeof sql, "SELECT count(*), sum(%s), max(born) FROM t WHERE %s", of,
                         where);
            ask_kith(&found, &t, sql);
            ask_sqlite(&expected, db, sql);
            compare_answers(&found, &expected, sql, false);
        }
        sqlite3_close(db);
    }
}

/* ORDER BY and LIMIT, where the order has no ties. */
static void order_and_limit(void **state)
{
    (void)state;
    rng r;
    static table t;
    static lines found, expected;
    rng_init(&r, 2, 0);
    static const char *const queries[] = {
        "SELECT age, count(*) AS n FROM t WHERE age IS NOT NULL GROUP BY age ORDER BY n DESC, age",
        ("SELECT age, count(*) AS n FROM t WHERE age IS NOT NULL GROUP BY age ORDER BY age DESC "
         "LIMIT 3"),
        "SELECT city, count(*) FROM t WHERE city IS NOT NULL GROUP BY city ORDER BY city LIMIT 100",
        "SELECT born, sum(dose) FROM t WHERE born IS NOT NULL GROUP BY born ORDER BY born DESC",
        "SELECT count(*) FROM t LIMIT 0"};
    for (int round = 0; round < 40; round++) {
        table_draw(&t, &r);
        sqlite3 *db = fill_database(&t);
        for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
            ask_kith(&found, &t, queries[i]);
            ask_sqlite(&expected, db, queries[i]);
            compare_answers(&found, &expected, queries[i], true);
        }
        sqlite3_close(db);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_queries),
        cmocka_unit_test(order_and_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

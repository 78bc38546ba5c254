#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/memory_feed.h"
#include "table/source.h"

/* A source over memory called data.csv; free with drop. */
static kith_status parse(kith_table **table, const char *bytes, size_t length,
                         const kith_table_options *options, kith_error *error)
{
    source s = {.uri = "data.csv", .name = "data.csv", .options = options};
    if (options->csv != NULL)
        s.csv = *options->csv;
    s.memory = arena_new();
    s.scratch = arena_new();
    memory_feed m = {bytes, length, 0};
    kith_status status = csv_source_parse(&s, memory_feed_of(&m), table, error);
    arena_free(s.scratch);
    if (status != KITH_OK)
        arena_free(s.memory);
    return status;
}

static kith_table *good(const char *text, kith_table_options options)
{
    kith_table *table = NULL;
    kith_error error = {0};
    kith_status status = parse(&table, text, strlen(text), &options, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, KITH_OK);
    return table;
}

static void bad_bytes(const char *text, size_t length, kith_table_options options,
                      const char *message)
{
    kith_table *table = NULL;
    kith_error error = {0};
    assert_int_equal(parse(&table, text, length, &options, &error), KITH_DATA);
    assert_string_equal(error.message, message);
}

static void bad(const char *text, const char *message)
{
    bad_bytes(text, strlen(text), (kith_table_options)KITH_INIT(kith_table_options), message);
}

static void cell(const kith_table *table, size_t row, size_t which, const char *text)
{
    const char *found = kith_table_cell(table, row, which);
    if (text == NULL)
        assert_null(found);
    else
        assert_string_equal(found, text);
}

static void test_plain(void **state)
{
    (void)state;
    kith_table *t = good("a,b\n1,x\n2,y\n", (kith_table_options)KITH_INIT(kith_table_options));
    assert_int_equal(kith_table_n_rows(t), 2);
    assert_int_equal(kith_table_n_columns(t), 2);
    assert_string_equal(kith_table_column_name(t, 1), "b");
    assert_null(kith_table_column_name(t, 2));
    cell(t, 0, 0, "1");
    cell(t, 1, 1, "y");
    assert_int_equal(t->separator, ',');
    kith_table_free(t);
}

static void test_separators(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        char separator;
    } cases[] = {{"a;b,c;d\n1;2;3\n", ';'},
                 {"a\tb\n1\t2\n", '\t'},
                 {"\"x,y,z\";b\n1;2\n", ';'},
                 {"\"x\"\"\n,y,z\";b\n1;2\n", ';'},
                 {"single\n1\n", ','}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kith_table *t = good(cases[i].text, (kith_table_options)KITH_INIT(kith_table_options));
        assert_int_equal(t->separator, cases[i].separator);
        kith_table_free(t);
    }
    kith_table *t = good("a,b;c\n1,2;3\n",
                         (kith_table_options)KITH_OPTIONS(kith_table_options, .separator = ';'));
    assert_string_equal(kith_table_column_name(t, 0), "a,b");
    kith_table_free(t);
}

static void test_quotes(void **state)
{
    (void)state;
    kith_table *t = good("a,b\n\"x,\"\"y\"\"\n\nz\",\"\"\n5\" pipe,\"\"\"\"\n",
                         (kith_table_options)KITH_INIT(kith_table_options));
    cell(t, 0, 0, "x,\"y\"\n\nz");
    cell(t, 0, 1, NULL);
    cell(t, 1, 0, "5\" pipe");
    cell(t, 1, 1, "\"");
    kith_table_free(t);
}

static void test_line_ends(void **state)
{
    (void)state;
    static const char *const texts[] = {("\xef\xbb\xbf"
                                         "a,b\r\n1,2\r\n3,4"),
                                        "a,b\r1,2\r3,4\r", "a,b\n1,2\n3,4\n\n\r\n\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        kith_table *t = good(texts[i], (kith_table_options)KITH_INIT(kith_table_options));
        assert_int_equal(kith_table_n_rows(t), 2);
        assert_string_equal(kith_table_column_name(t, 0), "a");
        cell(t, 1, 1, "4");
        kith_table_free(t);
    }
}

static void test_single_column(void **state)
{
    (void)state;
    kith_table *t = good("a\n1\n\n\"\"\n2\n", (kith_table_options)KITH_INIT(kith_table_options));
    assert_int_equal(kith_table_n_rows(t), 4);
    cell(t, 1, 0, NULL);
    cell(t, 2, 0, NULL);
    cell(t, 3, 0, "2");
    kith_table_free(t);
}

static void test_header_only(void **state)
{
    (void)state;
    kith_table *t = good("a,b\n", (kith_table_options)KITH_INIT(kith_table_options));
    assert_int_equal(kith_table_n_rows(t), 0);
    assert_int_equal(kith_table_n_columns(t), 2);
    assert_int_equal(t->columns[0].values.count, 0);
    kith_table_free(t);
}

static void test_wanted(void **state)
{
    (void)state;
    const kith_column_spec columns[] = {{.name = "c", .type = KITH_TYPE_INTEGER}, {.name = "a"}};
    kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = columns, .n_columns = 2);
    kith_table *t = good("a,b,c\nx,\xff,10\ny,?,9\n", options); /* b is not looked at */
    assert_int_equal(kith_table_n_columns(t), 2);
    assert_int_equal(t->columns[0].place, 2);
    assert_int_equal(t->columns[1].place, 0);
    cell(t, 0, 0, "10");
    cell(t, 0, 1, "x");
    assert_int_equal(t->columns[0].codes[0], 1);
    assert_int_equal(t->columns[0].values.whole[0], 9);
    kith_table_free(t);
    bad_bytes("a,b\n1,2\n", 8, options, "data.csv: no column 'c'");
}

static void test_trim(void **state)
{
    (void)state;
    const char *const missing[] = {"?"};
    kith_table_options options = KITH_OPTIONS(kith_table_options, .trim = true,
                                              .missing_values = missing, .n_missing_values = 1);
    kith_table *t = good("a, b\n 1 , \" x,y \" \n ?, ?\n", options);
    assert_string_equal(kith_table_column_name(t, 1), "b");
    cell(t, 0, 0, "1");
    cell(t, 0, 1, "x,y");
    cell(t, 1, 0, NULL);
    cell(t, 1, 1, NULL);
    kith_table_free(t);
}

static void test_errors(void **state)
{
    (void)state;
    bad("", "data.csv: the file is empty");
    bad("\xef\xbb\xbf", "data.csv: the file is empty");
    bad("a,b\n1,2\n3\n", "data.csv:3:1: 1 cell instead of 2, the last is '3'");
    bad("a,b\n1,2,é,4\n", "data.csv:2:5: 4 cells instead of 2, too many from 'é'");
    bad("a,b\n1,2\n\n3,4\n", "data.csv:3: an empty line instead of 2 cells");
    bad("a,b,a\n", "data.csv:1:5: the column name 'a' appears twice (columns 1 and 3)");
    bad("a,\n1,2\n", "data.csv: column 2 has no name");
    bad("a,b\n1,\"x\ny", "data.csv:2:3: the quote of \"x\\ny is never closed");
    bad("a,b\n\"1\n2\",\"x\"y\n",
        "data.csv:3:7: 'y' after a closing quote, expected a separator or the end of the line");
    bad("a,b\n1,x\xff\n", "data.csv:2:3: 'x\\xff' is not valid UTF-8 (column b)");
    bad("a\xff,b\n1,2\n", "data.csv:1:1: 'a\\xff' is not valid UTF-8 (a column name)");
    bad("\xff\xfe"
        "a",
        "data.csv:1: the text ends within a character of UTF-16");
    bad_bytes("a,b\n1,x\0y\n", 10, (kith_table_options)KITH_INIT(kith_table_options),
              "data.csv:2:3: 'x\\x00y' is not text: it contains a NUL byte (column b)");
}

static void wrong(kith_type type, const char *format, const char *text, const char *message)
{
    const kith_column_spec columns[] = {{.name = "a", .type = type, .date_format = format}};
    kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = columns, .n_columns = 1);
    bad_bytes(text, strlen(text), options, message);
}

static void test_wrong_types(void **state)
{
    (void)state;
    wrong(KITH_TYPE_INTEGER, NULL, "b,a\nx,1\nx,abc\n",
          "data.csv:3:3: 'abc' is not an integer (column a)");
    wrong(KITH_TYPE_INTEGER, NULL, "a\n9223372036854775808\n",
          "data.csv:2:1: '9223372036854775808' is not an integer (column a)");
    wrong(KITH_TYPE_DECIMAL, NULL, "b,a\n\"x\n\",1\n\"é\",\"1,5\"\n",
          "data.csv:4:5: '1,5' is not a decimal number (column a)");
    wrong(KITH_TYPE_DATE, NULL, "a\n2024-02-30\n",
          "data.csv:2:1: '2024-02-30' is not a date YYYY-MM-DD (column a)");
    wrong(KITH_TYPE_DATE, "%d.%m.%Y", "a\n01.02.2024\n01.02.2024 \n",
          "data.csv:3:1: '01.02.2024 ' is not a date of format %d.%m.%Y (column a)");
}

static void test_no_header(void **state)
{
    (void)state;
    const kith_csv_options headless = KITH_OPTIONS(kith_csv_options, .no_header = true);
    kith_table_options options = KITH_OPTIONS(kith_table_options, .csv = &headless);
    kith_table *table = good("17;1,5\n18;2,5\n", options);
    assert_int_equal(kith_table_n_rows(table), 2);
    assert_int_equal(kith_table_n_columns(table), 2);
    assert_string_equal(kith_table_column_name(table, 0), "c1");
    assert_string_equal(kith_table_column_name(table, 1), "c2");
    cell(table, 0, 0, "17");
    cell(table, 1, 1, "2,5");
    kith_table_free(table);
    /* the same name twice, and none, are values like any other */
    table = good("x,x,\n", options);
    assert_int_equal(kith_table_n_rows(table), 1);
    cell(table, 0, 2, NULL);
    kith_table_free(table);
    const kith_column_spec wanted[] = {{.name = "c2", .type = KITH_TYPE_INTEGER}};
    options.columns = wanted;
    options.n_columns = 1;
    bad_bytes("a,1\nb,x\n", 8, options, "data.csv:2:3: 'x' is not an integer (column c2)");
    bad_bytes("a,1\nb\n", 6, options, "data.csv:2:1: 1 cell instead of 2, the last is 'b'");
    bad_bytes("a\nb\n", 4, options, "data.csv: no column 'c2'");
    bad_bytes("", 0, options, "data.csv: the file is empty");
}

/* Dictionaries are sorted by value, keep the shortest text of a value, and know the mark. */
static void test_decimal_commas(void **state)
{
    (void)state;
    const kith_column_spec columns[] = {
        {.name = "a", .type = KITH_TYPE_DECIMAL, .date_format = ","},
        {.name = "b", .type = KITH_TYPE_INTEGER, .date_format = ","}};
    kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = columns, .n_columns = 2);
    kith_table *table = good("a;b\n1.234,50;1.000\n2,5;-3\n1234,5;1000\n", options);
    cell(table, 0, 0, "1.234,50"); /* as it was read */
    cell(table, 1, 0, "2,5");
    cell(table, 2, 0, "1234,5");
    cell(table, 0, 1, "1.000");
    cell(table, 2, 1, "1000");
    assert_int_equal(table->columns[0].values.count, 3);
    assert_true(table->columns[0].values.decimal[0] == 2.5);
    assert_true(table->columns[0].values.decimal[1] == 1234.5);
    assert_true(table->columns[0].values.decimal[2] == 1234.5);
    assert_int_equal(table->columns[0].values.mark, ',');
    assert_int_equal(table->columns[1].values.whole[0], -3);
    assert_int_equal(table->columns[1].values.whole[1], 1000);
    kith_table_free(table);
    wrong(KITH_TYPE_DECIMAL, ",", "a\n1.5\n",
          "data.csv:2:1: '1.5' is not a number such as 1.234,50 (column a)");
    wrong(KITH_TYPE_INTEGER, ".", "a\n\"1,5\"\n",
          "data.csv:2:1: '1,5' is not an integer such as 1,234 (column a)");
}

/* Cells are coded in batches by column; the message is still about the first wrong cell. */
static void test_first_error(void **state)
{
    (void)state;
    const kith_column_spec columns[] = {{.name = "a", .type = KITH_TYPE_INTEGER},
                                        {.name = "b", .type = KITH_TYPE_INTEGER}};
    kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = columns, .n_columns = 2);
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"a,b\n1,2\n3,x\ny,4\n", "data.csv:3:3: 'x' is not an integer (column b)"},
        {"a,b\n1,2\n3,x\n4\n", "data.csv:3:3: 'x' is not an integer (column b)"},
        {"a,b\n1,2\n3\n4,x\n", "data.csv:3:1: 1 cell instead of 2, the last is '3'"},
        {"a,b\n1,\"2\n\"\n3,x\n", "data.csv:2:3: '2\\n' is not an integer (column b)"},
        {"a,b\n1,x\n\"\"\"\",2\n", "data.csv:2:3: 'x' is not an integer (column b)"},
        {"a,b\n1,2\n\"\"\"\",2\n", "data.csv:3:1: '\"' is not an integer (column a)"},
        {"a,b\n1,x\n2,\"3\n", "data.csv:2:3: 'x' is not an integer (column b)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        bad_bytes(cases[i].text, strlen(cases[i].text), options, cases[i].message);
}

/* Records that cross the ends of the buffer, and cells that are longer than it. */
static void test_long(void **state)
{
    (void)state;
    enum { CELL = 700001, ROWS = 40000 };
    char *text = malloc(CELL + ROWS * 32 + 100), *to = text;
    to += sprintf(to, "a,b\n\"");
    memset(to, 'q', CELL);
    to += CELL;
    to += sprintf(to, "\",x\r\n");
    for (int i = 0; i < ROWS; i++)
        to += sprintf(to, "%d,\"x\"\"%d\r\n\"\r\n", i, i % 7);
    kith_table *t = good(text, (kith_table_options)KITH_INIT(kith_table_options));
    assert_int_equal(kith_table_n_rows(t), ROWS + 1);
    assert_int_equal(strlen(kith_table_cell(t, 0, 0)), CELL);
    for (int i = 0; i < ROWS; i++) {
        char expected[32];
        sprintf(expected, "%d", i);
        cell(t, (size_t)i + 1, 0, expected);
        sprintf(expected, "x\"%d\r\n", i % 7);
        cell(t, (size_t)i + 1, 1, expected);
    }
    kith_table_free(t);
    free(text);
}

static bool stop(void *user, const char *phase, double done)
{
    int *calls = user;
    assert_string_equal(phase, "load");
    assert_true(done >= 0 && done <= 1);
    return ++*calls < 2;
}

static void test_cancel(void **state)
{
    (void)state;
    enum { ROWS = 60000 };
    char *text = malloc(ROWS * 4 + 10);
    strcpy(text, "a,b\n");
    for (int i = 0; i < ROWS; i++)
        memcpy(text + 4 + i * 4, "1,2\n", 5);
    int n_calls = 0;
    kith_table_options options = KITH_INIT(kith_table_options);
    kith_run run = KITH_OPTIONS(kith_run, .progress = stop, .user = &n_calls);
    kith_error error = {0};
    source s = {.name = "data.csv", .options = &options, .run = &run};
    kith_table *table;
    s.memory = arena_new();
    s.scratch = arena_new();
    memory_feed m = {text, strlen(text), 0};
    assert_int_equal(csv_source_parse(&s, memory_feed_of(&m), &table, &error), KITH_CANCELLED);
    assert_int_equal(n_calls, 2);
    arena_free(s.scratch);
    arena_free(s.memory);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),          cmocka_unit_test(test_separators),
        cmocka_unit_test(test_quotes),         cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_single_column),  cmocka_unit_test(test_header_only),
        cmocka_unit_test(test_wanted),         cmocka_unit_test(test_trim),
        cmocka_unit_test(test_errors),         cmocka_unit_test(test_wrong_types),
        cmocka_unit_test(test_first_error),    cmocka_unit_test(test_long),
        cmocka_unit_test(test_cancel),         cmocka_unit_test(test_no_header),
        cmocka_unit_test(test_decimal_commas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

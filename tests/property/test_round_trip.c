/* Random tables come back as they were from every sink: any characters, quotes, separators, line
 * breaks, empty and missing cells. With KITH_TEST_POSTGRES (a URI that ends in "table=") PostgreSQL
 * is tried, too. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/rng.h"
#include "table/table.h"

enum { TABLES = 150, SQL_TABLES = 25, MAX_ROWS = 40, MAX_COLUMNS = 5, TEXT_BYTES = 64 };

static const char *const pieces[] = {"\"",           ",",    ";",    "\t", "\n", "\r", "\r\n", " ",
                                     "\xef\xbb\xbf", "é",    "🙂", "\\", ".",  "N",  "a",    "b",
                                     "\x01",         "\x7f", "'",    "%",  "0",  "-"};

static void random_text(rng *r, char *text)
{
    text[0] = '\0';
    for (uint32_t n = rng_below(r, 7); n > 0; n--)
        strcat(text, pieces[rng_below(r, sizeof pieces / sizeof *pieces)]);
}

typedef struct sample {
    char names[MAX_COLUMNS][TEXT_BYTES];
    char texts[MAX_ROWS * MAX_COLUMNS][TEXT_BYTES];
    const char *cells[MAX_ROWS * MAX_COLUMNS];
    kith_column_spec columns[MAX_COLUMNS];
    size_t n_rows, width;
} sample;

static void draw(sample *s, rng *r)
{
    memset(s, 0, sizeof *s);
    s->n_rows = rng_below(r, MAX_ROWS + 1);
    s->width = 1 + rng_below(r, MAX_COLUMNS);
    for (size_t i = 0; i < s->width; i++) {
        random_text(r, s->names[i]);
        sprintf(s->names[i] + strlen(s->names[i]), "%zu", i);
        s->columns[i].name = s->names[i];
    }
    for (size_t i = 0; i < s->n_rows * s->width; i++) {
        random_text(r, s->texts[i]);
        s->cells[i] = rng_below(r, 10) == 0 ? NULL : s->texts[i];
    }
}

/* A text that never occurs, so that the empty one is a value. */
static const char *const never[] = {"?never?"};

static kith_table *as_table(const sample *s)
{
    kith_table *table;
    kith_error error;
    kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = s->columns, .n_columns = s->width,
                     .missing_values = never, .n_missing_values = 1);
    assert_int_equal(kith_table_from_cells(&table, s->cells, s->n_rows, &options, &error), KITH_OK);
    return table;
}

/* `distinct`: the sink tells the empty text from a missing cell. */
static void compare(const sample *s, const kith_table *table, bool distinct)
{
    assert_int_equal(kith_table_n_rows(table), s->n_rows);
    assert_int_equal(kith_table_n_columns(table), s->width);
    for (size_t i = 0; i < s->width; i++)
        assert_string_equal(kith_table_column_name(table, i), s->names[i]);
    for (size_t i = 0; i < s->n_rows * s->width; i++) {
        const char *found = kith_table_cell(table, i / s->width, i % s->width);
        const char *wanted = s->cells[i];
        if (wanted != NULL && wanted[0] == '\0' && !distinct)
            wanted = NULL;
        if (wanted == NULL)
            assert_null(found);
        else
            assert_string_equal(found == NULL ? "(missing)" : found, wanted);
    }
}

static void there_and_back(rng *r, const char *uri, char separator, bool distinct)
{
    static sample s;
    draw(&s, r);
    kith_table *table = as_table(&s), *back = NULL;
    kith_error error = {0};
    kith_table_options options = KITH_OPTIONS(
        kith_table_options, .missing_values = distinct ? never : NULL, .n_missing_values = 1);
    options.separator = separator == '|' ? separator : 0; /* the others are detected */
    kith_status status =
        kith_table_write(table, uri,
                         &(kith_write_options)KITH_OPTIONS(
                             kith_write_options, .separator = separator, .overwrite = true),
                         &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, KITH_OK);
    status = kith_table_read(&back, uri, &options, NULL, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, KITH_OK);
    compare(&s, back, distinct);
    kith_table_free(back);
    kith_table_free(table);
}

static char directory[] = "/tmp/kith-round-XXXXXX";
static char path[256];

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(directory) == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory);
}

static void many(const char *name, int count, const char *separators, bool distinct)
{
    rng r;
    rng_init(&r, 7, (uint64_t)count);
    for (int i = 0; i < count; i++)
        there_and_back(&r, name, separators[i % (int)strlen(separators)], distinct);
}

static void test_csv(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "%s/x.csv", directory);
    many(path, TABLES, ",;\t|", false);
}

static void test_csv_gz(void **state)
{
    (void)state;
    unlink(path);
    snprintf(path, sizeof path, "%s/x.csv.gz", directory);
    many(path, TABLES, ",;\t", false);
}

static void test_sqlite(void **state)
{
    (void)state;
    char uri[300];
    unlink(path);
    snprintf(path, sizeof path, "%s/x.db", directory);
    snprintf(uri, sizeof uri, "sqlite:%s?table=t", path);
    many(uri, SQL_TABLES, ",", true);
}

static void test_postgres(void **state)
{
    (void)state;
    const char *server = getenv("KITH_TEST_POSTGRES");
    if (server == NULL)
        skip();
    char uri[500];
    snprintf(uri, sizeof uri, "%sround", server);
    many(uri, SQL_TABLES, ",", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_csv_gz),
        cmocka_unit_test(test_sqlite),
        cmocka_unit_test(test_postgres),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

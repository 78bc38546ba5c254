#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/scratch.h"
#include "table/table.h"
#include "table/table_writer.h"

static char *contents(const char *path)
{
    static char text[4096];
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return NULL;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    return text;
}

static const char *const names[] = {"a", "b;c", "d"};

static table_writer *begin(arena *memory, const char *path, char separator, size_t n_columns)
{
    table_writer *w;
    kith_error error = {0};
    kith_status status =
        table_writer_open(&w, memory, path, separator, false, names, n_columns, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, KITH_OK);
    return w;
}

static void test_quoting(void **state)
{
    (void)state;
    arena *memory = arena_new();
    const char *path = scratch_path("x.csv");
    table_writer *w = begin(memory, path, ',', 3);
    const char *const rows[][3] = {
        {"plain", NULL, ""}, {"a,b", "a;b", "say \"x\""}, {"1\n2", "\r", " x"}, {"x ", "é", "'"}};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(table_writer_row(w, rows[i], NULL), KITH_OK);
    assert_int_equal(table_writer_commit(w, NULL), KITH_OK);
    arena_free(memory);
    assert_string_equal(contents(path), "a,\"b;c\",d\n"
                                        "plain,,\"\"\n"
                                        "\"a,b\",a;b,\"say \"\"x\"\"\"\n"
                                        "\"1\n2\",\"\r\",\" x\"\n"
                                        "\"x \",é,'\n");
}

static void test_single_column(void **state)
{
    (void)state;
    arena *memory = arena_new();
    const char *path = scratch_path("x.csv");
    table_writer *w = begin(memory, path, ';', 1);
    const char *const rows[] = {"1,5", NULL, "x"};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(table_writer_row(w, &rows[i], NULL), KITH_OK);
    assert_int_equal(table_writer_commit(w, NULL), KITH_OK);
    arena_free(memory);
    assert_string_equal(contents(path), "a\n\"1,5\"\n\"\"\nx\n");
}

/* Complete or not at all. */
static void test_steps(void **state)
{
    (void)state;
    static const char *const files[] = {"x.csv", "x.csv.gz", "x.csv.zst"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = scratch_path(files[i]);
        const char *const row[] = {"1", "2", "3"};
        arena *memory = arena_new();
        table_writer *w = begin(memory, path, ',', 3);
        assert_int_equal(table_writer_row(w, row, NULL), KITH_OK);
        assert_int_equal(table_writer_finish(w, NULL), KITH_OK);
        assert_null(contents(path));
        kith_table *table;
        assert_non_null(table_writer_readable(w));
        assert_int_equal(kith_table_read(&table, table_writer_readable(w), NULL, NULL, NULL),
                         KITH_OK);
        assert_int_equal(kith_table_n_rows(table), 1);
        kith_table_free(table);
        arena_free(memory); /* never committed */
        assert_null(contents(path));
        memory = arena_new();
        w = begin(memory, path, ',', 3);
        assert_int_equal(table_writer_commit(w, NULL), KITH_OK);
        arena_free(memory);
        assert_non_null(contents(path));
        kith_error error;
        memory = arena_new();
        assert_int_equal(table_writer_open(&w, memory, path, ',', false, names, 3, &error),
                         KITH_INVALID);
        assert_non_null(strstr(error.message, "exists already"));
        arena_free(memory);
    }
}

static void test_refused(void **state)
{
    (void)state;
    arena *memory = arena_new();
    table_writer *w;
    kith_error error;
    const char *path = scratch_path("y.csv");
    assert_int_equal(table_writer_open(&w, memory, path, '"', false, names, 3, &error),
                     KITH_INVALID);
    assert_string_equal(error.message, "this separator is not possible: '\\x22'");
    assert_int_equal(table_writer_open(&w, memory, "y.csv", ',', false, names, 0, &error),
                     KITH_INVALID);
    assert_string_equal(error.message, "y.csv: a table without columns cannot be written");
    assert_int_equal(table_writer_open(&w, memory, "/nowhere/y.csv", ',', false, names, 3, &error),
                     KITH_IO);
    arena_free(memory);
    assert_null(contents(path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_quoting, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_single_column, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_steps, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_refused, scratch_setup, scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

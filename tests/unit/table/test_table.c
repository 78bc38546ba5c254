#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/aborts.h"
#include "support/scratch.h"
#include "table/table.h"

static const char *store(const char *text)
{
    const char *path = scratch_path("x.csv");
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    return path;
}

/* The arena is one of two owners, and frees the table as such. */
static void test_own(void **state)
{
    (void)state;
    kith_table *t;
    arena *memory = arena_new();
    assert_int_equal(kith_table_read(&t, store("a\n1\n"), NULL, NULL, NULL), KITH_OK);
    table_share(t);
    assert_int_equal(table_own(t, memory, NULL), KITH_OK);
    assert_int_equal(atomic_load(t->owners), 2);
    arena_free(memory);
    assert_int_equal(atomic_load(t->owners), 1);
    assert_string_equal(kith_table_cell(t, 0, 0), "1");
    kith_table_free(t);
}

static void test_find(void **state)
{
    (void)state;
    kith_table *t;
    assert_int_equal(kith_table_read(&t, store("a,b\n1,2\n"), NULL, NULL, NULL), KITH_OK);
    assert_int_equal(table_find(t, "b"), 1);
    assert_int_equal(table_find(t, "c"), UINT32_MAX);
    assert_null(kith_table_cell(t, 1, 0));
    assert_null(kith_table_cell(t, 0, 2));
    kith_table_free(t);
    kith_table_free(NULL);
}

static void test_find_value(void **state)
{
    (void)state;
    kith_table *t;
    const kith_column_spec specs[] = {
        {.name = "t"},
        {.name = "i", .type = KITH_TYPE_INTEGER},
        {.name = "d", .type = KITH_TYPE_DECIMAL, .date_format = ","},
        {.name = "w", .type = KITH_TYPE_DATE, .date_format = "%d.%m.%Y"}};
    kith_table_options options = KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = 4);
    const char *path =
        store("t;i;d;w\n7;7;1.000,5;01.02.2024\n07;007;-1;3.2.2024\nx;-2;2;03.02.2024\n");
    assert_int_equal(kith_table_read(&t, path, &options, NULL, NULL), KITH_OK);
    const struct {
        uint32_t column;
        const char *wanted, *found;
    } cases[] = {{0, "7", "7"},
                 {0, "07", "07"},
                 {0, "007", NULL},
                 {1, "+7", "7"},
                 {1, "-02", "-2"},
                 {1, "8", NULL},
                 {1, "seven", NULL},
                 {2, "1000,50", "1.000,5"},
                 {2, "1000.5", NULL},
                 {3, "1.2.2024", "01.02.2024"},
                 {3, "03.02.2024", "3.2.2024"},
                 {3, "2024-02-01", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dictionary *d = &t->columns[cases[i].column].values;
        const uint32_t code =
            dictionary_find(d, specs[cases[i].column].date_format, cases[i].wanted);
        if (cases[i].found == NULL)
            assert_int_equal(code, UINT32_MAX);
        else
            assert_string_equal(dictionary_text(d, code), cases[i].found);
    }
    kith_table_free(t);
}

static void test_line(void **state)
{
    (void)state;
    kith_table *t;
    kith_table_options options = KITH_OPTIONS(kith_table_options, .trim = true);
    const char *path = store("a;\"b\nb\"\n1; \"x;\ny\"\r\n2;3\n4;5\n");
    assert_int_equal(kith_table_read(&t, path, &options, NULL, NULL), KITH_OK);
    assert_int_equal(table_line(t, 0), 3);
    assert_int_equal(table_line(t, 1), 5);
    assert_int_equal(table_line(t, 2), 6);
    assert_int_equal(table_line(t, 3), 0);
    unlink(path);
    assert_int_equal(table_line(t, 0), 0);
    kith_table_free(t);
}

static void test_write_as_read(void **state)
{
    (void)state;
    kith_table *t;
    assert_int_equal(kith_table_read(&t, store("a;b\n1;2\n"), NULL, NULL, NULL), KITH_OK);
    const char *path = scratch_path("y.csv");
    assert_int_equal(kith_table_write(t, path, NULL, NULL), KITH_OK);
    kith_table_free(t);
    assert_int_equal(kith_table_read(&t, path, NULL, NULL, NULL), KITH_OK);
    assert_int_equal(t->separator, ';');
    kith_table_free(t);
}

static void test_refused(void **state)
{
    (void)state;
    kith_table *t = NULL;
    kith_error error;
    const kith_column_spec twice[] = {{.name = "a"}, {.name = "a"}};
    kith_table_options options = KITH_OPTIONS(kith_table_options, .columns = twice, .n_columns = 2);
    assert_int_equal(kith_table_read(&t, store("a\n1\n"), &options, NULL, &error), KITH_INVALID);
    assert_string_equal(error.message, "column a is wanted twice");
    assert_int_equal(kith_table_from_cells(&t, NULL, 0, NULL, &error), KITH_INVALID);
    assert_string_equal(error.message, "a table from memory needs named columns");
    options = (kith_table_options)KITH_OPTIONS(kith_table_options, .separator = '\n');
    assert_int_equal(kith_table_read(&t, store("a\n1\n"), &options, NULL, &error), KITH_INVALID);
    assert_string_equal(error.message, "this separator is not possible: '\\x0a'");
    assert_null(t);
}

#if KITH_DEBUG
static void write_a_code_without_a_value(void)
{
    kith_table *t;
    const char *const cells[] = {"x"};
    const kith_column_spec spec = {.name = "a"};
    kith_table_options options = KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1);
    (void)!kith_table_from_cells(&t, cells, 1, &options, NULL);
    t->columns[0].codes[0] = 1;
    (void)!kith_table_write(t, scratch_path("y.csv"), NULL, NULL);
}

static void debug_builds_notice_wrong_codes(void **state)
{
    (void)state;
    assert_true(aborts(write_a_code_without_a_value));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_find, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_own, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_find_value, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_line, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_write_as_read, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_refused, scratch_setup, scratch_teardown),
#if KITH_DEBUG
        cmocka_unit_test_setup_teardown(debug_builds_notice_wrong_codes, scratch_setup,
                                        scratch_teardown),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

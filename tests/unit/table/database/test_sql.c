#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "table/database/sql.h"
#include "table/table_writer.h"

/* A table of one column with these two cells. */
static kith_table *column_of(kith_type type, const char *first, const char *second)
{
    kith_table *table = NULL;
    kith_error error = {0};
    const kith_column_spec spec = {"x", type, NULL};
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1);
    const char *const cells[] = {first, second};
    assert_int_equal(kith_table_from_cells(&table, cells, 2, &options, &error), KITH_OK);
    return table;
}

static void test_what_reads_back(void **state)
{
    (void)state;
    static const struct {
        kith_type type;
        const char *first, *second;
        bool integers, decimals, decimals_with_zeros;
    } cases[] = {
        {KITH_TYPE_INTEGER, "7", "-12", true, false, false},
        {KITH_TYPE_INTEGER, "0", NULL, true, false, false},
        {KITH_TYPE_INTEGER, "7", "007", false, false, false}, /* both texts are kept */
        {KITH_TYPE_INTEGER, "8", "007", false, false, false},
        {KITH_TYPE_INTEGER, "+7", "8", false, false, false},
        {KITH_TYPE_INTEGER, "-0", "8", false, false, false},
        {KITH_TYPE_DECIMAL, "7", "0.25", false, true, true},
        {KITH_TYPE_DECIMAL, "7.50", "-1.25", false, false, true},
        {KITH_TYPE_DECIMAL, "2.0", "1", false, false, true},
        {KITH_TYPE_DECIMAL, "1234567890.1234567", "1", false, false, true},
        {KITH_TYPE_DECIMAL, "1e5", "1", false, false, false},
        {KITH_TYPE_DECIMAL, ".5", "1", false, false, false},
        {KITH_TYPE_DECIMAL, "1.", "2", false, false, false},
        {KITH_TYPE_DECIMAL, "-0.0", "2", false, false, false},
        {KITH_TYPE_STRING, "7", "8", false, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kith_table *table = column_of(cases[i].type, cases[i].first, cases[i].second);
        const dictionary *values = &table->columns[0].values;
        assert_int_equal(sql_numbers_integers(values), cases[i].integers);
        assert_int_equal(sql_numbers_decimals(values, false), cases[i].decimals);
        assert_int_equal(sql_numbers_decimals(values, true), cases[i].decimals_with_zeros);
        kith_table_free(table);
    }
    assert_false(sql_numbers_integers(NULL));
    assert_false(sql_numbers_decimals(NULL, true));
}

/* What SQLite hands out again is what was written, byte by byte. */
static void test_sqlite_reads_back(void **state)
{
    (void)state;
    char directory[] = "/tmp/sql_numbers.XXXXXX", uri[100];
    assert_non_null(mkdtemp(directory));
    snprintf(uri, sizeof uri, "sqlite:%s/t.db?table=t", directory);
    static const char *const cells[][2] = {{"7", "0.25"}, {"-12", "3"}, {NULL, "1234.5"}};
    const kith_column_spec specs[] = {{"a", KITH_TYPE_INTEGER, NULL},
                                      {"b", KITH_TYPE_DECIMAL, NULL}};
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = 2);
    kith_table *table = NULL, *back = NULL;
    kith_error error = {0};
    assert_int_equal(kith_table_from_cells(&table, &cells[0][0], 3, &options, &error), KITH_OK);
    arena *memory = arena_new();
    table_writer *w;
    const char *const names[] = {"a", "b"};
    const dictionary *const whole[] = {&table->columns[0].values, &table->columns[1].values};
    assert_int_equal(
        table_writer_open_whole(&w, memory, uri, ',', false, names, whole, table, 2, NULL, &error),
        KITH_OK);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(table_writer_row(w, cells[i], &error), KITH_OK);
    assert_int_equal(table_writer_commit(w, &error), KITH_OK);
    arena_free(memory);
    assert_int_equal(kith_table_read(&back, uri, NULL, NULL, &error), KITH_OK);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 2; k++) {
            const char *found = kith_table_cell(back, i, k);
            if (cells[i][k] == NULL)
                assert_null(found);
            else
                assert_string_equal(found, cells[i][k]);
        }
    kith_table_free(back);
    kith_table_free(table);
    snprintf(uri, sizeof uri, "%s/t.db", directory);
    unlink(uri);
    rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_reads_back),
        cmocka_unit_test(test_sqlite_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

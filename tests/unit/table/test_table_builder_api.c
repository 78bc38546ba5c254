#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "table/table.h"

static const kith_column_spec specs[] = {
    {.name = "age", .type = KITH_TYPE_INTEGER},
    {.name = "sex"},
    {.name = "day", .type = KITH_TYPE_DATE, .date_format = "%d.%m.%Y"},
};

static kith_table_builder *begin(const char *const *missing, size_t n_missing)
{
    kith_table_builder *b = NULL;
    kith_error error = {0};
    kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = 3, .trim = true,
                     .missing_values = missing, .n_missing_values = n_missing);
    assert_int_equal(kith_table_builder_new(&b, &options, &error), KITH_OK);
    return b;
}

static void same_tables(const kith_table *a, const kith_table *b)
{
    assert_int_equal(a->n_rows, b->n_rows);
    assert_int_equal(a->n_columns, b->n_columns);
    for (uint32_t i = 0; i < a->n_columns; i++) {
        const column *x = &a->columns[i], *y = &b->columns[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->values.count, y->values.count);
        assert_memory_equal(x->codes, y->codes, a->n_rows * sizeof *x->codes);
        for (uint32_t code = 0; code < x->values.count; code++) {
            assert_string_equal(dictionary_text(&x->values, code),
                                dictionary_text(&y->values, code));
            if (x->values.whole != NULL)
                assert_int_equal(x->values.whole[code], y->values.whole[code]);
        }
    }
}

/* Pieces of several sizes, with texts that end nowhere and dictionaries in any order, make the
 * table that the same cells make row by row. */
static void columns_make_the_table_of_rows(void **state)
{
    (void)state;
    static const char *const rows[] = {"34", "f",  "03.01.2024", "7",  NULL, "04.01.2024",
                                       NULL, "m",  "03.01.2024", "34", "f",  NULL,
                                       "9",  NULL, "24.12.2023"};
    kith_table *expected = NULL, *made = NULL;
    kith_error error = {0};
    const char *const missing[] = {"?", ""};
    kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = 3, .trim = true,
                     .missing_values = missing, .n_missing_values = 2);
    assert_int_equal(kith_table_from_cells(&expected, rows, 5, &options, &error), KITH_OK);

    kith_table_builder *b = begin(missing, 2);
    const char *const ages[] = {"34x", "7", NULL};
    const size_t lengths[] = {2, 1, 99};
    assert_int_equal(kith_table_builder_add_texts(b, 0, ages, lengths, 3, &error), KITH_OK);
    const char *const sexes[] = {"nobody has this", " m", "f", "m", "?", NULL};
    const uint32_t codes[] = {2, KITH_CODE_MISSING, 3, 2, 4};
    assert_int_equal(kith_table_builder_add_codes(b, 1, codes, 5, sexes, NULL, 6, &error), KITH_OK);
    const char *const days[] = {"04.01.2024", " 03.01.2024 ", "no date, and not used"};
    const size_t day_lengths[] = {10, 12, 0};
    const uint32_t first[] = {1, 0, 1, KITH_CODE_MISSING}, last[] = {0};
    assert_int_equal(kith_table_builder_add_codes(b, 2, first, 4, days, day_lengths, 3, &error),
                     KITH_OK);
    const char *const other[] = {"24.12.2023"};
    assert_int_equal(kith_table_builder_add_codes(b, 2, last, 1, other, NULL, 1, &error), KITH_OK);
    const char *const more[] = {"34", "9"};
    assert_int_equal(kith_table_builder_add_texts(b, 0, more, NULL, 2, &error), KITH_OK);
    assert_int_equal(kith_table_builder_finish(&made, b, &error), KITH_OK);
    same_tables(expected, made);
    kith_table_builder_free(b);

    assert_int_equal(kith_table_n_values(made, 1), 2);
    assert_string_equal(kith_table_value(made, 1, kith_table_codes(made, 1)[0]), "f");
    assert_int_equal(kith_table_codes(made, 1)[1], KITH_CODE_MISSING);
    assert_null(kith_table_value(made, 1, 2));
    assert_null(kith_table_value(made, 3, 0));
    assert_null(kith_table_codes(made, 3));
    assert_int_equal(kith_table_n_values(made, 3), 0);
    kith_table_free(expected);
    kith_table_free(made);
}

/* The caller's options may go as soon as the builder is there. */
static void options_are_copied(void **state)
{
    (void)state;
    char name[] = "day", format[] = "%d.%m.%Y", none[] = "?";
    const char *const missing[] = {none};
    kith_column_spec spec = {.name = name, .type = KITH_TYPE_DATE, .date_format = format};
    kith_table_options options = KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1,
                                              .missing_values = missing, .n_missing_values = 1);
    kith_table_builder *b = NULL;
    kith_table *table = NULL;
    assert_int_equal(kith_table_builder_new(&b, &options, NULL), KITH_OK);
    memset(name, 'x', 3);
    memset(format, 'x', 3);
    memset(none, 'x', 1);
    const char *const cells[] = {"24.12.2023", "?"};
    assert_int_equal(kith_table_builder_add_texts(b, 0, cells, NULL, 2, NULL), KITH_OK);
    assert_int_equal(kith_table_builder_finish(&table, b, NULL), KITH_OK);
    kith_table_builder_free(b);
    assert_string_equal(kith_table_column_name(table, 0), "day");
    assert_null(kith_table_cell(table, 1, 0));
    kith_table_free(table);
}

static void refuses(kith_table_builder *b, kith_status status, kith_status expected,
                    const kith_error *error, const char *message)
{
    assert_int_equal(status, expected);
    assert_string_equal(error->message, message);
    kith_table *table = NULL;
    kith_error again = {0};
    assert_int_equal(kith_table_builder_finish(&table, b, &again), KITH_INVALID);
    assert_string_equal(again.message, "the table builder has failed before: it can only be freed");
    kith_table_builder_free(b);
}

static void wrong_cells_are_named_by_their_row(void **state)
{
    (void)state;
    kith_error error = {0};
    const char *const fine[] = {"1"}, *const bad[] = {"2", "x"}, *const latin[] = {"M\xfcller"};
    const uint32_t codes[] = {1, 1, 0}, beyond[] = {0, 2};
    kith_table_builder *b = begin(NULL, 0);
    assert_int_equal(kith_table_builder_add_texts(b, 0, fine, NULL, 1, &error), KITH_OK);
    refuses(b, kith_table_builder_add_texts(b, 0, bad, NULL, 2, &error), KITH_DATA, &error,
            "the table: row 3: 'x' is not an integer (column age)");
    b = begin(NULL, 0);
    const char *const values[] = {"x", "2"};
    refuses(b, kith_table_builder_add_codes(b, 0, codes, 3, values, NULL, 2, &error), KITH_DATA,
            &error, "the table: row 3: 'x' is not an integer (column age)");
    b = begin(NULL, 0);
    refuses(b, kith_table_builder_add_codes(b, 1, beyond, 2, values, NULL, 2, &error), KITH_DATA,
            &error, "the table: row 2: code 2 of 2 values, which count from 0 (column sex)");
    b = begin(NULL, 0);
    refuses(b, kith_table_builder_add_texts(b, 1, latin, NULL, 1, &error), KITH_DATA, &error,
            "the table: row 1: 'M\\xfcller' is not valid UTF-8 (column sex)");
}

/* Columns of different lengths can still be completed; a column that is not there does no harm. */
static void columns_need_the_same_length(void **state)
{
    (void)state;
    kith_error error = {0};
    kith_table *table = NULL;
    const char *const cells[] = {"1", "2"};
    const char *const days[] = {"01.01.2024", "02.01.2024"};
    kith_table_builder *b = begin(NULL, 0);
    assert_int_equal(kith_table_builder_add_texts(b, 0, cells, NULL, 2, &error), KITH_OK);
    assert_int_equal(kith_table_builder_add_texts(b, 3, cells, NULL, 2, &error), KITH_INVALID);
    assert_string_equal(error.message, "there is no column 3");
    assert_int_equal(kith_table_builder_add_texts(b, 1, cells, NULL, 1, &error), KITH_OK);
    assert_int_equal(kith_table_builder_finish(&table, b, &error), KITH_INVALID);
    assert_string_equal(error.message, "column age has 2 cells, column sex has 1");
    assert_null(table);
    assert_int_equal(kith_table_builder_add_texts(b, 1, cells, NULL, 1, &error), KITH_OK);
    assert_int_equal(kith_table_builder_add_texts(b, 2, days, NULL, 2, &error), KITH_OK);
    assert_int_equal(kith_table_builder_finish(&table, b, &error), KITH_OK);
    assert_int_equal(kith_table_n_rows(table), 2);
    kith_table *second = NULL;
    assert_int_equal(kith_table_builder_finish(&second, b, &error), KITH_INVALID);
    assert_string_equal(error.message,
                        "the table builder has made its table: it can only be freed");
    kith_table_builder_free(b);
    kith_table_free(table);
    kith_table_builder_free(NULL);
    assert_int_equal(kith_table_builder_new(&b, NULL, &error), KITH_INVALID);
    assert_string_equal(error.message, "a table from memory needs named columns");
}

/* Many rows in one piece, and no row at all. */
static void any_number_of_rows(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    static uint32_t codes[MANY];
    const char *const values[] = {"b", "a"};
    kith_column_spec spec = {.name = "x"};
    kith_table_options options = KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1);
    for (uint32_t i = 0; i < MANY; i++)
        codes[i] = i % 3 == 0;
    for (size_t n = 0; n <= MANY; n += MANY) {
        kith_table_builder *b = NULL;
        kith_table *table = NULL;
        assert_int_equal(kith_table_builder_new(&b, &options, NULL), KITH_OK);
        assert_int_equal(kith_table_builder_add_codes(b, 0, codes, n, values, NULL, 2, NULL),
                         KITH_OK);
        assert_int_equal(kith_table_builder_finish(&table, b, NULL), KITH_OK);
        assert_int_equal(kith_table_n_rows(table), n);
        for (size_t i = 0; i < n; i += 997)
            assert_string_equal(kith_table_cell(table, i, 0), i % 3 == 0 ? "a" : "b");
        kith_table_builder_free(b);
        kith_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_make_the_table_of_rows),
        cmocka_unit_test(options_are_copied),
        cmocka_unit_test(wrong_cells_are_named_by_their_row),
        cmocka_unit_test(columns_need_the_same_length),
        cmocka_unit_test(any_number_of_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

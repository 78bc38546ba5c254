#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "support/scratch.h"
#include "table/table_view.h"

static const char csv[] = "id,age,day,zip\n"
                          "1,34,03.01.2024, a\n"
                          "2,?,04.01.2024,b \n"
                          "3,+7,?,c\n"
                          "4,7,03.01.2024,b\n";

static const kith_column_spec specs[] = {
    {.name = "zip"},
    {.name = "age", .type = KITH_TYPE_INTEGER},
    {.name = "day", .type = KITH_TYPE_DATE, .date_format = "%d.%m.%Y"},
};
static const char *const missing[] = {"?"};

static kith_table_options study_options(void)
{
    return (kith_table_options)KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = 3,
                                            .trim = true, .missing_values = missing,
                                            .n_missing_values = 1);
}

static kith_table *read_file(const char *text, const kith_table_options *options)
{
    kith_table *table = NULL;
    kith_error error = {0};
    const char *path = scratch_path("data.csv");
    scratch_write(path, text);
    kith_status status = kith_table_read(&table, path, options, NULL, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, KITH_OK);
    return table;
}

static void same_tables(const kith_table *a, const kith_table *b)
{
    assert_int_equal(a->n_rows, b->n_rows);
    assert_int_equal(a->n_columns, b->n_columns);
    for (uint32_t i = 0; i < a->n_columns; i++) {
        const column *x = &a->columns[i], *y = &b->columns[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->place, y->place);
        assert_int_equal(x->values.type, y->values.type);
        assert_int_equal(x->values.count, y->values.count);
        assert_memory_equal(x->codes, y->codes, a->n_rows * sizeof *x->codes);
        for (uint32_t code = 0; code < x->values.count; code++)
            assert_string_equal(dictionary_text(&x->values, code),
                                dictionary_text(&y->values, code));
    }
}

/* The view of a table of texts is what the file says under the options of a study, and the other
 * way round: texts are sorted as texts again. */
static void a_view_is_what_the_file_says(void **state)
{
    (void)state;
    kith_table_options options = study_options();
    kith_table_options texts_only = KITH_OPTIONS(kith_table_options, .trim = true,
                                                 .missing_values = missing, .n_missing_values = 1);
    kith_table *plain = read_file(csv, NULL), *typed = read_file(csv, &options);
    arena *memory = arena_new();
    const kith_table *view = NULL;
    assert_int_equal(table_view(&view, memory, plain, &options, NULL), KITH_OK);
    same_tables(view, typed);
    kith_table_options three = texts_only;
    kith_column_spec names[] = {{.name = "age"}, {.name = "day"}, {.name = "zip"}};
    three.columns = names;
    three.n_columns = 3;
    kith_table *as_texts = read_file(csv, &three);
    assert_int_equal(table_view(&view, memory, typed, &three, NULL), KITH_OK);
    same_tables(view, as_texts);
    kith_table_free(plain);
    kith_table_free(typed);
    kith_table_free(as_texts);
    arena_free(memory);
}

/* Columns that are as they should be are not copied. */
static void columns_are_shared(void **state)
{
    (void)state;
    kith_table_options options = study_options(), none = KITH_INIT(kith_table_options);
    kith_table *typed = read_file(csv, &options), *plain = read_file(csv, NULL);
    arena *memory = arena_new();
    const kith_table *view = NULL;
    assert_int_equal(table_view(&view, memory, typed, &options, NULL), KITH_OK);
    same_tables(view, typed);
    assert_ptr_equal(view->columns[0].codes, typed->columns[0].codes);
    assert_ptr_equal(view->columns[1].codes, typed->columns[1].codes);
    assert_ptr_not_equal(view->columns[2].codes, typed->columns[2].codes); /* dates */
    assert_int_equal(table_view(&view, memory, plain, &none, NULL), KITH_OK);
    for (uint32_t i = 0; i < plain->n_columns; i++)
        assert_ptr_equal(view->columns[i].codes, plain->columns[i].codes);
    kith_table_free(typed);
    kith_table_free(plain);
    arena_free(memory);
}

/* Lines of the file where there is one, otherwise rows. */
static void messages_name_the_place(void **state)
{
    (void)state;
    kith_table_options options = study_options();
    kith_table *plain = read_file("id,age,day,zip\n1,3,03.01.2024,a\n1,x,03.01.2024,a\n", NULL);
    arena *memory = arena_new();
    const kith_table *view = NULL;
    kith_error error = {0};
    char expected[400];
    assert_int_equal(table_view(&view, memory, plain, &options, &error), KITH_DATA);
    snprintf(expected, sizeof expected, "%s:3: 'x' is not an integer (column age)", plain->source);
    assert_string_equal(error.message, expected);
    kith_table_free(plain);

    static const char *const cells[] = {"1", "x"};
    const kith_column_spec age = {.name = "age"};
    kith_table_options one = KITH_OPTIONS(kith_table_options, .columns = &age, .n_columns = 1);
    assert_int_equal(kith_table_from_cells(&plain, cells, 2, &one, &error), KITH_OK);
    assert_int_equal(table_view(&view, memory, plain, &options, &error), KITH_DATA);
    assert_string_equal(error.message, "the table: no column 'zip'");
    assert_string_equal(error.hint, "its columns are: age");
    options.columns = &specs[1];
    options.n_columns = 1;
    assert_int_equal(table_view(&view, memory, plain, &options, &error), KITH_DATA);
    assert_string_equal(error.message, "the table: row 2: 'x' is not an integer (column age)");
    kith_table_free(plain);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_view_is_what_the_file_says, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(columns_are_shared, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(messages_name_the_place, scratch_setup, scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

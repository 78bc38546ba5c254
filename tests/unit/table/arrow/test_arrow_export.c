#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <kith/arrow.h>

#include "table/table.h"

static const kith_column_spec specs[] = {
    {.name = "job"},
    {.name = "age", .type = KITH_TYPE_INTEGER},
    {.name = "weight", .type = KITH_TYPE_DECIMAL},
    {.name = "day", .type = KITH_TYPE_DATE},
};

static const char *const cells[] = {
    "nurse", "34", "70.5",  "2024-02-29", /* */
    "cook",  NULL, "81",    "1969-12-31", /* */
    "cook",  "-7", "0.125", NULL,         /* */
};

static kith_table *make(const kith_column_spec *columns, const char *const *from, size_t n_rows)
{
    kith_table *table = NULL;
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = columns, .n_columns = 4);
    assert_int_equal(kith_table_from_cells(&table, from, n_rows, &options, NULL), KITH_OK);
    return table;
}

static struct ArrowArrayStream open_stream(const kith_table *table,
                                           const kith_arrow_options *options)
{
    struct ArrowArrayStream stream;
    assert_int_equal(kith_table_to_arrow(&stream, table, options, NULL), KITH_OK);
    return stream;
}

static void assert_formats(const kith_table *table, const kith_arrow_options *options,
                           const char *expected)
{
    struct ArrowArrayStream stream = open_stream(table, options);
    struct ArrowSchema schema;
    char found[100] = "";
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    assert_string_equal(schema.format, "+s");
    for (int64_t i = 0; i < schema.n_children; i++) {
        const struct ArrowSchema *c = schema.children[i];
        assert_string_equal(c->name, kith_table_column_name(table, (size_t)i));
        assert_int_equal(c->flags, ARROW_FLAG_NULLABLE);
        const size_t used = strlen(found);
        snprintf(found + used, sizeof found - used, "%s%s%s%s", i == 0 ? "" : " ", c->format,
                 c->dictionary == NULL ? "" : ":",
                 c->dictionary == NULL ? "" : c->dictionary->format);
    }
    assert_string_equal(found, expected);
    schema.release(&schema);
    assert_null(schema.release);
    stream.release(&stream);
    assert_null(stream.release);
}

static void types(void **state)
{
    (void)state;
    kith_table *table = make(specs, cells, 3);
    assert_formats(table, NULL, "i:u l g tdD");
    assert_formats(table,
                   &(kith_arrow_options)KITH_OPTIONS(kith_arrow_options, .all_texts = true,
                                                     .no_dictionary = true),
                   "u u u u");
    assert_formats(table, &(kith_arrow_options)KITH_OPTIONS(kith_arrow_options, .all_texts = true),
                   "i:u i:u i:u i:u");
    kith_table_free(table);
}

/* A type that would change a text is not used. */
static void texts_that_are_no_plain_numbers(void **state)
{
    (void)state;
    static const kith_column_spec numbers[] = {
        {.name = "a", .type = KITH_TYPE_INTEGER},
        {.name = "b", .type = KITH_TYPE_DECIMAL},
        {.name = "c", .type = KITH_TYPE_INTEGER},
        {.name = "d", .type = KITH_TYPE_DATE, .date_format = "%d.%m.%Y"}};
    static const char *const odd[] = {"7", "1.5", "+3", "31.12.2023", "007", "1.50", "4", NULL};
    kith_table *table = make(numbers, odd, 2);
    assert_formats(table, NULL, "i:u i:u i:u i:u");
    kith_table_free(table);
}

/* Decimals with the same number of digits behind the point keep their zeros. */
static void amounts(void **state)
{
    (void)state;
    static const kith_column_spec numbers[] = {{.name = "a", .type = KITH_TYPE_DECIMAL},
                                               {.name = "b", .type = KITH_TYPE_DECIMAL},
                                               {.name = "c", .type = KITH_TYPE_DECIMAL},
                                               {.name = "d", .type = KITH_TYPE_DECIMAL}};
    static const char *const given[] = {"1.50",  "0.0",  "12345678901234567890123456789012345678.0",
                                        "-1.0", /* */
                                        "-0.05", "7.25", "1.0",
                                        "01.0", /* */
                                        NULL,    NULL,   NULL,
                                        NULL};
    kith_table *table = make(numbers, given, 3);
    struct ArrowArray batch;
    assert_formats(table, NULL, "d:3,2 i:u i:u i:u");
    struct ArrowArrayStream stream = open_stream(table, NULL);
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    const int64_t *values = batch.children[0]->buffers[1]; /* low and high halves */
    assert_int_equal(batch.children[0]->null_count, 1);
    assert_int_equal(values[0], 150);
    assert_int_equal(values[1], 0);
    assert_int_equal(values[2], -5);
    assert_int_equal(values[3], -1);
    batch.release(&batch);
    stream.release(&stream);
    kith_table_free(table);
}

/* Releases are all texts; the table that they come from has the types. */
static void types_of_another_table(void **state)
{
    (void)state;
    static const kith_column_spec texts[] = {
        {.name = "day"}, {.name = "age"}, {.name = "weight"}, {.name = "new"}};
    static const char *const released[] = {"1970-01-02", "34",   "70-79", "1",
                                           "1970-01-03", "36.5", "*",     "2"};
    kith_table *table = make(specs, cells, 3), *release = make(texts, released, 2);
    assert_formats(release, NULL, "i:u i:u i:u i:u");
    assert_formats(release,
                   &(kith_arrow_options)KITH_OPTIONS(kith_arrow_options, .types_of = table),
                   "tdD g i:u i:u");
    kith_table_free(release);
    kith_table_free(table);
}

/* Arrays are used when stream and table are gone; a child and a dictionary when all else is. */
static void arrays_outlive_the_table(void **state)
{
    (void)state;
    kith_table *table = make(specs, cells, 3);
    struct ArrowArrayStream stream =
        open_stream(table, &(kith_arrow_options)KITH_OPTIONS(kith_arrow_options, .batch_rows = 2));
    struct ArrowArray first, second, end;
    kith_table_free(table);
    assert_int_equal(stream.get_next(&stream, &first), 0);
    assert_int_equal(stream.get_next(&stream, &second), 0);
    assert_int_equal(stream.get_next(&stream, &end), 0);
    assert_null(end.release);
    assert_null(stream.get_last_error(&stream));
    stream.release(&stream);
    assert_int_equal(first.length, 2);
    assert_int_equal(second.length, 1);
    second.release(&second);

    struct ArrowArray jobs = *first.children[0], ages = *first.children[1];
    first.children[0]->release = NULL;
    first.children[1]->release = NULL;
    first.release(&first);
    assert_null(first.release);
    struct ArrowArray values = *jobs.dictionary;
    jobs.dictionary->release = NULL;
    assert_int_equal(jobs.null_count, 0);
    assert_int_equal(((const int32_t *)jobs.buffers[1])[0], 1);
    assert_int_equal(((const int32_t *)jobs.buffers[1])[1], 0);
    jobs.release(&jobs);
    assert_int_equal(values.length, 2);
    assert_int_equal(((const int32_t *)values.buffers[1])[2], 9);
    assert_memory_equal(values.buffers[2], "cooknurse", 9);
    values.release(&values);
    assert_int_equal(ages.null_count, 1);
    assert_int_equal(((const uint8_t *)ages.buffers[0])[0] & 3, 1);
    assert_int_equal(((const int64_t *)ages.buffers[1])[0], 34);
    ages.release(&ages);
}

/* Consumers may look at indices of missing cells: they are valid. */
static void missing_cells_have_an_index(void **state)
{
    (void)state;
    static const char *const few[] = {NULL, NULL, NULL, NULL, "a", NULL, NULL, NULL};
    kith_table *table = make(specs, few, 2);
    struct ArrowArrayStream stream = open_stream(table, NULL);
    struct ArrowArray batch;
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    const struct ArrowArray *jobs = batch.children[0];
    assert_int_equal(jobs->null_count, 1);
    assert_int_equal(((const uint8_t *)jobs->buffers[0])[0] & 3, 2);
    assert_int_equal(((const int32_t *)jobs->buffers[1])[0], 0);
    assert_int_equal(batch.children[1]->null_count, 2);
    batch.release(&batch);
    stream.release(&stream);
    kith_table_free(table);
}

static void plain_texts(void **state)
{
    (void)state;
    kith_table *table = make(specs, cells, 3);
    struct ArrowArrayStream stream = open_stream(
        table, &(kith_arrow_options)KITH_OPTIONS(kith_arrow_options, .no_dictionary = true));
    struct ArrowArray batch;
    static const int32_t offsets[] = {0, 5, 9, 13};
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    assert_int_equal(batch.n_children, 4);
    assert_int_equal(batch.children[0]->n_buffers, 3);
    assert_memory_equal(batch.children[0]->buffers[1], offsets, sizeof offsets);
    assert_memory_equal(batch.children[0]->buffers[2], "nursecookcook", 13);
    batch.release(&batch);
    stream.release(&stream);
    kith_table_free(table);
}

static void no_rows(void **state)
{
    (void)state;
    kith_table *table = make(specs, NULL, 0);
    struct ArrowArrayStream stream = open_stream(table, NULL);
    struct ArrowArray batch;
    assert_formats(table, NULL, "i:u l g tdD");
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    assert_null(batch.release);
    stream.release(&stream);
    kith_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types),
        cmocka_unit_test(texts_that_are_no_plain_numbers),
        cmocka_unit_test(amounts),
        cmocka_unit_test(types_of_another_table),
        cmocka_unit_test(arrays_outlive_the_table),
        cmocka_unit_test(missing_cells_have_an_index),
        cmocka_unit_test(plain_texts),
        cmocka_unit_test(no_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>
#include <cmocka.h>

#include "support/arrow_source.h"
#include "table/table.h"

#define BUFFERS(...)      \
    (const void *const[]) \
    {                     \
        __VA_ARGS__       \
    }

static kith_table *read_with(arrow_source *s, const kith_table_options *options)
{
    kith_table *table = NULL;
    kith_error error = {0};
    struct ArrowArrayStream stream = arrow_source_stream(s);
    kith_status status = kith_table_from_arrow(&table, &stream, options, NULL, &error);
    if (status != KITH_OK)
        fail_msg("%s", error.message);
    assert_true(arrow_source_settled(s));
    assert_null(stream.release);
    return table;
}

/* The cells of a column, one behind the other; "-" is a missing one. */
static void assert_cells(const kith_table *table, size_t which, const char *const *expected,
                         size_t count)
{
    assert_int_equal(kith_table_n_rows(table), count);
    for (size_t row = 0; row < count; row++) {
        const char *cell = kith_table_cell(table, row, which);
        assert_string_equal(cell == NULL ? "-" : cell, expected[row]);
    }
}

static void assert_refused(arrow_source *s, const kith_table_options *options, kith_status expected,
                           const char *message)
{
    kith_table *table = NULL;
    kith_error error = {0};
    struct ArrowArrayStream stream = arrow_source_stream(s);
    s->n_handed_out = s->n_released = s->n_streams_released = 0;
    assert_int_equal(kith_table_from_arrow(&table, &stream, options, NULL, &error), expected);
    assert_string_equal(error.message, message);
    assert_null(table);
    assert_true(arrow_source_settled(s));
    assert_null(stream.release);
}

static void texts_integers_and_dictionaries(void **state)
{
    (void)state;
    static const uint8_t valid[] = {0x0d}; /* the second is missing */
    static const int32_t offsets[] = {0, 3, 5, 5, 8};
    static const int64_t large[] = {0, 1, 2, 3, 4};
    static const int64_t ages[] = {34, -7, 34, 9};
    static const uint8_t indices[] = {1, 0, 1, 2};
    static const int32_t value_offsets[] = {0, 1, 3, 4};
    arrow_source s;
    arrow_source_init(&s);
    arrow_source_column(&s, "job", "u", NULL);
    arrow_source_column(&s, "letter", "U", NULL);
    arrow_source_column(&s, "age", "l", NULL);
    arrow_source_column(&s, "sex", "C", "u");
    arrow_source_batch(&s, 4);
    arrow_source_fill(&s, 0, 4, 3, BUFFERS(valid, offsets, "abcxxdef"));
    arrow_source_fill(&s, 1, 4, 3, BUFFERS(NULL, large, "zyxz"));
    arrow_source_fill(&s, 2, 4, 2, BUFFERS(NULL, ages));
    arrow_source_fill(&s, 3, 4, 2, BUFFERS(valid, indices));
    arrow_source_fill_values(&s, 3, 3, 3, BUFFERS(NULL, value_offsets, "fmmx"));
    kith_table *table = read_with(&s, NULL);
    assert_string_equal(kith_table_column_name(table, 3), "sex");
    assert_cells(table, 0, (const char *const[]){"abc", "-", "-", "def"}, 4);
    assert_cells(table, 1, (const char *const[]){"z", "y", "x", "z"}, 4);
    assert_cells(table, 2, (const char *const[]){"34", "-7", "34", "9"}, 4);
    assert_cells(table, 3, (const char *const[]){"mm", "-", "mm", "x"}, 4);
    assert_int_equal(table->columns[2].values.type, KITH_TYPE_INTEGER);
    assert_int_equal(kith_table_n_values(table, 3), 2); /* nobody has "f" */
    kith_table_free(table);
}

static void failing_streams_say_why(void **state)
{
    (void)state;
    arrow_source s;
    arrow_source_init(&s);
    s.schema_fails = EIO;
    s.said = "the disk is gone";
    assert_refused(&s, NULL, KITH_IO, "the Arrow stream has no schema: the disk is gone");
    s.schema_fails = 0;
    s.next_fails = EINVAL;
    s.said = NULL;
    assert_refused(&s, NULL, KITH_IO, "the Arrow stream has no next batch: Invalid argument");
    struct ArrowArrayStream moved = {0};
    kith_table *table;
    assert_int_equal(kith_table_from_arrow(&table, &moved, NULL, NULL, NULL), KITH_INVALID);
    assert_null(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_integers_and_dictionaries),
        cmocka_unit_test(failing_streams_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

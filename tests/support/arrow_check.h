/* What tests of Arrow streams expect of a table. Includers have cmocka.h before. */
#ifndef SUPPORT_ARROW_CHECK_H
#define SUPPORT_ARROW_CHECK_H

#include <string.h>

#include "support/arrow_source.h"

#define BUFFERS(...)      \
    (const void *const[]) \
    {                     \
        __VA_ARGS__       \
    }

/* Cells of a column in one text, with blanks between them; "-" is a missing one. */
static inline void assert_cells(const kith_table *table, size_t which, const char *expected)
{
    char found[2000] = "";
    for (size_t row = 0; row < kith_table_n_rows(table); row++) {
        const char *cell = kith_table_cell(table, row, which);
        if (row > 0)
            strncat(found, " ", sizeof found - strlen(found) - 1);
        strncat(found, cell == NULL ? "-" : cell, sizeof found - strlen(found) - 1);
    }
    assert_string_equal(found, expected);
}

/* Reads the stream, which must succeed and release everything once. */
static inline kith_table *arrow_check_read(arrow_source *s, const kith_table_options *options)
{
    kith_table *table = NULL;
    kith_error error = {0};
    struct ArrowArrayStream stream = arrow_source_stream(s);
    if (kith_table_from_arrow(&table, &stream, options, NULL, &error) != KITH_OK)
        fail_msg("%s", error.message);
    assert_true(arrow_source_settled(s));
    assert_null(stream.release);
    return table;
}

/* The stream must be refused with this message, and release everything once. */
static inline void assert_refused(arrow_source *s, const kith_table_options *options,
                                  kith_status expected, const char *message)
{
    kith_table *table = NULL;
    kith_error error = {0};
    struct ArrowArrayStream stream = arrow_source_stream(s);
    assert_int_not_equal(kith_table_from_arrow(&table, &stream, options, NULL, &error), KITH_OK);
    assert_string_equal(error.message, message);
    assert_int_equal(error.status, expected);
    assert_null(table);
    assert_true(arrow_source_settled(s));
    assert_null(stream.release);
}

/* A stream of one column and one batch. */
static inline void arrow_check_one(arrow_source *s, const char *format, int64_t length,
                                   int64_t n_buffers, const void *const *buffers)
{
    arrow_source_init(s);
    arrow_source_column(s, "x", format, NULL);
    arrow_source_batch(s, length);
    arrow_source_fill(s, 0, length, n_buffers, buffers);
}

/* The cells of such a stream, and their type if nobody asks for another one. */
static inline void assert_one(const char *format, int64_t length, int64_t n_buffers,
                              const void *const *buffers, const char *expected)
{
    arrow_source s;
    arrow_check_one(&s, format, length, n_buffers, buffers);
    kith_table *table = arrow_check_read(&s, NULL);
    assert_cells(table, 0, expected);
    kith_table_free(table);
}

#endif

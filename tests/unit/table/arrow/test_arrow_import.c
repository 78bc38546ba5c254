#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <errno.h>
#include <stdlib.h>
#include <cmocka.h>

#include "support/arrow_check.h"
#include "table/table.h"

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
    kith_table *table = arrow_check_read(&s, NULL);
    assert_string_equal(kith_table_column_name(table, 3), "sex");
    assert_cells(table, 0, "abc - - def");
    assert_cells(table, 1, "z y x z");
    assert_cells(table, 2, "34 -7 34 9");
    assert_cells(table, 3, "mm - mm x");
    assert_int_equal(table->columns[2].values.type, KITH_TYPE_INTEGER);
    assert_int_equal(kith_table_n_values(table, 3), 2); /* nobody has "f" */
    kith_table_free(table);
}

/* Short views stand in the array, long ones in any of its buffers. */
typedef struct view {
    int32_t length;
    char begin[4];
    int32_t buffer, offset;
} view;

static const view short_view = {.length = 3, .begin = "abc"};

static void views(void **state)
{
    (void)state;
    static const view all[] = {{.length = 0},
                               {.length = 3, .begin = "abc"},
                               {.length = 13, .begin = {'w', 'o', 'r', 'd'}, .offset = 2},
                               {.length = 14, .begin = {'l', 'o', 'n', 'g'}, .buffer = 1},
                               {.length = 13, .begin = {'w', 'o', 'r', 'd'}, .offset = 2}};
    static const int64_t sizes[] = {15, 14};
    const uint8_t valid[] = {0x0f};
    assert_one("vu", 5, 5, BUFFERS(valid, all, "..words+to+read", "long,long,long", sizes),
               "- abc words+to+read long,long,long -");
    assert_one("vu", 1, 3, BUFFERS(NULL, &short_view, NULL), "abc");
}

static void assert_view_refused(view wrong, const void *buffer, const char *message)
{
    static const int64_t sizes[] = {15};
    arrow_source s;
    arrow_check_one(&s, "vu", 1, 4, BUFFERS(NULL, &wrong, buffer, sizes));
    assert_refused(&s, NULL, KITH_DATA, message);
}

static void wrong_views(void **state)
{
    (void)state;
    const view good = {.length = 13, .begin = {'w', 'o', 'r', 'd'}, .offset = 2};
    const char *text = "..words+to+read";
    view wrong = good;
    wrong.length = -1;
    assert_view_refused(wrong, text,
                        "the table, batch 1: row 1: an Arrow view of -1 bytes (column x)");
    wrong = good;
    wrong.offset = 3;
    assert_view_refused(wrong, text,
                        "the table, batch 1: row 1: an Arrow view of bytes 3 to 16 in a buffer of "
                        "15 (column x)");
    assert_view_refused(good, NULL,
                        "the table, batch 1: row 1: an Arrow view of bytes 2 to 15 in a buffer of "
                        "0 (column x)");
    wrong.offset = -1;
    assert_view_refused(wrong, text,
                        "the table, batch 1: row 1: an Arrow view of bytes -1 to 12 in a buffer of "
                        "15 (column x)");
    wrong = good;
    wrong.buffer = 1;
    assert_view_refused(wrong, text,
                        "the table, batch 1: row 1: an Arrow view into buffer 1 of 1 (column x)");
    wrong = good;
    wrong.begin[3] = 'k';
    assert_view_refused(wrong, text,
                        "the table, batch 1: row 1: an Arrow view whose prefix is not that of its "
                        "text (column x)");
}

/* Offsets of the batch and of its columns add up. */
static void slices(void **state)
{
    (void)state;
    static const int16_t numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    static const int32_t offsets[] = {7, 8, 9, 10, 11, 12, 13};
    static const uint8_t indices[] = {9, 9, 0, 1, 2, 1};
    static const uint8_t valid[] = {0xff, 0xfe}, bits[] = {0x00, 0x02};
    arrow_source s;
    arrow_source_init(&s);
    arrow_source_column(&s, "n", "s", NULL);
    arrow_source_column(&s, "t", "u", NULL);
    arrow_source_column(&s, "d", "C", "s");
    arrow_source_column(&s, "b", "b", NULL);
    arrow_source_batch(&s, 3);
    s.batches[0].offset = 1;
    arrow_source_fill(&s, 0, 4, 2, BUFFERS(NULL, numbers));
    s.arrays[0][0].array.offset = 7;
    arrow_source_fill(&s, 1, 5, 3, BUFFERS(NULL, offsets, ".......abcdef"));
    s.arrays[0][1].array.offset = 1;
    arrow_source_fill(&s, 2, 4, 2, BUFFERS(NULL, indices));
    s.arrays[0][2].array.offset = 2;
    arrow_source_fill_values(&s, 2, 3, 2, BUFFERS(NULL, numbers));
    s.arrays[0][2].dictionary.offset = 4;
    arrow_source_fill(&s, 3, 4, 2, BUFFERS(valid, bits));
    s.arrays[0][3].array.offset = 7;
    kith_table *table = arrow_check_read(&s, NULL);
    assert_cells(table, 0, "9 10 11");
    assert_cells(table, 1, "c d e");
    assert_cells(table, 2, "6 7 6");
    assert_cells(table, 3, "- true false");
    kith_table_free(table);
}

/* Every batch has a dictionary of its own, with values in another order, twice, or null. */
static void batches_with_other_dictionaries(void **state)
{
    (void)state;
    static const int32_t first[] = {0, 1, 1}, second[] = {2, 0, 1};
    static const int32_t offsets[] = {0, 1, 2, 3};
    static const uint8_t valid[] = {0x06};
    arrow_source s;
    arrow_source_init(&s);
    arrow_source_column(&s, "x", "i", "u");
    arrow_source_batch(&s, 3);
    arrow_source_fill(&s, 0, 3, 2, BUFFERS(NULL, first));
    arrow_source_fill_values(&s, 0, 2, 3, BUFFERS(NULL, offsets, "ba"));
    arrow_source_batch(&s, 0);
    arrow_source_fill(&s, 0, 0, 2, BUFFERS(NULL, NULL));
    arrow_source_fill_values(&s, 0, 0, 3, BUFFERS(NULL, NULL, NULL));
    arrow_source_batch(&s, 3);
    arrow_source_fill(&s, 0, 3, 2, BUFFERS(NULL, second));
    arrow_source_fill_values(&s, 0, 3, 3, BUFFERS(valid, offsets, "xbb"));
    kith_table *table = arrow_check_read(&s, NULL);
    assert_cells(table, 0, "b a a b - b");
    assert_int_equal(kith_table_n_values(table, 0), 2);
    kith_table_free(table);
}

static void no_batch_and_no_column(void **state)
{
    (void)state;
    arrow_source s;
    arrow_source_init(&s);
    arrow_source_column(&s, "x", "u", NULL);
    kith_table *table = arrow_check_read(&s, NULL);
    assert_int_equal(kith_table_n_rows(table), 0);
    assert_int_equal(kith_table_n_columns(table), 1);
    kith_table_free(table);
    arrow_source_init(&s);
    arrow_source_batch(&s, 0);
    table = arrow_check_read(&s, NULL);
    assert_int_equal(kith_table_n_columns(table), 0);
    kith_table_free(table);
}

/* More rows than the builder looks up at once, and texts that end with the buffer. */
static void many_rows(void **state)
{
    (void)state;
    enum { ROWS = 1000 };
    static int32_t offsets[ROWS + 1], numbers[ROWS];
    static char texts[ROWS];
    arrow_source s;
    for (int i = 0; i < ROWS; i++) {
        offsets[i + 1] = i + 1;
        texts[i] = (char)('a' + i % 26);
        numbers[i] = i * 7919;
    }
    arrow_source_init(&s);
    arrow_source_column(&s, "t", "u", NULL);
    arrow_source_column(&s, "n", "i", NULL);
    for (int i = 0; i < 2; i++) {
        arrow_source_batch(&s, ROWS);
        arrow_source_fill(&s, 0, ROWS, 3, BUFFERS(NULL, offsets, texts));
        arrow_source_fill(&s, 1, ROWS, 2, BUFFERS(NULL, numbers));
    }
    kith_table *table = arrow_check_read(&s, NULL);
    assert_int_equal(kith_table_n_values(table, 0), 26);
    assert_int_equal(kith_table_n_values(table, 1), ROWS);
    for (uint32_t i = 0; i < 2 * ROWS; i++) {
        assert_int_equal(kith_table_cell(table, i, 0)[0], texts[i % ROWS]);
        assert_int_equal(table->columns[1].values.whole[table->columns[1].codes[i]],
                         numbers[i % ROWS]);
    }
    kith_table_free(table);
}

/* Columns in the wanted order and type; those that nobody wants may be of any type. */
static void options_choose(void **state)
{
    (void)state;
    static const kith_column_spec wanted[] = {{.name = "n", .type = KITH_TYPE_INTEGER},
                                              {.name = "t", .type = KITH_TYPE_STRING}};
    static const char *const missing[] = {"-9", "a"};
    static const int32_t offsets[] = {0, 2, 3, 5};
    static const double numbers[] = {-9, 7, 34};
    arrow_source s;
    arrow_source_init(&s);
    arrow_source_column(&s, " t", "u", NULL);
    arrow_source_column(&s, "list", "+l", NULL);
    arrow_source_column(&s, "n", "g", NULL);
    arrow_source_batch(&s, 3);
    arrow_source_fill(&s, 0, 3, 3, BUFFERS(NULL, offsets, " ab b"));
    arrow_source_fill(&s, 2, 3, 2, BUFFERS(NULL, numbers));
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = wanted, .n_columns = 2, .trim = true,
                     .missing_values = missing, .n_missing_values = 2);
    kith_table *table = arrow_check_read(&s, &options);
    assert_cells(table, 0, "- 7 34");
    assert_cells(table, 1, "- b b");
    assert_int_equal(table->columns[0].place, 2);
    kith_table_free(table);
}

/* Blanks before a text at the very end of a buffer: nothing behind it is read. */
static void blanks_at_the_end(void **state)
{
    (void)state;
    const view inline_view = {.length = 12, .begin = "   "};
    static const int32_t offsets[] = {0, 12};
    char *texts = malloc(12);
    view *views_at = malloc(sizeof *views_at);
    arrow_source s;
    memcpy(texts, "           a", 12);
    *views_at = inline_view;
    memcpy((char *)views_at + 4, texts, 12);
    arrow_source_init(&s);
    arrow_source_column(&s, "u", "u", NULL);
    arrow_source_column(&s, "v", "vu", NULL);
    arrow_source_batch(&s, 1);
    arrow_source_fill(&s, 0, 1, 3, BUFFERS(NULL, offsets, texts));
    arrow_source_fill(&s, 1, 1, 3, BUFFERS(NULL, views_at, NULL));
    const kith_table_options options = KITH_OPTIONS(kith_table_options, .trim = true);
    kith_table *table = arrow_check_read(&s, &options);
    assert_cells(table, 0, "a");
    assert_cells(table, 1, "a");
    kith_table_free(table);
    free(views_at);
    free(texts);
}

static bool stop(void *user, const char *phase, double done)
{
    (void)phase;
    (void)done;
    return --*(int *)user > 0;
}

static void progress_can_stop(void **state)
{
    (void)state;
    static const int32_t numbers[] = {1};
    int calls = 2;
    arrow_source s;
    kith_table *table = NULL;
    arrow_check_one(&s, "i", 1, 2, BUFFERS(NULL, numbers));
    arrow_source_batch(&s, 1);
    arrow_source_fill(&s, 0, 1, 2, BUFFERS(NULL, numbers));
    struct ArrowArrayStream stream = arrow_source_stream(&s);
    const kith_run run = KITH_OPTIONS(kith_run, .progress = stop, .user = &calls);
    assert_int_equal(kith_table_from_arrow(&table, &stream, NULL, &run, NULL), KITH_CANCELLED);
    assert_null(table);
    assert_true(arrow_source_settled(&s));
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
    s.next_fails = ENOMEM;
    s.said = "";
    assert_refused(&s, NULL, KITH_NOMEM,
                   "the Arrow stream has no next batch: Cannot allocate memory");
    struct ArrowArrayStream moved = {0}, empty = arrow_source_stream(&s);
    kith_error error = {0};
    kith_table *table;
    assert_int_equal(kith_table_from_arrow(&table, &moved, NULL, NULL, NULL), KITH_INVALID);
    assert_null(table);
    assert_int_equal(kith_table_from_arrow(&table, NULL, NULL, NULL, NULL), KITH_INVALID);
    empty.get_next = NULL;
    assert_int_equal(kith_table_from_arrow(&table, &empty, NULL, NULL, &error), KITH_INVALID);
    assert_string_equal(error.message, "the Arrow stream has no functions to read it by");
    assert_null(empty.release);
}

/* Options that are refused release the stream, too. */
static void wrong_options_release(void **state)
{
    (void)state;
    static const kith_column_spec twice[] = {{.name = "x"}, {.name = "x"}};
    arrow_source s;
    arrow_source_init(&s);
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = twice, .n_columns = 2);
    assert_refused(&s, &options, KITH_INVALID, "column x is wanted twice");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_integers_and_dictionaries),
        cmocka_unit_test(views),
        cmocka_unit_test(wrong_views),
        cmocka_unit_test(slices),
        cmocka_unit_test(batches_with_other_dictionaries),
        cmocka_unit_test(no_batch_and_no_column),
        cmocka_unit_test(many_rows),
        cmocka_unit_test(options_choose),
        cmocka_unit_test(blanks_at_the_end),
        cmocka_unit_test(progress_can_stop),
        cmocka_unit_test(failing_streams_say_why),
        cmocka_unit_test(wrong_options_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

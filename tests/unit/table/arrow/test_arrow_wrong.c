/* Wrong schemas and arrays: one message each, no crash, everything released. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "support/arrow_check.h"

static const int32_t offsets[] = {0, 1, 2, 3}, indices[] = {0, 1, 0};

/* A good stream of texts and dictionaries; tests spoil one thing. */
static arrow_source *good(void)
{
    static arrow_source s;
    arrow_source_init(&s);
    arrow_source_column(&s, "t", "u", NULL);
    arrow_source_column(&s, "d", "i", "u");
    arrow_source_batch(&s, 3);
    arrow_source_fill(&s, 0, 3, 3, BUFFERS(NULL, offsets, "abc"));
    arrow_source_fill(&s, 1, 3, 2, BUFFERS(NULL, indices));
    arrow_source_fill_values(&s, 1, 2, 3, BUFFERS(NULL, offsets, "xy"));
    return &s;
}

static void the_good_one_is_read(void **state)
{
    (void)state;
    kith_table *table = arrow_check_read(good(), NULL);
    assert_cells(table, 0, "a b c");
    assert_cells(table, 1, "x y x");
    kith_table_free(table);
}

static void formats(void **state)
{
    (void)state;
    static const struct {
        const char *format, *name;
    } cases[] = {
        {"z", "binary"},
        {"Z", "large binary"},
        {"vz", "binary view"},
        {"w:16", "fixed-size binary"},
        {"ttm", "time of day"},
        {"tDs", "duration"},
        {"tiM", "interval"},
        {"+l", "list"},
        {"+L", "large list"},
        {"+vl", "list view"},
        {"+w:3", "fixed-size list"},
        {"+s", "struct"},
        {"+m", "map"},
        {"+ud:0,1", "dense union"},
        {"+us:0", "sparse union"},
        {"+r", "run-end encoded"},
    };
    static const char *const unknown[] = {"",
                                          "x",
                                          "uu",
                                          "d:",
                                          "d:5",
                                          "d:0,0",
                                          "d:77,0",
                                          "d:5,2,",
                                          "d:5,2,16",
                                          "d:5,2,128x",
                                          "d:5,99",
                                          "d: 5,2",
                                          "ts",
                                          "tsx:",
                                          "tss",
                                          "td",
                                          "d:99999999999999999999,1"};
    char message[300];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        arrow_source *s = good();
        s->columns[0].format = cases[i].format;
        snprintf(message, sizeof message,
                 "the table: column t: its Arrow type is %s ('%s'), expected text, numbers, "
                 "booleans, dates or timestamps",
                 cases[i].name, cases[i].format);
        assert_refused(s, NULL, KITH_DATA, message);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        arrow_source *s = good();
        s->columns[0].format = unknown[i];
        snprintf(message, sizeof message, "the table: column t: its Arrow type '%s' is unknown",
                 unknown[i]);
        assert_refused(s, NULL, KITH_DATA, message);
    }
}

static void wrong_schema(void **state)
{
    (void)state;
    arrow_source *s = good();
    s->schema.format = "u";
    assert_refused(s, NULL, KITH_DATA, "the Arrow stream has type 'u', expected a struct (+s)");
    s->schema.format = NULL;
    assert_refused(s, NULL, KITH_DATA, "the schema of the Arrow stream has no format");
    s = good();
    s->schema.n_children = -1;
    assert_refused(s, NULL, KITH_DATA, "the Arrow stream has -1 columns");
    s = good();
    s->schema.children = NULL;
    assert_refused(s, NULL, KITH_DATA, "the Arrow stream has 2 columns, and none is there");
    s = good();
    s->columns_at[1] = NULL;
    assert_refused(s, NULL, KITH_DATA, "column 2 of the Arrow stream is NULL");
    s = good();
    s->columns[1].name = NULL;
    assert_refused(s, NULL, KITH_DATA, "the table: column 2 has no name");
    s->columns[1].name = "\xff";
    assert_refused(s, NULL, KITH_DATA,
                   "the name of column 2 of the Arrow stream is not valid UTF-8");
    s->columns[1].name = "t";
    assert_refused(s, NULL, KITH_DATA, "the table: two columns are called 't'");
    s = good();
    s->columns[0].release = NULL;
    assert_refused(s, NULL, KITH_DATA, "the table: column t: its Arrow schema has been released");
    s = good();
    s->columns[0].format = NULL;
    assert_refused(s, NULL, KITH_DATA, "the table: column t: its Arrow schema has no format");
    s = good();
    s->columns[0].n_children = 1;
    assert_refused(s, NULL, KITH_DATA,
                   "the table: column t: its Arrow schema has children, expected none");
}

static void wrong_dictionary_schema(void **state)
{
    (void)state;
    arrow_source *s = good();
    s->columns[1].format = "u";
    assert_refused(s, NULL, KITH_DATA,
                   "the table: column d: the indices of its Arrow dictionary are no integers");
    s = good();
    s->values[1].dictionary = &s->values[0];
    assert_refused(s, NULL, KITH_DATA,
                   "the table: column d: its Arrow dictionary has a dictionary itself");
    s = good();
    s->values[1].format = "+l";
    assert_refused(s, NULL, KITH_DATA,
                   "the table: column d: its Arrow type is list ('+l'), expected text, numbers, "
                   "booleans, dates or timestamps");
}

static void wanted_columns(void **state)
{
    (void)state;
    static const kith_column_spec wanted[] = {{.name = "q"}};
    assert_refused(
        good(),
        &(kith_table_options)KITH_OPTIONS(kith_table_options, .columns = wanted, .n_columns = 1),
        KITH_DATA, "the table: no column 'q'");
}

static void wrong_batches(void **state)
{
    (void)state;
    static const uint8_t valid[] = {0x05};
    arrow_source *s = good();
    struct ArrowArray *b = &s->batches[0];
    const struct ArrowArray before = *b;
#define REFUSED(what) \
    assert_refused(s, NULL, KITH_DATA, "the table: batch 1 of the Arrow stream has " what)
    b->length = -1;
    REFUSED("a negative length");
    *b = before;
    b->offset = -1;
    REFUSED("a negative offset");
    b->offset = INT64_MAX;
    REFUSED("too large an offset");
    *b = before;
    b->n_children = 1;
    REFUSED("a wrong number of columns");
    *b = before;
    b->children = NULL;
    REFUSED("no columns");
    *b = before;
    b->n_buffers = 0;
    REFUSED("a wrong number of buffers");
    *b = before;
    b->dictionary = b;
    REFUSED("a dictionary");
    *b = before;
    b->null_count = 1;
    REFUSED("nulls, and no validity bitmap");
    s->batch_buffers[0][0] = valid;
    REFUSED("rows that are null");
    b->null_count = -1;
    REFUSED("rows that are null");
#undef REFUSED
}

static void wrong_arrays(void **state)
{
    (void)state;
    arrow_source *s = good();
    struct ArrowArray *a = &s->arrays[0][0].array;
    const struct ArrowArray before = *a;
#define REFUSED(what) \
    assert_refused(s, NULL, KITH_DATA, "the table, batch 1: column t: its Arrow array " what)
    a->length = 2;
    REFUSED("has 2 values, expected 3");
    *a = before;
    a->offset = -1;
    REFUSED("has length 3 and offset -1, which cannot be");
    a->offset = INT64_MAX;
    REFUSED("has length 3 and offset 9223372036854775807, which cannot be");
    *a = before;
    a->null_count = -2;
    REFUSED("has -2 nulls among 3 values");
    a->null_count = 4;
    REFUSED("has 4 nulls among 3 values");
    a->null_count = 1;
    REFUSED("has nulls, and no validity bitmap");
    *a = before;
    a->n_buffers = 2;
    REFUSED("has 2 buffers, expected 3");
    *a = before;
    a->buffers = NULL;
    REFUSED("has no buffers");
    *a = before;
    a->n_children = 1;
    REFUSED("has children, expected none");
    *a = before;
    a->dictionary = a;
    REFUSED("has an unexpected dictionary");
    *a = before;
    a->release = NULL;
    REFUSED("has been released");
    *a = before;
    s->arrays_at[0][0] = NULL;
    REFUSED("has 0 values, expected 3");
#undef REFUSED
    s = good();
    s->arrays[0][0].buffers[1] = NULL;
    assert_refused(s, NULL, KITH_DATA,
                   "the table, batch 1: column t: a buffer of its Arrow array is NULL");
    s = good();
    s->arrays[0][1].array.dictionary = NULL;
    assert_refused(s, NULL, KITH_DATA,
                   "the table, batch 1: column d: its Arrow array has no dictionary");
}

static void wrong_values(void **state)
{
    (void)state;
    static const int32_t falling[] = {0, 2, 1, 3}, negative[] = {-1, 1, 2, 3},
                         beyond[] = {0, 1, 4, 3}, far[] = {0, 2, 1}, minus[] = {0, -1, 1};
    arrow_source *s = good();
    s->arrays[0][0].buffers[1] = falling;
    assert_refused(s, NULL, KITH_DATA,
                   "the table, batch 1: row 2: Arrow offsets 2, 1 (the last is 3) (column t)");
    s->arrays[0][0].buffers[1] = negative;
    assert_refused(s, NULL, KITH_DATA,
                   "the table, batch 1: row 1: Arrow offsets -1, 1 (the last is 3) (column t)");
    s->arrays[0][0].buffers[1] = beyond;
    assert_refused(s, NULL, KITH_DATA,
                   "the table, batch 1: row 2: Arrow offsets 1, 4 (the last is 3) (column t)");
    s = good();
    s->arrays[0][0].buffers[2] = NULL;
    assert_refused(s, NULL, KITH_DATA,
                   "the table, batch 1: row 1: the texts of its Arrow array are NULL (column t)");
    s->arrays[0][0].buffers[2] = "a\xff"
                                 "b";
    assert_refused(s, NULL, KITH_DATA,
                   "the table, batch 1: row 2: '\\xff' is not valid UTF-8 (column t)");
    s->arrays[0][0].buffers[2] = "ab\0";
    assert_refused(s, NULL, KITH_DATA,
                   "the table, batch 1: row 3: '\\x00' is not text: it contains a NUL byte "
                   "(column t)");
    s = good();
    s->arrays[0][1].buffers[1] = far;
    assert_refused(s, NULL, KITH_DATA,
                   "the table, batch 1: row 2: Arrow index 2 of 2 values (column d)");
    s->arrays[0][1].buffers[1] = minus;
    assert_refused(s, NULL, KITH_DATA,
                   "the table, batch 1: row 2: Arrow index -1 of 2 values (column d)");
}

/* An empty text needs no buffer, whatever offsets behind it say. */
static void no_texts(void **state)
{
    (void)state;
    static const int32_t later[] = {0, 0, 0, 0, 100};
    arrow_source *s = good();
    s->arrays[0][0].array.length = 4;
    s->arrays[0][0].buffers[1] = later;
    s->arrays[0][0].buffers[2] = NULL;
    kith_table *table = arrow_check_read(s, NULL);
    assert_cells(table, 0, "- - -");
    kith_table_free(table);
}

/* Rows count through all batches. */
static void places_in_later_batches(void **state)
{
    (void)state;
    static const int32_t far[] = {0, 2, 1};
    arrow_source *s = good();
    arrow_source_batch(s, 3);
    arrow_source_fill(s, 0, 3, 3, BUFFERS(NULL, offsets, "abc"));
    arrow_source_fill(s, 1, 3, 2, BUFFERS(NULL, far));
    arrow_source_fill_values(s, 1, 2, 3, BUFFERS(NULL, offsets, "xy"));
    assert_refused(s, NULL, KITH_DATA,
                   "the table, batch 2: row 5: Arrow index 2 of 2 values (column d)");
    s->arrays[1][1].array.n_buffers = 7;
    assert_refused(s, NULL, KITH_DATA,
                   "the table, batch 2: column d: its Arrow array has 7 buffers, expected 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_good_one_is_read),
        cmocka_unit_test(formats),
        cmocka_unit_test(wrong_schema),
        cmocka_unit_test(wrong_dictionary_schema),
        cmocka_unit_test(wanted_columns),
        cmocka_unit_test(wrong_batches),
        cmocka_unit_test(wrong_arrays),
        cmocka_unit_test(wrong_values),
        cmocka_unit_test(no_texts),
        cmocka_unit_test(places_in_later_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

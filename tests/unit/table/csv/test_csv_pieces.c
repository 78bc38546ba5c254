#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "support/scratch.h"
#include "table/table.h"

static char *pattern(const char *end)
{
    static char path[512];
    snprintf(path, sizeof path, "%s%s", scratch_directory, end);
    return path;
}

static kith_status read_as(kith_table **table, const char *uri, bool no_header, kith_error *error)
{
    const kith_csv_options csv = KITH_OPTIONS(kith_csv_options, .no_header = no_header);
    const kith_table_options options = KITH_OPTIONS(kith_table_options, .csv = &csv);
    return kith_table_read(table, uri, &options, NULL, error);
}

static void cell(const kith_table *table, size_t row, size_t which, const char *text)
{
    assert_string_equal(kith_table_cell(table, row, which), text);
}

/* Rows come in the order of names, with the lines of their own files. */
static void test_pattern_and_directory(void **state)
{
    (void)state;
    scratch_write(scratch_path("b.csv"), "x,y\n3,\"c\nc\"\n4,d\n");
    scratch_write(scratch_path("a.csv"), "x,y\n1,a\n2,b");
    scratch_write(scratch_path("c.csv"), "x,y\n");
    scratch_write(scratch_path(".hidden.csv"), "other\n");
    scratch_write(scratch_path("notes.json"), "{}");
    const char *const uris[] = {"/*.csv", "/", ""};
    for (size_t i = 0; i < 3; i++) {
        kith_table *t;
        kith_error error = {0};
        assert_int_equal(read_as(&t, pattern(uris[i]), false, &error), KITH_OK);
        assert_int_equal(kith_table_n_rows(t), 4);
        for (size_t row = 0; row < 4; row++)
            cell(t, row, 0, (const char *[]){"1", "2", "3", "4"}[row]);
        cell(t, 2, 1, "c\nc");
        assert_int_equal(table_line(t, 1), 3);
        assert_int_equal(table_line(t, 2), 2);
        assert_int_equal(table_line(t, 3), 4);
        assert_string_equal(table_file(t, 1), scratch_path("a.csv"));
        assert_string_equal(table_file(t, 3), scratch_path("b.csv"));
        assert_int_equal(table_source_line(t, 3), 0);
        kith_table_free(t);
    }
}

static void refused(const char *uri, const char *message)
{
    kith_table *t;
    kith_error error = {0};
    assert_int_not_equal(read_as(&t, pattern(uri), false, &error), KITH_OK);
    assert_non_null(strstr(error.message, message));
}

static void test_refused(void **state)
{
    (void)state;
    refused("/*.csv", "no file matches");
    refused("/", "it is a directory without .csv files");
    scratch_write(scratch_path("a.csv"), "x,y\n1,a\n");
    scratch_write(scratch_path("b.csv"), "x,z\n1,a\n");
    refused("/", "b.csv:1: column 2 is 'z', but 'y' in ");
    scratch_write(scratch_path("b.csv"), "x\n1\n");
    refused("/", "b.csv:1: 1 column, but 2 in ");
    scratch_write(scratch_path("b.csv"), "");
    refused("/", "b.csv: the file is empty");
    scratch_write(scratch_path("b.csv"), "x,y\n1,a\n1,2,3\n");
    refused("/", "b.csv:3:5: 3 cells instead of 2");
}

/* Without headers no line is left out. */
static void test_no_header(void **state)
{
    (void)state;
    kith_table *t;
    kith_error error = {0};
    scratch_write(scratch_path("a.csv"), "1,a\n2,b\n");
    scratch_write(scratch_path("b.csv"), "\xef\xbb\xbf"
                                         "3,c\n");
    assert_int_equal(read_as(&t, pattern("/*"), true, &error), KITH_OK);
    assert_int_equal(kith_table_n_rows(t), 3);
    cell(t, 2, 0, "3");
    assert_int_equal(table_line(t, 2), 1);
    kith_table_free(t);
}

static void *write_pipe(void *path)
{
    scratch_write(path, "x\n1\n2\n");
    return NULL;
}

/* What comes from a pipe is gone: lines of it are not looked for, which would wait for a writer. */
static void test_pipe(void **state)
{
    (void)state;
    kith_table *t;
    kith_error error = {0};
    pthread_t writer;
    char path[512];
    snprintf(path, sizeof path, "%s", scratch_path("b.csv"));
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(pthread_create(&writer, NULL, write_pipe, path), 0);
    assert_int_equal(read_as(&t, path, false, &error), KITH_OK);
    assert_int_equal(pthread_join(writer, NULL), 0);
    assert_int_equal(kith_table_n_rows(t), 2);
    assert_int_equal(table_line(t, 1), 0);
    kith_table_free(t);
    scratch_write(scratch_path("a.csv"), "x\n1\n");
    assert_int_equal(pthread_create(&writer, NULL, write_pipe, path), 0);
    assert_int_equal(read_as(&t, pattern("/*.csv"), false, &error), KITH_OK);
    assert_int_equal(pthread_join(writer, NULL), 0);
    assert_int_equal(table_line(t, 0), 2);
    assert_int_equal(table_line(t, 2), 0);
    kith_table_free(t);
    assert_int_equal(remove(scratch_path("a.csv")), 0);
    refused("/*.csv", "b.csv is not a file: the first of several is read twice");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pattern_and_directory, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(test_refused, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_no_header, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_pipe, scratch_setup, scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

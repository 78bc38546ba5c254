#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/system/stage.h"
#include "support/scratch.h"

static arena *memory;
static kith_error error;

static int begin(void **state)
{
    memory = arena_new();
    return memory == NULL ? -1 : scratch_setup(state);
}

static int end(void **state)
{
    arena_free(memory);
    return scratch_teardown(state);
}

/* Ends the run, which removes what did not appear. */
static void end_run(void)
{
    arena_free(memory);
    memory = arena_new();
}

static output *written(const char *name, const char *text, bool overwrite)
{
    output *out = NULL;
    if (output_open(&out, memory, scratch_path(name), overwrite, &error) != KITH_OK)
        fail_msg("%s", error.message);
    output_text(out, text);
    return out;
}

static void put(const char *name, const char *text)
{
    assert_int_equal(output_commit(written(name, text, true), &error), KITH_OK);
    end_run();
}

static void check_contents(const char *name, const char *expected)
{
    char *text = scratch_read(scratch_path(name), NULL);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static kith_status fails(void *self, kith_error *failure)
{
    ++*(int *)self;
    return error_set(failure, KITH_IO, "no room");
}

static kith_status succeeds(void *self, kith_error *failure)
{
    (void)failure;
    ++*(int *)self;
    check_contents("release", "new rows"); /* all files are there before the last thing happens */
    check_contents("summary", "new summary");
    return KITH_OK;
}

static void all_appear(void **state)
{
    (void)state;
    int calls = 0;
    stage s = {0};
    put("summary", "old summary");
    stage_add(&s, written("release", "new rows", false));
    stage_add(&s, NULL);
    stage_add(&s, written("summary", "new summary", true));
    stage_end_with(&s, succeeds, &calls);
    assert_int_equal(stage_commit(&s, &error), KITH_OK);
    assert_int_equal(calls, 1);
    end_run();
    check_contents("release", "new rows");
    check_contents("summary", "new summary");
    assert_int_equal(scratch_count(), 2);
}

/* A release that stays without its summary would be no better than a lost one. */
static void a_file_that_cannot_appear_takes_the_others_back(void **state)
{
    (void)state;
    int calls = 0;
    stage s = {0};
    put("release", "old rows");
    stage_add(&s, written("release", "new rows", true));
    stage_add(&s, written("meta", "new meta", false));
    stage_add(&s, written("summary", "new summary", false));
    stage_end_with(&s, succeeds, &calls);
    FILE *other = fopen(scratch_path("summary"), "w"); /* another run writes it meanwhile */
    assert_non_null(other);
    fputs("of another run", other);
    fclose(other);
    assert_int_equal(stage_commit(&s, &error), KITH_INVALID);
    assert_non_null(strstr(error.message, "summary exists already"));
    assert_int_equal(calls, 0);
    end_run();
    check_contents("release", "old rows");
    check_contents("summary", "of another run");
    assert_int_equal(access(scratch_path("meta"), F_OK), -1);
    assert_int_equal(scratch_count(), 2);
}

static void a_database_that_fails_takes_the_files_back(void **state)
{
    (void)state;
    int calls = 0;
    stage s = {0};
    put("mapping", "old mapping");
    stage_add(&s, written("mapping", "new mapping", true));
    stage_add(&s, written("summary", "new summary", true));
    stage_end_with(&s, fails, &calls);
    assert_int_equal(stage_commit(&s, &error), KITH_IO);
    assert_int_equal(calls, 1);
    end_run();
    check_contents("mapping", "old mapping");
    assert_int_equal(access(scratch_path("summary"), F_OK), -1);
    assert_int_equal(scratch_count(), 1);
}

/* Nothing has appeared before it is known that all could be written. */
static void what_cannot_be_written_changes_nothing(void **state)
{
    (void)state;
    stage s = {0};
    output *full = NULL;
    put("release", "old rows");
    struct stat before, after;
    assert_int_equal(stat(scratch_path("release"), &before), 0);
    stage_add(&s, written("release", "new rows", true));
    assert_int_equal(output_open(&full, memory, "/dev/full", true, &error), KITH_OK);
    output_text(full, "x");
    stage_add(&s, full);
    assert_int_equal(stage_commit(&s, &error), KITH_IO);
    end_run();
    assert_int_equal(stat(scratch_path("release"), &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    check_contents("release", "old rows");
    assert_int_equal(scratch_count(), 1);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
    const struct CMUnitTest tests[] = {
        CASE(all_appear),
        CASE(a_file_that_cannot_appear_takes_the_others_back),
        CASE(a_database_that_fails_takes_the_files_back),
        CASE(what_cannot_be_written_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

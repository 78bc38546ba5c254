#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "core/check.h"
#include "core/system/output.h"
#include "support/aborts.h"
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

static output *opened(const char *path, bool overwrite)
{
    output *out = NULL;
    if (output_open(&out, memory, path, overwrite, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return out;
}

static void check_contents(const char *path, const char *expected)
{
    char *text = scratch_read(path, NULL);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

/* Ends the run, which removes what was not committed. */
static void end_run(void)
{
    arena_free(memory);
    memory = arena_new();
}

static void appears_on_commit_only(void **state)
{
    (void)state;
    const char *path = scratch_path("a.csv");
    output *out = opened(path, false);
    output_text(out, "x,y\n");
    output_write(out, "1,2\nrest", 4);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(output_finish(out, &error), KITH_OK);
    assert_int_not_equal(access(path, F_OK), 0);
    check_contents(output_temporary(out), "x,y\n1,2\n");
    assert_int_equal(output_commit(out, &error), KITH_OK);
    assert_int_equal(output_commit(out, &error), KITH_OK); /* again: no effect */
    check_contents(path, "x,y\n1,2\n");
    assert_int_equal(scratch_count(), 1);
    end_run();
    assert_int_equal(scratch_count(), 1);
}

static void uncommitted_leaves_nothing(void **state)
{
    (void)state;
    output_text(opened(scratch_path("a"), false), "x");
    output *finished = opened(scratch_path("b"), false);
    assert_int_equal(output_finish(finished, &error), KITH_OK);
    assert_int_equal(scratch_count(), 2);
    end_run();
    assert_int_equal(scratch_count(), 0);
}

static void existing_is_refused_or_replaced(void **state)
{
    (void)state;
    const char *path = scratch_path("a");
    scratch_write(path, "old");
    output *out = NULL;
    assert_int_equal(output_open(&out, memory, path, false, &error), KITH_INVALID);
    assert_non_null(strstr(error.message, "a exists already"));
    assert_string_equal(error.hint, "use --force to overwrite it");
    out = opened(path, true);
    output_text(out, "new");
    check_contents(path, "old"); /* until the commit */
    assert_int_equal(output_commit(out, &error), KITH_OK);
    check_contents(path, "new");
    assert_int_equal(scratch_count(), 1);
}

static void one_that_appears_meanwhile_stays(void **state)
{
    (void)state;
    const char *path = scratch_path("a");
    output *out = opened(path, false);
    output_text(out, "mine");
    scratch_write(path, "theirs");
    assert_int_equal(output_commit(out, &error), KITH_INVALID);
    check_contents(path, "theirs");
    end_run();
    assert_int_equal(scratch_count(), 1);
}

static void two_at_once_do_not_meet(void **state)
{
    (void)state;
    const char *path = scratch_path("a");
    output *first = opened(path, true), *second = opened(path, true);
    output_text(first, "first");
    output_text(second, "second");
    assert_int_equal(output_commit(second, &error), KITH_OK);
    check_contents(path, "second");
    assert_int_equal(output_commit(first, &error), KITH_OK);
    check_contents(path, "first");
}

static void big_files_come_out_whole(void **state)
{
    (void)state;
    const char *path = scratch_path("big");
    output *out = opened(path, false);
    static char block[100003];
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = (char)('a' + i % 23);
    for (int i = 0; i < 7; i++)
        output_write(out, block, sizeof block);
    assert_int_equal(output_commit(out, &error), KITH_OK);
    size_t length = 0;
    char *text = scratch_read(path, &length);
    assert_int_equal(length, 7 * sizeof block);
    for (int i = 0; i < 7; i++)
        assert_memory_equal(text + (size_t)i * sizeof block, block, sizeof block);
    free(text);
}

static void places_that_cannot_be(void **state)
{
    (void)state;
    output *out = NULL;
    assert_int_equal(output_open(&out, memory, scratch_directory, true, &error), KITH_INVALID);
    assert_non_null(strstr(error.message, "is a directory"));
    assert_int_equal(output_open(&out, memory, scratch_path("no/x"), true, &error), KITH_IO);
    assert_non_null(strstr(error.message, "No such file or directory"));
}

/* A full disk: the error stays, and the file does not appear even if commit is tried. */
static void failed_outputs_stay_failed(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    output *out = opened("/dev/full", false); /* written in place, not replaced */
    assert_null(output_temporary(out));
    static char block[200000];
    output_write(out, block, sizeof block);
    assert_int_equal(output_status(out, &error), KITH_IO);
    assert_int_equal(output_finish(out, &error), KITH_IO);
    assert_string_equal(error.message, "cannot write /dev/full: No space left on device");
    assert_int_equal(output_finish(out, &error), KITH_IO);
    assert_int_equal(output_commit(out, &error), KITH_IO);
}

static void pipes_are_written_in_place(void **state)
{
    (void)state;
    const char *path = scratch_path("pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    output *out = opened(path, false);
    output_text(out, "through");
    assert_int_equal(output_commit(out, &error), KITH_OK);
    char text[16] = "";
    assert_int_equal(read(reader, text, sizeof text), 7);
    assert_string_equal(text, "through");
    close(reader);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
}

static void permissions_follow_the_umask(void **state)
{
    (void)state;
    mode_t mask = umask(027);
    output *out = opened(scratch_path("a"), false);
    umask(mask);
    assert_int_equal(output_commit(out, &error), KITH_OK);
    struct stat status;
    assert_int_equal(stat(scratch_path("a"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

static void dangling_links_are_not_followed_over(void **state)
{
    (void)state;
    assert_int_equal(symlink("nowhere", scratch_path("link")), 0);
    output *out = opened(scratch_path("link"), false);
    assert_int_equal(output_commit(out, &error), KITH_INVALID);
    end_run();
    assert_int_equal(scratch_count(), 1);
}

static void standard_output(void **state)
{
    (void)state;
    const char *path = scratch_path("stdout");
    pid_t child = fork();
    if (child == 0) {
        int file = open(path, O_WRONLY | O_CREAT, 0600);
        dup2(file, STDOUT_FILENO);
        output *out = NULL;
        if (output_open(&out, memory, "-", false, NULL) != KITH_OK || output_temporary(out) != NULL)
            _exit(1);
        output_text(out, "hello");
        if (output_commit(out, NULL) != KITH_OK)
            _exit(2);
        _exit(write(STDOUT_FILENO, "!", 1) == 1 ? 0 : 3); /* still open */
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    check_contents(path, "hello!");
}

static void private_files_are_for_the_owner(void **state)
{
    (void)state;
    const char *path = scratch_path("key");
    struct stat info;
    assert_int_equal(output_write_private(path, "one", 3, false, &error), KITH_OK);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(output_write_private(path, "two", 3, false, &error), KITH_INVALID);
    assert_non_null(strstr(error.message, "exists already"));
    check_contents(path, "one");
    assert_int_equal(output_write_private(path, "three", 5, true, &error), KITH_OK);
    check_contents(path, "three");
    assert_int_equal(output_write_private(scratch_path("none/key"), "x", 1, true, &error), KITH_IO);
    assert_int_equal(scratch_count(), 1);
}

static unsigned mode_of(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 0777;
}

/* A release is not verified yet while it has its temporary name. */
static void nobody_else_reads_a_file_before_it_appears(void **state)
{
    (void)state;
    mode_t before = umask(022);
    output *release = opened(scratch_path("release"), false);
    output *summary = opened(scratch_path("summary"), false);
    output_keep_private(summary);
    assert_int_equal(mode_of(output_temporary(release)), 0600);
    output_text(release, "rows");
    assert_int_equal(output_finish(release, &error), KITH_OK);
    assert_int_equal(mode_of(output_temporary(release)), 0600);
    assert_int_equal(output_commit(release, &error), KITH_OK);
    assert_int_equal(output_commit(summary, &error), KITH_OK);
    assert_int_equal(mode_of(scratch_path("release")), 0644);
    assert_int_equal(mode_of(scratch_path("summary")), 0600);
    umask(before);
    assert_int_equal(scratch_count(), 2);
}

#if KITH_DEBUG
static void write_after_finish(void)
{
    output *out = opened("-", false);
    if (output_finish(out, &error) == KITH_OK)
        output_text(out, "late");
}

static void debug_builds_notice_late_writes(void **state)
{
    (void)state;
    assert_true(aborts(write_after_finish));
}
#endif

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
    const struct CMUnitTest tests[] = {
        CASE(appears_on_commit_only),
        CASE(uncommitted_leaves_nothing),
        CASE(existing_is_refused_or_replaced),
        CASE(one_that_appears_meanwhile_stays),
        CASE(two_at_once_do_not_meet),
        CASE(big_files_come_out_whole),
        CASE(places_that_cannot_be),
        CASE(failed_outputs_stay_failed),
        CASE(pipes_are_written_in_place),
        CASE(permissions_follow_the_umask),
        CASE(dangling_links_are_not_followed_over),
        CASE(standard_output),
        CASE(private_files_are_for_the_owner),
        CASE(nobody_else_reads_a_file_before_it_appears),
#if KITH_DEBUG
        CASE(debug_builds_notice_late_writes),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

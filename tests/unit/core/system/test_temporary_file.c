/* Leftovers of killed processes go, files that live stay. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/file.h>

#include "core/system/output.h"
#include "core/system/temporary_file.h"
#include "support/scratch.h"

static arena *memory;

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

static void touch(const char *name)
{
    int descriptor = open(scratch_path(name), O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(descriptor >= 0);
    close(descriptor);
}

static bool is_there(const char *name)
{
    return faccessat(AT_FDCWD, scratch_path(name), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void names_are_hidden_and_bounded(void **state)
{
    (void)state;
    assert_string_equal(temporary_file_name(memory, "r.csv"), ".r.csv.kith-XXXXXX");
    assert_string_equal(temporary_file_name(memory, "a/b/r"), "a/b/.r.kith-XXXXXX");
    assert_string_equal(temporary_file_name(memory, "/r"), "/.r.kith-XXXXXX");
    assert_int_equal(temporary_file_stem("a/b/.r.csv.kith-XXXXXX"), strlen("a/b/.r.csv"));
    assert_int_equal(temporary_file_stem(".kith-XXXXXX"), strlen(".kith-XXXXXX"));
    static const char *const others[] = {"", "r.csv", "r.csv.kith-XXXXXX", ".r.csv.kith-XXXXX"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(temporary_file_stem(others[i]), strlen(others[i]));
    char longest[256] = "";
    memset(longest, 'x', 255);
    output *out;
    kith_error error;
    assert_int_equal(output_open(&out, memory, scratch_path(longest), false, &error), KITH_OK);
    assert_int_equal(output_commit(out, &error), KITH_OK);
    assert_true(is_there(longest));
}

/* What output_open finds, and what it must not touch. */
static void only_leftovers_of_the_same_name_go(void **state)
{
    (void)state;
    static const char *const left[] = {".r.csv.kith-abcde0", ".r.csv.kith-zzzzzz"};
    static const char *const other[] = {
        "r.csv.kith-abcdef",  ".r.csv.kith-abcde",       ".r.csv.kith-abcdefg",
        ".r.csv.kith-ABCDEF", ".r.csv.kith-abcde9",      ".r.csv",
        ".q.csv.kith-abcdef", ".r.csv.meta.kith-abcdef", ".xr.csv.kith-abcdef"};
    for (size_t i = 0; i < 2; i++)
        touch(left[i]);
    for (size_t i = 0; i < 9; i++)
        touch(other[i]);
    touch("precious");
    assert_int_equal(symlink(scratch_path("precious"), scratch_path(".r.csv.kith-aaaaaa")), 0);
    assert_int_equal(mkfifo(scratch_path(".r.csv.kith-bbbbbb"), 0600), 0);
    temporary_file_sweep(scratch_path("r.csv"));
    for (size_t i = 0; i < 2; i++)
        assert_false(is_there(left[i]));
    for (size_t i = 0; i < 9; i++)
        assert_true(is_there(other[i]));
    assert_true(is_there("precious"));
    assert_true(is_there(".r.csv.kith-aaaaaa"));
    assert_true(is_there(".r.csv.kith-bbbbbb"));
    temporary_file_sweep("/no/such/directory/r.csv");
}

/* The lock outlives the end of writing: a release is read back before it appears. */
static void files_that_are_written_stay(void **state)
{
    (void)state;
    kith_error error;
    output *out, *second;
    assert_int_equal(output_open(&out, memory, scratch_path("r.csv"), false, &error), KITH_OK);
    temporary_file_sweep(scratch_path("r.csv"));
    assert_int_equal(access(output_temporary(out), F_OK), 0);
    assert_int_equal(output_finish(out, &error), KITH_OK);
    temporary_file_sweep(scratch_path("r.csv"));
    assert_int_equal(access(output_temporary(out), F_OK), 0);
    assert_int_equal(output_open(&second, memory, scratch_path("r.csv"), false, &error), KITH_OK);
    assert_int_equal(access(output_temporary(out), F_OK), 0);
    assert_int_equal(output_commit(out, &error), KITH_OK);
    arena_free(memory);
    memory = arena_new();
    assert_int_equal(scratch_count(), 1);
}

static void directories_go_with_their_contents(void **state)
{
    (void)state;
    char *name = temporary_file_name(memory, scratch_path("stage"));
    int lock = temporary_file_directory(name);
    assert_true(lock >= 0);
    char inside[600];
    snprintf(inside, sizeof inside, "%s/site1", name);
    assert_int_equal(mkdir(inside, 0700), 0);
    temporary_file_sweep(scratch_path("stage"));
    assert_int_equal(access(inside, F_OK), 0);
    close(lock);
    temporary_file_sweep(scratch_path("stage"));
    assert_int_not_equal(access(name, F_OK), 0);
}

static void *sweep_on(void *stop)
{
    while (!atomic_load((atomic_bool *)stop))
        temporary_file_sweep(scratch_path("busy"));
    return NULL;
}

/* A file may be taken for a leftover between its making and its locking: then another one is made,
 * and what the caller gets is there. */
static void makers_and_sweepers_at_the_same_time(void **state)
{
    (void)state;
    atomic_bool stop = false;
    pthread_t sweeper;
    char *name = temporary_file_name(memory, scratch_path("busy"));
    assert_int_equal(pthread_create(&sweeper, NULL, sweep_on, &stop), 0);
    for (int i = 0; i < 20000; i++) {
        int descriptor = temporary_file_create(name, 0600);
        assert_true(descriptor >= 0);
        if (access(name, F_OK) != 0)
            fail_msg("file %d was removed while it was locked", i);
        unlink(name);
        close(descriptor);
    }
    atomic_store(&stop, true);
    pthread_join(sweeper, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_are_hidden_and_bounded, begin, end),
        cmocka_unit_test_setup_teardown(only_leftovers_of_the_same_name_go, begin, end),
        cmocka_unit_test_setup_teardown(files_that_are_written_stay, begin, end),
        cmocka_unit_test_setup_teardown(directories_go_with_their_contents, begin, end),
        cmocka_unit_test_setup_teardown(makers_and_sweepers_at_the_same_time, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Nothing appears before all is there, nothing is lost, nothing is left behind. */
#include "unit/job/support.h"

#include <sys/stat.h>

#include "job/rehearse/simulate_files.h"
#include "support/scratch.h"

static const char *const names[] = {"site1", "site2"};

typedef struct scene {
    arena *memory;
    simulate_files places;
    kith_error error;
    char run[128], secret[4096];
} scene;

static int setup(void **state)
{
    scene *s = calloc(1, sizeof *s);
    if (scratch_setup(state) != 0)
        return -1;
    s->memory = arena_new();
    snprintf(s->run, sizeof s->run, "%s", scratch_path("run"));
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    scene *s = *state;
    arena_free(s->memory);
    free(s);
    return scratch_teardown(state);
}

static kith_status open_places(scene *s, bool overwrite)
{
    kith_status status =
        simulate_files_open(&s->places, s->memory, s->run, names, 2, overwrite, &s->error);
    if (status == KITH_OK)
        snprintf(s->secret, sizeof s->secret, "%s", s->places.private_directory);
    return status;
}

static void close_places(scene *s)
{
    arena_free(s->memory);
    s->memory = arena_new();
}

static bool is_there(const scene *s, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", s->run, name);
    return access(path, F_OK) == 0;
}

static void write_in(const char *directory, const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    scratch_write(path, text);
}

/* Two parties and the joint files. */
static void fill(scene *s)
{
    for (int i = 0; i < 2; i++) {
        const char *path;
        assert_int_equal(simulate_files_party_directory(&s->places, names[i], &path, &s->error),
                         KITH_OK);
        write_in(path, "release.csv", "new");
        write_in(path, "ledger.json", "new");
    }
    write_in(s->places.stage, "release.csv", "new");
    write_in(s->places.stage, "summary.json", "new");
    write_in(s->places.private_directory, "site1.csv", "secret");
}

static void nothing_stays_after_a_failure(void **state)
{
    scene *s = *state;
    struct stat status;
    assert_int_equal(open_places(s, false), KITH_OK);
    assert_int_equal(stat(s->places.private_directory, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
    fill(s);
    close_places(s);
    assert_int_equal(access(s->run, F_OK), -1);
    assert_int_equal(access(s->secret, F_OK), -1);
}

static void all_appears_at_once(void **state)
{
    scene *s = *state;
    assert_int_equal(open_places(s, false), KITH_OK);
    fill(s);
    assert_false(is_there(s, "release.csv"));
    assert_int_equal(simulate_files_publish(&s->places, names, 2, &s->error), KITH_OK);
    close_places(s);
    assert_true(is_there(s, "release.csv") && is_there(s, "summary.json"));
    assert_true(is_there(s, "site1/release.csv") && is_there(s, "site2/ledger.json"));
    assert_int_equal(access(s->secret, F_OK), -1);
    assert_int_equal(scratch_count(), 1);
}

static void results_are_not_overwritten(void **state)
{
    scene *s = *state;
    mkdir(s->run, 0700);
    write_in(s->run, "summary.json", "old");
    assert_int_equal(open_places(s, false), KITH_INVALID);
    close_places(s);
    assert_true(is_there(s, "summary.json"));
}

/* Files of the earlier run go, also those of sites that there are no more; others stay. */
static void with_force_results_are_replaced(void **state)
{
    scene *s = *state;
    char path[256];
    static const char *const folders[] = {"site1", "site3", "site4", "mine"};
    mkdir(s->run, 0700);
    write_in(s->run, "notes.txt", "mine");
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", s->run, folders[i]);
        mkdir(path, 0700);
        write_in(path, "ledger.txt", "old");
    }
    snprintf(path, sizeof path, "%s/site4", s->run);
    write_in(path, "notes.txt", "mine");
    assert_int_equal(open_places(s, true), KITH_OK);
    fill(s);
    assert_int_equal(simulate_files_publish(&s->places, names, 2, &s->error), KITH_OK);
    close_places(s);
    assert_true(is_there(s, "site1/release.csv") && is_there(s, "site2/release.csv"));
    assert_false(is_there(s, "site1/ledger.txt"));
    assert_false(is_there(s, "site3"));
    assert_true(is_there(s, "site4/notes.txt") && !is_there(s, "site4/ledger.txt"));
    assert_true(is_there(s, "notes.txt") && is_there(s, "mine/ledger.txt"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_stays_after_a_failure, setup, teardown),
        cmocka_unit_test_setup_teardown(all_appears_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(results_are_not_overwritten, setup, teardown),
        cmocka_unit_test_setup_teardown(with_force_results_are_replaced, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

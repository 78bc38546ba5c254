/* Local work at the sites that takes longer than the deadline, or fails: whole runs of every
 * protocol, to files, in which the functions below take three deadlines at every other call. Nobody
 * is lost, and every site has its release. The clock is the test's own (support/still_clock.h). */
/* wrap: prepare_part bind_models kept_rows_table table_builder_finish joint_release_sort */
/* wrap: publication_write publication_commit */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <unistd.h>

#include "core/error.h"
#include "job/joint/joint_release.h"
#include "job/prepare/bind_models.h"
#include "job/prepare/kept_rows.h"
#include "job/prepare/prepare.h"
#include "job/result/publication.h"
#include "support/joint_scenes.h"
#include "support/scratch.h"
#include "support/still_clock.h"
#include "table/table_builder.h"
#include "wire/inproc.h"

enum { LONG_S = 3, DEADLINE_MS = 1000 };

static atomic_uint n_slow;

static void take_time(atomic_uint *calls)
{
    if (atomic_fetch_add(calls, 1) % 2 != 0)
        return;
    atomic_fetch_add(&n_slow, 1);
    usleep(LONG_S * 1000000);
}

/* Wraps a function of the library: NAME(PARAMETERS), called with ARGUMENTS. */
#define SLOW(NAME, PARAMETERS, ARGUMENTS) \
    kith_status __real_##NAME PARAMETERS; \
    kith_status __wrap_##NAME PARAMETERS; \
    kith_status __wrap_##NAME PARAMETERS  \
    {                                     \
        static atomic_uint calls;         \
        take_time(&calls);                \
        return __real_##NAME ARGUMENTS;   \
    }

SLOW(prepare_part,
     (prepared * p, const kith_study *study, const kith_table *table, const prepare_joint *joint,
      context *c, kith_error *error),
     (p, study, table, joint, c, error))
SLOW(bind_models, (prepared * p, context *c, kith_error *error), (p, c, error))
SLOW(kept_rows_table,
     (const kith_table **out, const kept_rows *kept, const kith_table *table, arena *memory,
      kith_error *error),
     (out, kept, table, memory, error))
SLOW(table_builder_finish, (table_builder * b, kith_table **table, kith_error *error),
     (b, table, error))
SLOW(joint_release_sort, (kith_table * table, kith_error *error), (table, error))
static atomic_bool disk_is_full; /* at the next party that writes its release */

kith_status __real_publication_write(publication *p, const publication_rows *rows,
                                     const publication_check *check, kith_error *error);
kith_status __wrap_publication_write(publication *p, const publication_rows *rows,
                                     const publication_check *check, kith_error *error);
kith_status __wrap_publication_write(publication *p, const publication_rows *rows,
                                     const publication_check *check, kith_error *error)
{
    static atomic_uint calls;
    if (atomic_exchange(&disk_is_full, false))
        return error_set(error, KITH_IO, "cannot write: No space left on device");
    take_time(&calls);
    return __real_publication_write(p, rows, check, error);
}
SLOW(publication_commit, (publication * p, kith_error *error), (p, error))

/* Runs a scene, with files. */
static kith_status run(joint_scene *s, kith_error errors[PARTY_MAX])
{
    void *users[PARTY_MAX];
    const inproc_options options = {.deadline_ms = DEADLINE_MS};
    s->directory = scratch_directory;
    for (uint32_t j = 0; j < s->n_parties; j++) {
        char number[12];
        snprintf(number, sizeof number, "%u", j);
        (void)mkdir(scratch_path(number), 0700);
        users[j] = s;
    }
    return inproc_run(s->n_parties, NULL, &options, joint_scene_take_part, users, errors);
}

static void nobody_is_lost(void **state)
{
    (void)state;
    for (size_t i = 0; i < joint_scenes_count; i++) {
        joint_scene s;
        kith_error errors[PARTY_MAX] = {0};
        joint_scene_open(&s, &joint_scenes[i]);
        const unsigned before = n_slow;
        const double begun = still_clock_seconds();
        if (run(&s, errors) != KITH_OK)
            fail_msg("%s: %s", s.spec->name, errors[0].message);
        if (s.study != NULL) {
            assert_true(n_slow >= before + 4);
            assert_true(still_clock_seconds() - begun >= 2 * LONG_S);
        }
        joint_scene_close(&s);
    }
}

/* A disk that is full is the affair of the step in which it is found out, not of the last message
 * before. */
static void names_the_step_that_failed(void **state)
{
    (void)state;
    joint_scene s;
    kith_error errors[PARTY_MAX] = {0};
    uint32_t n_told = 0;
    for (size_t i = 0; i < joint_scenes_count; i++) {
        if (joint_scenes[i].partition == NULL || joint_scenes[i].n_sites != 3)
            continue;
        joint_scene_open(&s, &joint_scenes[i]);
        disk_is_full = true;
        assert_int_equal(run(&s, errors), KITH_IO);
        for (uint32_t j = 0; j < s.n_parties; j++)
            n_told += strstr(errors[j].message,
                             "ended the run because of an error of its own (step write)") != NULL;
        assert_int_equal(n_told, s.n_parties - 1);
        n_told = 0;
        joint_scene_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nobody_is_lost),
                                       cmocka_unit_test(names_the_step_that_failed)};
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}

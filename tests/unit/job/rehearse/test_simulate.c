/* Whose failure is told, and that a run that fails or is stopped leaves nothing. The parties are
 * shell scripts here; real ones are in tests/scripts/simulate.sh. */
#include "unit/job/support.h"

#include <sys/stat.h>

#include "support/scratch.h"

/* The timeout is that of the parties, in seconds; a simulation waits somewhat longer for a cause.
 */
#define STUDY(timeout)                                                                            \
    "study: people\n"                                                                             \
    "columns:\n"                                                                                  \
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]}}\n" \
    "  - {name: disease, role: sensitive}\n"                                                      \
    "privacy: [{model: k-anonymity, k: 2}]\npartition: horizontal\ntimeout: " #timeout "\n"

static const char data[] = "age,disease\n21,flu\n23,cold\n24,flu\n41,gout\n44,flu\n47,cold\n";

typedef struct scene {
    kith_study *study;
    kith_input input;
    kith_simulate_options options;
    char run[128], data[128], program[128];
    char numbers[64]; /* a directory for those of the processes */
    kith_error error;
    unsigned asked, max_asked; /* calls of the progress function; 0: no limit */
} scene;

static int setup(void **state)
{
    scene *s = calloc(1, sizeof *s);
    if (scratch_setup(state) != 0)
        return -1;
    snprintf(s->run, sizeof s->run, "%s", scratch_path("run"));
    snprintf(s->data, sizeof s->data, "%s", scratch_path("data.csv"));
    snprintf(s->program, sizeof s->program, "%s", scratch_path("program"));
    snprintf(s->numbers, sizeof s->numbers, "/tmp/kith-test-numbers.XXXXXX");
    if (mkdtemp(s->numbers) == NULL)
        return -1;
    setenv("TMPDIR", scratch_directory, 1);
    scratch_write(s->data, data);
    s->study = study_of(STUDY(600));
    s->input = *KITH_INPUT_URI(s->data);
    s->options =
        (kith_simulate_options)KITH_OPTIONS(kith_simulate_options, .input = &s->input, .n_sites = 3,
                                            .directory = s->run, .executable = s->program);
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    scene *s = *state;
    nftw(s->numbers, scratch_remove, 16, FTW_DEPTH | FTW_PHYS);
    kith_study_free(s->study);
    free(s);
    return scratch_teardown(state);
}

static bool on_progress(void *user, const char *phase, double done)
{
    scene *s = user;
    (void)phase;
    (void)done;
    return s->max_asked == 0 || ++s->asked < s->max_asked;
}

/* Every party runs the script with its name in $as and its patience in $wait; only data and program
 * are left afterwards. In it, `after site2` waits until site2 has ended and the simulation knows
 * it: then nobody has the number of its process any more. */
static kith_status run(scene *s, const char *script)
{
    char text[2048];
    const kith_run how = KITH_OPTIONS(kith_run, .n_threads = 1, .progress = on_progress, .user = s);
    snprintf(text, sizeof text,
             "#!/bin/sh\nwhile [ $# -gt 0 ]; do case $1 in --as) as=$2;; "
             "--wait) wait=$2;; esac; shift; done\n"
             "echo $$ >%s/$as.new; mv %s/$as.new %s/$as\n"
             "after() {\n"
             "  until [ -e %s/$1 ]; do sleep 0.01; done\n"
             "  while kill -0 $(cat %s/$1) 2>/dev/null; do sleep 0.01; done\n"
             "}\n%s\n",
             s->numbers, s->numbers, s->numbers, s->numbers, s->numbers, script);
    scratch_write(s->program, text);
    chmod(s->program, 0700);
    kith_status status = kith_simulate(NULL, s->study, &s->options, &how, &s->error);
    assert_int_equal(scratch_count(), 2);
    return status;
}

static void the_cause_is_told(void **state)
{
    scene *s = *state;
    /* Those who lost a peer end before the one who was the cause. */
    assert_int_equal(run(s, "case $as in\n"
                            "site2) after site1; after site3\n"
                            "  echo 'kith: error: x.csv:2: bad' >&2; exit 2;;\n"
                            "*) echo 'kith: error: lost the connection to site2' >&2; exit 3;;\n"
                            "esac"),
                     KITH_DATA);
    assert_string_equal(s->error.message, "site2: x.csv:2: bad");
}

static void the_first_of_several_causes_is_told(void **state)
{
    scene *s = *state;
    assert_int_equal(run(s, "case $as in\n"
                            "site1) after site2; echo 'kith: error: later' >&2; exit 4;;\n"
                            "site2) echo 'kith: error: disk full' >&2; exit 5;;\n"
                            "*) exec sleep 1000;;\n"
                            "esac"),
                     KITH_IO);
    assert_string_equal(s->error.message, "site2: disk full");
}

static void a_killed_party_is_the_cause(void **state)
{
    scene *s = *state;
    assert_int_equal(run(s, "case $as in\n"
                            "site1) after site3;;\n"
                            "site3) after site2; kill -KILL $$;;\n"
                            "esac\n"
                            "echo 'kith: error: lost site3' >&2; exit 3"),
                     KITH_PEER);
    assert_string_equal(s->error.message, "site3 was ended by signal 9 (Killed)");
}

/* If all blame each other, and somebody hangs, the first one is told after the deadline. */
static void without_a_cause_the_first_is_told(void **state)
{
    scene *s = *state;
    kith_study_free(s->study);
    s->study = study_of(STUDY(0.1));
    assert_int_equal(run(s, "case $as in\n"
                            "site1) exec sleep 1000;;\n"
                            "site2) echo 'kith: error: site1 is silent' >&2; exit 3;;\n"
                            "*) after site2; echo 'kith: error: site2 left' >&2; exit 3;;\n"
                            "esac"),
                     KITH_PEER);
    assert_string_equal(s->error.message, "site2: site1 is silent");
}

static void stopping_ends_all(void **state)
{
    scene *s = *state;
    s->max_asked = 8;
    assert_int_equal(run(s, "exec sleep 1000"), KITH_CANCELLED);
    assert_true(s->asked >= 8);
}

static void parties_that_leave_nothing_are_noticed(void **state)
{
    scene *s = *state;
    assert_int_equal(run(s, "exit 0"), KITH_IO);
}

static void a_program_that_is_none_is_told(void **state)
{
    scene *s = *state;
    s->options.executable = "/nonexistent/kith";
    assert_int_equal(run(s, ""), KITH_IO);
    assert_non_null(strstr(s->error.message, "could not be started"));
}

/* On a busy machine many sites take minutes to connect, and none of them has failed then. */
static void sites_are_given_time_to_connect(void **state)
{
    scene *s = *state;
    assert_int_equal(run(s, "echo \"kith: error: waits $wait\" >&2; exit 4"), KITH_INFEASIBLE);
    assert_non_null(strstr(s->error.message, "waits 1h"));
}

/* The port was taken: all start again with others. */
static void a_taken_port_is_no_failure(void **state)
{
    scene *s = *state;
    char script[512];
    snprintf(script, sizeof script,
             "case $as in site1)\n"
             "  if [ ! -e %s/.seen ]; then : > %s/.seen\n"
             "    echo 'kith: error: cannot listen at 127.0.0.1:1: in use' >&2; exit 5; fi\n"
             "  rm %s/.seen; echo 'kith: error: second time' >&2; exit 4;; esac\nexec sleep 1000",
             scratch_directory, scratch_directory, scratch_directory);
    assert_int_equal(run(s, script), KITH_INFEASIBLE);
    assert_string_equal(s->error.message, "site1: second time");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_cause_is_told, setup, teardown),
        cmocka_unit_test_setup_teardown(sites_are_given_time_to_connect, setup, teardown),
        cmocka_unit_test_setup_teardown(the_first_of_several_causes_is_told, setup, teardown),
        cmocka_unit_test_setup_teardown(a_killed_party_is_the_cause, setup, teardown),
        cmocka_unit_test_setup_teardown(without_a_cause_the_first_is_told, setup, teardown),
        cmocka_unit_test_setup_teardown(stopping_ends_all, setup, teardown),
        cmocka_unit_test_setup_teardown(parties_that_leave_nothing_are_noticed, setup, teardown),
        cmocka_unit_test_setup_teardown(a_program_that_is_none_is_told, setup, teardown),
        cmocka_unit_test_setup_teardown(a_taken_port_is_no_failure, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Child processes: what their end means, and that none is left behind. */
#include "unit/job/support.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#include "job/rehearse/simulate_children.h"
#include "wire/party.h"

static kith_status start(child *c, const char *script)
{
    kith_error error = {0};
    const char *arguments[] = {"/bin/sh", "-c", script, NULL};
    return simulate_children_start(c, arguments, "/", "/dev/null", &error);
}

/* Runs to the end and tells its status. */
static kith_status run(child *c, const char *script, kith_error *error)
{
    assert_int_equal(start(c, script), KITH_OK);
    while (simulate_children_wait(c, 1, 100) > 0)
        continue;
    assert_int_equal(c->pid, 0);
    assert_int_equal(c->errors, -1);
    return simulate_children_status(c, "site2", error);
}

static void its_message_is_taken_over(void **state)
{
    (void)state;
    child c;
    kith_error error = {0};
    assert_int_equal(run(&c,
                         "echo 'kith: error: x.csv:3: no age' >&2; "
                         "echo 'kith: hint: write one' >&2; exit 2",
                         &error),
                     KITH_DATA);
    assert_string_equal(error.message, "site2: x.csv:3: no age");
    assert_string_equal(error.hint, "write one");
    assert_int_equal(run(&c, "exit 0", &error), KITH_OK);
    assert_int_equal(run(&c, "printf 'kith: error: gone' >&2; exit 3", &error), KITH_PEER);
    assert_string_equal(error.message, "site2: gone");
    assert_int_equal(run(&c, "exit 4", &error), KITH_INFEASIBLE);
    assert_int_equal(run(&c, "exit 5", &error), KITH_IO);
    assert_int_equal(run(&c, "echo oops >&2; exit 70", &error), KITH_BUG);
    assert_string_equal(error.message, "site2 ended with status 70: oops\n");
    assert_int_equal(run(&c, "exit 130", &error), KITH_CANCELLED);
}

static void a_signal_is_named(void **state)
{
    (void)state;
    child c;
    kith_error error = {0};
    assert_int_equal(run(&c, "kill -KILL $$", &error), KITH_PEER);
    assert_string_equal(error.message, "site2 was ended by signal 9 (Killed)");
}

static void what_cannot_be_started_is_told(void **state)
{
    (void)state;
    child c;
    kith_error error = {0};
    const char *arguments[] = {"/nonexistent/program", NULL};
    assert_int_equal(simulate_children_start(&c, arguments, "/", "/dev/null", &error), KITH_OK);
    while (simulate_children_wait(&c, 1, 100) > 0)
        continue;
    assert_int_equal(simulate_children_status(&c, "site2", &error), KITH_IO);
    assert_string_equal(error.message, "site2 could not be started");
    assert_int_equal(simulate_children_start(&c, arguments, "/", "/nonexistent", &error), KITH_IO);
    assert_int_equal(c.pid, 0);
}

static void phases_are_no_messages(void **state)
{
    (void)state;
    child c;
    kith_error error = {0};
    assert_int_equal(run(&c, "echo 'kith: waiting for site3 …' >&2; exit 70", &error), KITH_BUG);
    assert_string_equal(c.phase, "waiting for site3");
    assert_string_equal(error.message, "site2 ended with status 70");
}

/* A megabyte on standard error neither blocks the child nor fills more than its place. */
static void a_talker_is_cut_short(void **state)
{
    (void)state;
    child c;
    kith_error error = {0};
    assert_int_equal(
        run(&c, "yes 'a line that says nothing' | head -c 1000000 >&2; exit 70", &error), KITH_BUG);
    assert_true(c.other_length < CHILD_OTHER && c.other_length > CHILD_OTHER / 2);
}

static void nobody_is_left_behind(void **state)
{
    (void)state;
    child c[3];
    pid_t pid[3];
    for (int i = 0; i < 3; i++) {
        assert_int_equal(start(&c[i], "exec sleep 1000"), KITH_OK);
        pid[i] = c[i].pid;
    }
    assert_int_equal(simulate_children_wait(c, 3, 10), 3);
    simulate_children_kill(c, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(c[i].pid, 0);
        assert_true(c[i].ended);
        assert_int_equal(kill(pid[i], 0), -1);
        assert_int_equal(errno, ESRCH);
    }
}

/* As many as a run may have parties. */
static void all_sites_of_a_run_are_waited_for(void **state)
{
    (void)state;
    static child c[PARTY_MAX];
    for (int i = 0; i < PARTY_MAX; i++)
        assert_int_equal(start(&c[i], "echo 'kith: error: here' >&2; exit 2"), KITH_OK);
    while (simulate_children_wait(c, PARTY_MAX, 100) > 0)
        continue;
    for (int i = 0; i < PARTY_MAX; i++) {
        assert_true(c[i].ended);
        assert_string_equal(c[i].message, "here");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_message_is_taken_over),
        cmocka_unit_test(a_signal_is_named),
        cmocka_unit_test(what_cannot_be_started_is_told),
        cmocka_unit_test(phases_are_no_messages),
        cmocka_unit_test(a_talker_is_cut_short),
        cmocka_unit_test(nobody_is_left_behind),
        cmocka_unit_test(all_sites_of_a_run_are_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Signals: the first SIGINT or SIGTERM asks the program to stop, the second one ends it, whatever
 * the program is doing then. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>

#include "../../../cli/progress.c"
#include "../../../cli/progress_log.c"

/* Both need it for what is not printed here. */
const char *human_seconds(double seconds)
{
    (void)seconds;
    return "";
}

/* A program that notices the first signal, says so, and goes on as if it hung. */
static void hang(int says)
{
    const common_options common = {.quiet = true};
    progress_display *display = progress_begin(&common);
    kith_run run = progress_run(display, &common);
    if (write(says, "b", 1) != 1)
        _exit(1);
    while (run.progress(run.user, "work", 0))
        usleep(1000);
    if (write(says, "i", 1) != 1)
        _exit(1);
    for (;;)
        pause();
}

static int end_by(int first, int second)
{
    int line[2], status = 0;
    char byte = 0;
    assert_int_equal(pipe(line), 0);
    pid_t child = fork();
    if (child == 0)
        hang(line[1]);
    assert_int_equal(read(line[0], &byte, 1), 1); /* it has begun */
    kill(child, first);
    assert_int_equal(read(line[0], &byte, 1), 1);
    assert_int_equal(byte, 'i');
    kill(child, second);
    assert_int_equal(waitpid(child, &status, 0), child);
    close(line[0]);
    close(line[1]);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void ends_at_the_second_signal(void **state)
{
    (void)state;
    assert_int_equal(end_by(SIGINT, SIGINT), SIGINT);
    assert_int_equal(end_by(SIGTERM, SIGTERM), SIGTERM);
    assert_int_equal(end_by(SIGTERM, SIGINT), SIGINT);
    assert_int_equal(end_by(SIGINT, SIGTERM), SIGTERM);
}

static void leaves_ignored_signals_alone(void **state)
{
    (void)state;
    signal(SIGINT, SIG_IGN);
    const common_options common = {.quiet = true};
    progress_display *display = progress_begin(&common);
    raise(SIGINT);
    kith_run run = progress_run(display, &common);
    assert_true(run.progress(run.user, "work", 0));
    raise(SIGTERM);
    assert_false(run.progress(run.user, "work", 0));
    raise(SIGINT); /* would end the test if it were the usual action now */
    progress_end(display);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_at_the_second_signal),
        cmocka_unit_test(leaves_ignored_signals_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

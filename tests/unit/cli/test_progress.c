/* Signals: the first SIGINT or SIGTERM asks the program to stop, the second one ends it, whatever
 * the program is doing then. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "../../../cli/progress.c"
#include "../../../cli/progress_log.c"

/* Both need it for what they print. */
const char *human_seconds(double seconds)
{
    static char text[40];
    snprintf(text, sizeof text, "%.3f s", seconds);
    return text;
}

/* No launcher has started this test. */
kith_ranks *ranks_joined(void)
{
    return NULL;
}

bool ranks_first(void)
{
    return true;
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

/* --- what is said at once --- */

/* A call that is in `phase` when the signal comes, and does not look at it for ever. */
static void work(int says, const char *phase, const common_options *common)
{
    progress_display *display = progress_begin(common);
    kith_run run = progress_run(display, common);
    dup2(says, STDERR_FILENO);
    run.progress(run.user, phase, 0.5);
    if (write(says, "b", 1) != 1)
        _exit(1);
    for (;;)
        pause();
}

/* Reads until `end` has come; what came before it is in `text`. */
static void read_until(int from, const char *end, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    while (strstr(text, end) == NULL) {
        assert_true(used + 1 < size);
        ssize_t got = read(from, text + used, size - 1 - used);
        assert_true(got > 0);
        used += (size_t)got;
        text[used] = '\0';
    }
}

/* What a program says when it gets SIGINT in this phase, before it ends by a second one. */
static void says_at_once(const char *phase, common_options common, const char *expected)
{
    int line[2];
    char text[400] = "";
    assert_int_equal(pipe(line), 0);
    pid_t child = fork();
    if (child == 0)
        work(line[1], phase, &common);
    close(line[1]);
    assert_int_equal(read(line[0], text, 1), 1); /* it is in the phase */
    kill(child, SIGINT);
    if (expected[0] != '\0')
        read_until(line[0], expected, text, sizeof text);
    else
        usleep(1000); /* nothing to wait for: the pipe is empty at the end */
    while (kill(child, 0) == 0 && waitpid(child, NULL, WNOHANG) == 0)
        kill(child, SIGINT);
    text[0] = '\0';
    assert_int_equal(read(line[0], text, sizeof text), 0); /* and nothing else */
    close(line[0]);
}

static void an_interrupted_search_speaks_at_once(void **state)
{
    (void)state;
    static const char best[] =
        "kith: stopping: writing the best release so far; Ctrl-C again discards it\n";
    const common_options keeps = {.no_progress = true, .keeps_best = true};
    const common_options quiet = {.quiet = true, .keeps_best = true};
    const common_options discards = {.no_progress = true};
    says_at_once("weave", keeps, best);
    says_at_once("grow", keeps, best);
    says_at_once("search: 7 checked", keeps, best);
    says_at_once("load", keeps, "");
    says_at_once("clustering", keeps, "");
    says_at_once("weave", quiet, "");
    says_at_once("weave", discards, "");
}

/* --- what a log gets --- */

/* What a call that began so many seconds ago, in a phase that did, prints when it tells its share.
 */
static void says_now(double started, double begun, char *text, size_t size)
{
    int line[2], kept = dup(STDERR_FILENO);
    assert_int_equal(pipe(line), 0);
    dup2(line[1], STDERR_FILENO);
    progress_display d = {.shown = true, .started = now() - started, .share = -1};
    d.begun = now() - begun;
    snprintf(d.phase, sizeof d.phase, "generate");
    pthread_mutex_init(&d.lock, NULL);
    assert_true(on_progress(&d, "generate", 0));
    pthread_mutex_destroy(&d.lock);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(line[1]);
    ssize_t got = read(line[0], text, size - 1);
    text[got > 0 ? got : 0] = '\0';
    close(line[0]);
}

/* Times that are far away from the limits: the test itself may take long. */
static void short_work_is_not_named(void **state)
{
    char text[200];
    const double later = -1000, before = 5;
    (void)state;
    says_now(later, later, text, sizeof text);
    assert_string_equal(text, "");
    says_now(before, later, text, sizeof text); /* many short phases */
    assert_string_equal(text, "");
    says_now(before, before, text, sizeof text);
    assert_int_equal(strncmp(text, "kith: generate", 14), 0);
}

/* What a log gets from a party that has waited for so long, in turns of a quarter of a second. */
static void says_while_waiting(const char *phase, double seconds, char *text, size_t size)
{
    int line[2], kept = dup(STDERR_FILENO);
    progress_display d = {.share = -1};
    assert_int_equal(pipe(line), 0);
    dup2(line[1], STDERR_FILENO);
    for (double time = 0; time < seconds; time += 0.25) {
        take(&d, phase, -1, 1000 + time);
        const progress_state state = {d.phase, d.detail, d.share, 1000 + time - d.begun,
                                      1000 + time};
        progress_log_say(&d.log, &state);
    }
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(line[1]);
    ssize_t got = read(line[0], text, size - 1);
    text[got > 0 ? got : 0] = '\0';
    close(line[0]);
}

static void a_log_says_for_whom_and_why(void **state)
{
    char text[2000], long_list[900] = "waiting for a-hospital-somewhere", expected[1000];
    (void)state;
    says_while_waiting("waiting for north: north at n:7001: Connection refused", 12, text,
                       sizeof text);
    assert_string_equal(text, "kith: waiting for north …\n"
                              "kith: waiting for north: north at n:7001: Connection refused, "
                              "10.000 s so far …\n");
    while (strlen(long_list) < 400)
        strcat(long_list, ", another-hospital-elsewhere");
    says_while_waiting(long_list, 9, text, sizeof text);
    snprintf(expected, sizeof expected, "kith: %s …\n", long_list);
    assert_string_equal(text, expected);
    while (strlen(long_list) < 800) /* longer than what is kept */
        strcat(long_list, ", another-hospital-elsewhere");
    says_while_waiting(long_list, 12, text, sizeof text);
    assert_non_null(strstr(text, "10.000 s so far"));
}

/* --- the bar --- */

static void inner_steps_leave_the_share(void **state)
{
    (void)state;
    progress_display d = {.share = -1};
    take(&d, "weave", 0.25, 10);
    take(&d, "weave", -1, 11); /* an inner step */
    assert_true(d.share == 0.25 && d.share_at == 10 && d.begun == 10);
    take(&d, "running", -1, 11.5); /* another one, which is called something else */
    assert_string_equal(d.phase, "weave");
    assert_true(d.share == 0.25);
    take(&d, "weave", 0.5, 12);
    assert_true(d.share == 0.5 && d.begun == 10);
    take(&d, "running", -1, 15); /* weave has not been heard of for long */
    assert_string_equal(d.phase, "running");
    assert_true(d.share < 0 && d.begun == 15);
    take(&d, "write", 0, 15.1);
    assert_string_equal(d.phase, "write");
    take(&d, "write", 1, 15.2);
    take(&d, "verify", -1, 15.3); /* what is done is done */
    assert_string_equal(d.phase, "verify");
    take(&d, "search: 7 checked", 0.5, 16);
    assert_string_equal(d.phase, "search");
    assert_string_equal(d.detail, "7 checked");
}

/* On a terminal the line is drawn again and again even if the call tells nothing more. */
static void the_line_ticks_by_itself(void **state)
{
    (void)state;
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    const char *name = ptsname(terminal);
    pid_t child = fork();
    if (child == 0) {
        int screen = open(name, O_RDWR | O_NOCTTY);
        const common_options common = {.quiet = false};
        dup2(screen, STDERR_FILENO);
        progress_display *display = progress_begin(&common);
        kith_run run = progress_run(display, &common);
        run.progress(run.user, "grow", -1);
        for (;;)
            pause();
    }
    char text[4000] = "";
    size_t used = 0;
    for (int drawn = 0; drawn < 3;) { /* each drawing begins with the phase */
        ssize_t got = read(terminal, text + used, sizeof text - 1 - used);
        assert_true(got > 0);
        used += (size_t)got;
        text[used] = '\0';
        drawn = 0;
        for (const char *at = text; (at = strstr(at, "grow ")) != NULL; at++)
            drawn++;
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(terminal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interrupted_search_speaks_at_once),
        cmocka_unit_test(short_work_is_not_named),
        cmocka_unit_test(a_log_says_for_whom_and_why),
        cmocka_unit_test(inner_steps_leave_the_share),
        cmocka_unit_test(the_line_ticks_by_itself),
        cmocka_unit_test(ends_at_the_second_signal),
        cmocka_unit_test(leaves_ignored_signals_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

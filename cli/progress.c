/* Progress on standard error, and Ctrl-C. */
#include "cli.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct progress_display {
    bool shown; /* --quiet and --no-progress hide it */
    bool terminal;
    progress_log log; /* where there is no terminal */
    double started;
    char phase[64];
    char detail[96]; /* what follows the colon of the phase; or empty */
    double begun;    /* of the phase */
    double printed;  /* last time something was printed in this phase, 0: never */
    bool drawn;      /* a bar stands on the terminal's line */
};

static volatile sig_atomic_t interrupted;
static const int caught[] = {SIGINT, SIGTERM};

/* From now on either signal ends the program the usual way, whatever it is doing. What nohup
 * ignores stays ignored: only handlers of this program are replaced. */
static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
        struct sigaction old;
        struct sigaction usual = {.sa_handler = SIG_DFL};
        if (sigaction(caught[i], NULL, &old) == 0 && old.sa_handler == on_interrupt)
            sigaction(caught[i], &usual, NULL);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What nohup ignores stays ignored. */
static void catch_signal(int number)
{
    struct sigaction old;
    struct sigaction action = {.sa_handler = on_interrupt};
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

progress_display *progress_begin(const common_options *common)
{
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
        catch_signal(caught[i]);
    progress_display *display = calloc(1, sizeof *display);
    if (display == NULL)
        return NULL;
    display->shown = !common->quiet && !common->no_progress;
    display->terminal = isatty(STDERR_FILENO);
    display->started = now();
    return display;
}

static void clear_line(progress_display *display)
{
    if (display->drawn)
        fputs("\r\033[K", stderr);
    display->drawn = false;
}

static void draw_bar(progress_display *display, double done)
{
    enum { WIDTH = 30 };
    double elapsed = now() - display->begun;
    clear_line(display);
    display->drawn = true;
    if (done < 0) {
        fprintf(stderr, "%-12s  %s", display->phase, human_seconds(elapsed));
        return;
    }
    done = done > 1 ? 1 : done;
    int full = (int)(done * WIDTH);
    fprintf(stderr, "%-12s  [", display->phase);
    for (int i = 0; i < WIDTH; i++)
        fputc(i < full ? '#' : '.', stderr);
    fprintf(stderr, "] %3.0f%%", 100 * done);
    if (done > 0.01 && done < 1)
        fprintf(stderr, "  %s left", human_seconds(elapsed / done - elapsed));
    if (display->detail[0] != '\0')
        fprintf(stderr, "  %s", display->detail);
}

static bool on_progress(void *user, const char *phase, double done)
{
    progress_display *display = user;
    if (interrupted)
        return false;
    if (!display->shown)
        return true;
    double time = now();
    size_t length = strcspn(phase, ":");
    const char *detail = phase[length] == '\0' ? "" : phase + length + 1;
    snprintf(display->detail, sizeof display->detail, "%s", detail + strspn(detail, " "));
    if (strlen(display->phase) != length || strncmp(phase, display->phase, length) != 0) {
        clear_line(display);
        snprintf(display->phase, sizeof display->phase, "%.*s", (int)length, phase);
        display->begun = time;
        display->printed = 0;
    }
    if (!display->terminal) {
        const progress_state state = {display->phase, display->detail, done, time - display->begun,
                                      time};
        if (time - display->started >= 1)
            progress_log_say(&display->log, &state);
        return true;
    }
    bool first = display->printed == 0;
    if (first ? time - display->begun >= 1 : time - display->printed > 0.1) {
        draw_bar(display, done);
        display->printed = time;
    }
    return true;
}

kith_run progress_run(progress_display *display, const common_options *common)
{
    return (kith_run)KITH_OPTIONS(
        kith_run, .n_threads = (unsigned)(common->threads > 1024 ? 1024 : common->threads),
        .seeded = common->seed.given, .seed = common->seed.value,
        .progress = display == NULL ? NULL : on_progress, .user = display);
}

void progress_end(progress_display *display)
{
    if (display == NULL)
        return;
    clear_line(display);
    free(display);
}

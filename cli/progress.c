/* Progress on standard error, and Ctrl-C. */
#include "cli.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Seconds: before anything is shown, between two drawings, and for which a phase that knows its
 * share is not displaced by one that does not. */
static const double before_first = 1, pause_between = 0.1, holds = 2;

struct progress_display {
    bool shown; /* --quiet and --no-progress hide it */
    bool terminal;
    progress_log log; /* where there is no terminal */
    double started;
    char phase[512];
    char detail[160]; /* what follows the colon of the phase; or empty */
    double begun;     /* of the phase */
    double printed;   /* last time something was printed in this phase, 0: never */
    double share;     /* the last one that is known in this phase, else negative */
    double share_at;  /* when it was told */
    bool keeps_best;  /* an interrupted search of this command has a result */
    bool ticks;       /* a thread redraws the line, also when nothing is told */
    bool ended;       /* asks the thread to end */
    pthread_t ticker; /* if `ticks` */
    pthread_mutex_t lock;
    pthread_cond_t wake;
};

static volatile sig_atomic_t interrupted;
/* Whether the call would end with its best result if it were interrupted now; the handler then says
 * so at once, because writing a large release takes its time. */
static volatile sig_atomic_t keeps_best, bar_drawn;
static const int caught[] = {SIGINT, SIGTERM};
static const char clear[] = "\r\033[K";
static const char stopping[] =
    "kith: stopping: writing the best release so far; Ctrl-C again discards it\n";

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
    if (keeps_best && bar_drawn) {
        (void)!write(STDERR_FILENO, clear, sizeof clear - 1);
        bar_drawn = 0;
    }
    if (keeps_best)
        (void)!write(STDERR_FILENO, stopping, sizeof stopping - 1);
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

static void clear_line(void)
{
    if (bar_drawn)
        fputs(clear, stderr);
    bar_drawn = false;
}

static void draw_bar(progress_display *display, double time)
{
    enum { WIDTH = 30 };
    double elapsed = time - display->begun, done = display->share;
    clear_line();
    bar_drawn = true;
    display->printed = time;
    if (done < 0) {
        /* One line of a terminal, whoever is waited for. */
        fprintf(stderr, "%-12.60s  %s", display->phase, human_seconds(elapsed));
        if (display->detail[0] != '\0')
            fprintf(stderr, "  %.60s", display->detail);
        return;
    }
    done = done > 1 ? 1 : done;
    int full = (int)(done * WIDTH);
    fprintf(stderr, "%-12s  [", display->phase);
    for (int i = 0; i < WIDTH; i++)
        fputc(i < full ? '#' : '.', stderr);
    fprintf(stderr, "] %3.0f%%", 100 * done);
    /* As of the moment at which the share was told; what has passed since then is subtracted. */
    double left = (display->share_at - display->begun) / done - elapsed;
    if (done > 0.01 && done < 1 && left > 0)
        fprintf(stderr, "  %s left", human_seconds(left));
    else if (done > 0.01)
        fprintf(stderr, "  %s", human_seconds(elapsed));
    if (display->detail[0] != '\0')
        fprintf(stderr, "  %s", display->detail);
}

/* Redraws the line when nothing is told for a while: a user sees that the program works. */
static void *tick(void *user)
{
    progress_display *display = user;
    pthread_mutex_lock(&display->lock);
    while (!display->ended) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += (long)(1e9 * pause_between);
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&display->wake, &display->lock, &until);
        double time = now();
        if (display->ended || interrupted || display->phase[0] == '\0' ||
            time - display->begun < before_first || time - display->printed < 5 * pause_between)
            continue;
        draw_bar(display, time);
        fflush(stderr);
    }
    pthread_mutex_unlock(&display->lock);
    return NULL;
}

/* The thread must not take signals from the one that makes the call. */
static void start_ticker(progress_display *display)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    display->ticks = pthread_create(&display->ticker, NULL, tick, display) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

progress_display *progress_begin(const common_options *common)
{
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
        catch_signal(caught[i]);
    progress_display *display = calloc(1, sizeof *display);
    if (display == NULL)
        return NULL;
    display->shown = !common->quiet && !common->no_progress && ranks_first();
    display->terminal = isatty(STDERR_FILENO);
    display->started = now();
    display->share = -1;
    display->keeps_best =
        common->keeps_best && !common->quiet && kith_ranks_count(ranks_joined()) == 1;
    pthread_mutex_init(&display->lock, NULL);
    pthread_cond_init(&display->wake, NULL);
    if (display->shown && display->terminal)
        start_ticker(display);
    return display;
}

/* True for the searches of 'kith anonymize' that keep their best result when they are stopped. */
static bool has_result(const char *phase, size_t length)
{
    static const char *const phases[] = {"grow", "weave", "search"};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        if (strlen(phases[i]) == length && strncmp(phases[i], phase, length) == 0)
            return true;
    return false;
}

/* Takes what a call tells. Inner steps that do not know their share do not take the bar away. */
static void take(progress_display *display, const char *phase, double done, double time)
{
    size_t length = strcspn(phase, ":");
    const char *detail = phase[length] == '\0' ? "" : phase + length + 1;
    if (length > sizeof display->phase - 1)
        length = sizeof display->phase - 1;
    bool same = strlen(display->phase) == length && strncmp(phase, display->phase, length) == 0;
    if (!same && done < 0 && display->share >= 0 && display->share < 1 &&
        time - display->share_at < holds)
        return;
    if (!same) {
        clear_line();
        snprintf(display->phase, sizeof display->phase, "%.*s", (int)length, phase);
        display->begun = time;
        display->printed = 0;
        display->share = -1;
    }
    if (done < 0 && display->share >= 0)
        return;
    snprintf(display->detail, sizeof display->detail, "%s", detail + strspn(detail, " "));
    display->share = done;
    display->share_at = time;
}

static bool on_progress(void *user, const char *phase, double done)
{
    progress_display *display = user;
    if (interrupted)
        return false;
    keeps_best = display->keeps_best && has_result(phase, strcspn(phase, ":"));
    if (!display->shown)
        return true;
    double time = now();
    pthread_mutex_lock(&display->lock);
    take(display, phase, done, time);
    bool first = display->printed == 0;
    const progress_state state = {display->phase, display->detail, display->share,
                                  time - display->begun, time};
    if (!display->terminal && time - display->started >= before_first)
        progress_log_say(&display->log, &state);
    else if (display->terminal && (first ? time - display->begun >= before_first
                                         : time - display->printed > pause_between))
        draw_bar(display, time);
    pthread_mutex_unlock(&display->lock);
    return true;
}

kith_run progress_run(progress_display *display, const common_options *common)
{
    return (kith_run)KITH_OPTIONS(
        kith_run, .n_threads = (unsigned)(common->threads > 1024 ? 1024 : common->threads),
        .seeded = common->seed.given, .seed = common->seed.value,
        .progress = display == NULL ? NULL : on_progress, .user = display, .ranks = ranks_joined());
}

void progress_end(progress_display *display)
{
    if (display == NULL)
        return;
    pthread_mutex_lock(&display->lock);
    display->ended = true;
    pthread_cond_signal(&display->wake);
    pthread_mutex_unlock(&display->lock);
    if (display->ticks)
        pthread_join(display->ticker, NULL);
    clear_line();
    keeps_best = false;
    pthread_cond_destroy(&display->wake);
    pthread_mutex_destroy(&display->lock);
    free(display);
}

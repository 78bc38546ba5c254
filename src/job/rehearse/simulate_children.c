/* Between fork and exec the child calls only async-signal-safe functions: the parent has threads,
 * and any of them may have held a lock, such as that of malloc, when it forked. */
#include "job/rehearse/simulate_children.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/check.h"
#include "core/run/context.h"
#include "core/error.h"
#include "wire/party.h"

enum {
    NOT_STARTED = 127, /* exit status of a child that could not run the program */
    LEAVING_MS = 2     /* how often a child is polled that has closed its standard error */
};

static void close_all(int *files, int count)
{
    for (int i = 0; i < count; i++)
        if (files[i] >= 0)
            close(files[i]);
}

kith_status simulate_children_start(child *c, const char *const *arguments, const char *directory,
                                    const char *input, kith_error *error)
{
    int files[3] = {-1, -1, -1}, ends[2] = {-1, -1};
    *c = (child){.errors = -1};
    files[0] = open(input, O_RDONLY | O_CLOEXEC);
    files[1] = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (files[0] < 0 || files[1] < 0 || pipe2(ends, O_CLOEXEC) != 0 ||
        fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) {
        int why = errno;
        close_all(files, 2);
        close_all(ends, 2);
        return error_errno(error, why, "start", arguments[0]);
    }
    files[2] = ends[1];
    pid_t parent = getpid();
    c->pid = fork();
    if (c->pid == 0) {
        /* Runs in the child and does not return. The second look at the parent closes a gap: if the
         * parent died before prctl, no signal would come. */
        setpgid(0, 0);
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent || chdir(directory) != 0)
            _exit(NOT_STARTED);
        for (int i = 0; i < 3; i++)
            if (dup2(files[i], i) < 0)
                _exit(NOT_STARTED);
        execv(arguments[0], (char *const *)(uintptr_t)arguments);
        _exit(NOT_STARTED);
    }
    int why = errno;
    close_all(files, 3); /* the child has its own copies */
    if (c->pid < 0) {
        c->pid = 0;
        close(ends[0]);
        return error_errno(error, why, "start", arguments[0]);
    }
    c->errors = ends[0];
    return KITH_OK;
}

static bool starts(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* Keeps a line that is not a message of kith, as long as there is room. */
static void append_other(child *c, const char *line)
{
    size_t length = strlen(line);
    if (length + 2 > sizeof c->other - c->other_length)
        return;
    memcpy(c->other + c->other_length, line, length);
    c->other_length += length;
    c->other[c->other_length++] = '\n';
    c->other[c->other_length] = '\0';
}

/* Handles one complete line. Only the first error counts: later ones follow from it. */
static void take_line(child *c)
{
    static const char error[] = "kith: error: ", hint[] = "kith: hint: ", dots[] = " …";
    char *line = c->line;
    size_t length = c->used, tail = strlen(dots);
    line[length] = '\0';
    c->used = 0;
    if (starts(line, error) && c->message[0] == '\0')
        snprintf(c->message, sizeof c->message, "%s", line + strlen(error));
    else if (starts(line, hint) && c->hint[0] == '\0' && c->message[0] != '\0')
        snprintf(c->hint, sizeof c->hint, "%s", line + strlen(hint));
    else if (starts(line, "kith: ") && length > tail && strcmp(line + length - tail, dots) == 0)
        snprintf(c->phase, sizeof c->phase, "%.*s", (int)(length - tail - 6), line + 6);
    else if (length > 0)
        append_other(c, line);
}

/* Handles an unfinished last line and closes the pipe. */
static void stop_listening(child *c)
{
    if (c->errors < 0)
        return;
    take_line(c);
    close(c->errors);
    c->errors = -1;
}

/* Reads once without blocking; false if there was nothing to read. */
static bool read_output(child *c)
{
    char bytes[4096];
    ssize_t got = read(c->errors, bytes, sizeof bytes);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return errno == EINTR;
    for (ssize_t i = 0; i < got; i++) {
        if (bytes[i] == '\n')
            take_line(c);
        else if (c->used + 1 < sizeof c->line)
            c->line[c->used++] = bytes[i];
    }
    if (got <= 0)
        stop_listening(c);
    return got > 0;
}

/* Collects the exit status of a child if it has ended; flags as of wait4. */
static void reap(child *c, int flags)
{
    struct rusage usage;
    if (c->pid == 0 || wait4(c->pid, &c->wait_status, flags, &usage) != c->pid)
        return;
    c->pid = 0;
    c->ended = true;
    c->ended_at = context_seconds();
    c->peak_rss_bytes = (uint64_t)usage.ru_maxrss * 1024;
    while (c->errors >= 0 && read_output(c)) /* what it wrote before it ended */
        continue;
    stop_listening(c);
}

/* A child closes its standard error shortly before it ends, so the pipe announces most ends;
 * whether it has ended is then polled. */
uint32_t simulate_children_wait(child *children, uint32_t count, int timeout_ms)
{
    ASSERT(count <= PARTY_MAX);
    struct pollfd news[PARTY_MAX];
    uint32_t of[PARTY_MAX], open = 0, left = 0;
    for (uint32_t i = 0; i < count; i++)
        if (children[i].errors >= 0) {
            of[open] = i;
            news[open++] = (struct pollfd){.fd = children[i].errors, .events = POLLIN};
        } else if (children[i].pid != 0) {
            timeout_ms = timeout_ms < LEAVING_MS ? timeout_ms : LEAVING_MS; /* about to end */
        }
    if (poll(news, open, timeout_ms) > 0)
        for (uint32_t i = 0; i < open; i++)
            if (news[i].revents != 0)
                read_output(&children[of[i]]);
    for (uint32_t i = 0; i < count; i++) {
        reap(&children[i], WNOHANG);
        left += children[i].pid != 0 || children[i].errors >= 0;
    }
    return left;
}

void simulate_children_kill(child *children, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (children[i].pid != 0 && kill(-children[i].pid, SIGKILL) != 0)
            kill(children[i].pid, SIGKILL); /* it has not called setpgid yet */
    for (uint32_t i = 0; i < count; i++)
        while (children[i].pid != 0)
            reap(&children[i], 0);
}

/* The reverse of exit_status in cli/report.c. */
static kith_status status_of_exit(int code)
{
    switch (code) {
    case 2: return KITH_DATA;
    case 3: return KITH_PEER;
    case 4: return KITH_INFEASIBLE;
    case 5: return KITH_IO;
    case 130: return KITH_CANCELLED;
    default: return KITH_BUG;
    }
}

kith_status simulate_children_status(const child *c, const char *name, kith_error *error)
{
    if (!c->ended)
        return error_set(error, KITH_PEER, "%s did not end", name);
    if (WIFSIGNALED(c->wait_status)) {
        int number = WTERMSIG(c->wait_status);
        const char *text = sigdescr_np(number);
        return error_set(error, KITH_PEER, "%s was ended by signal %d (%s)", name, number,
                         text == NULL ? "?" : text);
    }
    int code = WEXITSTATUS(c->wait_status);
    if (code == 0)
        return KITH_OK;
    if (code == NOT_STARTED)
        return error_set(error, KITH_IO, "%s could not be started", name);
    kith_status status = status_of_exit(code);
    if (c->message[0] == '\0')
        return error_set(error, status, "%s ended with status %d%s%.900s", name, code,
                         c->other_length > 0 ? ": " : "", c->other);
    error_set(error, status, "%s: %.900s", name, c->message);
    return c->hint[0] == '\0' ? status : error_hint(error, status, "%s", c->hint);
}

/* Processes that belong together: one whose calls fail, parties beside it, servers. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "drive.h"

enum { LOOK_MS = 20, PATIENCE_SECONDS = 120 };

static bool is_victim(const actor *a)
{
    return a->role == VICTIM || a->role == VICTIM_SERVER;
}

static void start(const scene *s, actor *a, const char *fault)
{
    for (int i = 0; i < 2; i++)
        a->files[i] = memfd_create("output", MFD_CLOEXEC);
    a->ended = a->watched = a->interrupted = false;
    a->pid = fork();
    if (a->pid != 0)
        return;
    dup2(a->files[0], STDOUT_FILENO);
    dup2(a->files[1], STDERR_FILENO);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setenv("LD_PRELOAD", s->library, 1);
    setenv("KITH_FAILING_STATE", a->state_path, 1);
    if (is_victim(a) && fault != NULL)
        setenv("KITH_FAILING", fault, 1);
    execv(a->command[0], a->command);
    perror(a->command[0]);
    _exit(99);
}

static void read_output(actor *a)
{
    for (int i = 0; i < 2; i++) {
        ssize_t n = pread(a->files[i], a->output[i], OUTPUT_BYTES - 1, 0);
        a->output[i][n < 0 ? 0 : n] = '\0';
        close(a->files[i]);
    }
}

/* Notes who has ended. */
static void reap(scene *s)
{
    for (size_t i = 0; i < s->count; i++) {
        actor *a = &s->actors[i];
        int status;
        if (a->pid <= 0 || a->ended || waitpid(a->pid, &status, WNOHANG) != a->pid)
            continue;
        a->ended = true;
        a->status = WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
        read_output(a);
    }
}

/* Does anybody listen on this port of the machine? */
static bool listens(int port)
{
    char line[256];
    unsigned local, state;
    bool found = false;
    FILE *in = fopen("/proc/net/tcp", "r");
    while (in != NULL && !found && fgets(line, sizeof line, in) != NULL)
        found = sscanf(line, " %*d: %*x:%x %*x:%*x %x", &local, &state) == 2 &&
                local == (unsigned)port && state == 0x0a;
    if (in != NULL)
        fclose(in);
    return found;
}

/* Waits for the end of a process, or for the next look. False if too much time has passed. */
static bool next_look(scene *s, time_t begun)
{
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigtimedwait(&children, NULL, &(struct timespec){.tv_nsec = LOOK_MS * 1000000L});
    reap(s);
    return time(NULL) - begun < PATIENCE_SECONDS;
}

static bool until_listening(scene *s, actor *a, time_t begun)
{
    while (!a->ended && !listens(a->port))
        if (!next_look(s, begun))
            return false;
    return true;
}

static bool is_server(const actor *a)
{
    return a->role == SERVER || a->role == VICTIM_SERVER;
}

/* A party that waits for one who is gone would do so for long: it is interrupted. Such a one
 * listens, or dials again. All others have met the one who is gone and must notice by themselves.
 */
static void interrupt_waiting(scene *s, actor *a)
{
    if (a->role != COMPANION || a->interrupted || !s->actors[0].ended)
        return;
    const unsigned long dialled = a->state->seen[FAILING_CONNECT];
    if (!a->watched)
        a->dialled = dialled;
    a->watched = true;
    if (dialled == a->dialled && !listens(a->port))
        return;
    a->interrupted = true;
    kill(a->pid, SIGINT);
}

/* All but servers have ended. */
static bool until_ended(scene *s, time_t begun)
{
    for (bool all = false; !all;) {
        all = true;
        for (size_t i = 0; i < s->count; i++) {
            actor *a = &s->actors[i];
            if (a->ended || is_server(a))
                continue;
            all = false;
            interrupt_waiting(s, a);
        }
        if (!all && !next_look(s, begun))
            return false;
    }
    return true;
}

static bool stop_servers(scene *s, time_t begun)
{
    for (size_t i = 0; i < s->count; i++) {
        actor *a = &s->actors[i];
        if (is_server(a) && !a->ended)
            kill(a->pid, SIGTERM);
        while (!a->ended)
            if (!next_look(s, begun))
                return false;
    }
    return true;
}

static void kill_rest(scene *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->actors[i].pid > 0 && !s->actors[i].ended) {
            kill(s->actors[i].pid, SIGKILL);
            while (waitpid(s->actors[i].pid, NULL, 0) < 0 && errno == EINTR)
                ;
            read_output(&s->actors[i]);
        }
}

static bool play(scene *s, const char *fault)
{
    const time_t begun = time(NULL);
    static const role order[] = {SERVER, VICTIM_SERVER, VICTIM, COMPANION};
    for (size_t turn = 0; turn < sizeof order / sizeof *order; turn++)
        for (size_t i = 0; i < s->count; i++) {
            actor *a = &s->actors[i];
            if (a->role != order[turn])
                continue;
            start(s, a, fault);
            if (is_server(a) && !until_listening(s, a, begun))
                return false;
        }
    return until_ended(s, begun) && stop_servers(s, begun);
}

bool scene_run(scene *s, const char *fault)
{
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, NULL);
    for (size_t i = 0; i < s->count; i++) {
        memset(s->actors[i].state, 0, sizeof *s->actors[i].state);
        s->actors[i].pid = 0;
    }
    const bool ended = play(s, fault);
    kill_rest(s);
    return ended;
}

void scene_open(scene *s)
{
    for (size_t i = 0; i < s->count; i++) {
        actor *a = &s->actors[i];
        snprintf(a->state_path, sizeof a->state_path, "%s.%zu", s->state_path, i);
        int descriptor = open(a->state_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        void *mapped = MAP_FAILED;
        if (descriptor >= 0 && ftruncate(descriptor, sizeof *a->state) == 0)
            mapped =
                mmap(NULL, sizeof *a->state, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        if (mapped == MAP_FAILED) {
            perror(a->state_path);
            exit(99);
        }
        close(descriptor);
        a->state = mapped;
    }
}

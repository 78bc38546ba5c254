/* Three processes over TLS run all primitives; one of them kills itself (SIGKILL) when it is about
 * to send its n-th frame, for many n over the whole run and every party. The others end without
 * waiting for a deadline, and say who it was and in which step they stood. */
/* wrap: nothing */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>

#include "support/loopback.h"
#include "support/medley.h"
#include "support/session.h"

enum { M = 3, POINTS = 13, BAD = 1, PEER = 33 };

typedef struct plan {
    uint32_t victim;
    uint64_t frame; /* of all that it sends, but for signs of life */
    uint64_t seen;
    int report; /* where a run that nobody kills writes how many there were; -1: nowhere */
} plan;

static frame_fault choose(void *user, uint32_t from, uint32_t to, uint64_t sequence,
                          const char *type)
{
    plan *x = user;
    (void)to, (void)sequence;
    if (from == x->victim && strcmp(type, "session.waiting") != 0 && x->seen++ == x->frame)
        kill(getpid(), SIGKILL);
    return FAULT_NONE;
}

static pid_t spawn(loopback *b, uint32_t i, plan *x)
{
    pid_t child = loopback_fork();
    if (child > 0)
        return child;
    b->site[i].options.fault = (fault_hook){choose, x};
    loopback_thread(&b->site[i]);
    const loopback_site *s = &b->site[i];
    if (i == x->victim && x->report >= 0 && write(x->report, &x->seen, sizeof x->seen) < 0)
        _exit(BAD);
    if (s->status == KITH_OK)
        _exit(0);
    bool good =
        s->status == KITH_PEER && strstr(s->error.message, b->peer[x->victim].name) != NULL &&
        strstr(s->error.message, " within ") == NULL && strstr(s->error.message, "(step ") != NULL;
    if (!good)
        fprintf(stderr, "%s: %s\n", b->peer[i].name, s->error.message);
    _exit(good ? PEER : BAD);
}

/* Exit statuses of all. */
static void run(plan *x, int code[M])
{
    loopback b;
    pid_t child[M];
    loopback_init(&b, M, medley_all);
    for (uint32_t i = 0; i < M; i++)
        child[i] = spawn(&b, i, x);
    for (uint32_t i = 0; i < M; i++) {
        int status;
        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        code[i] = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }
    loopback_free(&b);
}

static uint64_t count_frames(uint32_t victim)
{
    int report[2], code[M];
    uint64_t n_frames = 0;
    assert_int_equal(pipe(report), 0);
    plan x = {.victim = victim, .frame = UINT64_MAX, .report = report[1]};
    run(&x, code);
    for (uint32_t i = 0; i < M; i++)
        assert_int_equal(code[i], 0);
    assert_int_equal(read(report[0], &n_frames, sizeof n_frames), sizeof n_frames);
    close(report[0]);
    close(report[1]);
    return n_frames;
}

/* The last frames are farewells: who has got them may be content. */
static void kill_at(uint32_t victim, uint64_t frame, uint64_t n_frames)
{
    int code[M];
    plan x = {.victim = victim, .frame = frame, .report = -1};
    run(&x, code);
    assert_int_equal(code[victim], -SIGKILL);
    for (uint32_t i = 0; i < M; i++)
        if (i != victim && !(code[i] == 0 && frame + M - 1 > n_frames))
            assert_int_equal(code[i], PEER);
}

static void ends_wherever_one_is_killed(void **state)
{
    (void)state;
    for (uint32_t victim = 0; victim < M; victim++) {
        uint64_t n_frames = count_frames(victim);
        uint64_t n_points = session_samples(POINTS) == POINTS ? POINTS : n_frames;
        assert_true(n_frames > POINTS);
        for (uint64_t k = 0; k < n_points; k++) /* the first and the last one among them */
            kill_at(victim, k * (n_frames - 1) / (n_points - 1), n_frames);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ends_wherever_one_is_killed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A broken network or a dishonest peer below TLS sessions: one frame of a short run is lost,
 * duplicated, delayed, truncated or corrupted on its way out. All parties must fail with KITH_PEER;
 * a frame that is delayed comes long after their deadlines. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/parallel_runs.h"
#include "support/loopback.h"
#include "support/short_runs.h"

/* One question, two parts of an answer and BYE between any two parties. */
enum { M = SHORT_RUNS_PARTIES, FRAMES = 4, DEADLINE_MS = 200 };

typedef struct trial {
    frame_fault fault;
    uint32_t from, to;
    uint64_t sequence; /* among the frames that the run needs */
    uint64_t sent;
    char type[64];    /* of the frame that was hit; written by the thread of `from` */
    char wrong[1200]; /* what went wrong; empty: nothing */
} trial;

static frame_fault choose(void *user, uint32_t from, uint32_t to, uint64_t sequence,
                          const char *type)
{
    trial *t = user;
    (void)sequence;
    /* On a loaded machine parties say in between that they are waiting. */
    if (from != t->from || to != t->to || strcmp(type, "session.waiting") == 0 ||
        t->sent++ != t->sequence)
        return FAULT_NONE;
    snprintf(t->type, sizeof t->type, "%s", type);
    return t->fault;
}

/* If only a BYE was hit, or what comes just before it a second time, a party that received
 * everything may succeed: the receiver may have said goodbye before it looks further. */
static void judge(trial *t, const loopback *b)
{
    bool last = strcmp(t->type, "session.bye") == 0 ||
                (t->fault == FAULT_DUPLICATE && strcmp(t->type, "test.answer") == 0);
    int failed = 0;
    for (uint32_t i = 0; i < M; i++) {
        const loopback_site *s = &b->site[i];
        failed += s->status == KITH_PEER;
        if (s->status != KITH_PEER && !(last && s->status == KITH_OK))
            snprintf(t->wrong, sizeof t->wrong, "%s ended with %s", b->peer[i].name,
                     kith_status_name(s->status));
        if (s->status == KITH_PEER && strstr(s->error.message, "(step ") == NULL)
            snprintf(t->wrong, sizeof t->wrong, "no step: %s", s->error.message);
    }
    if (failed == 0 && t->fault != FAULT_DUPLICATE)
        snprintf(t->wrong, sizeof t->wrong, "nobody noticed");
    if (t->type[0] == '\0')
        snprintf(t->wrong, sizeof t->wrong, "there was no such frame");
}

static void attempt(void *object, size_t i)
{
    trial *t = (trial *)object + i;
    /* On a busy machine a deadline may pass before the frame leaves: then with a longer one. */
    for (unsigned ms = DEADLINE_MS; t->type[0] == '\0' && ms < 2000 * DEADLINE_MS; ms *= 2) {
        loopback b;
        loopback_init(&b, M, short_runs_exchange);
        for (int k = 0; k < M; k++) {
            b.site[k].options.deadline_ms = ms;
            b.site[k].options.fault = (fault_hook){choose, t};
        }
        t->sent = 0;
        t->wrong[0] = '\0';
        loopback_run(&b);
        judge(t, &b);
        loopback_free(&b);
    }
}

static void survives_any_broken_frame(void **state)
{
    static trial all[M * (M - 1) * FRAMES * (FAULTS - 1)];
    size_t count = 0;
    (void)state;
    for (uint32_t pair = 0; pair < M * M; pair++)
        for (uint64_t n = 0; n < FRAMES && pair / M != pair % M; n++)
            for (int fault = FAULT_LOSE; fault < FAULTS; fault++)
                all[count++] = (trial){
                    .fault = (frame_fault)fault, .from = pair / M, .to = pair % M, .sequence = n};
    parallel_run(count, 8, attempt, all);
    for (size_t i = 0; i < count; i++)
        if (all[i].wrong[0] != '\0')
            fail_msg("fault %d at frame %llu from %u to %u (%s): %s", (int)all[i].fault,
                     (unsigned long long)all[i].sequence, all[i].from, all[i].to, all[i].type,
                     all[i].wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(survives_any_broken_frame)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A broken network or a dishonest peer below TLS sessions: one frame of a short run is lost,
 * duplicated, delayed, truncated or corrupted on its way out. All parties must fail with KITH_PEER;
 * a frame that is delayed comes long after their deadlines. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/error.h"
#include "support/crowd.h"
#include "support/loopback.h"

enum { M = 3, FRAMES = 4, LONG = 300000, DEADLINE_MS = 200 };

static const message_type question = {"test.question", DISCLOSE_CONTROL};
static const message_type answer = {"test.answer", DISCLOSE_MASKED};

/* One question, two parts of an answer and BYE between any two parties. */
static kith_status short_run(party *p, void *user, kith_error *error)
{
    uint64_t small = party_self(p), theirs[M];
    void *places[M], *wide[M];
    unsigned char *mine = arena_zalloc(party_memory(p), LONG, 1);
    (void)user;
    TRY_ALLOC(mine, error);
    for (uint32_t i = 0; i < M; i++) {
        places[i] = &theirs[i];
        wide[i] = arena_alloc(party_memory(p), LONG);
        TRY_ALLOC(wide[i], error);
    }
    TRY(party_exchange(p, &question, &small, places, sizeof small, error));
    return party_exchange(p, &answer, mine, wide, LONG, error);
}

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

/* If only a BYE was hit, a party that received everything may succeed. */
static void judge(trial *t, const loopback *b)
{
    bool last = strcmp(t->type, "session.bye") == 0;
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
        loopback_init(&b, M, short_run);
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
    crowd_run(count, 8, attempt, all);
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

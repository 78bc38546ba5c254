/* A broken network: the n-th frame is lost, duplicated, delayed, truncated or corrupted, for every
 * n and every pair of a short run. All parties must fail with KITH_PEER, and soon. */
/* wrap: still_clock */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/short_runs.h"
#include "support/still_clock.h"
#include "wire/inproc.h"

enum { M = SHORT_RUNS_PARTIES, DEADLINE_MS = 200 };

typedef struct plan {
    frame_fault fault;
    uint32_t from, to;
    uint64_t sequence; /* among the frames that the run needs */
    uint64_t sent;
    char type[64]; /* of the frame that was hit; written by the thread of `from` */
} plan;

static frame_fault choose(void *user, uint32_t from, uint32_t to, uint64_t sequence,
                          const char *type)
{
    plan *x = user;
    (void)sequence;
    /* Whoever waits for a deadline says so in between. */
    if (from != x->from || to != x->to || strcmp(type, "session.waiting") == 0 ||
        x->sent++ != x->sequence)
        return FAULT_NONE;
    snprintf(x->type, sizeof x->type, "%s", type);
    return x->fault;
}

/* The last frame of a session says BYE: if only that one is hit, parties that received theirs may
 * succeed. */
static void check_outcome(const plan *x, kith_status status, const kith_error *errors)
{
    bool last = strcmp(x->type, "session.bye") == 0;
    if (last && (x->fault == FAULT_DUPLICATE || x->fault == FAULT_DELAY))
        return;
    assert_int_equal(status, KITH_PEER);
    for (int i = 0; i < M && !last; i++) {
        assert_int_equal(errors[i].status, KITH_PEER);
        assert_true(strstr(errors[i].message, "site") != NULL);
        assert_true(strstr(errors[i].message, "step") != NULL);
    }
}

static void spoil_every_frame(frame_fault fault)
{
    enum { FRAMES = 4 }; /* one question, two parts of an answer, BYE */
    for (uint32_t pair = 0; pair < M * M; pair++)
        for (uint64_t n = 0; n < FRAMES && pair / M != pair % M; n++) {
            plan x = {.fault = fault, .from = pair / M, .to = pair % M, .sequence = n};
            kith_error errors[M] = {{0}};
            inproc_options options = {.deadline_ms = DEADLINE_MS, .fault = {choose, &x}};
            double start = still_clock_seconds();
            kith_status status = inproc_run(M, NULL, &options, short_runs_exchange, NULL, errors);
            double deadlines = (still_clock_seconds() - start) / (DEADLINE_MS / 1e3);
            assert_true(x.type[0] != '\0');
            check_outcome(&x, status, errors);
            /* One and a quarter, as much again to tell the others, ten if only BYE was lost. */
            assert_true(deadlines < (strcmp(x.type, "session.bye") == 0 ? 12 : 2.3));
        }
}

static void loses(void **state)
{
    (void)state;
    spoil_every_frame(FAULT_LOSE);
}

static void duplicates(void **state)
{
    (void)state;
    spoil_every_frame(FAULT_DUPLICATE);
}

static void delays(void **state)
{
    (void)state;
    spoil_every_frame(FAULT_DELAY);
}

static void truncates(void **state)
{
    (void)state;
    spoil_every_frame(FAULT_TRUNCATE);
}

static void corrupts(void **state)
{
    (void)state;
    spoil_every_frame(FAULT_CORRUPT);
}

static void works_without_faults(void **state)
{
    (void)state;
    assert_int_equal(inproc_run(M, NULL, NULL, short_runs_exchange, NULL, NULL), KITH_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(works_without_faults),
        cmocka_unit_test(loses),
        cmocka_unit_test(duplicates),
        cmocka_unit_test(delays),
        cmocka_unit_test(truncates),
        cmocka_unit_test(corrupts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

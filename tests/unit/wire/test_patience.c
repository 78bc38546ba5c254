/* Long work between messages: with party_allow_slow_peers, parties wait for a peer that works, but
 * not for one that is silent or waits itself. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <time.h>

#include "core/error.h"
#include "wire/inproc.h"

static const message_type word = {"test.word", DISCLOSE_CONTROL};

enum { DEADLINE_MS = 400, LONG_MS = 1400 };

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

typedef struct plan {
    bool patient, polls, speaks;
} plan;

/* Party 0 works for a long time and then sends a message, which each party passes on. */
static kith_status work(party *p, const plan *a, kith_error *error)
{
    unsigned char byte = 1;
    for (int64_t start = now_ms(); now_ms() - start < LONG_MS;) {
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
        if (a->polls)
            TRY(party_poll(p, error));
    }
    return a->speaks ? party_send(p, 1, &word, &byte, 1, error)
                     : party_recv(p, 2, &word, &byte, 1, error);
}

/* 0 works, 1 waits for 0, 2 waits for 1. */
static kith_status take_part(party *p, void *user, kith_error *error)
{
    const plan *a = user;
    unsigned char byte;
    assert_false(party_allow_slow_peers(p, a->patient));
    if (party_self(p) == 0)
        return work(p, a, error);
    TRY(party_recv(p, party_self(p) - 1, &word, &byte, 1, error));
    return party_self(p) == 1 ? party_send(p, 2, &word, &byte, 1, error) : KITH_OK;
}

static kith_status run(plan a, int64_t *took)
{
    inproc_options options = {.deadline_ms = DEADLINE_MS};
    void *users[] = {&a, &a, &a};
    int64_t start = now_ms();
    kith_status status = inproc_run(3, NULL, &options, take_part, users, NULL);
    *took = now_ms() - start;
    return status;
}

static void waits_for_those_who_work(void **state)
{
    (void)state;
    int64_t took;
    assert_int_equal(run((plan){true, true, true}, &took), KITH_OK);
    assert_true(took >= LONG_MS);
}

static void gives_up_without_patience(void **state)
{
    (void)state;
    int64_t took;
    assert_int_equal(run((plan){false, true, true}, &took), KITH_PEER);
}

static void gives_up_on_the_silent(void **state)
{
    (void)state;
    int64_t took;
    assert_int_equal(run((plan){true, false, true}, &took), KITH_PEER);
}

/* When the work is done all three wait for each other. */
static void gives_up_on_those_who_wait(void **state)
{
    (void)state;
    int64_t took;
    assert_int_equal(run((plan){true, true, false}, &took), KITH_PEER);
    assert_in_range(took, LONG_MS, LONG_MS + 20 * DEADLINE_MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_for_those_who_work),
        cmocka_unit_test(gives_up_without_patience),
        cmocka_unit_test(gives_up_on_the_silent),
        cmocka_unit_test(gives_up_on_those_who_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

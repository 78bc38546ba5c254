/* A party asks its user a few times per second whether to go on: in work, in long streams of
 * messages, while it waits, and while nobody reads what it sends. The clock is the test's own
 * (support/still_clock.h). */
/* wrap: still_clock */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "core/error.h"
#include "support/still_clock.h"
#include "wire/inproc.h"
#include "wire/party_internal.h"

enum { NORTH, SOUTH, SITES };

enum { TURN_US = 5000, TURNS = 24000 }; /* two minutes */

static const message_type ball = {"test.ball", DISCLOSE_MASKED};

static kith_status pass(party *p, uint32_t from, uint32_t to, kith_error *error)
{
    uint64_t value = 7;
    return party_self(p) == from ? party_send(p, to, &ball, &value, sizeof value, error)
                                 : party_recv(p, from, &ball, &value, sizeof value, error);
}

static kith_status work(party *p, kith_error *error)
{
    for (int i = 0; i < TURNS; i++) {
        usleep(TURN_US);
        TRY(party_poll(p, error));
    }
    return KITH_OK;
}

static kith_status works_alone(party *p, kith_error *error)
{
    if (party_self(p) == NORTH)
        TRY(work(p, error));
    return pass(p, NORTH, SOUTH, error);
}

static kith_status sends_on_and_on(party *p, kith_error *error)
{
    for (int i = 0; i < TURNS; i++) {
        if (party_self(p) == NORTH)
            usleep(TURN_US);
        TRY(pass(p, NORTH, SOUTH, error));
    }
    return KITH_OK;
}

static kith_status waits_on_and_on(party *p, kith_error *error)
{
    if (party_self(p) == SOUTH)
        TRY(work(p, error));
    return pass(p, SOUTH, NORTH, error);
}

static kith_status sends_to_nobody(party *p, kith_error *error)
{
    size_t length = 40u << 20;
    void *much = TRY_ALLOC(arena_zalloc(party_memory(p), length, 1), error);
    if (party_self(p) == NORTH)
        return party_send(p, SOUTH, &ball, much, length, error);
    usleep(2000000); /* reads nothing */
    return party_recv(p, NORTH, &ball, much, length, error);
}

typedef struct plan {
    const char *name; /* of the step */
    kith_status (*fn)(party *p, kith_error *error);
    int asked;
} plan;

static bool stop_after_some(void *user, const char *for_whom)
{
    plan *x = user;
    assert_null(for_whom);
    return x->asked++ < 3;
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    plan *x = user;
    party_step(p, x->name);
    if (party_self(p) == NORTH) {
        p->waiting = stop_after_some;
        p->waiting_user = x;
    }
    return x->fn(p, error);
}

static void heeds_interrupts_everywhere(void **state)
{
    static plan cases[] = {{.name = "work", .fn = works_alone},
                           {.name = "stream", .fn = sends_on_and_on},
                           {.name = "wait", .fn = waits_on_and_on},
                           {.name = "much", .fn = sends_to_nobody}};
    const inproc_options options = {.deadline_ms = TURNS * TURN_US / 1000};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[96];
        kith_error errors[SITES] = {{0}};
        void *users[SITES] = {&cases[i], &cases[i]};
        double start = still_clock_seconds();
        assert_int_equal(inproc_run(SITES, NULL, &options, take_part, users, errors),
                         KITH_CANCELLED);
        assert_int_equal(errors[SOUTH].status, KITH_PEER);
        snprintf(expected, sizeof expected, "site1 ended the run: it was interrupted (step %s)",
                 cases[i].name);
        assert_string_equal(errors[SOUTH].message, expected);
        assert_int_equal(cases[i].asked, 4);
        assert_true(still_clock_seconds() - start <= 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(heeds_interrupts_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

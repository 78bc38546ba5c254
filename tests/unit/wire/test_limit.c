/* Runs that no deadline ends, since something always moves: a peer says that it works, again and
 * again. What ends them is the limit of the whole run. The clock is the test's own
 * (support/still_clock.h). */
/* wrap: still_clock */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "core/error.h"
#include "support/still_clock.h"
#include "wire/inproc.h"
#include "wire/party_internal.h"

enum { NORTH, SOUTH, SITES };

static const message_type ball = {"test.ball", DISCLOSE_MASKED};

/* South says that it works, as long as north is there. */
static kith_status drip(party *p, kith_error *error)
{
    unsigned char index = PARTY_NOBODY;
    outgoing o = {FRAME_WAITING, &party_waiting, &index, 1, 1, true};
    while (!p->peers[NORTH].closed && party_queue(p, NORTH, &o, NULL) == KITH_OK) {
        p->transport->pump(p, 0);
        usleep(20000);
    }
    return party_state(p, error);
}

static kith_status drips_at_the_end(party *p, void *user, kith_error *error)
{
    (void)user;
    return party_self(p) == SOUTH ? drip(p, error) : KITH_OK;
}

static kith_status drips_in_a_slow_step(party *p, void *user, kith_error *error)
{
    uint64_t value = 1;
    (void)user;
    party_step(p, "slow");
    return party_self(p) == SOUTH ? drip(p, error)
                                  : party_recv(p, SOUTH, &ball, &value, sizeof value, error);
}

/* North works by itself for longer than the run may take. */
static kith_status works_on(party *p, void *user, kith_error *error)
{
    uint64_t value = 1;
    (void)user;
    party_step(p, "slow");
    for (int i = 0; party_self(p) == NORTH && i < 2000; i++) {
        usleep(5000);
        TRY(party_poll(p, error));
    }
    return party_self(p) == NORTH ? KITH_OK
                                  : party_recv(p, NORTH, &ball, &value, sizeof value, error);
}

/* Returns what north says; it took so many seconds. */
static const char *run(kith_status (*fn)(party *p, void *user, kith_error *error),
                       const inproc_options *options, double seconds)
{
    static const char *const names[SITES] = {"north", "south"};
    static kith_error errors[SITES];
    double start = still_clock_seconds();
    assert_int_equal(inproc_run(SITES, names, options, fn, NULL, errors), KITH_PEER);
    double took = still_clock_seconds() - start;
    assert_true(took >= seconds && took < seconds + 0.1);
    return errors[NORTH].message;
}

static void ends_at_the_limit(void **state)
{
    const inproc_options options = {.deadline_ms = 100, .limit_ms = 1500};
    (void)state;
    assert_string_equal(
        run(drips_at_the_end, &options, 1.5),
        "the run reached its limit of 1.5 s while north waited for south (step end)");
    assert_string_equal(
        run(drips_in_a_slow_step, &options, 1.5),
        "the run reached its limit of 1.5 s while north waited for south (step slow)");
    assert_string_equal(run(works_on, &options, 1.5),
                        "the run reached its limit of 1.5 s (step slow)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_at_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

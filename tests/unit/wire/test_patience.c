/* Waiting: for peers that work, that wait themselves, that fall silent. All parties end within the
 * deadline and blame the right one; peers that are merely slow do not end the run. The clock is the
 * test's own (support/still_clock.h): whatever takes no time here takes none, so that times can be
 * compared exactly. */
/* wrap: still_clock */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "support/ball.h"
#include "support/still_clock.h"
#include "wire/inproc.h"

enum { NORTH, SOUTH, EAST, SITES };

enum { SECOND = 1000, DEADLINE_MS = 30 * SECOND, EVER_MS = 1000 * SECOND };

/* East gives to south, south to north, north to east: north never waits for east. */
static kith_status round_trip(party *p, kith_error *error)
{
    TRY(ball_pass(p, EAST, SOUTH, error));
    TRY(ball_pass(p, SOUTH, NORTH, error));
    return ball_pass(p, NORTH, EAST, error);
}

/* Work with signs of life. */
static kith_status work(party *p, unsigned milliseconds, kith_error *error)
{
    for (unsigned done = 0; done < milliseconds; done += 50) {
        usleep(50 * 1000);
        TRY(party_poll(p, error));
    }
    return KITH_OK;
}

/* As a process that is stopped: it neither sends nor receives. */
static void fall_silent(void)
{
    usleep(EVER_MS * 1000);
}

/* How a run of three went, and how long it took. */
typedef struct outcome {
    kith_status status;
    kith_error errors[SITES];
    double seconds;
} outcome;

static outcome run(kith_status (*fn)(party *p, void *user, kith_error *error), void *user)
{
    outcome o = {.status = KITH_OK};
    const inproc_options options = {.deadline_ms = DEADLINE_MS};
    void *users[SITES] = {user, user, user};
    double start = still_clock_seconds();
    o.status = inproc_run(SITES, NULL, &options, fn, users, o.errors);
    o.seconds = still_clock_seconds() - start;
    for (int i = 0; i < SITES && o.status != KITH_OK; i++)
        print_message("%s\n", o.errors[i].message);
    return o;
}

/* --- slow peers --- */

enum { LONG_MS = 100 * SECOND };

typedef struct plan {
    bool polls, speaks;
} plan;

/* North works for a long time, and then sends a message, or waits for one of east. South waits for
 * north, and east for south. */
static kith_status wait_in_a_chain(party *p, void *user, kith_error *error)
{
    const plan *a = user;
    if (party_self(p) == NORTH && a->polls)
        TRY(work(p, LONG_MS, error));
    else if (party_self(p) == NORTH)
        fall_silent();
    if (party_self(p) == NORTH && !a->speaks)
        return party_recv(p, EAST, &ball, &(uint64_t){0}, sizeof(uint64_t), error);
    TRY(ball_pass(p, NORTH, SOUTH, error));
    return ball_pass(p, SOUTH, EAST, error);
}

static void waits_for_those_who_work(void **state)
{
    (void)state;
    outcome o = run(wait_in_a_chain, &(plan){true, true});
    assert_int_equal(o.status, KITH_OK);
    assert_true(o.seconds == (double)LONG_MS / SECOND);
}

static void gives_up_on_the_silent(void **state)
{
    (void)state;
    assert_int_equal(run(wait_in_a_chain, &(plan){false, true}).status, KITH_PEER);
}

/* When the work is done all three wait for each other. */
static void gives_up_on_those_who_wait(void **state)
{
    (void)state;
    outcome o = run(wait_in_a_chain, &(plan){true, false});
    assert_int_equal(o.status, KITH_PEER);
    assert_true(o.seconds > (double)LONG_MS / SECOND);
    assert_true(o.seconds < (LONG_MS + 1.5 * DEADLINE_MS) / SECOND);
}

/* North is done and waits for the others to end, longer than a deadline. */
static kith_status two_work_on(party *p, void *user, kith_error *error)
{
    (void)user;
    TRY(round_trip(p, error));
    for (int i = 0; i < 16 && party_self(p) != NORTH; i++) {
        TRY(work(p, DEADLINE_MS / 12, error));
        TRY(ball_pass(p, EAST, SOUTH, error));
        TRY(ball_pass(p, SOUTH, EAST, error));
    }
    return KITH_OK;
}

/* North waits for south more than a deadline, since south had to wait for east. */
static kith_status excused(party *p, void *user, kith_error *error)
{
    (void)user;
    if (party_self(p) == EAST)
        TRY(work(p, DEADLINE_MS * 3 / 5, error));
    TRY(ball_pass(p, EAST, SOUTH, error));
    if (party_self(p) == SOUTH)
        TRY(work(p, DEADLINE_MS * 3 / 5, error));
    return ball_pass(p, SOUTH, NORTH, error);
}

static void waits_for_those_who_live(void **state)
{
    (void)state;
    assert_int_equal(run(two_work_on, NULL).status, KITH_OK);
    assert_int_equal(run(excused, NULL).status, KITH_OK);
}

/* East has sent north more than north holds unread, and works: only south hears that it does. */
static kith_status sends_much_and_works(party *p, void *user, kith_error *error)
{
    const size_t length = 80u << 20;
    void *much = TRY_ALLOC(arena_alloc(party_memory(p), length), error);
    (void)user;
    if (party_self(p) == EAST) {
        memset(much, 0, length);
        TRY(party_send(p, NORTH, &ball, much, length, error));
        TRY(work(p, LONG_MS, error));
    }
    TRY(ball_pass(p, EAST, SOUTH, error));
    TRY(ball_pass(p, SOUTH, NORTH, error));
    return party_self(p) == NORTH ? party_recv(p, EAST, &ball, much, length, error) : KITH_OK;
}

/* Messages take some seconds, as between busy parties. North works longer than a deadline and gives
 * to south, south to east; then north waits for east. East hears of that before south can have said
 * that it waits for north no longer: the chain seems to end at east itself. */
static kith_status waits_while_a_message_travels(party *p, void *user, kith_error *error)
{
    (void)user;
    if (party_self(p) == NORTH)
        TRY(work(p, LONG_MS, error));
    TRY(ball_pass(p, NORTH, SOUTH, error));
    TRY(ball_pass(p, SOUTH, EAST, error));
    return ball_pass(p, EAST, NORTH, error);
}

static void gives_messages_time_to_travel(void **state)
{
    (void)state;
    const inproc_options options = {.deadline_ms = DEADLINE_MS, .delay_ms = 5 * SECOND};
    kith_error errors[SITES];
    void *users[SITES] = {NULL};
    const kith_status status =
        inproc_run(SITES, NULL, &options, waits_while_a_message_travels, users, errors);
    for (int i = 0; i < SITES && status != KITH_OK; i++)
        print_message("%s\n", errors[i].message);
    assert_int_equal(status, KITH_OK);
}

static void hears_those_who_sent_too_much(void **state)
{
    (void)state;
    outcome o = run(sends_much_and_works, NULL);
    assert_int_equal(o.status, KITH_OK);
    assert_true(o.seconds >= (double)LONG_MS / SECOND);
}

/* East works before it reads what south sends, which is more than fits between them. */
static kith_status works_before_it_reads(party *p, void *user, kith_error *error)
{
    const size_t length = 100u << 20;
    void *much = TRY_ALLOC(arena_alloc(party_memory(p), length), error);
    (void)user;
    if (party_self(p) == EAST) {
        TRY(work(p, LONG_MS, error));
        return party_recv(p, SOUTH, &ball, much, length, error);
    }
    memset(much, 0, length);
    return party_self(p) == SOUTH ? party_send(p, EAST, &ball, much, length, error) : KITH_OK;
}

static void waits_for_those_who_read_later(void **state)
{
    (void)state;
    outcome o = run(works_before_it_reads, NULL);
    assert_int_equal(o.status, KITH_OK);
    assert_true(o.seconds == (double)LONG_MS / SECOND);
}

/* --- peers that hang --- */

static kith_status stops_in_a_chain(party *p, void *user, kith_error *error)
{
    (void)user;
    party_step(p, "chain");
    for (int round = 0; round < 10; round++) {
        if (round == 3 && party_self(p) == EAST)
            fall_silent();
        TRY(round_trip(p, error));
    }
    return KITH_OK;
}

/* North has nothing more to do and waits for the end. */
static kith_status stops_when_one_is_done(party *p, void *user, kith_error *error)
{
    (void)user;
    party_step(p, "pair");
    TRY(round_trip(p, error));
    if (party_self(p) == EAST)
        fall_silent();
    return ball_pass(p, EAST, SOUTH, error);
}

/* What south sends is not read; north waits for south. */
static kith_status stops_reading(party *p, void *user, kith_error *error)
{
    size_t length = 48u << 20;
    void *much = arena_zalloc(party_memory(p), length, 1);
    (void)user;
    party_step(p, "flood");
    TRY_ALLOC(much, error);
    if (party_self(p) == EAST)
        fall_silent();
    if (party_self(p) == SOUTH)
        TRY(party_send(p, EAST, &ball, much, length, error));
    return ball_pass(p, SOUTH, NORTH, error);
}

/* All three at once before anything else; north and south both wait for all. */
static kith_status stops_at_an_exchange(party *p, void *user, kith_error *error)
{
    uint64_t mine = 1, theirs[SITES];
    void *places[SITES] = {&theirs[0], &theirs[1], &theirs[2]};
    (void)user;
    party_step(p, "exchange");
    if (party_self(p) == EAST)
        fall_silent();
    return party_exchange(p, &ball, &mine, places, sizeof mine, error);
}

/* A party that waits for one that waits gives it a quarter more; the one that hangs is the last to
 * end, when it wakes up. */
static void notices_who_hangs(void **state)
{
    static kith_status (*const cases[])(party * p, void *user, kith_error *error) = {
        stops_in_a_chain, stops_when_one_is_done, stops_reading, stops_at_an_exchange};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        outcome o = run(cases[i], NULL);
        assert_int_equal(o.status, KITH_PEER);
        for (int j = NORTH; j < EAST; j++) {
            assert_int_equal(o.errors[j].status, KITH_PEER);
            assert_non_null(strstr(o.errors[j].message, "site3"));
            assert_non_null(strstr(o.errors[j].message, "(step "));
        }
        assert_non_null(strstr(o.errors[EAST].message, "it blames site3"));
    }
}

/* --- blame --- */

/* As if east's process were killed: nothing tells the others why it is gone. */
static frame_fault lose_aborts_of_east(void *user, uint32_t from, uint32_t to, uint64_t sequence,
                                       const char *type)
{
    (void)user, (void)to, (void)sequence;
    return from == EAST && strcmp(type, "session.abort") == 0 ? FAULT_LOSE : FAULT_NONE;
}

/* East is lost. South notices it, but north works on without a look at the network, and what south
 * has sent to it before fills the line. */
static kith_status reads_late(party *p, void *user, kith_error *error)
{
    size_t length = 12u << 20;
    unsigned char *much = arena_zalloc(party_memory(p), length, 1);
    (void)user;
    TRY_ALLOC(much, error);
    party_step(p, "late");
    if (party_self(p) == EAST) {
        usleep(SECOND * 1000);
        return error_set(error, KITH_DATA, "killed");
    }
    if (party_self(p) == SOUTH)
        TRY(party_send(p, NORTH, &ball, much, length, error));
    else
        usleep(3 * SECOND * 1000);
    return party_recv(p, EAST, &ball, much, length, error);
}

static void names_who_was_lost_to_those_who_read_late(void **state)
{
    (void)state;
    kith_error errors[SITES] = {{0}};
    const inproc_options options = {.fault = {lose_aborts_of_east, NULL}};
    assert_int_equal(inproc_run(SITES, NULL, &options, reads_late, NULL, errors), KITH_DATA);
    assert_string_equal(errors[SOUTH].message,
                        "lost the connection to site3: its thread has ended (step late)");
    assert_string_equal(errors[NORTH].message,
                        "lost the connection to site3: its thread has ended (step late)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_for_those_who_work),
        cmocka_unit_test(gives_up_on_the_silent),
        cmocka_unit_test(gives_up_on_those_who_wait),
        cmocka_unit_test(waits_for_those_who_live),
        cmocka_unit_test(notices_who_hangs),
        cmocka_unit_test(gives_messages_time_to_travel),
        cmocka_unit_test(hears_those_who_sent_too_much),
        cmocka_unit_test(waits_for_those_who_read_later),
        cmocka_unit_test(names_who_was_lost_to_those_who_read_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

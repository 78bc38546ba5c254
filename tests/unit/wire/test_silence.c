/* Peers that fall silent, keep others waiting, are interrupted or connect too late: all parties end
 * within the deadline and blame the right one. Peers that are merely slow do not end the run. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>

#include "core/error.h"
#include "support/crowd.h"
#include "support/loopback.h"
#include "wire/inproc.h"

enum { NORTH, SOUTH, EAST, SITES };

static const message_type ball = {"test.ball", DISCLOSE_MASKED};

static kith_status pass(party *p, uint32_t from, uint32_t to, kith_error *error)
{
    uint64_t value = 7;
    if (party_self(p) == from)
        return party_send(p, to, &ball, &value, sizeof value, error);
    if (party_self(p) == to)
        return party_recv(p, from, &ball, &value, sizeof value, error);
    return KITH_OK;
}

/* East gives to south, south to north, north to east: north never waits for east. */
static kith_status round_trip(party *p, kith_error *error)
{
    TRY(pass(p, EAST, SOUTH, error));
    TRY(pass(p, SOUTH, NORTH, error));
    return pass(p, NORTH, EAST, error);
}

static kith_status stops_in_a_chain(party *p, void *user, kith_error *error)
{
    (void)user;
    party_step(p, "chain");
    for (int round = 0; round < 1000; round++) {
        if (round == 3 && party_self(p) == EAST)
            raise(SIGSTOP);
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
        raise(SIGSTOP);
    return pass(p, EAST, SOUTH, error);
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
        raise(SIGSTOP);
    if (party_self(p) == SOUTH)
        TRY(party_send(p, EAST, &ball, much, length, error));
    return pass(p, SOUTH, NORTH, error);
}

/* All three at once before anything else; north and south both wait for all. */
static kith_status stops_at_an_exchange(party *p, void *user, kith_error *error)
{
    uint64_t mine = 1, theirs[SITES];
    void *places[SITES] = {&theirs[0], &theirs[1], &theirs[2]};
    (void)user;
    party_step(p, "exchange");
    if (party_self(p) == EAST)
        raise(SIGSTOP);
    return party_exchange(p, &ball, &mine, places, sizeof mine, error);
}

/* Runs a site in its own process, whose exit status is 33 if it failed as expected. */
static pid_t spawn(loopback *b, uint32_t i)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0)
        return child;
    loopback_thread(&b->site[i]);
    const char *message = b->site[i].error.message;
    bool good = b->site[i].status == KITH_PEER && strstr(message, "east") != NULL &&
                strstr(message, "(step ") != NULL;
    if (!good)
        fprintf(stderr, "%s: %s, %s\n", b->peer[i].name, kith_status_name(b->site[i].status),
                message);
    _exit(good ? 33 : 1);
}

/* Three processes, of which east stops. */
typedef struct stop_case {
    const char *name;
    kith_status (*fn)(party *p, void *user, kith_error *error);
    loopback b;
    pid_t child[SITES];
    double stopped;
} stop_case;

enum { STOP_DEADLINE_MS = 600 };

static void start_case(stop_case *c)
{
    int status = 0;
    loopback_init(&c->b, SITES, c->fn);
    for (uint32_t i = 0; i < SITES; i++) {
        c->b.site[i].options.deadline_ms = STOP_DEADLINE_MS;
        c->child[i] = spawn(&c->b, i);
    }
    assert_int_equal(waitpid(c->child[EAST], &status, WUNTRACED), c->child[EAST]);
    assert_true(WIFSTOPPED(status));
    c->stopped = loopback_seconds();
}

static void finish_case(stop_case *c)
{
    int status = 0;
    for (uint32_t i = NORTH; i < EAST; i++) {
        assert_int_equal(waitpid(c->child[i], &status, 0), c->child[i]);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 33)
            fail_msg("east stops %s: %s did not end well", c->name, c->b.peer[i].name);
    }
    double took = loopback_seconds() - c->stopped;
    assert_true(took > 0.8 * STOP_DEADLINE_MS / 1e3);
    assert_true(took < 60); /* 1.25 deadlines, half a second for ABORT, and a loaded machine */
    kill(c->child[EAST], SIGKILL);
    waitpid(c->child[EAST], &status, 0);
    loopback_free(&c->b);
}

static void notices_stopped_processes(void **state)
{
    static stop_case cases[] = {{.name = "in a chain", .fn = stops_in_a_chain},
                                {.name = "when north is done", .fn = stops_when_one_is_done},
                                {.name = "reading", .fn = stops_reading},
                                {.name = "at an exchange", .fn = stops_at_an_exchange}};
    (void)state;
    for (int i = 0; i < 4; i++)
        start_case(&cases[i]);
    for (int i = 0; i < 4; i++)
        finish_case(&cases[i]);
}

/* By the clock, not by the number of sleeps: on a busy machine each takes longer than it should. */
static void work(party *p, unsigned milliseconds)
{
    double end = loopback_seconds() + milliseconds / 1e3;
    while (loopback_seconds() < end) {
        usleep(5000);
        if (party_poll(p, NULL) != KITH_OK)
            return;
    }
}

enum { LIFE_DEADLINE_MS = 3000 };

/* North is done and waits for the others to end, longer than a deadline. */
static kith_status two_work_on(party *p, void *user, kith_error *error)
{
    (void)user;
    TRY(round_trip(p, error));
    for (int i = 0; i < 16 && party_self(p) != NORTH; i++) {
        work(p, LIFE_DEADLINE_MS / 12);
        TRY(pass(p, EAST, SOUTH, error));
        TRY(pass(p, SOUTH, EAST, error));
    }
    return KITH_OK;
}

/* North waits for south more than a deadline, since south had to wait for east. */
static kith_status excused(party *p, void *user, kith_error *error)
{
    (void)user;
    if (party_self(p) == EAST)
        work(p, LIFE_DEADLINE_MS * 2 / 3);
    TRY(pass(p, EAST, SOUTH, error));
    if (party_self(p) == SOUTH)
        work(p, LIFE_DEADLINE_MS * 2 / 3);
    return pass(p, SOUTH, NORTH, error);
}

static void waits_for_those_who_live(void **state)
{
    (void)state;
    inproc_options options = {.deadline_ms = LIFE_DEADLINE_MS};
    kith_error errors[SITES] = {{0}};
    kith_status status = inproc_run(SITES, NULL, &options, two_work_on, NULL, errors);
    for (int i = 0; i < SITES && status != KITH_OK; i++)
        print_error("%s\n", errors[i].message);
    assert_int_equal(status, KITH_OK);
    assert_int_equal(inproc_run(SITES, NULL, &options, excused, NULL, errors), KITH_OK);
}

/* A dishonest peer sends signs of life instead of the message: that does not excuse it. */
static kith_status only_says_it_lives(party *p, void *user, kith_error *error)
{
    (void)user;
    if (party_self(p) == SOUTH)
        work(p, 120000);
    return pass(p, SOUTH, NORTH, error);
}

static void does_not_wait_for_ever(void **state)
{
    (void)state;
    inproc_options options = {.deadline_ms = 200};
    kith_error errors[SITES] = {{0}};
    double start = loopback_seconds();
    assert_int_equal(inproc_run(SITES, NULL, &options, only_says_it_lives, NULL, errors),
                     KITH_PEER);
    assert_true(loopback_seconds() - start < 60);
    assert_non_null(strstr(errors[NORTH].message, "no message test.ball from site2"));
    assert_non_null(strstr(errors[EAST].message, "site2"));
}

static bool stop_after_some(void *user, const char *for_whom)
{
    int *asked = user;
    return for_whom != NULL || (*asked)++ < 3;
}

static kith_status works_alone(party *p, void *user, kith_error *error)
{
    (void)user;
    party_step(p, "work");
    for (int i = 0; i < 24000 && party_self(p) == NORTH; i++) {
        usleep(5000);
        TRY(party_poll(p, error));
    }
    return pass(p, NORTH, SOUTH, error);
}

static kith_status sends_on_and_on(party *p, void *user, kith_error *error)
{
    (void)user;
    party_step(p, "stream");
    for (int i = 0; i < 24000; i++) {
        if (party_self(p) == NORTH)
            usleep(5000);
        TRY(pass(p, NORTH, SOUTH, error));
    }
    return KITH_OK;
}

static kith_status waits_on_and_on(party *p, void *user, kith_error *error)
{
    (void)user;
    party_step(p, "wait");
    if (party_self(p) == SOUTH)
        work(p, 120000);
    return pass(p, SOUTH, NORTH, error);
}

static kith_status sends_to_nobody(party *p, void *user, kith_error *error)
{
    size_t length = 40u << 20;
    void *much = arena_zalloc(party_memory(p), length, 1);
    (void)user;
    party_step(p, "much");
    TRY_ALLOC(much, error);
    for (int i = 0; i < 2000 && party_self(p) == SOUTH; i++)
        usleep(1000); /* reads nothing */
    if (party_self(p) == NORTH)
        return party_send(p, SOUTH, &ball, much, length, error);
    return party_recv(p, NORTH, &ball, much, length, error);
}

typedef struct interrupt_case {
    kith_status (*fn)(party *p, void *user, kith_error *error);
    const char *step;
    double seconds;
    kith_status status[2];
    char message[256];
} interrupt_case;

static void interrupt_north(void *object, size_t i)
{
    interrupt_case *c = (interrupt_case *)object + i;
    loopback b;
    int asked = 0;
    loopback_init(&b, 2, c->fn);
    b.site[NORTH].options.waiting = stop_after_some;
    b.site[NORTH].options.user = &asked;
    c->seconds = loopback_run(&b);
    c->status[NORTH] = b.site[NORTH].status;
    c->status[SOUTH] = b.site[SOUTH].status;
    snprintf(c->message, sizeof c->message, "%.250s", b.site[SOUTH].error.message);
    loopback_free(&b);
}

static void heeds_interrupts_everywhere(void **state)
{
    interrupt_case cases[] = {{.fn = works_alone, .step = "work"},
                              {.fn = sends_on_and_on, .step = "stream"},
                              {.fn = waits_on_and_on, .step = "wait"},
                              {.fn = sends_to_nobody, .step = "much"}};
    (void)state;
    crowd_run(4, 4, interrupt_north, cases);
    for (size_t i = 0; i < 4; i++) {
        char expected[96];
        const interrupt_case *c = &cases[i];
        assert_true(c->seconds < 60);
        assert_int_equal(c->status[NORTH], KITH_CANCELLED);
        assert_int_equal(c->status[SOUTH], KITH_PEER);
        snprintf(expected, sizeof expected, "north ended the run: it was interrupted (step %s)",
                 c->step);
        if (c->fn == sends_to_nobody) /* a party that does not read may only notice the end */
            assert_non_null(strstr(c->message, "north"));
        else
            assert_string_equal(c->message, expected);
    }
}

/* One party has another study, one connects late. The main thread checks the results, since only it
 * may call cmocka. */
static void disagree(void *object, size_t i)
{
    const char **wrong = object;
    loopback b;
    loopback_init(&b, SITES, stops_at_an_exchange); /* is never called */
    b.site[i / SITES].options.agreement = (agreement){"another", 1, b.entry};
    b.site[i % SITES].late_ms = 700;
    if (loopback_run(&b) > 10)
        wrong[i] = "it took long, as if somebody had waited in vain";
    for (uint32_t j = 0; j < SITES; j++)
        if (b.site[j].status != KITH_PEER || strstr(b.site[j].error.message, "agree") == NULL)
            wrong[i] = "somebody did not say that there is no agreement";
    loopback_free(&b);
}

static void tells_those_who_come_late(void **state)
{
    const char *wrong[SITES * SITES] = {NULL};
    (void)state;
    crowd_run(SITES * SITES, SITES * SITES, disagree, wrong);
    for (size_t i = 0; i < SITES * SITES; i++)
        if (wrong[i] != NULL)
            fail_msg("party %zu disagrees, party %zu is late: %s", i / SITES, i % SITES, wrong[i]);
}

/* Accepts one connection at north's address, then closes the port. */
static void *answers_once(void *object)
{
    int listener = *(int *)object;
    int one = accept(listener, NULL, NULL);
    close(listener);
    usleep(100000);
    close(one);
    return NULL;
}

static void does_not_wait_for_those_who_left(void **state)
{
    (void)state;
    loopback b;
    pthread_t thread;
    loopback_init(&b, 2, stops_at_an_exchange);
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                             .sin_port =
                                 htons((uint16_t)atoi(strrchr(b.peer[0].address, ':') + 1))};
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(listener, 4), 0);
    assert_int_equal(pthread_create(&thread, NULL, answers_once, &listener), 0);
    double start = loopback_seconds();
    loopback_thread(&b.site[1]);
    assert_true(loopback_seconds() - start < 5);
    assert_int_equal(b.site[1].status, KITH_PEER);
    assert_non_null(strstr(b.site[1].error.message,
                           "answered before, but now refuses connections (step connect)"));
    pthread_join(thread, NULL);
    loopback_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notices_stopped_processes),
        cmocka_unit_test(waits_for_those_who_live),
        cmocka_unit_test(does_not_wait_for_ever),
        cmocka_unit_test(heeds_interrupts_everywhere),
        cmocka_unit_test(tells_those_who_come_late),
        cmocka_unit_test(does_not_wait_for_those_who_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

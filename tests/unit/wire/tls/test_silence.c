/* Over TLS: processes that are stopped, parties that come when the others have given up the
 * session, one that leaves before it has shown who it is. All others end and blame the right one.
 * Who waits how long for whom is in test_patience.c, with a clock that no busy machine can hurry.
 */
/* wrap: tls_hello_send_refusal */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>

#include "core/error.h"
#include "support/ball.h"
#include "support/loopback.h"
#include "wire/tls/tls_internal.h"

enum { NORTH, SOUTH, EAST, SITES };

/* --- stopped processes --- */

/* North never waits for east. */
static kith_status stops_in_a_chain(party *p, void *user, kith_error *error)
{
    (void)user;
    party_step(p, "chain");
    for (int round = 0; round < 1000; round++) {
        if (round == 3 && party_self(p) == EAST)
            raise(SIGSTOP);
        TRY(ball_pass(p, EAST, SOUTH, error));
        TRY(ball_pass(p, SOUTH, NORTH, error));
        TRY(ball_pass(p, NORTH, EAST, error));
    }
    return KITH_OK;
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
    return ball_pass(p, SOUTH, NORTH, error);
}

/* Runs a site in its own process, whose exit status is 33 if it failed as expected. */
static pid_t spawn(loopback *b, uint32_t i)
{
    pid_t child = loopback_fork();
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
} stop_case;

/* The others need a sign of life from each other within this time, but no more than that. */
enum { STOP_DEADLINE_MS = 10000 };

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
}

static void finish_case(stop_case *c)
{
    int status = 0;
    for (uint32_t i = NORTH; i < EAST; i++) {
        assert_int_equal(waitpid(c->child[i], &status, 0), c->child[i]);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 33)
            fail_msg("east stops %s: %s did not end well", c->name, c->b.peer[i].name);
    }
    kill(c->child[EAST], SIGKILL);
    waitpid(c->child[EAST], &status, 0);
    loopback_free(&c->b);
}

static void notices_stopped_processes(void **state)
{
    static stop_case cases[] = {{.name = "in a chain", .fn = stops_in_a_chain},
                                {.name = "reading", .fn = stops_reading}};
    (void)state;
    for (int i = 0; i < 2; i++)
        start_case(&cases[i]);
    for (int i = 0; i < 2; i++)
        finish_case(&cases[i]);
}

/* --- parties that come late --- */

static kith_status never_called(party *p, void *user, kith_error *error)
{
    (void)p, (void)user;
    return error_set(error, KITH_BUG, "the session stands");
}

void __real_tls_hello_send_refusal(tls_mesh *m, tls_link *l, refusal code, uint32_t blamed);
void __wrap_tls_hello_send_refusal(tls_mesh *m, tls_link *l, refusal code, uint32_t blamed);

static atomic_bool is_over; /* a party has refused another */

void __wrap_tls_hello_send_refusal(tls_mesh *m, tls_link *l, refusal code, uint32_t blamed)
{
    __real_tls_hello_send_refusal(m, l, code, blamed);
    atomic_store(&is_over, true);
}

/* One party has another study. Another one comes when the two that are there know that they do not
 * agree. Returns whether all three know that in the end; prints what they say. */
static bool disagree(uint32_t other, uint32_t late)
{
    loopback b;
    pthread_t thread[SITES];
    bool told = true;
    loopback_init(&b, SITES, never_called);
    b.site[other].options.agreement = (agreement){"another", 1, b.entry};
    b.site[late].options.wait_ms = 20000; /* if the others have left */
    atomic_store(&is_over, false);
    for (uint32_t i = 0; i < SITES; i++)
        if (i != late)
            thread[i] = loopback_start(&b.site[i]);
    while (!atomic_load(&is_over))
        usleep(1000);
    thread[late] = loopback_start(&b.site[late]);
    for (uint32_t i = 0; i < SITES; i++)
        pthread_join(thread[i], NULL);
    for (uint32_t i = 0; i < SITES; i++)
        if (b.site[i].status != KITH_PEER || strstr(b.site[i].error.message, "agree") == NULL) {
            print_message("%s is late: %s: %s\n", b.peer[late].name, b.peer[i].name,
                          b.site[i].error.message);
            told = false;
        }
    loopback_free(&b);
    return told;
}

/* The others stay for some seconds: a machine that is very slow gets more than one chance. */
static void tells_those_who_come_late(void **state)
{
    enum { CHANCES = 4 };
    (void)state;
    for (uint32_t i = 0; i < SITES * SITES; i++) {
        bool told = i / SITES == i % SITES; /* it alone would be waited for */
        for (int tries = 0; tries < CHANCES && !told; tries++)
            told = disagree(i / SITES, i % SITES);
        if (!told)
            fail_msg("party %u disagrees, party %u is late: not all know why", i / SITES,
                     i % SITES);
    }
}

/* --- one that leaves --- */

/* Accepts one connection at north's address, then closes the port, then the connection. */
static void *answers_once(void *object)
{
    int listener = *(int *)object;
    int one = accept(listener, NULL, NULL);
    close(listener);
    close(one);
    return NULL;
}

/* South would wait for minutes for one that was never there. */
static void does_not_wait_for_those_who_left(void **state)
{
    (void)state;
    loopback b;
    pthread_t thread;
    loopback_init(&b, 2, never_called);
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                             .sin_port =
                                 htons((uint16_t)atoi(strrchr(b.peer[0].address, ':') + 1))};
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(listener, 4), 0);
    assert_int_equal(pthread_create(&thread, NULL, answers_once, &listener), 0);
    loopback_thread(&b.site[1]);
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
        cmocka_unit_test(tells_those_who_come_late),
        cmocka_unit_test(does_not_wait_for_those_who_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

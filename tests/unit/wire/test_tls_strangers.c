/* Strangers who connect to a party's port and say nothing: the parties meet all the same, no
 * stranger takes up more than its share of places, and the party does not spin. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "core/error.h"
#include "support/loopback.h"
#include "wire/tls_internal.h"

enum { NORTH, SOUTH, STRANGERS = 90 };

static const message_type number = {"test.number", DISCLOSE_MASKED};

static kith_status meet(party *p, void *user, kith_error *error)
{
    uint64_t mine = 1, theirs[2];
    void *places[2] = {&theirs[0], &theirs[1]};
    (void)user;
    return party_exchange(p, &number, &mine, places, sizeof mine, error);
}

/* Connects to north from 127.0.0.`from` without saying anything; waits until north listens. */
static int knock(const loopback *b, unsigned from)
{
    struct sockaddr_in here = {.sin_family = AF_INET,
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + from)};
    struct sockaddr_in there = {
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
        .sin_port = htons((uint16_t)atoi(strrchr(b->peer[NORTH].address, ':') + 1))};
    for (;;) {
        int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        assert_true(s >= 0);
        assert_int_equal(bind(s, (struct sockaddr *)&here, sizeof here), 0);
        if (connect(s, (struct sockaddr *)&there, sizeof there) == 0)
            return s;
        close(s);
        usleep(5000);
    }
}

static bool is_open(int s)
{
    char byte;
    return recv(s, &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

/* Waits until exactly so many of the strangers' connections are open. North drops them one by one:
 * if it kept another number, this would not end before north gives up and closes all. */
static bool settles_at(const int *s, int expected)
{
    for (int n_open = STRANGERS; n_open > 0; usleep(20000)) {
        n_open = 0;
        for (int i = 0; i < STRANGERS; i++)
            n_open += is_open(s[i]);
        if (n_open == expected)
            return true;
    }
    return false;
}

static pthread_t start(loopback_site *s)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, loopback_thread, s), 0);
    return thread;
}

static void parties_meet_among_strangers(void **state)
{
    (void)state;
    loopback b;
    int s[STRANGERS];
    loopback_init(&b, 2, meet);
    pthread_t north = start(&b.site[NORTH]);
    for (int i = 0; i < STRANGERS; i++)
        s[i] = knock(&b, 1 + (unsigned)i % 3);
    loopback_thread(&b.site[SOUTH]);
    pthread_join(north, NULL);
    for (int i = NORTH; i <= SOUTH; i++) {
        if (b.site[i].status != KITH_OK)
            print_error("%s: %s\n", b.peer[i].name, b.site[i].error.message);
        assert_int_equal(b.site[i].status, KITH_OK);
    }
    for (int i = 0; i < STRANGERS; i++)
        close(s[i]);
    loopback_free(&b);
}

/* Is called once in every turn of the loop. */
static bool count_turn(void *user, const char *for_whom)
{
    (void)for_whom;
    atomic_fetch_add((atomic_int *)user, 1);
    return true;
}

/* How many of the connections from so many addresses, the first one 127.0.0.`first`, stay open
 * while north waits for south; and how many turns that takes. */
static int count_turns(unsigned first, unsigned addresses, int expected)
{
    enum { WAIT_MS = 4000 };
    loopback b;
    int s[STRANGERS];
    atomic_int turns = 0;
    loopback_init(&b, 2, meet);
    b.site[NORTH].options.waiting = count_turn;
    b.site[NORTH].options.user = &turns;
    b.site[NORTH].options.wait_ms = WAIT_MS;
    pthread_t north = start(&b.site[NORTH]);
    for (int i = 0; i < STRANGERS; i++)
        s[i] = knock(&b, first + (unsigned)i % addresses);
    assert_true(settles_at(s, expected));
    pthread_join(north, NULL);
    assert_int_equal(b.site[NORTH].status, KITH_PEER);
    for (int i = 0; i < STRANGERS; i++)
        close(s[i]);
    loopback_free(&b);
    return atomic_load(&turns);
}

/* A turn for every connection, one for every rest after one was dropped, and five per second. */
static void does_not_spin_and_shares_places(void **state)
{
    (void)state;
    enum { MOST = 2 * STRANGERS + 4 * 5 + 50 };
    assert_in_range(count_turns(1, 1, MAX_PENDING), STRANGERS, MOST); /* south's address */
    assert_in_range(count_turns(2, 1, 8), STRANGERS, MOST);
    assert_in_range(count_turns(2, 9, MAX_PENDING / 2), STRANGERS, MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parties_meet_among_strangers),
        cmocka_unit_test(does_not_spin_and_shares_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Strangers who connect to a party's port and say nothing, or anything: the parties meet all the
 * same, no stranger takes up more than its share of places, and the party does not spin. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "core/error.h"
#include "support/loopback.h"
#include "wire/tls/tls_internal.h"

enum { NORTH, SOUTH, STRANGERS = 90 };

static const message_type number = {"test.number", DISCLOSE_MASKED};

static kith_status meet(party *p, void *user, kith_error *error)
{
    uint64_t mine = 1, theirs[2];
    void *places[2] = {&theirs[0], &theirs[1]};
    (void)user;
    return party_exchange(p, &number, &mine, places, sizeof mine, error);
}

/* Connects to north from 127.0.0.`from` without saying anything; -1 if nobody listens. */
static int connect_once(const loopback *b, unsigned from)
{
    struct sockaddr_in here = {.sin_family = AF_INET,
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + from)};
    struct sockaddr_in there = {
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
        .sin_port = htons((uint16_t)atoi(strrchr(b->peer[NORTH].address, ':') + 1))};
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(s >= 0);
    assert_int_equal(bind(s, (struct sockaddr *)&here, sizeof here), 0);
    if (connect(s, (struct sockaddr *)&there, sizeof there) == 0)
        return s;
    close(s);
    return -1;
}

/* Waits until north listens. */
static int connect_from(const loopback *b, unsigned from)
{
    for (;;) {
        const int s = connect_once(b, from);
        if (s >= 0)
            return s;
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

/* South comes, and both end well. */
static void south_meets(loopback *b, pthread_t north)
{
    loopback_thread(&b->site[SOUTH]);
    pthread_join(north, NULL);
    for (int i = NORTH; i <= SOUTH; i++) {
        if (b->site[i].status != KITH_OK)
            print_error("%s: %s\n", b->peer[i].name, b->site[i].error.message);
        assert_int_equal(b->site[i].status, KITH_OK);
    }
}

static void parties_meet_among_strangers(void **state)
{
    (void)state;
    loopback b;
    int s[STRANGERS];
    loopback_init(&b, 2, meet);
    pthread_t north = loopback_start(&b.site[NORTH]);
    for (int i = 0; i < STRANGERS; i++)
        s[i] = connect_from(&b, 1 + (unsigned)i % 3);
    south_meets(&b, north);
    for (int i = 0; i < STRANGERS; i++)
        close(s[i]);
    loopback_free(&b);
}

typedef struct watch {
    atomic_int turns;
    atomic_bool stop;
} watch;

/* Is called once in every turn of the loop. */
static bool count_turn(void *user, const char *for_whom)
{
    watch *w = user;
    (void)for_whom;
    atomic_fetch_add(&w->turns, 1);
    return !atomic_load(&w->stop);
}

/* Of the connections from so many addresses, the first one 127.0.0.`first`, so many stay open while
 * north waits for south. Then nothing happens any more, and north has five turns per second at
 * most, or fewer if the machine is busy. */
static void share_places(unsigned first, unsigned addresses, int expected)
{
    enum { TURNS = 8 };
    loopback b;
    int s[STRANGERS];
    watch w = {0};
    loopback_init(&b, 2, meet);
    b.site[NORTH].options.waiting = count_turn;
    b.site[NORTH].options.user = &w;
    pthread_t north = loopback_start(&b.site[NORTH]);
    for (int i = 0; i < STRANGERS; i++)
        s[i] = connect_from(&b, first + (unsigned)i % addresses);
    assert_true(settles_at(s, expected));
    int turns = atomic_load(&w.turns);
    /* One for every connection, another one after one was dropped. */
    assert_true(turns >= STRANGERS);
    double start = loopback_seconds();
    while (atomic_load(&w.turns) < turns + TURNS)
        usleep(10000);
    assert_true(loopback_seconds() - start >= 0.2 * (TURNS - 4)); /* some may have begun before */
    atomic_store(&w.stop, true);
    pthread_join(north, NULL);
    assert_int_equal(b.site[NORTH].status, KITH_CANCELLED);
    for (int i = 0; i < STRANGERS; i++)
        close(s[i]);
    loopback_free(&b);
}

static void does_not_spin_and_shares_places(void **state)
{
    (void)state;
    share_places(1, 1, MAX_PENDING); /* south's address */
    share_places(2, 1, 8);
    share_places(2, 9, MAX_PENDING / 2);
}

static unsigned char *put_u16(unsigned char *at, size_t value)
{
    *at++ = (unsigned char)(value >> 8);
    *at++ = (unsigned char)value;
    return at;
}

/* A ClientHello of TLS 1.3 with one share of a key, of any group and content. Returns its length.
 */
static size_t client_hello(unsigned char bytes[1024], unsigned group, const unsigned char *share,
                           size_t length)
{
    static const unsigned char fixed[] = {0, 43, 0, 3, 2, 3, 4, 0,  13, 0, 8, 0, 6,
                                          8, 7,  4, 3, 8, 4, 0, 10, 0,  4, 0, 2};
    unsigned char *at = bytes + 9;
    at = put_u16(at, 0x303);
    memset(at, 7, 32); /* random bytes */
    at += 32;
    *at++ = 0; /* no session */
    at = put_u16(at, 2);
    at = put_u16(at, 0x1301);
    at = put_u16(at, 0x100); /* one kind of compression, none */
    unsigned char *extensions = at;
    at = memcpy(at + 2, fixed, sizeof fixed);
    at = put_u16(at + sizeof fixed, group);
    at = put_u16(at, 51);
    at = put_u16(at, length + 6);
    at = put_u16(at, length + 4);
    at = put_u16(at, group);
    at = put_u16(at, length);
    memcpy(at, share, length);
    at += length;
    put_u16(extensions, (size_t)(at - extensions) - 2);
    const size_t all = (size_t)(at - bytes);
    bytes[0] = 22;
    put_u16(bytes + 1, 0x301);
    put_u16(bytes + 3, all - 5);
    bytes[5] = 1;
    bytes[6] = 0;
    put_u16(bytes + 7, all - 9);
    return all;
}

static void say(int s, unsigned group, const unsigned char *share, size_t length)
{
    unsigned char bytes[1024];
    const size_t all = client_hello(bytes, group, share, length);
    assert_true(s >= 0); /* north has not ended */
    assert_int_equal(send(s, bytes, all, MSG_NOSIGNAL), all);
    (void)recv(s, bytes, sizeof bytes, 0); /* north answers, or closes */
    close(s);
}

/* OpenSSL calls it an internal error if a key cannot be derived from what a stranger sends. */
static void parties_meet_whatever_strangers_say(void **state)
{
    (void)state;
    enum { X25519 = 0x1d, FFDHE2048 = 0x100, TRIES = 16 };
    loopback b;
    unsigned char share[256] = {0};
    loopback_init(&b, 2, meet);
    pthread_t north = loopback_start(&b.site[NORTH]);
    say(connect_from(&b, 1), X25519, share, 32); /* a point of low order */
    for (unsigned i = 0; i < TRIES; i++) {       /* half of them are outside the group */
        memset(share, 0x70 + (int)i, sizeof share);
        share[0] = 0x7f;
        say(connect_once(&b, 1), FFDHE2048, share, sizeof share);
    }
    south_meets(&b, north);
    loopback_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parties_meet_among_strangers),
        cmocka_unit_test(parties_meet_whatever_strangers_say),
        cmocka_unit_test(does_not_spin_and_shares_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

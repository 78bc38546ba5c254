/* Peers that keep the form of a session, over real TLS, but misuse it: floods of control frames, a
 * byte now and then, texts for the terminal. The party that they lie to ends in time and says who
 * did it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/ioctl.h>

#include "core/error.h"
#include "support/loopback.h"
#include "wire/tls/tls_internal.h"

enum { NORTH, SOUTH };

/* --- floods --- */

static const message_type ball = {"test.ball", DISCLOSE_MASKED};

static const tls_link *link_to(const party *p, uint32_t peer)
{
    const tls_mesh *m = p->link;
    return &m->links[peer];
}

static bool queue_waiting(party *p)
{
    unsigned char index = PARTY_NOBODY;
    outgoing o = {FRAME_WAITING, &party_waiting, &index, 1, 1, true};
    return party_queue(p, NORTH, &o, NULL) == KITH_OK;
}

static kith_status run_two(loopback *b, kith_status (*fn)(party *p, void *user, kith_error *error))
{
    loopback_init(b, 2, fn);
    loopback_run(b);
    return b->site[NORTH].status;
}

/* South sends several thousand signs of life and then a message. North lets them arrive before it
 * looks, and counts how many it reads at once. */
static kith_status looks_once(party *p, void *user, kith_error *error)
{
    enum { FRAMES = 4 * TLS_FRAMES_AT_ONCE };
    uint64_t value = 1;
    int arrived = 0;
    uint64_t *most = user;
    for (int i = 0; i < FRAMES && party_self(p) == SOUTH; i++)
        if (!queue_waiting(p))
            return party_state(p, error);
    if (party_self(p) == SOUTH) {
        TRY(party_flush(p, error));
        return party_recv(p, NORTH, &ball, &value, sizeof value, error);
    }
    while (arrived < FRAMES * FRAME_HEADER) {
        assert_int_equal(ioctl(link_to(p, SOUTH)->socket.descriptor, FIONREAD, &arrived), 0);
        usleep(1000);
    }
    for (uint64_t before = 0; p->peers[SOUTH].next_in < FRAMES;) {
        p->transport->pump(p, 0);
        if (p->peers[SOUTH].next_in - before > *most)
            *most = p->peers[SOUTH].next_in - before;
        before = p->peers[SOUTH].next_in;
    }
    return party_send(p, SOUTH, &ball, &value, sizeof value, error);
}

static void reads_a_few_frames_at_once(void **state)
{
    (void)state;
    loopback b;
    uint64_t most = 0;
    loopback_init(&b, 2, looks_once);
    b.site[NORTH].user = &most;
    loopback_run(&b);
    assert_int_equal(b.site[NORTH].status, KITH_OK);
    assert_int_equal(b.site[SOUTH].status, KITH_OK);
    assert_int_equal(most, TLS_FRAMES_AT_ONCE);
    loopback_free(&b);
}

/* South sends signs of life as fast as the line takes them, for as long as north is there. */
static kith_status floods(party *p, void *user, kith_error *error)
{
    uint64_t value = 1;
    (void)user;
    party_step(p, "flood");
    if (party_self(p) == NORTH)
        return party_recv(p, SOUTH, &ball, &value, sizeof value, error);
    while (!p->peers[NORTH].closed) {
        while (p->peers[NORTH].out.bytes < 1 << 20 && queue_waiting(p)) {
        }
        p->transport->pump(p, party_now_us() + 1000);
    }
    return party_state(p, error);
}

static void keeps_its_limit_in_a_flood(void **state)
{
    (void)state;
    loopback b;
    loopback_init(&b, 2, floods);
    b.site[NORTH].options.limit_ms = 400;
    loopback_run(&b);
    assert_int_equal(b.site[NORTH].status, KITH_PEER);
    assert_string_equal(
        b.site[NORTH].error.message,
        "the run reached its limit of 0.4 s while north waited for south (step flood)");
    loopback_free(&b);
}

static bool stop_at_third(void *user, const char *for_whom)
{
    int *asked = user;
    return for_whom != NULL || ++*asked < 3;
}

static void heeds_its_user_in_a_flood(void **state)
{
    (void)state;
    loopback b;
    int asked = 0;
    loopback_init(&b, 2, floods);
    b.site[NORTH].options.waiting = stop_at_third;
    b.site[NORTH].options.user = &asked;
    loopback_run(&b);
    assert_int_equal(b.site[NORTH].status, KITH_CANCELLED);
    loopback_free(&b);
}

/* South changes its keys of TLS again and again, which OpenSSL reads by itself. North lets that
 * arrive before it looks. */
static kith_status changes_keys(party *p, void *user, kith_error *error)
{
    enum { CHANGES = 200, RECORD = 22 };
    uint64_t value = 1;
    int *left = user, arrived = 0;
    const tls_link *l = link_to(p, 1 - party_self(p));
    for (int i = 0; i < CHANGES && party_self(p) == SOUTH; i++)
        if (SSL_key_update(l->ssl, SSL_KEY_UPDATE_NOT_REQUESTED) != 1 ||
            SSL_do_handshake(l->ssl) != 1)
            return error_set(error, KITH_BUG, "OpenSSL does not change its keys");
    if (party_self(p) == SOUTH)
        return party_send(p, NORTH, &ball, &value, sizeof value, error);
    while (arrived < CHANGES * RECORD) {
        assert_int_equal(ioctl(l->socket.descriptor, FIONREAD, &arrived), 0);
        usleep(1000);
    }
    p->transport->pump(p, 0);
    assert_int_equal(ioctl(l->socket.descriptor, FIONREAD, left), 0);
    return party_recv(p, SOUTH, &ball, &value, sizeof value, error);
}

static void reads_one_change_of_keys_at_once(void **state)
{
    (void)state;
    loopback b;
    int left = 0;
    loopback_init(&b, 2, changes_keys);
    b.site[NORTH].user = &left;
    loopback_run(&b);
    assert_int_equal(b.site[NORTH].status, KITH_OK);
    assert_true(left > 0);
    loopback_free(&b);
}

/* --- a little now and then --- */

/* South takes 16 KB from the socket now and then, as long as north is there. */
static kith_status reads_slowly(party *p, void *user, kith_error *error)
{
    size_t length = 40u << 20;
    void *much = arena_zalloc(party_memory(p), length, 1);
    (void)user;
    party_step(p, "slow");
    TRY_ALLOC(much, error);
    if (party_self(p) == NORTH)
        return party_send(p, SOUTH, &ball, much, length, error);
    while (tls_link_read((tls_link *)link_to(p, NORTH), much, 16384) >= 0)
        usleep(20000);
    return error_set(error, KITH_DATA, "north has gone");
}

/* No deadline ends this run, since something always moves; the limit does. Other such runs are in
 * test_limit.c. */
static void ends_at_the_limit(void **state)
{
    (void)state;
    loopback b;
    loopback_init(&b, 2, reads_slowly);
    b.site[NORTH].options.limit_ms = 1500;
    loopback_run(&b);
    assert_int_equal(b.site[NORTH].status, KITH_PEER);
    assert_string_equal(
        b.site[NORTH].error.message,
        "the run reached its limit of 1.5 s while north waited for south (step slow)");
    loopback_free(&b);
}

/* --- texts --- */

/* What south puts into the name of a message, or into the step of an ABORT, for north's terminal.
 */
static const char red[] = "\x1b[31mkith: release.csv is fine\x1b[0m\r\n";

static kith_status colours_a_name(party *p, void *user, kith_error *error)
{
    static const message_type coloured = {red, DISCLOSE_MASKED};
    uint64_t value = 1;
    (void)user;
    if (party_self(p) == NORTH)
        return party_recv(p, SOUTH, &ball, &value, sizeof value, error);
    TRY(party_send(p, NORTH, &coloured, &value, sizeof value, error));
    return party_recv(p, NORTH, &ball, &value, sizeof value, error);
}

static kith_status colours_a_step(party *p, void *user, kith_error *error)
{
    uint64_t value = 1;
    (void)user;
    if (party_self(p) == NORTH)
        return party_recv(p, SOUTH, &ball, &value, sizeof value, error);
    party_step(p, red);
    return error_set(error, KITH_DATA, "something");
}

static void shows_no_text_of_a_peer(void **state)
{
    (void)state;
    loopback b;
    assert_int_equal(run_two(&b, colours_a_name), KITH_PEER);
    assert_string_equal(b.site[NORTH].error.message, "south sent a damaged frame (step start)");
    loopback_free(&b);
    assert_int_equal(run_two(&b, colours_a_step), KITH_PEER);
    assert_string_equal(b.site[NORTH].error.message, "south ended the run (step start)");
    loopback_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_few_frames_at_once),
        cmocka_unit_test(keeps_its_limit_in_a_flood),
        cmocka_unit_test(heeds_its_user_in_a_flood),
        cmocka_unit_test(reads_one_change_of_keys_at_once),
        cmocka_unit_test(ends_at_the_limit),
        cmocka_unit_test(shows_no_text_of_a_peer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Connections that break at awkward moments: before there is one, before a party that was dialled
 * has said anything, when a peer has said its goodbye, and in one direction only. Deadlines are far
 * away: a party that waited for one would run into the time limit of this test. */
/* wrap: ioctl */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <poll.h>

#include "core/error.h"
#include "support/loopback.h"
#include "support/raw_peer.h"

enum { NORTH, SOUTH, SITES, FAR_MS = 3600000 };

static const message_type ball = {"test.ball", DISCLOSE_MASKED};

static void init(loopback *b, kith_status (*fn)(party *p, void *user, kith_error *error))
{
    loopback_init(b, SITES, fn);
    for (int i = 0; i < SITES; i++)
        b->site[i].options.wait_ms = b->site[i].options.deadline_ms = FAR_MS;
}

static pthread_t start(loopback_site *s)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, loopback_thread, s), 0);
    return thread;
}

/* Greets and confirms, as the real party `self` would. */
static void meet(raw_peer *r, const loopback *b, uint32_t self, unsigned char run[RUN_BYTES])
{
    unsigned char hello[RAW_HELLO_BYTES], body[4096], nonces[SITES][NONCE_BYTES] = {{0}};
    nonces[self][0] = 1;
    raw_hello(hello, b, self, nonces[self]);
    assert_true(raw_write(r, HELLO_GREETING, sizeof hello, hello, sizeof hello));
    assert_int_equal(raw_read(r, body), HELLO_GREETING);
    memcpy(nonces[1 - self], body + 8, NONCE_BYTES);
    raw_run_id(run, b, SITES, (const unsigned char(*)[NONCE_BYTES])nonces);
    assert_true(raw_write(r, HELLO_CONFIRM, RUN_BYTES, run, RUN_BYTES));
    assert_int_equal(raw_read(r, body), HELLO_CONFIRM);
}

static void say_goodbye(raw_peer *r, const unsigned char run[RUN_BYTES])
{
    unsigned char bytes[FRAME_HEADER + 64];
    frame bye = {.kind = FRAME_BYE,
                 .disclosure = party_bye.disclosure,
                 .name = party_bye.name,
                 .name_length = strlen(party_bye.name)};
    memcpy(bye.run, run, FRAME_RUN);
    const int length = (int)frame_seal(bytes, &bye);
    assert_int_equal(SSL_write(r->ssl, bytes, length), length);
}

/* --- before the hello --- */

static kith_status nothing(party *p, void *user, kith_error *error)
{
    (void)p, (void)user, (void)error;
    return KITH_OK;
}

static int listen_at(const char *address)
{
    const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                             .sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1))};
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    assert_int_equal(bind(s, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(s, 8), 0);
    return s;
}

static void answer(raw_peer *r, int listener, const identity *id)
{
    r->socket = accept(listener, NULL, NULL);
    r->context = SSL_CTX_new(TLS_server_method());
    SSL_CTX_use_certificate(r->context, id->certificate);
    SSL_CTX_use_PrivateKey(r->context, id->key);
    r->ssl = SSL_new(r->context);
    SSL_set_fd(r->ssl, r->socket);
    assert_int_equal(SSL_accept(r->ssl), 1);
}

/* North shows its certificate, and the connection breaks. It does not know yet who called: south
 * must call again. */
static void dials_again_before_the_hello(void **state)
{
    (void)state;
    loopback b;
    raw_peer north;
    unsigned char run[RUN_BYTES];
    init(&b, nothing);
    const int listener = listen_at(b.peer[NORTH].address);
    pthread_t south = start(&b.site[SOUTH]);
    answer(&north, listener, b.id[NORTH]);
    raw_close(&north);
    answer(&north, listener, b.id[NORTH]);
    meet(&north, &b, NORTH, run);
    say_goodbye(&north, run);
    pthread_join(south, NULL);
    assert_int_equal(b.site[SOUTH].status, KITH_OK);
    raw_close(&north);
    close(listener);
    loopback_free(&b);
}

/* --- after the goodbye --- */

static kith_status outlasts_south(party *p, void *user, kith_error *error)
{
    (void)user;
    while (!p->peers[SOUTH].closed) {
        TRY(party_poll(p, error));
        poll(NULL, 0, 1);
    }
    return KITH_OK;
}

/* South has said goodbye and is gone before north has come to its end. North has nobody to take
 * leave of. */
static void ends_after_one_who_has_left(void **state)
{
    (void)state;
    loopback b;
    raw_peer south;
    unsigned char run[RUN_BYTES];
    init(&b, outlasts_south);
    pthread_t north = start(&b.site[NORTH]);
    assert_true(raw_open(&south, b.peer[NORTH].address, b.id[SOUTH]));
    meet(&south, &b, SOUTH, run);
    say_goodbye(&south, run);
    raw_close(&south);
    pthread_join(north, NULL);
    assert_int_equal(b.site[NORTH].status, KITH_OK);
    loopback_free(&b);
}

/* --- in one direction --- */

/* North can send nothing any more, though what south sends would arrive. South must not wait for
 * what will never come. */
static kith_status loses_its_voice(party *p, void *user, kith_error *error)
{
    uint64_t value = 1;
    (void)user;
    party_step(p, "run");
    if (party_self(p) == NORTH) {
        const tls_mesh *mesh = p->link;
        SSL_set_quiet_shutdown(mesh->links[SOUTH].ssl, 1);
        SSL_set_shutdown(mesh->links[SOUTH].ssl, SSL_SENT_SHUTDOWN); /* writing fails from now on */
        TRY(party_send(p, SOUTH, &ball, &value, sizeof value, error));
    }
    return party_recv(p, 1 - party_self(p), &ball, &value, sizeof value, error);
}

static void tells_that_it_cannot_write(void **state)
{
    (void)state;
    loopback b;
    init(&b, loses_its_voice);
    loopback_run(&b);
    for (int i = 0; i < SITES; i++) {
        assert_int_equal(b.site[i].status, KITH_PEER);
        assert_non_null(strstr(b.site[i].error.message, "lost the connection"));
    }
    loopback_free(&b);
}

/* --- while nobody answers --- */

static atomic_int asked; /* what is unsent on a socket that is not connected */

int __real_ioctl(int descriptor, unsigned long request, int *value);
int __wrap_ioctl(int descriptor, unsigned long request, int *value);
int __wrap_ioctl(int descriptor, unsigned long request, int *value)
{
    struct sockaddr_storage peer;
    socklen_t bytes = sizeof peer;
    asked += descriptor >= 0 && getpeername(descriptor, (struct sockaddr *)&peer, &bytes) != 0;
    return __real_ioctl(descriptor, request, value);
}

static bool interrupts(void *user, const char *for_whom)
{
    (void)user, (void)for_whom;
    return false;
}

/* South is interrupted while it dials, in vain. It need not wait until something has arrived. */
static void leaves_nobody_at_once(void **state)
{
    (void)state;
    loopback b;
    init(&b, nothing);
    b.site[SOUTH].options.waiting = interrupts;
    pthread_join(start(&b.site[SOUTH]), NULL);
    assert_int_equal(b.site[SOUTH].status, KITH_CANCELLED);
    assert_int_equal(asked, 0);
    loopback_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_nobody_at_once),
        cmocka_unit_test(dials_again_before_the_hello),
        cmocka_unit_test(ends_after_one_who_has_left),
        cmocka_unit_test(tells_that_it_cannot_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

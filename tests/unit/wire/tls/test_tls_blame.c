/* Who is blamed: if a party is lost, every other party names that one, also while they connect, and
 * not one that has left because of it. Strangers and peers that announce absurd sizes learn nothing
 * and break nothing. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sys/ioctl.h>

#include "core/error.h"
#include "support/loopback.h"
#include "support/raw_peer.h"

enum { NORTH, SOUTH, EAST, SITES };

static const message_type ball = {"test.ball", DISCLOSE_MASKED};

static kith_status never_called(party *p, void *user, kith_error *error)
{
    (void)p, (void)user;
    return error_set(error, KITH_BUG, "the session stands");
}

static void await(atomic_bool *flag)
{
    while (!atomic_load(flag))
        usleep(1000);
}

/* --- while connecting --- */

/* Says when the hellos of south and east have come, and another one has not. */
static bool note_both(void *user, const char *for_whom)
{
    if (for_whom != NULL && strstr(for_whom, "south") == NULL && strstr(for_whom, "east") == NULL)
        atomic_store((atomic_bool *)user, true);
    return true;
}

/* East greets north only, and is killed when south has greeted north as well. South hears of it
 * from north: by a refusal while a fourth party is missing, otherwise after north has confirmed the
 * run. */
static void lose_east(uint32_t count, const char *says)
{
    loopback b;
    raw_peer east;
    atomic_bool both_are_there = false;
    unsigned char hello[RAW_HELLO_BYTES], body[4096], nonce[NONCE_BYTES] = {1};
    loopback_init(&b, count, never_called);
    b.site[NORTH].options.waiting = note_both;
    b.site[NORTH].options.user = &both_are_there;
    pthread_t north = loopback_start(&b.site[NORTH]), south = loopback_start(&b.site[SOUTH]);
    assert_true(raw_open(&east, b.peer[NORTH].address, b.id[EAST]));
    raw_hello(hello, &b, EAST, nonce);
    assert_true(raw_write(&east, HELLO_GREETING, sizeof hello, hello, sizeof hello));
    assert_int_equal(raw_read(&east, body), HELLO_GREETING);
    if (count > SITES)
        await(&both_are_there);
    else
        assert_int_equal(raw_read(&east, body), HELLO_CONFIRM); /* all hellos have come */
    raw_close(&east);
    pthread_join(north, NULL);
    pthread_join(south, NULL);
    assert_int_equal(b.site[NORTH].status, KITH_PEER);
    assert_string_equal(b.site[NORTH].error.message,
                        "lost the connection to east: the connection broke (step connect)");
    assert_int_equal(b.site[SOUTH].status, KITH_PEER);
    assert_string_equal(b.site[SOUTH].error.message, says);
    loopback_free(&b);
}

static void names_who_left_while_connecting(void **state)
{
    (void)state;
    lose_east(4, "north ended the session: it lost the connection to east (step connect)");
    lose_east(3, "north ended the run: east failed (step connect)");
}

typedef struct meeting {
    atomic_bool north_runs, south_has_left;
    int arrived; /* bytes from south that waited for north when south had left */
} meeting;

static kith_status waits_for_south(party *p, void *user, kith_error *error)
{
    meeting *m = user;
    uint64_t value;
    if (party_self(p) != NORTH)
        return never_called(p, user, error);
    party_step(p, "run");
    atomic_store(&m->north_runs, true);
    await(&m->south_has_left);
    return party_recv(p, SOUTH, &ball, &value, sizeof value, error);
}

/* East confirms the run to north only and is killed. North has begun with the run; south has not,
 * but has confirmed it. */
static void names_who_left_before_all_ran(void **state)
{
    (void)state;
    loopback b;
    meeting m = {0};
    raw_peer east[2];
    unsigned char hello[RAW_HELLO_BYTES], body[4096], run[RUN_BYTES];
    unsigned char nonces[SITES][NONCE_BYTES] = {[EAST] = {7}};
    loopback_init(&b, SITES, waits_for_south);
    b.site[NORTH].user = &m;
    pthread_t north = loopback_start(&b.site[NORTH]), south = loopback_start(&b.site[SOUTH]);
    raw_hello(hello, &b, EAST, nonces[EAST]);
    for (int i = NORTH; i <= SOUTH; i++) {
        assert_true(raw_open(&east[i], b.peer[i].address, b.id[EAST]));
        assert_true(raw_write(&east[i], HELLO_GREETING, sizeof hello, hello, sizeof hello));
    }
    for (int i = NORTH; i <= SOUTH; i++) {
        assert_int_equal(raw_read(&east[i], body), HELLO_GREETING);
        memcpy(nonces[i], body + 8, NONCE_BYTES);
    }
    raw_run_id(run, &b, SITES, (const unsigned char(*)[NONCE_BYTES])nonces);
    assert_true(raw_write(&east[NORTH], HELLO_CONFIRM, sizeof run, run, sizeof run));
    await(&m.north_runs);
    raw_close(&east[NORTH]);
    raw_close(&east[SOUTH]);
    pthread_join(south, NULL);
    atomic_store(&m.south_has_left, true);
    pthread_join(north, NULL);
    assert_int_equal(b.site[SOUTH].status, KITH_PEER);
    assert_string_equal(b.site[SOUTH].error.message,
                        "lost the connection to east: the connection broke (step connect)");
    assert_int_equal(b.site[NORTH].status, KITH_PEER);
    assert_string_equal(b.site[NORTH].error.message,
                        "south ended the run: east failed (step connect)");
    loopback_free(&b);
}

/* South and east have greeted north. South says again and again that it waits for `missing`; east
 * says nothing, or that it waits for south. */
typedef struct wait_scene {
    unsigned char missing;
    bool east_waits;
    loopback b;
    raw_peer peer[SITES];
    pthread_t north;
    bool ended;
} wait_scene;

enum { EAST_IS_SILENT, BOTH_WAIT, SOUTH_WAITS_FOR_NORTH, WAIT_SCENES };

static wait_scene wait_scenes[WAIT_SCENES] = {
    [EAST_IS_SILENT] = {.missing = EAST},
    [BOTH_WAIT] = {.missing = EAST, .east_waits = true},
    [SOUTH_WAITS_FOR_NORTH] = {.missing = NORTH, .east_waits = true}};

static bool begin_to_wait(wait_scene *s)
{
    unsigned char hello[RAW_HELLO_BYTES], body[4096], nonce[NONCE_BYTES] = {5};
    bool greeted = true;
    loopback_init(&s->b, SITES, never_called);
    s->b.site[NORTH].options.deadline_ms = 1000; /* 10 s are the least for a hello */
    s->north = loopback_start(&s->b.site[NORTH]);
    for (uint32_t i = SOUTH; i <= EAST; i++) {
        greeted = greeted && raw_open(&s->peer[i], s->b.peer[NORTH].address, s->b.id[i]);
        raw_hello(hello, &s->b, i, nonce);
        greeted = greeted &&
                  raw_write(&s->peer[i], HELLO_GREETING, sizeof hello, hello, sizeof hello) &&
                  raw_read(&s->peer[i], body) == HELLO_GREETING;
    }
    return greeted;
}

static void go_on_waiting(wait_scene *s)
{
    const unsigned char south = SOUTH;
    s->ended = s->ended || pthread_tryjoin_np(s->north, NULL) != EBUSY;
    if (s->ended)
        return;
    raw_write(&s->peer[SOUTH], HELLO_WAITING, 1, &s->missing, 1);
    if (s->east_waits)
        raw_write(&s->peer[EAST], HELLO_WAITING, 1, &south, 1);
}

/* All scenes at once, since each takes its time; the tests look at what north said. */
static int play_wait_scenes(void **state)
{
    (void)state;
    signal(SIGPIPE, SIG_IGN); /* north closes when it has given up */
    for (int i = 0; i < WAIT_SCENES; i++)
        if (!begin_to_wait(&wait_scenes[i]))
            return -1;
    for (int n_ended = 0; n_ended < WAIT_SCENES; usleep(100000)) {
        n_ended = 0;
        for (int i = 0; i < WAIT_SCENES; i++) {
            go_on_waiting(&wait_scenes[i]);
            n_ended += wait_scenes[i].ended;
        }
    }
    return 0;
}

static int end_wait_scenes(void **state)
{
    (void)state;
    for (int i = 0; i < WAIT_SCENES; i++) {
        raw_close(&wait_scenes[i].peer[SOUTH]);
        raw_close(&wait_scenes[i].peer[EAST]);
        loopback_free(&wait_scenes[i].b);
    }
    return 0;
}

static void north_says(int scene, const char *message)
{
    const loopback_site *north = &wait_scenes[scene].b.site[NORTH];
    assert_int_equal(north->status, KITH_PEER);
    assert_string_equal(north->error.message, message);
}

static void names_who_is_silent_and_not_who_waits(void **state)
{
    (void)state;
    north_says(EAST_IS_SILENT, "east did not confirm the run within 20 s (step connect)");
}

static void excuses_a_wait_once(void **state)
{
    (void)state;
    north_says(BOTH_WAIT, "south did not confirm the run within 40 s: it says that it waits for "
                          "east (step connect)");
}

static void excuses_nobody_who_waits_for_us(void **state)
{
    (void)state;
    north_says(SOUTH_WAITS_FOR_NORTH, "south did not confirm the run within 20 s (step connect)");
}

/* --- in the run --- */

enum { MESSAGES = 4 * TLS_FRAMES_AT_ONCE };

/* Ends the process's connections as if it were killed. */
static kith_status die(party *p, kith_error *error)
{
    const tls_mesh *mesh = p->link;
    for (uint32_t i = 0; i < SITES; i++)
        if (i != party_self(p))
            shutdown(mesh->links[i].socket.descriptor, SHUT_RDWR);
    return error_set(error, KITH_DATA, "killed");
}

/* South sends many messages to north and then loses east. North looks when south is gone: before it
 * finds out why, it meets a connection to which it cannot write. */
static kith_status loses_east(party *p, void *user, kith_error *error)
{
    meeting *m = user;
    uint64_t value = 1;
    party_step(p, "run");
    if (party_self(p) == EAST) {
        TRY(party_recv(p, SOUTH, &ball, &value, sizeof value, error));
        await(&m->north_runs);
        return die(p, error);
    }
    if (party_self(p) == SOUTH) {
        for (int i = 0; i < MESSAGES; i++)
            TRY(party_send(p, NORTH, &ball, &value, sizeof value, error));
        TRY(party_flush(p, error));
        TRY(party_send(p, EAST, &ball, &value, sizeof value, error));
        return party_recv(p, EAST, &ball, &value, sizeof value, error);
    }
    atomic_store(&m->north_runs, true);
    await(&m->south_has_left);
    const tls_mesh *mesh = p->link;
    ioctl(mesh->links[SOUTH].socket.descriptor, FIONREAD, &m->arrived);
    while (send(mesh->links[SOUTH].socket.descriptor, "x", 1, MSG_NOSIGNAL) == 1)
        usleep(1000);
    TRY(party_send(p, SOUTH, &ball, &value, sizeof value, error));
    for (int i = 0; i <= MESSAGES; i++)
        TRY(party_recv(p, SOUTH, &ball, &value, sizeof value, error));
    return KITH_OK;
}

static void reads_on_where_it_cannot_write(void **state)
{
    (void)state;
    loopback b;
    meeting m = {0};
    pthread_t thread[SITES];
    loopback_init(&b, SITES, loses_east);
    for (int i = 0; i < SITES; i++) {
        b.site[i].user = &m;
        thread[i] = loopback_start(&b.site[i]);
    }
    pthread_join(thread[SOUTH], NULL);
    atomic_store(&m.south_has_left, true);
    pthread_join(thread[NORTH], NULL);
    pthread_join(thread[EAST], NULL);
    assert_int_equal(b.site[SOUTH].status, KITH_PEER);
    assert_non_null(strstr(b.site[SOUTH].error.message, "lost the connection to east"));
    assert_int_equal(b.site[NORTH].status, KITH_PEER);
    assert_true(m.arrived > MESSAGES * FRAME_HEADER); /* south did not leave before */
    assert_null(strstr(b.site[NORTH].error.message, "lost the connection to south"));
    assert_non_null(strstr(b.site[NORTH].error.message, "east"));
    loopback_free(&b);
}

/* --- greetings --- */

/* Whoever shows an expired certificate gets a refusal, and nothing of the study. */
static void greets_valid_certificates_only(void **state)
{
    (void)state;
    loopback b;
    raw_peer south;
    unsigned char body[4096];
    loopback_init(&b, 2, never_called);
    b.id[SOUTH] = loopback_identity(b.memory, "south", -20, -10);
    memcpy(b.peer[SOUTH].pin, b.id[SOUTH]->pin, IDENTITY_PIN);
    pthread_t north = loopback_start(&b.site[NORTH]);
    assert_true(raw_open(&south, b.peer[NORTH].address, b.id[SOUTH]));
    assert_int_equal(raw_read(&south, body), HELLO_REFUSE);
    assert_int_equal(body[0], REFUSE_STALE);
    assert_int_equal(raw_read(&south, body), 0);
    pthread_join(north, NULL);
    assert_int_equal(b.site[NORTH].status, KITH_PEER);
    raw_close(&south);
    loopback_free(&b);
}

/* What a peer announces is believed up to a limit, and never allocated beyond it. */
static void refuses_absurd_hellos(void **state)
{
    (void)state;
    static const char *const says[] = {"south sent an invalid handshake message",
                                       "south sent an invalid handshake message",
                                       "south does not agree with this party: the study differs",
                                       "south does not agree with this party: the study differs"};
    for (int i = 0; i < 4; i++) {
        loopback b;
        raw_peer south;
        unsigned char hello[RAW_HELLO_BYTES + 2], nonce[NONCE_BYTES] = {1};
        loopback_init(&b, 2, never_called);
        pthread_t north = loopback_start(&b.site[NORTH]);
        assert_true(raw_open(&south, b.peer[NORTH].address, b.id[SOUTH]));
        raw_hello(hello, &b, SOUTH, nonce);
        hello[40] ^= i >= 2;                          /* the digest of another study */
        memset(hello + RAW_HELLO_BYTES - 4, 0xff, 6); /* so many entries, the first one too long */
        uint32_t announced = i == 0   ? UINT32_MAX
                             : i == 1 ? HELLO_MAX_BYTES + 1
                             : i == 2 ? sizeof hello
                                      : RAW_HELLO_BYTES;
        assert_true(raw_write(&south, HELLO_GREETING, announced, hello, sizeof hello));
        pthread_join(north, NULL);
        assert_int_equal(b.site[NORTH].status, KITH_PEER);
        assert_string_equal(b.site[NORTH].error.message, says[i]);
        raw_close(&south);
        loopback_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_who_left_while_connecting),
        cmocka_unit_test(names_who_left_before_all_ran),
        cmocka_unit_test(names_who_is_silent_and_not_who_waits),
        cmocka_unit_test(excuses_a_wait_once),
        cmocka_unit_test(excuses_nobody_who_waits_for_us),
        cmocka_unit_test(reads_on_where_it_cannot_write),
        cmocka_unit_test(greets_valid_certificates_only),
        cmocka_unit_test(refuses_absurd_hellos),
    };
    return cmocka_run_group_tests(tests, play_wait_scenes, end_wait_scenes);
}

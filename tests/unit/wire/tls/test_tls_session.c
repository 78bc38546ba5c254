/* Sessions over TLS: which peers are accepted, agreement, ledgers, the end. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/error.h"
#include "support/loopback.h"
#include "support/raw_peer.h"
#include "wire/tls/tls_internal.h"

static const message_type number = {"test.number", DISCLOSE_MASKED};
static const message_type text = {"test.text", DISCLOSE_CONTROL};

typedef struct result {
    uint64_t sum;
    unsigned char run[32], key[LOOPBACK_MAX][32];
    ledger_count sent[LOOPBACK_MAX], received[LOOPBACK_MAX];
    uint64_t socket_sent[LOOPBACK_MAX], socket_received[LOOPBACK_MAX];
} result;

static kith_status add_up(party *p, void *user, kith_error *error)
{
    result *r = user;
    uint64_t mine = party_self(p) + 1, theirs[LOOPBACK_MAX] = {0}, sum = mine;
    void *places[LOOPBACK_MAX];
    for (uint32_t i = 0; i < party_count(p); i++)
        places[i] = &theirs[i];
    TRY(party_exchange(p, &number, &mine, places, sizeof mine, error));
    for (uint32_t i = 0; i < party_count(p); i++) {
        sum += theirs[i];
        if (r != NULL)
            party_key(p, i, "test", r->key[i]);
    }
    if (r != NULL) {
        memcpy(r->run, party_run_id(p), 32);
        r->sum = sum;
    }
    return KITH_OK;
}

static void keep_counts(party *p, void *user)
{
    result *r = user;
    const ledger *l = party_ledger(p);
    for (size_t i = 0; i < l->n_lines; i++) {
        const ledger_line *x = &l->lines[i];
        r->sent[x->peer].n_messages += x->sent.n_messages;
        r->sent[x->peer].bytes += x->sent.bytes;
        r->received[x->peer].n_messages += x->received.n_messages;
        r->received[x->peer].bytes += x->received.bytes;
    }
    const tls_mesh *m = p->link;
    for (uint32_t i = 0; i < party_count(p); i++) {
        r->socket_sent[i] = m->links[i].socket.sent; /* TLS included */
        r->socket_received[i] = m->links[i].socket.received;
    }
}

static void assert_well(const loopback *b)
{
    for (uint32_t i = 0; i < b->count; i++) {
        if (b->site[i].status != KITH_OK)
            print_error("%s: %s\n", b->peer[i].name, b->site[i].error.message);
        assert_int_equal(b->site[i].status, KITH_OK);
    }
}

/* What one party's ledger says it sent is what the other's says it received, and the socket carried
 * that much and a little more: certificates, handshake messages, TLS records. */
static void compare_counts(const result *a, const result *b, uint32_t i, uint32_t j)
{
    assert_int_equal(a->sent[j].n_messages, b->received[i].n_messages);
    assert_int_equal(a->sent[j].bytes, b->received[i].bytes);
    uint64_t n_records =
        a->sent[j].bytes / 16384 + a->sent[j].bytes / 262144 + a->sent[j].n_messages;
    assert_true(a->socket_sent[j] > a->sent[j].bytes);
    assert_true(a->socket_sent[j] < a->sent[j].bytes + 3000 + 22 * n_records);
    assert_true(b->socket_received[i] > b->received[i].bytes);
    assert_true(b->socket_received[i] < b->received[i].bytes + 3000 + 22 * n_records);
}

static void runs_among_any_number(void **state)
{
    (void)state;
    for (uint32_t m = 2; m <= 5; m++) {
        loopback b;
        result r[LOOPBACK_MAX] = {{0}};
        loopback_init(&b, m, add_up);
        for (uint32_t i = 0; i < m; i++) {
            b.site[i].user = &r[i];
            b.site[i].done = keep_counts;
        }
        loopback_run(&b);
        assert_well(&b);
        for (uint32_t i = 0; i < m; i++) {
            assert_int_equal(r[i].sum, m * (m + 1) / 2);
            assert_memory_equal(r[i].run, r[0].run, 32);
            for (uint32_t j = 0; j < m; j++) {
                assert_memory_equal(r[i].key[j], r[j].key[i], 32);
                if (j != i)
                    compare_counts(&r[i], &r[j], i, j);
                if (j != i)
                    assert_memory_not_equal(r[i].key[j], r[i].key[i], 32);
            }
        }
        loopback_free(&b);
    }
}

static kith_status send_much(party *p, void *user, kith_error *error)
{
    size_t length = 40u * 1000 * 1000 + 17;
    unsigned char *mine = arena_alloc(party_memory(p), length);
    unsigned char *theirs = arena_alloc(party_memory(p), length);
    uint32_t other = 1 - party_self(p);
    (void)user;
    if (mine == NULL || theirs == NULL)
        return error_nomem(error);
    for (size_t i = 0; i < length; i++)
        mine[i] = (unsigned char)(i * 31 + party_self(p));
    TRY(party_send(p, other, &number, mine, length, error));
    TRY(party_recv(p, other, &number, theirs, length, error));
    for (size_t i = 0; i < length; i++)
        if (theirs[i] != (unsigned char)(i * 31 + other))
            return error_set(error, KITH_BUG, "byte %zu is wrong", i);
    return KITH_OK;
}

static void sends_more_than_sockets_hold(void **state)
{
    (void)state;
    loopback b;
    result r[2] = {{0}};
    loopback_init(&b, 2, send_much);
    for (int i = 0; i < 2; i++) {
        b.site[i].done = keep_counts;
        b.site[i].user = &r[i];
    }
    loopback_run(&b);
    assert_well(&b);
    compare_counts(&r[0], &r[1], 0, 1);
    loopback_free(&b);
}

/* A stranger at the port does not prevent the session. */
static void ignores_strangers(void **state)
{
    (void)state;
    loopback b;
    loopback_init(&b, 2, add_up);
    pthread_t thread = loopback_start(&b.site[0]);
    int s[3];
    for (int i = 0; i < 3; i++) /* sends nothing, sends garbage, disconnects */
        s[i] = raw_connect(b.peer[0].address);
    assert_int_equal(write(s[1], "GET / HTTP/1.0\r\n\r\n", 18), 18);
    close(s[2]);
    loopback_thread(&b.site[1]);
    pthread_join(thread, NULL);
    assert_well(&b);
    close(s[0]);
    close(s[1]);
    loopback_free(&b);
}

static void assert_says(const loopback *b, uint32_t i, const char *part)
{
    assert_int_equal(b->site[i].status, KITH_PEER);
    if (strstr(b->site[i].error.message, part) == NULL)
        print_error("%s: %s\n", b->peer[i].name, b->site[i].error.message);
    assert_non_null(strstr(b->site[i].error.message, part));
}

static void refuses_wrong_certificate(void **state)
{
    (void)state;
    loopback b;
    loopback_init(&b, 2, add_up);
    b.site[0].options.identity = loopback_identity(b.memory, "north", -1, 10);
    loopback_run(&b);
    assert_says(&b, 1, "shows the certificate sha256:");
    assert_says(&b, 1, "but the study expects sha256:");
    assert_says(&b, 0, "south does not know the certificate of north");
    loopback_free(&b);
}

static void refuses_unknown_peer(void **state)
{
    (void)state;
    bool came = false;
    for (uint32_t wait_ms = 1500; !came; wait_ms *= 2) { /* a slow machine needs longer */
        loopback b;
        loopback_init(&b, 2, add_up);
        b.site[1].options.identity = loopback_identity(b.memory, "south", -1, 10);
        b.site[0].options.wait_ms = wait_ms;
        b.site[1].options.wait_ms = 20 * wait_ms;
        loopback_run(&b);
        came = strstr(b.site[1].error.message, "no session with north within") == NULL;
        if (came) {
            assert_says(&b, 1, "north does not know the certificate of south");
            assert_says(&b, 0, "was refused: its certificate sha256:");
        }
        loopback_free(&b);
    }
}

static void refuses_expired_certificate(void **state)
{
    (void)state;
    static const int days[2][2] = {{-20, -10}, {10, 20}};
    static const char *const says[2] = {"the certificate of south expired on ",
                                        "the certificate of south is valid only from "};
    for (int i = 0; i < 4; i++) { /* with two parties, then with three */
        loopback b;
        loopback_init(&b, 2 + (uint32_t)i / 2, add_up);
        b.id[1] = loopback_identity(b.memory, "south", days[i % 2][0], days[i % 2][1]);
        memcpy(b.peer[1].pin, b.id[1]->pin, IDENTITY_PIN);
        b.site[1].options.identity = b.id[1];
        for (uint32_t j = 0; j < b.count; j++)
            b.site[j].options.wait_ms = b.count == 2 ? 20000 : 2000;
        loopback_run(&b);
        if (b.count == 2)
            assert_says(&b, 0, says[i % 2]);
        if (b.count == 2)
            assert_says(&b, 1, "refuses the certificate of south");
        for (uint32_t j = 0; j < b.count; j++)
            assert_says(&b, j, "certificate");
        loopback_free(&b);
    }
}

static void refuses_other_study(void **state)
{
    (void)state;
    loopback b;
    loopback_init(&b, 3, add_up);
    agreement_entry others[2] = {b.entry[0], {"columns.age.role", "other"}};
    b.site[2].options.agreement = (agreement){"another", 2, others};
    for (uint32_t i = 0; i < 3; i++)
        b.site[i].options.wait_ms = 2000;
    loopback_run(&b);
    for (uint32_t i = 0; i < 3; i++)
        assert_says(&b, i, "agree");
    loopback_free(&b);
}

static void names_key_that_one_study_lacks(void **state)
{
    (void)state;
    loopback b;
    loopback_init(&b, 2, add_up);
    b.site[1].options.agreement = (agreement){"another", 1, b.entry};
    loopback_run(&b);
    assert_says(&b, 0, "south does not agree with this party: columns.age.role differs");
    assert_says(&b, 1, "north does not agree with this party: columns.age.role differs");
    loopback_free(&b);
}

static void refuses_other_version(void **state)
{
    (void)state;
    loopback b;
    loopback_init(&b, 2, add_up);
    b.site[1].options.version = 77;
    loopback_run(&b);
    assert_says(&b, 0, "south uses version 77 of the protocol, this party uses version 2");
    assert_says(&b, 1, "north uses version 2 of the protocol, this party uses version 77");
    loopback_free(&b);
}

static void refuses_same_key_twice(void **state)
{
    (void)state;
    loopback b;
    loopback_init(&b, 3, add_up);
    memcpy(b.peer[2].pin, b.peer[0].pin, IDENTITY_PIN);
    loopback_run(&b);
    assert_int_equal(b.site[1].status, KITH_INVALID);
    assert_string_equal(b.site[1].error.message, "north and east have the same key");
    loopback_free(&b);
}

static void waits_no_longer_than_told(void **state)
{
    (void)state;
    loopback b;
    loopback_init(&b, 3, add_up);
    b.count = 2; /* the third never connects */
    for (int i = 0; i < 2; i++)
        b.site[i].options.wait_ms = 500;
    loopback_run(&b);
    for (uint32_t i = 0; i < 2; i++)
        assert_says(&b, i, "east");
    loopback_free(&b);
}

static bool count_turn(void *user, const char *for_whom)
{
    (void)for_whom;
    atomic_fetch_add((atomic_int *)user, 1);
    return true;
}

/* Stops as soon as it is told why nobody has come. */
static bool stop_when_told(void *user, const char *for_whom)
{
    if (for_whom == NULL || strchr(for_whom, ':') == NULL)
        return true;
    snprintf(user, 200, "%s", for_whom);
    return false;
}

static void says_why_it_waits(void **state)
{
    char told[200] = "";
    (void)state;
    loopback b;
    loopback_init(&b, 3, add_up);
    b.count = 3;
    b.site[2].options.waiting = stop_when_told;
    b.site[2].options.user = told;
    loopback_thread(&b.site[2]); /* calls the others, who never start */
    assert_non_null(strstr(told, "north, south: "));
    assert_non_null(strstr(told, "Connection refused"));
    loopback_free(&b);
}

/* South calls north before it is there; when only east is missing, north is not blamed any more. */
static void forgets_who_came_late(void **state)
{
    enum { TURNS = 4 }; /* in which south has called north at least once */
    (void)state;
    bool only_east = false;
    for (uint32_t wait_ms = 1500; !only_east; wait_ms *= 2) { /* a slow machine needs longer */
        loopback b;
        loopback_init(&b, 3, add_up);
        atomic_int turns = 0;
        b.count = 2; /* the third never connects */
        b.site[1].options.wait_ms = wait_ms;
        b.site[0].options.wait_ms = 10 * wait_ms; /* if south has given up */
        b.site[1].options.waiting = count_turn;
        b.site[1].options.user = &turns;
        pthread_t south = loopback_start(&b.site[1]);
        bool gave_up = false;
        while (atomic_load(&turns) < TURNS && !gave_up) {
            usleep(1000);
            gave_up = pthread_tryjoin_np(south, NULL) == 0;
        }
        loopback_thread(&b.site[0]);
        if (!gave_up)
            pthread_join(south, NULL);
        only_east = strstr(b.site[1].error.message, "no session with east within") != NULL;
        if (only_east)
            assert_null(strstr(b.site[1].error.message, "last:"));
        else /* north was too late */
            assert_says(&b, 1, "no session with north, east within");
        loopback_free(&b);
    }
}

/* One party ends so much later than the others that these would say that they wait, if they had not
 * said goodbye: a party leaves after that, and would not read it. */
static kith_status ends_late(party *p, void *user, kith_error *error)
{
    TRY(add_up(p, user, error));
    while (party_self(p) == 2 && !(p->peers[0].bye && p->peers[1].bye)) {
        usleep(20000);
        TRY(party_poll(p, error));
    }
    if (party_self(p) == 2)
        usleep(1300000); /* they would after a second */
    return KITH_OK;
}

static void counts_until_the_end(void **state)
{
    (void)state;
    loopback b;
    result r[LOOPBACK_MAX] = {{0}};
    loopback_init(&b, 3, ends_late);
    for (uint32_t i = 0; i < 3; i++) {
        b.site[i].user = &r[i];
        b.site[i].done = keep_counts;
    }
    loopback_run(&b);
    assert_well(&b);
    assert_int_equal(r[0].sent[2].n_messages, 2); /* a number, BYE */
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < 3; j++)
            if (i != j)
                compare_counts(&r[i], &r[j], i, j);
    loopback_free(&b);
}

static kith_status fail_here(party *p, void *user, kith_error *error)
{
    (void)user;
    if (party_self(p) == 0)
        return error_set(error, KITH_DATA, "something private");
    uint64_t value;
    return party_recv(p, 0, &text, &value, sizeof value, error);
}

static void tells_of_an_error(void **state)
{
    (void)state;
    loopback b;
    loopback_init(&b, 2, fail_here);
    loopback_run(&b);
    assert_int_equal(b.site[0].status, KITH_DATA);
    assert_string_equal(b.site[1].error.message,
                        "north ended the run because of an error of its own (step start)");
    loopback_free(&b);
}

/* When the last hello has come, confirmations are waited for: the list is not empty then. */
static void names_those_who_have_not_confirmed(void **state)
{
    (void)state;
    char names[64];
    const tls_peer peers[] = {{.name = "north"}, {.name = "south"}, {.name = "east"}};
    const tls_options options = {.count = 3, .self = 1, .peers = peers};
    tls_link links[3] = {{.has_hello = true}};
    const tls_mesh m = {.options = &options, .links = links};
    assert_string_equal(tls_waiting_list(&m, names, sizeof names), "east");
    links[2].has_hello = links[2].confirmed = true;
    assert_string_equal(tls_waiting_list(&m, names, sizeof names), "north");
    links[0].confirmed = true;
    assert_string_equal(tls_waiting_list(&m, names, sizeof names), "");
}

/* Each of many parties has to connect to all others, on machines that may be slow. */
static void gives_many_peers_more_time(void **state)
{
    (void)state;
    party p = {.deadline_us = 30000000};
    tls_options options = {.count = 8};
    const tls_mesh m = {.options = &options, .party = &p};
    assert_int_equal(tls_dial_handshake_timeout_us(&m), 30000000);
    options.count = PARTY_MAX;
    assert_int_equal(tls_dial_handshake_timeout_us(&m), 30000000 + (PARTY_MAX - 8) * 1000000);
    assert_int_equal(tls_waiting_confirm_timeout_us(&m), 2 * tls_dial_handshake_timeout_us(&m));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_among_any_number),
        cmocka_unit_test(sends_more_than_sockets_hold),
        cmocka_unit_test(ignores_strangers),
        cmocka_unit_test(refuses_wrong_certificate),
        cmocka_unit_test(refuses_unknown_peer),
        cmocka_unit_test(refuses_expired_certificate),
        cmocka_unit_test(refuses_other_study),
        cmocka_unit_test(names_key_that_one_study_lacks),
        cmocka_unit_test(refuses_other_version),
        cmocka_unit_test(refuses_same_key_twice),
        cmocka_unit_test(waits_no_longer_than_told),
        cmocka_unit_test(says_why_it_waits),
        cmocka_unit_test(names_those_who_have_not_confirmed),
        cmocka_unit_test(gives_many_peers_more_time),
        cmocka_unit_test(forgets_who_came_late),
        cmocka_unit_test(counts_until_the_end),
        cmocka_unit_test(tells_of_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

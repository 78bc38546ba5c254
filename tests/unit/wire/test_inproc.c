/* In-process sessions: delivery, order, back-pressure, many parties, failures. */
/* wrap: still_clock */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "support/still_clock.h"
#include "wire/inproc.h"

static const message_type number = {"test.number", DISCLOSE_MASKED};
static const message_type text = {"test.text", DISCLOSE_CONTROL};
static const message_type other = {"test.other", DISCLOSE_MASKED};

/* All parties learn the sum of all numbers, twice. */
static kith_status sum_of_all(party *p, void *user, kith_error *error)
{
    uint64_t mine = party_self(p) + 1, theirs[PARTY_MAX] = {0}, sum = mine;
    void *places[PARTY_MAX];
    for (uint32_t i = 0; i < party_count(p); i++)
        places[i] = &theirs[i];
    party_step(p, "first");
    TRY(party_exchange(p, &number, &mine, places, sizeof mine, error));
    for (uint32_t i = 0; i < party_count(p); i++)
        sum += theirs[i];
    party_step(p, "second");
    TRY(party_exchange(p, &number, &sum, places, sizeof sum, error));
    for (uint32_t i = 0; i < party_count(p); i++)
        if (i != party_self(p) && theirs[i] != sum)
            return error_set(error, KITH_BUG, "sums differ");
    party_learns(p, DISCLOSE_AGGREGATE, "sum of all", 1);
    if (user != NULL)
        *(uint64_t *)user = sum;
    return KITH_OK;
}

static void exchanges_among_any_number(void **state)
{
    (void)state;
    static const uint32_t counts[] = {2, 3, 5, 8, 64};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        uint64_t sums[PARTY_MAX];
        void *user[PARTY_MAX];
        uint32_t m = counts[c];
        for (uint32_t i = 0; i < m; i++)
            user[i] = &sums[i];
        assert_int_equal(inproc_run(m, NULL, NULL, sum_of_all, user, NULL), KITH_OK);
        for (uint32_t i = 0; i < m; i++)
            assert_int_equal(sums[i], m * (m + 1) / 2);
    }
}

static void refuses_one_party(void **state)
{
    (void)state;
    kith_error error[1];
    assert_int_equal(inproc_run(1, NULL, NULL, sum_of_all, NULL, error), KITH_INVALID);
    assert_int_equal(inproc_run(PARTY_MAX + 1, NULL, NULL, sum_of_all, NULL, error), KITH_INVALID);
}

/* Both send far more than the queues hold before they receive, in parts of odd sizes. */
static kith_status send_much(party *p, void *user, kith_error *error)
{
    size_t length = 40u * 1000 * 1000 + 17;
    unsigned char *mine = arena_alloc(party_memory(p), length);
    unsigned char *theirs = arena_alloc(party_memory(p), length);
    uint32_t peer = 1 - party_self(p);
    (void)user;
    if (mine == NULL || theirs == NULL)
        return error_nomem(error);
    for (size_t i = 0; i < length; i++)
        mine[i] = (unsigned char)(i * 31 + party_self(p));
    TRY(party_send(p, peer, &number, mine, length, error));
    TRY(party_send(p, peer, &text, NULL, 0, error));
    TRY(party_recv(p, peer, &number, theirs, length, error));
    TRY(party_recv(p, peer, &text, NULL, 0, error));
    for (size_t i = 0; i < length; i++)
        if (theirs[i] != (unsigned char)(i * 31 + peer))
            return error_set(error, KITH_BUG, "byte %zu is wrong", i);
    return party_flush(p, error);
}

static void sends_more_than_queues_hold(void **state)
{
    (void)state;
    assert_int_equal(inproc_run(2, NULL, NULL, send_much, NULL, NULL), KITH_OK);
}

/* Site 2 expects another message than site 1 sends; site 3 waits for both. */
static kith_status disagree(party *p, void *user, kith_error *error)
{
    uint64_t value = 0;
    (void)user;
    party_step(p, "meet");
    if (party_self(p) == 0)
        TRY(party_send(p, 1, &number, &value, sizeof value, error));
    if (party_self(p) == 1)
        return party_recv(p, 0, &other, &value, sizeof value, error);
    return party_recv(p, 1, &number, &value, sizeof value, error);
}

static void names_what_was_expected(void **state)
{
    (void)state;
    kith_error errors[3];
    assert_int_equal(inproc_run(3, NULL, NULL, disagree, NULL, errors), KITH_PEER);
    assert_string_equal(errors[1].message, "expected test.other (8 bytes) from site1, got "
                                           "test.number (8 bytes) (step meet)");
    assert_string_equal(errors[2].message, "site2 ended the run: site1 failed (step meet)");
}

static kith_status one_fails(party *p, void *user, kith_error *error)
{
    (void)user;
    if (party_self(p) == 1)
        return error_set(error, KITH_DATA, "line 17: 'secret' is not a number");
    return sum_of_all(p, NULL, error);
}

static void tells_others_of_failure_without_its_text(void **state)
{
    (void)state;
    kith_error errors[3];
    assert_int_equal(inproc_run(3, NULL, NULL, one_fails, NULL, errors), KITH_DATA);
    for (int i = 0; i < 3; i += 2) {
        assert_int_equal(errors[i].status, KITH_PEER);
        assert_string_equal(errors[i].message,
                            "site2 ended the run because of an error of its own (step start)");
    }
}

/* Site 3 stays silent; site 1 waits for site 2, which waits for site 3. */
static kith_status silence(party *p, void *user, kith_error *error)
{
    uint64_t value = 0;
    (void)user;
    if (party_self(p) == 2)
        return party_recv(p, 0, &number, &value, sizeof value, error);
    return party_recv(p, party_self(p) + 1, &number, &value, sizeof value, error);
}

static kith_status finds_impossible(party *p, void *user, kith_error *error)
{
    uint64_t sum;
    (void)user;
    if (party_self(p) == 1)
        return error_set(error, KITH_PEER, "the sum is impossible");
    return party_recv(p, 1, &number, &sum, sizeof sum, error);
}

/* A party that noticed a wrong sum must not be taken for the one that failed. */
static void blames_no_party_where_nobody_can_tell(void **state)
{
    kith_error errors[3] = {0};
    (void)state;
    assert_int_equal(inproc_run(3, NULL, NULL, finds_impossible, NULL, errors), KITH_PEER);
    assert_string_equal(
        errors[1].message,
        "the sum is impossible: a party sent wrong values, and nobody can tell which");
    for (int i = 0; i < 3; i += 2)
        assert_string_equal(errors[i].message,
                            "site2 ended the run: a party sent wrong values, it cannot tell which "
                            "(step start)");
}

/* The payload hook: what party 0 says is changed before it is sealed. */
static void lie(void *user, uint32_t from, uint32_t to, const char *type, payload_copy *payload)
{
    (void)user;
    (void)to;
    (void)type;
    if (from == 0)
        payload->bytes[0] = 77;
}

static kith_status hear(party *p, void *user, kith_error *error)
{
    uint64_t said = 5;
    (void)user;
    if (party_self(p) == 0) {
        TRY(party_send(p, 1, &number, &said, sizeof said, error));
        return said == 5 ? KITH_OK : error_set(error, KITH_BUG, "the sender's own value changed");
    }
    TRY(party_recv(p, 0, &number, &said, sizeof said, error));
    return said == 77 ? KITH_OK
                      : error_set(error, KITH_BUG, "heard %llu", (unsigned long long)said);
}

static void payloads_can_be_changed(void **state)
{
    const inproc_options options = {.payload = {lie, NULL}};
    (void)state;
    assert_int_equal(inproc_run(2, NULL, &options, hear, NULL, NULL), KITH_OK);
}

static void ends_within_deadline(void **state)
{
    (void)state;
    kith_error errors[3];
    inproc_options options = {.deadline_ms = 200};
    double start = still_clock_seconds();
    assert_int_equal(inproc_run(3, NULL, &options, silence, NULL, errors), KITH_PEER);
    double deadlines = (still_clock_seconds() - start) / 0.2;
    /* Whoever waits for one that waits gives it a quarter more, from when it heard of that. */
    assert_true(deadlines >= 1 && deadlines < 1.6);
    for (int i = 0; i < 3; i++)
        assert_int_equal(errors[i].status, KITH_PEER);
}

static kith_status extra_message(party *p, void *user, kith_error *error)
{
    (void)user;
    return party_self(p) == 0 ? party_send(p, 1, &text, "x", 1, error) : KITH_OK;
}

static void refuses_what_nobody_asked_for(void **state)
{
    (void)state;
    kith_error errors[2];
    assert_int_equal(inproc_run(2, NULL, NULL, extra_message, NULL, errors), KITH_PEER);
    assert_string_equal(errors[1].message, "site1 sent an unexpected message test.text (step end)");
}

static kith_status keys(party *p, void *user, kith_error *error)
{
    unsigned char *out = user; /* [3][2][32] */
    (void)error;
    for (uint32_t i = 0; i < 3; i++) {
        party_key(p, i, "mask", out + i * 64);
        party_key(p, i, "blind", out + i * 64 + 32);
    }
    return party_next_call(p, "test") == 0 && party_next_call(p, "test") == 1 ? KITH_OK : KITH_BUG;
}

static void pairs_share_keys(void **state)
{
    (void)state;
    unsigned char key[3][3][2][32];
    void *user[3] = {key[0], key[1], key[2]};
    assert_int_equal(inproc_run(3, NULL, NULL, keys, user, NULL), KITH_OK);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            assert_memory_equal(key[i][j], key[j][i], 64);
            assert_memory_not_equal(key[i][j][0], key[i][j][1], 32);
            if (i != j)
                assert_memory_not_equal(key[i][i][0], key[i][j][0], 32);
        }
    assert_memory_not_equal(key[0][1][0], key[0][2][0], 32);
}

typedef struct count_check {
    uint64_t sent, received, n_rounds, learned;
    ledger_line lines[8];
    size_t n_lines;
} count_check;

static kith_status sum_again(party *p, void *user, kith_error *error)
{
    (void)user;
    return sum_of_all(p, NULL, error);
}

static void copy_counts(party *p, void *user)
{
    count_check *c = user;
    const ledger *l = party_ledger(p);
    *c = (count_check){l->sent.bytes, l->received.bytes,
                       l->n_rounds,   ledger_learned(l, DISCLOSE_AGGREGATE),
                       {{0}},         l->n_lines};
    for (size_t i = 0; i < l->n_lines && i < 8; i++)
        c->lines[i] = l->lines[i];
}

static void ledger_counts_what_was_sent(void **state)
{
    (void)state;
    count_check seen[2];
    void *user[2] = {&seen[0], &seen[1]};
    inproc_options options = {.done = copy_counts};
    assert_int_equal(inproc_run(2, NULL, &options, sum_again, user, NULL), KITH_OK);
    uint64_t one = 56 + strlen("test.number") + 8, bye = 56 + strlen("session.bye");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(seen[i].sent, 2 * one + bye);
        assert_int_equal(seen[i].received, 2 * one + bye);
        assert_int_equal(seen[i].n_rounds, 2);
        assert_int_equal(seen[i].learned, 1);
        assert_int_equal(seen[i].n_lines, 3);
        assert_string_equal(seen[i].lines[1].step, "second");
        assert_int_equal(seen[i].lines[1].sent.n_messages, 1);
        assert_int_equal(seen[i].lines[1].sent.bytes, one);
    }
}

static kith_status compressible(party *p, void *user, kith_error *error)
{
    enum { MANY = 600000 };
    unsigned char *bytes = arena_zalloc(party_memory(p), MANY, 1);
    unsigned char *theirs = arena_alloc(party_memory(p), MANY);
    (void)user;
    if (bytes == NULL || theirs == NULL)
        return error_nomem(error);
    for (int i = 0; i < MANY; i++)
        bytes[i] = (unsigned char)(i / 1000);
    void *places[2] = {theirs, theirs};
    TRY(party_exchange(p, &text, bytes, places, MANY, error));
    return memcmp(theirs, bytes, MANY) == 0 ? KITH_OK : KITH_BUG;
}

static void packs_what_shrinks(void **state)
{
    (void)state;
    count_check plain[2], packed[2];
    void *user[2] = {&plain[0], &plain[1]}, *user_packed[2] = {&packed[0], &packed[1]};
    inproc_options options = {.done = copy_counts};
    assert_int_equal(inproc_run(2, NULL, &options, compressible, user, NULL), KITH_OK);
    options.compress = true;
    assert_int_equal(inproc_run(2, NULL, &options, compressible, user_packed, NULL), KITH_OK);
    assert_true(plain[0].sent > 600000);
    assert_true(packed[0].sent < 60000);
    assert_int_equal(packed[0].sent, packed[1].received);
}

static kith_status timed(party *p, void *user, kith_error *error)
{
    TRY(sum_of_all(p, NULL, error));
    *(uint32_t *)user = party_ledger(p)->n_rounds;
    return KITH_OK;
}

static void holds_messages_back(void **state)
{
    (void)state;
    uint32_t rounds[3];
    void *user[3] = {&rounds[0], &rounds[1], &rounds[2]};
    inproc_options options = {.delay_ms = 50};
    double start = still_clock_seconds();
    assert_int_equal(inproc_run(3, NULL, &options, timed, user, NULL), KITH_OK);
    double rounds_taken = (still_clock_seconds() - start) / 0.05;
    assert_int_equal(lround(rounds_taken), 2 + 1); /* two rounds and BYE */
    assert_int_equal(rounds[2], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanges_among_any_number),
        cmocka_unit_test(refuses_one_party),
        cmocka_unit_test(sends_more_than_queues_hold),
        cmocka_unit_test(names_what_was_expected),
        cmocka_unit_test(tells_others_of_failure_without_its_text),
        cmocka_unit_test(blames_no_party_where_nobody_can_tell),
        cmocka_unit_test(payloads_can_be_changed),
        cmocka_unit_test(ends_within_deadline),
        cmocka_unit_test(refuses_what_nobody_asked_for),
        cmocka_unit_test(pairs_share_keys),
        cmocka_unit_test(ledger_counts_what_was_sent),
        cmocka_unit_test(packs_what_shrinks),
        cmocka_unit_test(holds_messages_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

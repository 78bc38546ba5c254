/* The intersection of private keys. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/rng.h"
#include "smc/sets/sets.h"
#include "support/ideal.h"
#include "support/session.h"

enum { MAX_ITEMS = 80 };

typedef struct job {
    size_t count[PARTY_MAX];
    uint64_t max_keys[PARTY_MAX]; /* that this party allows */
    threads *pool[PARTY_MAX];
    uint32_t id[PARTY_MAX][MAX_ITEMS];
    bool common[PARTY_MAX][MAX_ITEMS], ideal_common[PARTY_MAX][MAX_ITEMS];
} job;

static void keys_of(commute_key *key, const job *j, uint32_t i)
{
    for (size_t k = 0; k < j->count[i]; k++)
        key[k] = (commute_key){&j->id[i][k], 1 + j->id[i][k] % 4}; /* keys of several lengths */
}

static kith_status alone(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    commute_key key[MAX_ITEMS];
    keys_of(key, j, i);
    return sets_intersection(p, j->common[i], key, j->count[i], j->max_keys[i], j->pool[i], error);
}

static kith_status both(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    commute_key key[MAX_ITEMS];
    keys_of(key, j, i);
    TRY(alone(p, user, error));
    return ideal_intersection(p, j->ideal_common[i], key, j->count[i], error);
}

static void check(job *j, uint32_t m)
{
    assert_int_equal(session_run(m, both, j), KITH_OK);
    for (uint32_t i = 0; i < m; i++)
        assert_memory_equal(j->common[i], j->ideal_common[i], j->count[i]);
}

static void finds_like_the_ideal_twin(void **state)
{
    (void)state;
    static const uint32_t parties[] = {2, 3, 5, 8};
    static const size_t counts[] = {0, 1, 9};
    job *j = calloc(1, sizeof *j);
    rng r;
    rng_init(&r, 6, 0);
    for (unsigned a = 0; a < 4; a++) {
        for (unsigned b = 0; b < 3; b++) {
            for (uint32_t i = 0; i < parties[a]; i++) {
                j->count[i] = counts[b];
                for (size_t k = 0; k < j->count[i]; k++)
                    j->id[i][k] = rng_below(&r, 12); /* duplicates, too */
            }
            check(j, parties[a]);
        }
    }
    free(j);
}

static void finds_in_larger_sets(void **state)
{
    (void)state;
    static const size_t counts[] = {63, 64, 65};
    job *j = calloc(1, sizeof *j);
    for (uint32_t i = 0; i < 3; i++) {
        j->count[i] = counts[i];
        for (size_t k = 0; k < j->count[i]; k++)
            j->id[i][k] = (uint32_t)(k * (i + 2));
    }
    check(j, 3);
    for (uint32_t i = 0; i < 3; i++) /* the same with threads */
        j->pool[i] = threads_new(i + 1);
    memset(j->common, 0, sizeof j->common);
    check(j, 3);
    for (uint32_t i = 0; i < 3; i++)
        threads_free(j->pool[i]);
    free(j);
}

/* Three parties, every combination of subsets of two keys. */
static void finds_all_tiny_sets(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    for (unsigned k = 0; k < 64; k++) {
        unsigned in_all = 3;
        for (uint32_t i = 0; i < 3; i++) {
            unsigned set = k >> 2 * i & 3;
            in_all &= set;
            j->count[i] = 0;
            for (uint32_t key = 0; key < 2; key++)
                if (set >> key & 1)
                    j->id[i][j->count[i]++] = key;
        }
        assert_int_equal(session_run(3, alone, j), KITH_OK);
        for (uint32_t i = 0; i < 3; i++)
            for (size_t own = 0; own < j->count[i]; own++)
                assert_int_equal(j->common[i][own], in_all >> j->id[i][own] & 1);
    }
    free(j);
}

/* One party has a key more than another allows: it is named, and gets none of the other's points.
 */
static void refuses_sets_that_are_too_large(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    static unsigned char kept[64];
    session_view view = {
        .type = "set.ring", .kept = kept, .at = 1, .from = UINT32_MAX, .room = sizeof kept};
    j->count[0] = 2;
    j->count[1] = 5;
    j->id[0][1] = 8;
    for (uint32_t k = 0; k < 5; k++)
        j->id[1][k] = k * 4;
    j->max_keys[0] = 5;
    assert_int_equal(session_watch(2, alone, j, &view), KITH_OK);
    assert_true(view.length > 0);
    view.length = 0;
    j->max_keys[0] = 4;
    assert_int_equal(session_watch(2, alone, j, &view), KITH_PEER);
    assert_int_equal(view.length, 0);
    free(j);
}

/* No point is ever seen twice on the way, though all parties hold the same keys; nor in a second
 * run. Encodings of points are even and below the prime, so their bytes are not quite uniform:
 * two samples are compared instead. */
static void points_never_repeat(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    static unsigned char kept[2][2 * 60 * 32];
    session_view view[2] = {{.type = "set.ring", .kept = kept[0], .at = 1, .room = sizeof kept[0]},
                            {.type = "set.ring", .kept = kept[1], .at = 1, .room = sizeof kept[1]}};
    for (uint32_t i = 0; i < 3; i++) {
        j->count[i] = 60;
        for (uint32_t k = 0; k < 60; k++)
            j->id[i][k] = k * 4;
    }
    for (unsigned run = 0; run < 2; run++) {
        view[run].from = UINT32_MAX;
        assert_int_equal(session_watch(3, alone, j, &view[run]), KITH_OK);
        assert_int_equal(view[run].length, sizeof kept[0]);
    }
    for (size_t a = 0; a < 240; a++)
        for (size_t b = 0; b < a; b++)
            assert_memory_not_equal(kept[a / 120] + a % 120 * 32, kept[b / 120] + b % 120 * 32, 32);
    assert_true(session_same_p(view[0].bin, view[1].bin, 256) > 1e-9);
    free(j);
}

static void costs_what_the_header_says(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    session_facts facts = {0};
    for (uint32_t m = 2; m < 5; m++) {
        for (uint32_t i = 0; i < m; i++) {
            j->count[i] = 2;
            j->id[i][0] = 1;
            j->id[i][1] = i + 4;
        }
        assert_int_equal(session_audit(m, alone, j, &facts), KITH_OK);
        assert_int_equal(facts.sent, 2 * m * (m - 1) + 4 * (m - 1));
        assert_int_equal(facts.n_rounds, 2 * m + 1);
    }
    session_agrees(&facts, "sets/sets.h");
    free(j);
}

static void ends_everywhere_after_a_fault(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    for (uint32_t i = 0; i < 3; i++)
        j->count[i] = 1;
    assert_true(session_faults(3, alone, j, FAULT_LOSE, 64) > 0);
    assert_true(session_faults(3, alone, j, FAULT_TRUNCATE, 64) > 0);
    free(j);
}

/* A peer that sends bytes which are no point. */
static kith_status liar(party *p, void *user, kith_error *error)
{
    static const message_type size_type = {"set.size", DISCLOSE_AGGREGATE};
    static const message_type ring_type = {"set.ring", DISCLOSE_BLINDED};
    if (party_self(p) != 1)
        return alone(p, user, error);
    uint64_t one = 1, size[2];
    void *place[] = {&size[0], &size[1]};
    unsigned char bad[32], point_of_other[32];
    memset(bad, 0xff, sizeof bad);
    party_next_call(p, "test");
    TRY(party_exchange(p, &size_type, &one, place, sizeof one, error));
    TRY(party_send(p, 0, &ring_type, bad, sizeof bad, error));
    TRY(party_recv(p, 0, &ring_type, point_of_other, sizeof point_of_other, error));
    return alone(p, user, error);
}

static void refuses_what_is_no_point(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    void *user[] = {j, j};
    kith_error errors[2];
    j->count[0] = j->count[1] = 1;
    assert_int_equal(inproc_run(2, NULL, NULL, liar, user, errors), KITH_PEER);
    assert_string_equal(errors[0].message, "site2 sent an invalid group element (step start)");
    free(j);
}

/* Whoever knows the keys of one run cannot recognize their points in another. */
static void keys_have_other_points_in_every_run(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    static unsigned char kept[2][3 * 32];
    for (uint32_t i = 0; i < 3; i++) {
        j->count[i] = 3;
        for (uint32_t k = 0; k < 3; k++)
            j->id[i][k] = k;
    }
    for (unsigned run = 0; run < 2; run++) {
        session_view view = {.type = "set.plain",
                             .kept = kept[run],
                             .at = 0,
                             .from = UINT32_MAX,
                             .room = sizeof kept[run]};
        assert_int_equal(session_watch(3, alone, j, &view), KITH_OK);
        assert_int_equal(view.length, sizeof kept[run]);
    }
    for (size_t a = 0; a < 3; a++)
        for (size_t b = 0; b < 3; b++)
            assert_memory_not_equal(kept[0] + 32 * a, kept[1] + 32 * b, 32);
    free(j);
}

/* Changes the first byte of all messages of one type. */
static void spoil(void *user, uint32_t from, uint32_t to, const char *type, payload_copy *payload)
{
    (void)from;
    (void)to;
    if (strcmp(type, user) == 0)
        payload->bytes[0] ^= 0x40;
}

/* Party 2 tells all others which points are common to all, party 0 how many there are. */
static void refuses_what_is_not_common(void **state)
{
    static char plain[] = "set.plain", chosen[] = "set.chosen";
    static const char *const says[] = {"site3 sent a common key that is not one of this party",
                                       "site1 announces 65 common keys where there are 1 at most"};
    job *j = calloc(1, sizeof *j);
    void *users[3] = {j, j, j};
    (void)state;
    for (uint32_t i = 0; i < 3; i++)
        j->count[i] = 1;
    for (unsigned k = 0; k < 2; k++) {
        const inproc_options options = {.payload = {spoil, k == 0 ? plain : chosen}};
        kith_error errors[3] = {0};
        assert_int_equal(inproc_run(3, NULL, &options, alone, users, errors), KITH_PEER);
        /* Whoever notices first tells the others. */
        bool noticed = false;
        for (uint32_t i = 0; i < 3; i++) {
            assert_int_equal(errors[i].status, KITH_PEER);
            noticed = noticed || strstr(errors[i].message, says[k]) != NULL;
        }
        if (!noticed)
            fail_msg("%s", errors[1].message);
    }
    free(j);
}

/* Every comparison takes 10 ms, so that the sort takes longer than the deadline. */
static int compare_slowly(const void *a, const void *b, void *user)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    *(uint64_t *)user += 1;
    usleep(10000);
    return (x > y) - (x < y);
}

static kith_status sort_slowly(party *p, void *user, kith_error *error)
{
    enum { COUNT = 1500 };
    uint32_t items[COUNT];
    unsigned char byte = 0;
    uint64_t *n_compared = user;
    if (party_self(p) == 1)
        return party_recv(p, 0, &(message_type){"test.done", DISCLOSE_CONTROL}, &byte, 1, error);
    for (uint32_t i = 0; i < COUNT; i++)
        items[i] = i * 7919u % COUNT;
    TRY(smc_sort(p, items, COUNT, sizeof *items, compare_slowly, n_compared, error));
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(items[i], i);
    return party_send(p, 1, &(message_type){"test.done", DISCLOSE_CONTROL}, &byte, 1, error);
}

static void sorts_with_signs_of_life(void **state)
{
    (void)state;
    uint64_t n_compared = 0;
    assert_int_equal(session_run(2, sort_slowly, &n_compared), KITH_OK);
    assert_true(n_compared / 100 > 2 * 30); /* seconds: two deadlines */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_like_the_ideal_twin),
        cmocka_unit_test(finds_in_larger_sets),
        cmocka_unit_test(finds_all_tiny_sets),
        cmocka_unit_test(refuses_sets_that_are_too_large),
        cmocka_unit_test(points_never_repeat),
        cmocka_unit_test(keys_have_other_points_in_every_run),
        cmocka_unit_test(refuses_what_is_not_common),
        cmocka_unit_test(costs_what_the_header_says),
        cmocka_unit_test(ends_everywhere_after_a_fault),
        cmocka_unit_test(refuses_what_is_no_point),
        cmocka_unit_test(sorts_with_signs_of_life),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

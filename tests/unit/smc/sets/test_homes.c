/* At which party each person counts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "smc/sets/homes.h"
#include "support/session.h"

enum { MAX_PERSONS = 200 };

typedef struct job {
    size_t count[PARTY_MAX];
    uint32_t id[PARTY_MAX][MAX_PERSONS]; /* each once */
    size_t capacity;
    uint64_t max_keys[PARTY_MAX];
    const unsigned char *secret[PARTY_MAX];
    threads *pool[PARTY_MAX];
    bool here[PARTY_MAX][MAX_PERSONS], any[PARTY_MAX];
} job;

static kith_status alone(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    commute_key keys[MAX_PERSONS];
    for (size_t k = 0; k < j->count[i]; k++)
        keys[k] = (commute_key){&j->id[i][k], 1 + j->id[i][k] % 4}; /* several lengths */
    const homes_task task = {.keys = keys,
                             .n = j->count[i],
                             .capacity = j->capacity,
                             .max_keys = j->max_keys[i],
                             .secret = j->secret[i],
                             .pool = j->pool[i]};
    return homes_choose(p, j->here[i], &j->any[i], &task, error);
}

static bool has(const job *j, uint32_t i, uint32_t id)
{
    for (size_t k = 0; k < j->count[i]; k++)
        if (j->id[i][k] == id)
            return true;
    return false;
}

/* Every person counts at one of those who have it, and at no other. Returns how many of each
 * party's persons count elsewhere. */
static void check_homes(const job *j, uint32_t m, size_t elsewhere[PARTY_MAX])
{
    bool any = false;
    for (uint32_t i = 0; i < m; i++) {
        elsewhere[i] = 0;
        for (size_t k = 0; k < j->count[i]; k++) {
            const uint32_t id = j->id[i][k];
            unsigned n_homes = 0;
            for (uint32_t other = 0; other < m; other++)
                for (size_t o = 0; o < j->count[other]; o++)
                    n_homes += j->id[other][o] == id && j->here[other][o];
            assert_int_equal(n_homes, 1);
            elsewhere[i] += !j->here[i][k];
            for (uint32_t other = 0; other < m; other++)
                any = any || (other != i && has(j, other, id));
        }
    }
    for (uint32_t i = 0; i < m; i++)
        assert_int_equal(j->any[i], any);
}

/* Each of 4 * `most` numbers may occur at any party; numbers of one length differ in their bytes. */
static void draw(job *j, uint32_t m, uint32_t most, rng *r)
{
    for (uint32_t i = 0; i < m; i++) {
        const size_t count = rng_below(r, most + 1);
        j->count[i] = 0;
        while (j->count[i] < count) {
            const uint32_t id = rng_below(r, 2 * most) * 4 + 3;
            if (!has(j, i, id))
                j->id[i][j->count[i]++] = id;
        }
    }
}

static void every_person_has_one_home(void **state)
{
    (void)state;
    static const uint32_t parties[] = {2, 3, 5};
    job *j = calloc(1, sizeof *j);
    size_t elsewhere[PARTY_MAX];
    rng r;
    rng_init(&r, 8, 0);
    for (unsigned a = 0; a < 3; a++)
        for (uint32_t most = 0; most < 30; most += most < 4 ? 1 : 9) {
            draw(j, parties[a], most, &r);
            assert_int_equal(session_run(parties[a], alone, j), KITH_OK);
            check_homes(j, parties[a], elsewhere);
        }
    free(j);
}

/* Three parties, every combination of subsets of two persons. */
static void finds_all_tiny_sets(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    size_t elsewhere[PARTY_MAX];
    for (unsigned k = 0; k < 64; k++) {
        for (uint32_t i = 0; i < 3; i++) {
            j->count[i] = 0;
            for (uint32_t id = 0; id < 2; id++)
                if (k >> (2 * i + id) & 1)
                    j->id[i][j->count[i]++] = id;
        }
        assert_int_equal(session_run(3, alone, j), KITH_OK);
        check_homes(j, 3, elsewhere);
    }
    free(j);
}

/* All parties have the same persons: each is the home of about its part of them, with threads or
 * without, and of others in the next run. */
static void homes_are_spread(void **state)
{
    (void)state;
    enum { PARTIES = 3 };
    job *j = calloc(1, sizeof *j);
    size_t elsewhere[PARTY_MAX];
    bool before[MAX_PERSONS];
    for (uint32_t i = 0; i < PARTIES; i++) {
        j->count[i] = MAX_PERSONS;
        j->pool[i] = i == 0 ? NULL : threads_new(i);
        for (uint32_t k = 0; k < MAX_PERSONS; k++)
            j->id[i][k] = k * 4 + 3;
    }
    for (unsigned run = 0; run < 2; run++) {
        memcpy(before, j->here[1], sizeof before);
        assert_int_equal(session_run(PARTIES, alone, j), KITH_OK);
        check_homes(j, PARTIES, elsewhere);
        for (uint32_t i = 0; i < PARTIES; i++) /* five standard deviations */
            assert_in_range(MAX_PERSONS - elsewhere[i], 34, 100);
    }
    assert_memory_not_equal(before, j->here[1], sizeof before);
    for (uint32_t i = 0; i < PARTIES; i++)
        threads_free(j->pool[i]);
    free(j);
}

/* With the secrets of an earlier run each person counts where it counted then, whatever the order;
 * with another secret at one party, elsewhere. */
static void homes_come_back_with_their_secrets(void **state)
{
    (void)state;
    static const unsigned char secret[3][HOMES_SECRET] = {{1}, {2}, {3}};
    job *j = calloc(1, sizeof *j);
    bool before[MAX_PERSONS];
    for (uint32_t i = 0; i < 2; i++) {
        j->count[i] = MAX_PERSONS;
        j->secret[i] = secret[i];
        for (uint32_t k = 0; k < MAX_PERSONS; k++)
            j->id[i][k] = k * 4 + 3;
    }
    assert_int_equal(session_run(2, alone, j), KITH_OK);
    memcpy(before, j->here[1], sizeof before);
    for (uint32_t k = 0; k < MAX_PERSONS; k++) /* the other party in another order */
        j->id[0][k] = (MAX_PERSONS - 1 - k) * 4 + 3;
    assert_int_equal(session_run(2, alone, j), KITH_OK);
    assert_memory_equal(before, j->here[1], sizeof before);
    j->secret[0] = secret[2];
    assert_int_equal(session_run(2, alone, j), KITH_OK);
    assert_memory_not_equal(before, j->here[1], sizeof before);
    free(j);
}

/* With a capacity all parties send the same numbers of points and marks, whatever they have. */
static void a_capacity_hides_sizes(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    session_view view = {.from = UINT32_MAX};
    uint64_t bytes = 0;
    size_t elsewhere[PARTY_MAX];
    rng r;
    rng_init(&r, 9, 0);
    j->capacity = 64;
    for (unsigned run = 0; run < 4; run++) {
        draw(j, 3, 60, &r);
        for (unsigned k = 0; k < 2; k++) {
            view.type = k == 0 ? "set.ring" : "set.mark";
            view.bytes = 0;
            assert_int_equal(session_watch(3, alone, j, &view), KITH_OK);
            assert_int_equal(view.bytes, k == 0 ? 3 * 2 * 64 * 32 : (2 + 3 * 2) * 8);
        }
        check_homes(j, 3, elsewhere);
        view.type = "set.size";
        view.bytes = 0;
        assert_int_equal(session_watch(3, alone, j, &view), KITH_OK);
        bytes += view.bytes;
    }
    assert_int_equal(bytes, 0);
    j->count[1] = 65;
    assert_int_equal(session_run(3, alone, j), KITH_INVALID);
    free(j);
}

/* A point is seen once only on its way, though all have the same persons. */
static void points_never_repeat(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    static unsigned char kept[2 * 60 * 32];
    session_view view = {
        .type = "set.ring", .kept = kept, .at = 1, .from = UINT32_MAX, .room = sizeof kept};
    for (uint32_t i = 0; i < 3; i++) {
        j->count[i] = 60;
        for (uint32_t k = 0; k < 60; k++)
            j->id[i][k] = k * 4 + 3;
    }
    assert_int_equal(session_watch(3, alone, j, &view), KITH_OK);
    assert_int_equal(view.length, sizeof kept);
    for (size_t a = 0; a < 120; a++)
        for (size_t b = 0; b < a; b++)
            assert_memory_not_equal(kept + a * 32, kept + b * 32, 32);
    free(j);
}

/* The merging party gets its own set back in an order that the other party chose: its own first
 * person is not where it sent it. Marks come back in the order of the persons all the same, which
 * every_person_has_one_home shows. */
static void the_merger_cannot_follow_its_own_points(void **state)
{
    (void)state;
    static const unsigned char secret[2][HOMES_SECRET] = {{1}, {2}};
    job *j = calloc(1, sizeof *j);
    static unsigned char kept[2][40 * 32];
    unsigned n_same = 0;
    for (uint32_t i = 0; i < 2; i++) {
        j->count[i] = 40;
        j->secret[i] = secret[i]; /* the same points in both runs */
        for (uint32_t k = 0; k < 40; k++)
            j->id[i][k] = k * 4 + 3;
    }
    for (unsigned run = 0; run < 2; run++) {
        session_view view = {
            .type = "set.merge", .kept = kept[run], .at = 0, .from = 1, .room = sizeof kept[run]};
        assert_int_equal(session_watch(2, alone, j, &view), KITH_OK);
        assert_int_equal(view.length, sizeof kept[run]);
    }
    for (size_t a = 0; a < 40; a++) {
        bool found = false;
        n_same += memcmp(kept[0] + 32 * a, kept[1] + 32 * a, 32) == 0;
        for (size_t b = 0; b < 40; b++)
            found = found || memcmp(kept[0] + 32 * a, kept[1] + 32 * b, 32) == 0;
        assert_true(found);
    }
    assert_in_range(n_same, 0, 20);
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
            j->id[i][1] = i * 4 + 7;
        }
        assert_int_equal(session_audit(m, alone, j, &facts), KITH_OK);
        assert_int_equal(facts.sent, 4 * m * (m - 1) + 3 * (m - 1));
        assert_int_equal(facts.n_rounds, 2 * m + 2);
    }
    session_agrees(&facts, "sets/homes.h");
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

/* What a lying party does to a message of one type. */
typedef struct lie {
    const char *type, *says;
    size_t at;
    unsigned char byte;
    bool shorter;
} lie;

static void tell(void *user, uint32_t from, uint32_t to, const char *type, payload_copy *payload)
{
    const lie *l = user;
    (void)to;
    if (from != 0 || strcmp(type, l->type) != 0)
        return;
    payload->bytes[l->at] = l->byte;
    if (l->shorter)
        payload->length -= 8;
}

static void a_lying_party_is_named(void **state)
{
    (void)state;
    lie lies[] = {
        {"set.ring", "site1 sent an invalid group element", 31, 0xff, false},
        {"set.mark", "site1 sent marks behind the last one", 7, 0x80, false},
        {"set.mark", "site1 sent", 0, 0, true},
        {"homes.any", "site1 sent no yes or no", 0, 2, false},
        {"set.size", "site1 announces a set of 1099511627778 keys", 5, 1, false},
    };
    job *j = calloc(1, sizeof *j);
    void *users[3] = {j, j, j};
    for (uint32_t i = 0; i < 3; i++) {
        j->count[i] = 2;
        j->id[i][1] = 3;
    }
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
        const inproc_options options = {.payload = {tell, &lies[k]}};
        kith_error errors[3] = {0};
        assert_int_equal(inproc_run(3, NULL, &options, alone, users, errors), KITH_PEER);
        bool named = false; /* whoever notices first tells the others */
        for (uint32_t i = 1; i < 3; i++)
            named = named || strstr(errors[i].message, lies[k].says) != NULL;
        if (!named)
            fail_msg("%s: %s", lies[k].says, errors[1].message);
    }
    free(j);
}

/* A party marks its own persons as it likes, and what it hands on of others. */
static void mark_anything(void *user, uint32_t from, uint32_t to, const char *type,
                          payload_copy *payload)
{
    const unsigned char *mask = user;
    (void)to;
    if (from == 0 && strcmp(type, "set.mark") == 0)
        payload->bytes[0] ^= *mask;
}

/* Nobody can tell, and the run ends; some person then counts at two parties or at none. */
static void wrong_marks_make_wrong_counts(void **state)
{
    (void)state;
    enum { PERSONS = 6 };
    job *j = calloc(1, sizeof *j);
    unsigned n_wrong = 0;
    for (uint32_t i = 0; i < 3; i++) {
        j->count[i] = PERSONS;
        for (uint32_t k = 0; k < PERSONS; k++)
            j->id[i][k] = k * 4 + 3;
    }
    for (unsigned char mask = 1; mask < 1 << PERSONS; mask *= 2) {
        const inproc_options options = {.payload = {mark_anything, &mask}};
        void *users[3] = {j, j, j};
        assert_int_equal(inproc_run(3, NULL, &options, alone, users, NULL), KITH_OK);
        for (uint32_t k = 0; k < PERSONS; k++)
            n_wrong += j->here[0][k] + j->here[1][k] + j->here[2][k] != 1;
    }
    assert_true(n_wrong > 0);
    free(j);
}

/* Party 1 sends the merging party one point twice. */
static void repeat_a_point(void *user, uint32_t from, uint32_t to, const char *type,
                           payload_copy *payload)
{
    (void)user;
    (void)to;
    if (from == 1 && strcmp(type, "set.merge") == 0)
        memcpy(payload->bytes, payload->bytes + 32, 32);
}

static void nobody_is_twice_in_a_set(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    void *users[2] = {j, j};
    kith_error errors[2] = {0};
    const inproc_options options = {.payload = {repeat_a_point, NULL}};
    for (uint32_t i = 0; i < 2; i++) {
        j->count[i] = 2;
        j->id[i][1] = 3;
    }
    assert_int_equal(inproc_run(2, NULL, &options, alone, users, errors), KITH_PEER);
    assert_string_equal(errors[0].message,
                        "a person is twice in the set of site1: a party sent wrong values, and "
                        "nobody can tell which");
    free(j);
}

/* A party that brings more persons than another allows is named before it gets a point of it. */
static void refuses_sets_that_are_too_large(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    j->count[0] = 2;
    j->id[0][1] = 3;
    j->count[1] = 5;
    for (uint32_t k = 0; k < 5; k++)
        j->id[1][k] = k * 4 + 3;
    j->max_keys[0] = 5;
    assert_int_equal(session_run(2, alone, j), KITH_OK);
    j->max_keys[0] = 4;
    assert_int_equal(session_run(2, alone, j), KITH_PEER);
    free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_person_has_one_home),
        cmocka_unit_test(finds_all_tiny_sets),
        cmocka_unit_test(homes_are_spread),
        cmocka_unit_test(homes_come_back_with_their_secrets),
        cmocka_unit_test(a_capacity_hides_sizes),
        cmocka_unit_test(points_never_repeat),
        cmocka_unit_test(the_merger_cannot_follow_its_own_points),
        cmocka_unit_test(costs_what_the_header_says),
        cmocka_unit_test(ends_everywhere_after_a_fault),
        cmocka_unit_test(a_lying_party_is_named),
        cmocka_unit_test(wrong_marks_make_wrong_counts),
        cmocka_unit_test(nobody_is_twice_in_a_set),
        cmocka_unit_test(refuses_sets_that_are_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

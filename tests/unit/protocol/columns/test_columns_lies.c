/* Parties of clustering over columns that add or tell wrong numbers: the run ends, in bounded time
 * and without overflow. Numbers that are too large are noticed, and classes that differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "protocol/columns/columns_clustering.h"
#include "protocol/columns/columns_sequential.h"
#include "smc/sums/sum.h"
#include "support/finder.h"
#include "support/problems.h"
#include "support/session.h"

static const problem_shape shape = {
    .n_records = 400, .n_attributes = 4, .n_leaves = 12, .width = 3, .k = 9};

/* --- a party that sends wrong shares --- */

typedef struct scene {
    const problem *whole;
    search_spec spec;
    uint32_t liar;
    columns_topic topic; /* of the sums that it spoils */
} scene;

typedef struct liar {
    party *p;
    columns_topic topic;
    rng rng;
} liar;

static kith_status spoil_and_add(void *user, columns_topic topic, int64_t *value, size_t n,
                                 kith_error *error)
{
    liar *l = user;
    for (size_t i = 0; i < n && topic == l->topic; i++)
        value[i] = (int64_t)rng_next(&l->rng);
    return sum_masked(l->p, (uint64_t *)value, (const uint64_t *)value, n, 0, 0, error);
}

static kith_status listen(void *user, columns_topic topic, void *bytes, size_t length,
                          kith_error *error)
{
    static const char *const names[COLUMNS_TOPICS] = {
        "vertical.terms", "vertical.clusters", "vertical.moves", "vertical.splits",
        "vertical.cost",  "vertical.rows",     "vertical.unions"};
    const liar *l = user;
    const message_type type = {names[topic], DISCLOSE_CHOICE};
    return smc_recv(l->p, 0, &type, bytes, length, error);
}

static kith_status refuse(void *user, columns_topic topic, kith_error *error)
{
    (void)user;
    (void)topic;
    return error_set(error, KITH_PEER, "the honest pivot told something invalid");
}

/* Keeps to the protocol, but for the numbers that it adds. */
static kith_status lie(party *p, const scene *s, const problem *mine, context *c, kith_error *error)
{
    static const message_type shape_type = {"vertical.shape", DISCLOSE_CONTROL};
    uint32_t told[3] = {mine->n_records, mine->k, 0}, heard[PARTY_MAX][3];
    void *places[PARTY_MAX];
    liar l = {.p = p, .topic = s->topic};
    columns_link link = {
        .user = &l, .follows = true, .sum = spoil_and_add, .tell = listen, .refuse = refuse};
    columns_sequential_result found;
    rng_init(&l.rng, 1, 0);
    for (uint32_t i = 0; i < party_count(p); i++)
        places[i] = heard[i];
    TRY(party_exchange(p, &shape_type, told, places, sizeof told, error));
    return columns_sequential_run(&found, mine, &s->spec, &link, 1, c, error);
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    const scene *s = user;
    const uint32_t self = party_self(p), m = party_count(p);
    problem mine = *s->whole;
    context c;
    columns_result result;
    mine.attributes += 4 / m * self;
    mine.n_attributes = 4 / m;
    TRY(context_init(&c, NULL, error));
    const protocol_options options = {0};
    columns_task task = {
        .mine = &mine, .spec = &s->spec, .options = &options, .context = &c, .seeded = true};
    kith_status status = self == s->liar ? lie(p, s, &mine, &c, error)
                                         : columns_clustering(&result, p, &task, error);
    context_wipe(&c);
    return status;
}

static void wrong_shares_end_the_run(void **state)
{
    static const columns_topic topics[] = {COLUMNS_MOVES, COLUMNS_COST, COLUMNS_UNIONS};
    (void)state;
    arena *memory = arena_new();
    for (uint32_t m = 2; m <= 4; m += 2)
        for (unsigned t = 0; t < 3; t++) {
            scene s = {.whole = problems_random(memory, &shape, 3), .liar = 1, .topic = topics[t]};
            /* One number is in range with probability 1/2^4 or so: restarts add more costs. */
            s.spec.n_restarts = topics[t] == COLUMNS_COST ? 9 : 0;
            void *users[] = {&s, &s, &s, &s};
            kith_error errors[PARTY_MAX] = {0};
            assert_int_equal(inproc_run(m, NULL, NULL, take_part, users, errors), KITH_PEER);
            assert_non_null(strstr(errors[0].message, m == 2 ? "site2 sent a wrong share"
                                                             : "some party sent a wrong share"));
        }
    arena_free(memory);
}

/* --- a pivot that tells wrong things --- */

enum { PIVOT, ONE, ANOTHER, SITES };

/* The pivot says that classes may have one record. */
static void allow_single_records(void *user, uint32_t from, uint32_t to, const char *type,
                                 payload_copy *payload)
{
    static const uint32_t terms[2] = {1, 1};
    (void)user, (void)from, (void)to;
    if (strcmp(type, "vertical.terms") == 0)
        memcpy(payload->bytes, terms, sizeof terms);
}

/* In one message about moves, for one party, two records swap their goals. */
typedef struct other_moves {
    uint32_t n_messages, lies_in; /* messages so far, and which is changed */
    bool told;
} other_moves;

static void tell_one_party_otherwise(void *user, uint32_t from, uint32_t to, const char *type,
                                     payload_copy *payload)
{
    other_moves *o = user;
    uint32_t *first = NULL, *goal = (uint32_t *)(void *)payload->bytes;
    if (from != PIVOT || to != ONE || strcmp(type, "vertical.moves") != 0 ||
        o->n_messages++ != o->lies_in)
        return;
    for (size_t i = 0; i < payload->length / sizeof *goal && !o->told; i++) {
        if (goal[i] == UINT32_MAX) /* stays */
            continue;
        o->told = first != NULL && *first != goal[i];
        if (o->told) {
            const uint32_t was = *first;
            *first = goal[i];
            goal[i] = was;
        }
        first = &goal[i];
    }
}

/* A run with a pivot that lies; `finder` gets the hashes of all classes first. */
static kith_status run_pivot(payload_hook hook, uint32_t finder, kith_error *errors)
{
    arena *memory = arena_new();
    scene s = {
        .whole = problems_random(memory, &shape, 3), .spec = {.max_passes = 1}, .liar = SITES};
    const inproc_options options = {.payload = hook, .fault = finder_hook(&finder)};
    void *users[] = {&s, &s, &s};
    const kith_status status = inproc_run(SITES, NULL, &options, take_part, users, errors);
    arena_free(memory);
    return status;
}

/* Both others look at the terms first; who comes late hears only that the run has ended. */
static void follows_no_terms_below_k(void **state)
{
    (void)state;
    static const char words[] = "site1 sent an invalid vertical.terms";
    kith_error errors[PARTY_MAX] = {0};
    assert_int_equal(run_pivot((payload_hook){.change = allow_single_records}, PIVOT, errors),
                     KITH_PEER);
    assert_int_equal(errors[ONE].status, KITH_PEER);
    assert_int_equal(errors[ANOTHER].status, KITH_PEER);
    assert_true(strstr(errors[ONE].message, words) != NULL ||
                strstr(errors[ANOTHER].message, words) != NULL);
}

/* Some of these lies are noticed at once, since later moves are impossible then, and some change
 * nothing in the end. The others are found by whoever is the first to compare its classes. */
static void releases_no_classes_of_two_kinds(void **state)
{
    (void)state;
    uint32_t n_compared[SITES] = {0};
    for (uint32_t i = 0; i < 21; i++)
        for (uint32_t finder = 0; finder < SITES; finder++) {
            other_moves o = {.lies_in = i};
            kith_error errors[PARTY_MAX] = {0};
            const payload_hook hook = {tell_one_party_otherwise, &o};
            if (run_pivot(hook, finder, errors) == KITH_OK)
                continue;
            assert_int_equal(errors[ONE].status, KITH_PEER);
            assert_int_equal(errors[ANOTHER].status, KITH_PEER);
            if (strstr(errors[finder].message, "have different classes") == NULL)
                continue;
            finder_check(finder, SITES, errors);
            n_compared[finder]++;
        }
    assert_true(n_compared[PIVOT] > 1);
    assert_int_equal(n_compared[ONE], n_compared[PIVOT]);
    assert_int_equal(n_compared[ANOTHER], n_compared[PIVOT]);
}

/* --- sums within range, chosen to make work --- */

typedef struct chosen {
    int64_t price;
    bool one_goal; /* only the first cluster seems to be worth moving to */
    uint32_t n_clusters;
} chosen;

static kith_status choose_sums(void *user, columns_topic topic, int64_t *value, size_t n,
                               kith_error *error)
{
    const chosen *c = user;
    (void)error;
    if (topic == COLUMNS_COST) { /* never a small gain */
        value[0] = -value[0] - 1;
        return KITH_OK;
    }
    for (size_t i = 0; i < n; i++)
        value[i] = !c->one_goal || i % c->n_clusters == 0 ? c->price : -c->price;
    return KITH_OK;
}

static kith_status nobody(void *user, columns_topic topic, void *bytes, size_t length,
                          kith_error *error)
{
    (void)user;
    (void)topic;
    (void)bytes;
    (void)length;
    (void)error;
    return KITH_OK;
}

static void run_chosen(columns_sequential_result *r, chosen *choice, search_spec spec)
{
    arena *memory = arena_new();
    context c;
    columns_link link = {.user = choice, .sum = choose_sums, .tell = nobody, .refuse = refuse};
    assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
    assert_int_equal(
        columns_sequential_run(r, problems_random(memory, &shape, 3), &spec, &link, 1, &c, NULL),
        KITH_OK);
    context_wipe(&c);
    arena_free(memory);
}

/* All records want to enter the one cluster that is touched first in every block, so that all but
 * one are put off. */
static void visits_are_bounded(void **state)
{
    enum { BLOCK = 200 };
    (void)state;
    columns_sequential_result r;
    chosen choice = {.price = -1, .one_goal = true, .n_clusters = shape.n_records / (shape.k / 2)};
    run_chosen(&r, &choice, (search_spec){.max_passes = 1, .block = BLOCK, .finish = FINISH_MERGE});
    assert_true(r.put_off >= 16 * (uint64_t)shape.n_records); /* or the test shows nothing */
    assert_true(r.put_off < 16 * (uint64_t)shape.n_records + BLOCK);
}

/* The largest prices that pass the check, and the smallest: nothing overflows (UBSan). */
static void extreme_prices_do_not_overflow(void **state)
{
    (void)state;
    static const int64_t extremes[] = {-64 * COLUMNS_MAX_SUMMAND, 64 * COLUMNS_MAX_SUMMAND};
    columns_sequential_result r;
    for (unsigned i = 0; i < 2; i++) {
        chosen choice = {.price = extremes[i], .n_clusters = 1};
        run_chosen(&r, &choice, (search_spec){.max_passes = 2});
        assert_int_not_equal(r.partition.n_classes, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_shares_end_the_run),
        cmocka_unit_test(follows_no_terms_below_k),
        cmocka_unit_test(releases_no_classes_of_two_kinds),
        cmocka_unit_test(visits_are_bounded),
        cmocka_unit_test(extreme_prices_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

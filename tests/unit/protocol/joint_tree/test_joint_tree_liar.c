/* A party that makes small sets pass for classes: no size is opened, and all parties fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "protocol/joint_tree/joint_tree.h"
#include "support/joint.h"
#include "support/random_problem.h"

enum { NOBODY = UINT32_MAX };

typedef struct lie {
    uint32_t m, in_tests; /* whose at_least.test is rubbish: sums that are too small pass */
    bool quiet;
    uint32_t in_opens;   /* quiet: whose first gmw.open has bit `flip` changed */
    size_t flip;         /* SIZE_MAX: all bytes are rubbish */
    uint32_t in_results; /* quiet: whose first circuit.result to everybody has that bit changed */
    uint32_t in_verdict; /* who says `verdict` on the classes, whatever it has found */
    uint8_t verdict;
    const char *words;
    rng r;
    atomic_size_t n_tests, n_sums, n_opens, n_changed, n_results;
    bool flipped;      /* there was such a bit */
    uint64_t min_size; /* of the classes of a run that ends well */
} lie;

/* Changes one bit, or everything. */
static void spoil(lie *l, payload_copy *payload)
{
    for (size_t i = 0; l->flip == SIZE_MAX && i < payload->length; i++)
        payload->bytes[i] = (unsigned char)rng_below(&l->r, 256);
    if (l->flip / 8 < payload->length)
        payload->bytes[l->flip / 8] ^= (unsigned char)(1 << l->flip % 8);
    l->flipped = l->flipped || l->flip == SIZE_MAX || l->flip / 8 < payload->length;
}

static void change(void *user, uint32_t from, uint32_t to, const char *type, payload_copy *payload)
{
    lie *l = user;
    (void)to;
    /* The first one asks whether all records are enough: rubbish may say no, and nothing begins. */
    if (from == l->in_tests && strcmp(type, "at_least.test") == 0 &&
        atomic_fetch_add(&l->n_tests, 1) > 0) {
        for (size_t i = 0; i < payload->length; i++)
            payload->bytes[i] = (unsigned char)rng_below(&l->r, 251);
        atomic_fetch_add(&l->n_changed, 1);
    }
    if (from == l->in_opens && strcmp(type, "gmw.open") == 0 &&
        atomic_fetch_add(&l->n_changed, 1) == 0)
        spoil(l, payload);
    if (from == l->in_results && strcmp(type, "circuit.result") == 0 &&
        atomic_fetch_add(&l->n_results, 1) < l->m - 1)
        spoil(l, payload);
    if (from == l->in_verdict && strcmp(type, "tree.verdict") == 0)
        payload->bytes[0] = l->verdict;
}

static void watch(void *user, uint32_t self, uint32_t from, const char *type, const void *bytes,
                  size_t length)
{
    lie *l = user;
    (void)self, (void)from, (void)bytes, (void)length;
    if (strncmp(type, "sum.", 4) == 0)
        atomic_fetch_add(&l->n_sums, 1);
    if (strcmp(type, "gmw.open") == 0)
        atomic_fetch_add(&l->n_opens, 1);
}

static kith_status run(lie *l, kith_error *errors)
{
    arena *memory = arena_new();
    random_shape shape = {.n_records = 300,
                          .n_attributes = 3,
                          .max_leaves = 8,
                          .max_levels = 3,
                          .k = 6,
                          .skewed = true};
    const protocol_options options = {.min_others = 3, .quiet = l->quiet};
    const inproc_options hooks = {.payload = {change, l}, .record = {watch, l}};
    joint_job j = {.problem = random_problem(&shape, 5, memory), .options = &options};
    void *users[PARTY_MAX];
    j.protocol = joint_tree_run;
    j.site = joint_sites(memory, shape.n_records, l->m, SPLIT_RANDOM, 5);
    for (uint32_t i = 0; i < l->m; i++)
        users[i] = &j;
    rng_init(&l->r, 9, 9);
    kith_status status = inproc_run(l->m, NULL, &hooks, joint_fn, users, errors);
    l->min_size = UINT64_MAX;
    for (uint32_t c = 0; status == KITH_OK && c < j.result[0].n_classes; c++)
        l->min_size = j.size[0][c] < l->min_size ? j.size[0][c] : l->min_size;
    joint_free(&j);
    arena_free(memory);
    return status;
}

/* A (party 1) or B (party 2) sends rubbish; then the hub, A or nobody lies in the verdict, too. */
static void no_size_is_opened(void **state)
{
    (void)state;
    static const char disagree[] = "site1 and site2 disagree whether all classes keep the models",
                      broken[] = "not all classes keep the models",
                      invalid[] = "site2 sent an invalid verdict on the classes";
    lie lies[] = {
        {.m = 3, .in_tests = 1, .in_verdict = NOBODY, .words = broken},
        {.m = 3, .in_tests = 2, .in_verdict = NOBODY, .words = broken},
        {.m = 3, .in_tests = 1, .in_verdict = 0, .verdict = 1, .words = disagree},
        {.m = 3, .in_tests = 1, .in_verdict = 1, .verdict = 1, .words = disagree},
        {.m = 5, .in_tests = 2, .in_verdict = 0, .verdict = 1, .words = disagree},
        {.m = 5, .in_tests = 1, .in_verdict = 1, .verdict = 7, .words = invalid},
    };
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        lie *l = &lies[i];
        l->in_opens = l->in_results = NOBODY;
        kith_error errors[PARTY_MAX] = {0};
        bool said = false;
        assert_int_equal(run(l, errors), KITH_PEER);
        assert_true(l->n_changed > 0);
        assert_int_equal(l->n_sums, 0);
        /* The liar itself knows what it has found and fails; others may hear of that first. */
        for (uint32_t p = 0; p < l->m; p++) {
            assert_int_equal(errors[p].status, KITH_PEER);
            said = said || strstr(errors[p].message, l->words) != NULL ||
                   (p != l->in_verdict && strstr(errors[p].message, "ended the run") != NULL);
        }
        if (!said)
            fail_msg("lie %zu: %s", i, errors[l->m - 1].message);
    }
}

/* Quiet: A or B lies about what is opened of a circuit, or the hub does. Where that makes small
 * sets pass for classes, no size is opened; a live value that is denied is a loss, nothing more. */
static void no_size_is_opened_if_quiet(void **state)
{
    (void)state;
    size_t n_refused = 0, n_passed = 0;
    for (uint32_t liar = 0; liar < 3; liar++) {
        for (size_t flip = 0; flip < 120; flip += 3) {
            kith_error errors[PARTY_MAX] = {0};
            lie l = {.m = 3, .quiet = true, .in_tests = NOBODY, .in_verdict = NOBODY};
            l.in_opens = liar == 0 ? NOBODY : liar;
            l.in_results = liar == 0 ? 0 : NOBODY;
            l.flip = flip == 0 ? SIZE_MAX : flip;
            kith_status status = run(&l, errors);
            if (status == KITH_OK) {
                assert_true(l.min_size >= 6);
                assert_true(flip > 0);
                n_passed++;
                continue;
            }
            n_refused += l.flipped;
            assert_int_equal(status, KITH_PEER);
            assert_int_equal(l.n_sums, 0);
            for (uint32_t p = 0; p < l.m; p++)
                assert_int_equal(errors[p].status, KITH_PEER);
        }
    }
    assert_true(n_refused > 30);
    assert_true(n_passed > 3);
}

/* Without a lie the same run opens its sizes. The tree asks by at_least; the last check, in which
 * rubbish must not pass, by compare: twice, with two messages each. */
static void honest_parties_pass(void **state)
{
    (void)state;
    lie none = {.m = 3, .in_tests = NOBODY, .in_verdict = NOBODY};
    none.in_opens = none.in_results = NOBODY;
    kith_error errors[PARTY_MAX] = {0};
    assert_int_equal(run(&none, errors), KITH_OK);
    assert_true(none.n_sums > 0);
    assert_int_equal(none.n_opens, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_size_is_opened),
        cmocka_unit_test(no_size_is_opened_if_quiet),
        cmocka_unit_test(honest_parties_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

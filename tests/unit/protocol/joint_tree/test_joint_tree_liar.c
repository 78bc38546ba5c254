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
    uint32_t in_verdict;  /* who says `verdict` on the classes, whatever it has found */
    uint8_t verdict;
    const char *words;
    rng r;
    atomic_size_t n_sums, n_opens, n_changed;
} lie;

static void change(void *user, uint32_t from, uint32_t to, const char *type, payload_copy *payload)
{
    lie *l = user;
    (void)to;
    if (from == l->in_tests && strcmp(type, "at_least.test") == 0) {
        for (size_t i = 0; i < payload->length; i++)
            payload->bytes[i] = (unsigned char)rng_below(&l->r, 251);
        atomic_fetch_add(&l->n_changed, 1);
    }
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
    const protocol_options options = {.protocol = PROTOCOL_WEAVE, .min_others = 3};
    const inproc_options hooks = {.payload = {change, l}, .record = {watch, l}};
    joint_job j = {.problem = random_problem(&shape, 5, memory), .options = &options};
    void *users[PARTY_MAX];
    j.protocol = joint_tree_run;
    j.site = joint_sites(memory, shape.n_records, l->m, SPLIT_RANDOM, 5);
    for (uint32_t i = 0; i < l->m; i++)
        users[i] = &j;
    rng_init(&l->r, 9, 9);
    kith_status status = inproc_run(l->m, NULL, &hooks, joint_fn, users, errors);
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

/* Without a lie the same run opens its sizes. The tree asks by at_least; the last check, in which
 * rubbish must not pass, by compare: twice, with two messages each. */
static void honest_parties_pass(void **state)
{
    (void)state;
    lie none = {.m = 3, .in_tests = NOBODY, .in_verdict = NOBODY};
    kith_error errors[PARTY_MAX] = {0};
    assert_int_equal(run(&none, errors), KITH_OK);
    assert_true(none.n_sums > 0);
    assert_int_equal(none.n_opens, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_size_is_opened),
        cmocka_unit_test(honest_parties_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

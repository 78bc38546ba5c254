/* Clustering over columns led by a pivot that lies: a follower refuses, or ends with classes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/run/context.h"
#include "protocol/columns/columns_sequential.h"
#include "support/problems.h"

typedef struct liar {
    rng r;
    uint32_t truthful; /* messages before the first lie */
    uint32_t n_records, told;
} liar;

static kith_status add_nothing(void *user, columns_topic topic, int64_t *value, size_t n,
                               kith_error *error)
{
    (void)user, (void)topic, (void)value, (void)n, (void)error;
    return KITH_OK;
}

/* Something that could be, for a while; then anything. */
static kith_status lie(void *user, columns_topic topic, void *bytes, size_t length,
                       kith_error *error)
{
    liar *l = user;
    unsigned char *byte = bytes;
    uint32_t *word = bytes;
    (void)error;
    bool lies = l->told++ >= l->truthful;
    for (size_t i = 0; i < length; i++)
        byte[i] = lies ? (unsigned char)(rng_below(&l->r, 3) == 0 ? rng_next(&l->r) : 0) : 0;
    for (size_t i = 0; topic == COLUMNS_MOVES && i < length / 4; i++)
        word[i] = lies ? word[i] % 80 : UINT32_MAX; /* stays */
    if (!lies && topic == COLUMNS_TERMS)
        word[0] = 1, word[1] = 4;
    for (uint32_t i = 0; !lies && topic == COLUMNS_CLUSTERS && i <= l->n_records; i++)
        word[i] = i == l->n_records ? 30 : i % 30;
    return KITH_OK;
}

static kith_status unbelievable(void *user, columns_topic topic, kith_error *error)
{
    (void)user, (void)topic, (void)error;
    return KITH_PEER;
}

static void believes_no_lies(void **state)
{
    (void)state;
    uint32_t refused = 0;
    for (uint32_t seed = 0; seed < 400; seed++) {
        problem_shape shape = {
            .n_records = 60, .n_attributes = 2, .n_leaves = 8, .width = 2, .k = 4};
        liar l = {.truthful = seed % 8, .n_records = 60};
        columns_link link = {
            .user = &l, .follows = true, .sum = add_nothing, .tell = lie, .refuse = unbelievable};
        search_spec spec = {.finish = seed % 2 ? FINISH_MERGE : FINISH_HYBRID, .max_passes = 20};
        columns_sequential_result r;
        context c;
        rng_init(&l.r, seed, 3);
        assert_int_equal(context_init(&c, NULL, NULL), KITH_OK);
        problem *p = problems_random(c.memory, &shape, 3);
        kith_status status = columns_sequential_run(&r, p, &spec, &link, 0, &c, NULL);
        refused += status == KITH_PEER;
        assert_true(status == KITH_PEER || status == KITH_OK || status == KITH_INFEASIBLE);
        context_wipe(&c);
    }
    assert_true(refused > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(believes_no_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

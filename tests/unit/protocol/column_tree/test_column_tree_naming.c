/* Who takes part in the OR by which records are named: on that depends who must not collude, as
 * column_tree.h and docs/protocols/weave-vertical.md say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/column_job.h"

enum { SITES = 5 };

/* Messages of the OR, by sender and receiver. */
typedef struct heard {
    atomic_uint shares[SITES][SITES], tests[SITES][SITES];
} heard;

static void hear(void *user, uint32_t self, uint32_t from, const char *type, const void *bytes,
                 size_t length)
{
    heard *h = user;
    (void)bytes, (void)length;
    if (strcmp(type, "shared.share") == 0)
        atomic_fetch_add(&h->shares[from][self], 1);
    if (strcmp(type, "logic.test") == 0)
        atomic_fetch_add(&h->tests[from][self], 1);
}

static void asks_the_owner_and_the_next_two(void **state)
{
    (void)state;
    const problem_shape shape = {
        .n_records = 400, .n_attributes = 4, .n_leaves = 12, .width = 3, .skew = 3, .k = 5};
    for (uint32_t owner = 0; owner < SITES; owner++) {
        const uint32_t a = (owner + 1) % SITES, b = (owner + 2) % SITES;
        heard h = {0};
        const inproc_options options = {.record = {hear, &h}};
        kith_error errors[PARTY_MAX] = {0};
        void *users[PARTY_MAX];
        column_job j;
        column_job_open(&j, &shape, SITES, 7);
        j.options.name = NAMING_ALWAYS;
        for (uint32_t i = 0; i < shape.n_attributes; i++)
            j.holder[i] = owner;
        for (uint32_t i = 0; i < SITES; i++)
            users[i] = &j;
        assert_int_equal(inproc_run(SITES, NULL, &options, column_job_sit, users, errors), KITH_OK);
        for (uint32_t from = 0; from < SITES; from++)
            for (uint32_t to = 0; to < SITES; to++) {
                /* Shares of the bits go to the next two, which ask the owner. */
                assert_true(h.shares[from][to] == 0 || to == a || to == b);
                assert_int_equal(h.tests[from][to] > 0, to == owner && (from == a || from == b));
            }
        arena_free(j.memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asks_the_owner_and_the_next_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Horizontal clustering among threads against the same algorithm on all records in one place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/context.h"
#include "protocol/clustering_horizontal.h"
#include "search/search.h"
#include "support/dealt.h"
#include "support/problems.h"
#include "support/session.h"

static const problem_shape plain = {.records = 700,
                                    .attributes = 4,
                                    .leaves = 24,
                                    .width = 3,
                                    .kinds = 300,
                                    .wildcards = 0.02,
                                    .skew = 2,
                                    .measure = MEASURE_LM,
                                    .k = 8};

/* One joint run and one central run with the same seed; both must agree. */
static void compare(const problem_shape *shape, uint32_t m, uint32_t block, search_finish finish,
                    uint64_t seed)
{
    dealt j;
    search_spec spec = {.block = block, .finish = finish};
    dealt_deal(&j, shape, m, seed, NULL);
    assert_int_equal(dealt_run(&j, clustering_horizontal, &spec, NULL), KITH_OK);
    dealt_equals_central(&j, &spec);
    dealt_wipe(&j);
}

static void the_same_as_in_one_place(void **state)
{
    (void)state;
    static const uint32_t parties[] = {2, 3, 5, 8}, blocks[] = {1, 7, 64, 256};
    uint64_t seed = 0;
    for (int m = 0; m < 4; m++)
        for (int b = 0; b < 4; b++)
            for (int f = 0; f < 2; f++)
                compare(&plain, parties[m], blocks[b], f == 0 ? FINISH_MERGE : FINISH_HYBRID,
                        ++seed);
}

static void the_same_with_diversity(void **state)
{
    (void)state;
    static const uint32_t parties[] = {2, 3, 5, 8}, blocks[] = {1, 7, 64, 256};
    problem_shape diverse = plain;
    diverse.secrets = 5;
    diverse.l = 2.5;
    for (int m = 0; m < 4; m++)
        for (int b = 0; b < 4; b++)
            compare(&diverse, parties[m], blocks[b], (m + b) % 2 ? FINISH_MERGE : FINISH_HYBRID,
                    (uint64_t)(10 * m + b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_as_in_one_place),
        cmocka_unit_test(the_same_with_diversity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

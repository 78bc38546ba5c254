/* Fails the n-th allocation of a query among threads, for many n: no party crashes, hangs or leaks;
 * what is left are errors of memory, or peers that left. */
/* wrap: allocations still_clock */
#include "unit/job/query/virtual_scene.h"

#include <sodium.h>

#include "support/failing_memory.h"
#include "wire/inproc.h"

static int ready(void **state)
{
    (void)state;
    return sodium_init() < 0 ? -1 : 0;
}

static kith_status attempt(scene *s, size_t n)
{
    kith_error errors[SCENE_SITES + 1] = {0};
    void *users[SCENE_SITES + 1];
    const uint32_t m = scene_parties(s);
    for (uint32_t i = 0; i < m; i++)
        users[i] = s;
    s->answer.values = NULL;
    failing_begin(n, false);
    kith_status status = inproc_run(m, NULL, NULL, scene_take_part, users, errors);
    free(s->answer.values);
    s->answer.values = NULL;
    size_t leaked = failing_end();
    assert_int_equal(leaked, 0);
    for (uint32_t i = 0; i < m; i++)
        if (errors[i].status != KITH_OK && errors[i].status != KITH_NOMEM &&
            errors[i].status != KITH_PEER)
            fail_msg("allocation %zu: %s", n, errors[i].message);
    return status;
}

static void fail_many(bool querier_is_site, const char *asked)
{
    scene *s = scene_new(2, querier_is_site, 5);
    size_t refused = 0, tried = 0;
    s->query = asked;
    assert_int_equal(attempt(s, 0), KITH_OK);
    const size_t all = failing_seen(), stride = all / 60 + 1;
    for (size_t n = 1; n <= all; n += stride, tried++)
        refused += attempt(s, n) != KITH_OK;
    print_message("%zu allocations, %zu of %zu failures ended the query\n", all, refused, tried);
    assert_true(refused > tried * 3 / 4);
    scene_free(s);
}

static void numbers(void **state)
{
    (void)state;
    fail_many(false, "SELECT sex, count(*), sum(cost) WHERE age < 7 GROUP BY sex");
}

static void rows(void **state)
{
    (void)state;
    fail_many(true, "SELECT age, cost WHERE age < 7");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(rows),
    };
    return cmocka_run_group_tests(tests, ready, NULL);
}

/* Fails the n-th allocation of a run by the encrypted view, for many n: no party crashes, hangs or
 * leaks; what is left are errors of memory, or peers that left. */
/* needs: encrypted-view */
/* wrap: allocations still_clock */
#include "unit/protocol/view_scene.h"

#include "support/failing_memory.h"
#include "wire/inproc.h"

static int ready(void **state)
{
    (void)state;
    return sodium_init() < 0 ? -1 : 0;
}

static kith_status attempt(scene *s, size_t n)
{
    kith_error errors[PARTY_MAX] = {0};
    void *users[PARTY_MAX];
    for (uint32_t i = 0; i < s->m; i++)
        users[i] = s;
    failing_begin(n, false);
    kith_status status = inproc_run(s->m, NULL, NULL, scene_take_part, users, errors);
    size_t leaked = failing_end();
    assert_int_equal(leaked, 0);
    for (uint32_t i = 0; i < s->m; i++)
        if (errors[i].status != KITH_OK && errors[i].status != KITH_NOMEM &&
            errors[i].status != KITH_PEER)
            fail_msg("allocation %zu: %s", n, errors[i].message);
    return status;
}

static void fail_many(partition_kind kind, uint32_t m, bool lose)
{
    scene *s = scene_new(m, 6,
                         (protocol_options){.partition = kind,
                                            .master = PROTOCOL_MASTER_EXTERNAL,
                                            .n_replicas = 1,
                                            .drop_unmatched = true});
    size_t refused = 0, tried = 0;
    if (lose)
        scene_lose(s, 0, 2);
    assert_int_equal(attempt(s, 0), KITH_OK);
    const size_t all = failing_seen(), stride = all / 60 + 1;
    for (size_t n = 1; n <= all; n += stride, tried++)
        refused += attempt(s, n) != KITH_OK;
    print_message("%zu allocations, %zu of %zu failures ended the run\n", all, refused, tried);
    assert_true(refused > tried * 3 / 4);
    free(s);
}

static void rows(void **state)
{
    (void)state;
    fail_many(PARTITION_HORIZONTAL, 3, false);
}

static void columns(void **state)
{
    (void)state;
    fail_many(PARTITION_VERTICAL, 3, true);
}

static void both(void **state)
{
    (void)state;
    fail_many(PARTITION_HYBRID, 5, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(columns),
        cmocka_unit_test(both),
    };
    return cmocka_run_group_tests(tests, ready, NULL);
}

/* The encrypted view end to end: what comes out, however the table is split and whoever is master.
 */
#include "unit/protocol/view_scene.h"

static int ready(void **state)
{
    (void)state;
    return sodium_init() < 0 ? -1 : 0;
}

static void run_and_check(uint32_t m, uint32_t n_rows, protocol_options options, uint32_t raise)
{
    scene *s = scene_new(m, n_rows, options);
    s->raise = raise;
    assert_int_equal(session_run(m, scene_take_part, s), KITH_OK);
    scene_check(s, NULL);
    free(s);
}

static protocol_options external(partition_kind kind, uint32_t n_replicas)
{
    return (protocol_options){.partition = kind,
                              .master = PROTOCOL_MASTER_EXTERNAL,
                              .n_replicas = n_replicas,
                              .drop_unmatched = true};
}

static protocol_options inner(partition_kind kind, uint32_t master)
{
    return (protocol_options){
        .partition = kind, .master = master, .n_replicas = 1, .drop_unmatched = true};
}

static void rows_at_several_sites(void **state)
{
    static const uint32_t holders[] = {2, 3, 5, 8};
    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        run_and_check(holders[i] + 1, 60, external(PARTITION_HORIZONTAL, 1), i % 2);
    for (uint32_t i = 1; i < 4; i++)
        run_and_check(holders[i], 60, inner(PARTITION_HORIZONTAL, i - 1), i % 2);
}

static void columns_at_several_sites(void **state)
{
    (void)state;
    run_and_check(3, 60, external(PARTITION_VERTICAL, 1), 1);
    run_and_check(4, 60, external(PARTITION_VERTICAL, 1), 0);
    run_and_check(5, 40, external(PARTITION_VERTICAL, 1), 1);
    run_and_check(3, 60, inner(PARTITION_VERTICAL, 1), 1);
    run_and_check(4, 60, inner(PARTITION_VERTICAL, 3), 0);
}

static void both_at_several_sites(void **state)
{
    (void)state;
    run_and_check(5, 60, external(PARTITION_HYBRID, 1), 1);
    run_and_check(9, 60, external(PARTITION_HYBRID, 1), 0);
    run_and_check(4, 60, inner(PARTITION_HYBRID, 2), 1);
}

static void replicas_agree(void **state)
{
    (void)state;
    run_and_check(5, 60, external(PARTITION_HORIZONTAL, 3), 1);
    run_and_check(4, 40, external(PARTITION_VERTICAL, 2), 1);
    run_and_check(6, 40, external(PARTITION_HYBRID, 2), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_at_several_sites),
        cmocka_unit_test(columns_at_several_sites),
        cmocka_unit_test(both_at_several_sites),
        cmocka_unit_test(replicas_agree),
    };
    return cmocka_run_group_tests(tests, ready, NULL);
}

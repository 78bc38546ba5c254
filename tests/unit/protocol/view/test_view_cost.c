/* The estimate against what runs really send and do. */
#include "unit/protocol/view_scene.h"

#include <math.h>

#include "protocol/view/view_cost.h"
#include "wire/ledger.h"

static int ready(void **state)
{
    (void)state;
    return sodium_init() < 0 ? -1 : 0;
}

typedef struct counted {
    scene *scene;
    view_phase phase[PARTY_MAX][VIEW_PHASES];
    uint64_t operations[PARTY_MAX];
} counted;

static kith_status steps(party *p, counted *c, view **v, kith_error *error)
{
    TRY(scene_steps(p, c->scene, v, error));
    memcpy(c->phase[party_self(p)], (*v)->phase, sizeof(*v)->phase);
    c->operations[party_self(p)] = (*v)->n_operations;
    return KITH_OK;
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    view *v = NULL;
    kith_status status = steps(p, user, &v, error);
    view_close(v);
    return status;
}

static const view_calibration slow = {0.5, 0.25, 0.05, 1, 0};

static void compare(uint32_t m, partition_kind kind, uint32_t master, uint32_t n_column_parts)
{
    static counted c;
    const uint32_t n_rows = 200;
    protocol_options o = {.partition = kind, .master = master, .n_replicas = 1};
    c = (counted){.scene = scene_new(m, n_rows, o)};
    assert_int_equal(session_run(m, take_part, &c), KITH_OK);
    const bool external = master == PROTOCOL_MASTER_EXTERNAL;
    view_cost_column columns[COLUMNS] = {{12, 17, true, 12, 0, NULL},
                                         {6, 7, true, 7, 0, NULL},
                                         {5, 5, false, 5, 0, NULL},
                                         {n_rows, n_rows, false, n_rows, 0, NULL}};
    view_cost_task task = {.partition = kind,
                           .n_holders = external ? m - 1 : m,
                           .n_masters = external ? 1 : 0,
                           .n_column_parts = n_column_parts,
                           .n_rows = n_rows,
                           .n_columns = COLUMNS,
                           .columns = columns};
    view_cost cost;
    view_cost_estimate(&cost, &task, &slow);
    for (int phase = 0; phase < VIEW_PHASES; phase++) {
        uint64_t n_messages = 0, bytes = 0;
        for (uint32_t i = 0; i < m; i++) {
            n_messages += c.phase[i][phase].n_messages;
            bytes += c.phase[i][phase].bytes;
        }
        if (kind == PARTITION_HORIZONTAL || phase < PHASE_DECODING) /* else a ring may be needed */
            assert_int_equal(cost.phase[phase].n_messages, n_messages);
        double off = (double)cost.phase[phase].bytes / (double)bytes;
        if (!(off > 0.6 && off < 1.5) && phase < PHASE_DECODING)
            fail_msg("phase %d: %llu bytes estimated, %llu sent", phase,
                     (unsigned long long)cost.phase[phase].bytes, (unsigned long long)bytes);
    }
    /* one party's share in the encryption, and its own part of the decryption */
    uint64_t want = cost.phase[PHASE_ENCRYPTION].n_operations +
                    cost.phase[PHASE_DECRYPTION].n_operations / task.n_holders;
    assert_true(fabs((double)c.operations[0] / (double)want - 1) < 0.05);
    free(c.scene);
}

static void counts_what_runs_do(void **state)
{
    (void)state;
    compare(3, PARTITION_HORIZONTAL, PROTOCOL_MASTER_EXTERNAL, 1);
    compare(5, PARTITION_HORIZONTAL, PROTOCOL_MASTER_EXTERNAL, 1);
    compare(4, PARTITION_HORIZONTAL, 1, 1);
    compare(3, PARTITION_VERTICAL, PROTOCOL_MASTER_EXTERNAL, 2);
    compare(5, PARTITION_VERTICAL, PROTOCOL_MASTER_EXTERNAL, 4);
}

/* Two parties, 1,000 rows, 4 columns, 100 values: by hand. */
static void knows_the_formulas_of_the_paper(void **state)
{
    (void)state;
    view_cost_column columns[4] = {{25, 25, false, 0, 0, NULL},
                                   {25, 25, false, 0, 0, NULL},
                                   {25, 25, false, 0, 0, NULL},
                                   {25, 25, false, 0, 0, NULL}};
    view_cost_task task = {.partition = PARTITION_HORIZONTAL,
                           .n_holders = 2,
                           .n_masters = 1,
                           .n_column_parts = 1,
                           .n_rows = 1000,
                           .n_columns = 4,
                           .columns = columns};
    view_cost cost;
    view_cost_estimate(&cost, &task, &slow);
    assert_int_equal(cost.paper.n_operations, 2 * 100 + 2 * 100);
    assert_int_equal(cost.paper.n_messages, 2 + 1 + 2);
    const uint64_t part = 500 * 4 * 4 + 100 * 32, whole = 1000 * 4 * 4 + 100 * 32;
    assert_int_equal(cost.paper.bytes, 2 * part + part + 2 * whole);
    task.partition = PARTITION_VERTICAL;
    task.n_column_parts = 2;
    view_cost_estimate(&cost, &task, &slow);
    assert_int_equal(cost.paper.n_operations, 2 * (1000 + 50) + 2 * 100);
    assert_true(cost.paper.seconds == 0.5 * 2300);
}

static void is_linear_in_rows_and_slower_over_slow_networks(void **state)
{
    (void)state;
    view_cost_column columns[1] = {{100, 120, true, 0, 0, NULL}};
    view_cost_task task = {.partition = PARTITION_VERTICAL,
                           .n_holders = 2,
                           .n_masters = 1,
                           .n_column_parts = 2,
                           .n_rows = 1000000,
                           .n_columns = 1,
                           .columns = columns};
    view_calibration rates = {50e-6, 25e-6, 5e-6, 2, 0};
    view_cost one, ten, far;
    view_cost_estimate(&one, &task, &rates);
    task.n_rows *= 10;
    view_cost_estimate(&ten, &task, &rates);
    assert_true(fabs(ten.all.seconds / one.all.seconds - 10) < 0.1);
    assert_true(fabs((double)ten.all.bytes / (double)one.all.bytes - 10) < 0.1);
    rates.bytes_per_second = 11e6;
    view_cost_estimate(&far, &task, &rates);
    assert_true(far.all.seconds > ten.all.seconds);
    assert_int_equal(far.all.bytes, ten.all.bytes);
}

static void measures_this_machine(void **state)
{
    (void)state;
    view_calibration c;
    view_cost_calibrate(&c, 0.1);
    assert_true(c.multiply_seconds > 1e-6 && c.multiply_seconds < 1e-2);
    assert_true(c.hash_seconds > 1e-7 && c.hash_seconds < 1e-2);
    assert_true(c.check_seconds > 1e-7 && c.check_seconds < 1e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_what_runs_do),
        cmocka_unit_test(knows_the_formulas_of_the_paper),
        cmocka_unit_test(is_linear_in_rows_and_slower_over_slow_networks),
        cmocka_unit_test(measures_this_machine),
    };
    return cmocka_run_group_tests(tests, ready, NULL);
}

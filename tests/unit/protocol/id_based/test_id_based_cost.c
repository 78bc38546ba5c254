/* The model of the cost counts what a run sends, byte by byte, and knows how speed and size act. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "protocol/id_based/id_based_cost.h"
#include "support/id_based_job.h"

static const id_based_speed unit = {
    .encrypt = 1, .parse = 1, .powers = 1, .gamma = 1, .decrypt = 1};

static uint64_t bytes_of(id_based_job *j, const char *type)
{
    session_view view = {.type = type};
    assert_int_equal(session_watch(2, id_based_job_fn, j, &view), KITH_OK);
    return view.bytes;
}

static void counts_the_bytes_of_a_run(void **state)
{
    id_based_job *j = calloc(1, sizeof *j);
    id_based_cost cost;
    (void)state;
    assert_non_null(j);
    j->k = 3;
    j->lists = 7;
    j->hashing = true;
    for (uint32_t i = 0; i < 6; i++) /* two rows are alone: not k-anonymous */
        j->value[0][j->n_rows[0]++] = j->value[1][j->n_rows[1]++] = i / 2 * (1 + i % 2);
    j->n_values = 8;
    id_based_cost_estimate(&cost, &(id_based_sizes){.lists = j->lists, .hashing = true, .k = j->k},
                           &unit, 1);
    const uint64_t sent =
        bytes_of(j, "id.lists") + bytes_of(j, "id.gammas") + bytes_of(j, "id.products");
    assert_false(j->already[0]);
    assert_int_equal(cost.ciphertext_bytes, sent);
    free(j);
}

static void grows_with_lists_and_falls_with_cores(void **state)
{
    id_based_cost one, two, paper;
    (void)state;
    id_based_cost_estimate(&one, &(id_based_sizes){.lists = 1000, .hashing = true, .k = 5}, &unit,
                           1);
    id_based_cost_estimate(&two, &(id_based_sizes){.lists = 2000, .hashing = true, .k = 5}, &unit,
                           2);
    id_based_cost_estimate(&paper, &(id_based_sizes){.lists = 1000, .k = 5}, &unit, 1);
    assert_true(two.n_comparisons > 1.8 * one.n_comparisons);
    assert_true(two.n_comparisons < 2.2 * one.n_comparisons);
    assert_true(two.seconds > 0.9 * one.seconds && two.seconds < 1.1 * one.seconds);
    assert_int_equal(paper.n_comparisons, 1000 * 1000);
    assert_true(one.seconds <= one.alice + one.bob);
}

static void measures_every_step(void **state)
{
    id_based_speed speed = {0};
    (void)state;
    assert_int_equal(id_based_cost_measure(&speed, 0, NULL), KITH_OK);
    assert_true(speed.encrypt > 0 && speed.parse > 0 && speed.powers > 0);
    assert_true(speed.gamma > 0 && speed.decrypt > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_the_bytes_of_a_run),
        cmocka_unit_test(grows_with_lists_and_falls_with_cores),
        cmocka_unit_test(measures_every_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

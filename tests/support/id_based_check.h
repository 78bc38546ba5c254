/* Runs of the ID-based protocol, compared with the plain function. For programs with cmocka. */
#ifndef SUPPORT_ID_BASED_CHECK_H
#define SUPPORT_ID_BASED_CHECK_H

#include "protocol/id_based/id_based_sets.h"
#include "support/id_based_job.h"

/* Alice's choice as the protocol makes it: sigma is what she suppresses although it would remain. A
 * sigma can be read off the result only in part, so it is computed by the same generator. */

static inline void id_based_check_sigma(const id_based_job *j, uint32_t alice, bool *sigma)
{
    const uint32_t n = j->n_rows[alice];
    arena *memory = arena_new();
    id_based_name *names = arena_array(memory, n, sizeof *names);
    id_based_sets sets;
    uint32_t split;
    rng choices;
    for (uint32_t i = 0; i < n; i++)
        id_based_job_name(&names[i], j->value[alice][i]);
    const id_based_task task = {.n_rows = n, .names = names, .k = j->k};
    rng_init(&choices, j->seed, alice);
    assert_int_equal(id_based_sets_make(&sets, &task, memory, NULL), KITH_OK);
    assert_int_equal(id_based_sets_sigma(&sets, sigma, &split, &task, &choices, memory, NULL),
                     KITH_OK);
    arena_free(memory);
}

/* Runs the protocol and compares both parties' rows with the plain function. */
static inline void id_based_check(id_based_job *j)
{
    static id_based_plain_row rows[2 * ID_BASED_JOB_ROWS];
    static bool wanted[2 * ID_BASED_JOB_ROWS], sigma[ID_BASED_JOB_ROWS];
    const uint32_t alice = j->n_rows[0] >= j->n_rows[1] ? 0 : 1;
    uint32_t n = 0;
    memset(sigma, 0, sizeof sigma);
    id_based_check_sigma(j, alice, sigma);
    for (uint32_t p = 0; p < 2; p++)
        for (uint32_t i = 0; i < j->n_rows[p]; i++)
            rows[n++] = (id_based_plain_row){j->value[p][i], p == alice, p == alice && sigma[i]};
    assert_true(id_based_plain_sigma(rows, n, j->n_values, j->k));
    const bool already = id_based_plain(wanted, rows, n, j->n_values, j->k);
    assert_int_equal(session_run(2, id_based_job_fn, j), KITH_OK);
    n = 0;
    for (uint32_t p = 0; p < 2; p++) {
        assert_int_equal(j->alice[p], alice);
        assert_int_equal(j->already[p], already);
        for (uint32_t i = 0; i < j->n_rows[p]; i++)
            assert_int_equal(j->suppressed[p][i], wanted[n++]);
    }
}

/* Values with very different frequencies. */
static inline void id_based_check_draw(id_based_job *j, uint32_t n_first, uint32_t n_second,
                                       uint32_t n_values, uint64_t seed)
{
    rng r;
    rng_init(&r, seed, 3);
    j->n_rows[0] = n_first;
    j->n_rows[1] = n_second;
    j->n_values = n_values;
    j->seed = seed;
    for (uint32_t p = 0; p < 2; p++)
        for (uint32_t i = 0; i < j->n_rows[p]; i++)
            j->value[p][i] = rng_below(&r, 1 + rng_below(&r, n_values));
}

#endif

/* The ID-based protocol suppresses the rows that its function says, on tables of all kinds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "protocol/id_based/id_based_sets.h"
#include "support/id_based_job.h"

/* Alice's choice as the protocol makes it: sigma is what she suppresses although it would remain. A
 * sigma can be read off the result only in part, so it is computed by the same generator. */

static void find_sigma(const id_based_job *j, uint32_t alice, bool *sigma)
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
static void check(id_based_job *j)
{
    static id_based_plain_row rows[2 * ID_BASED_JOB_ROWS];
    static bool wanted[2 * ID_BASED_JOB_ROWS], sigma[ID_BASED_JOB_ROWS];
    const uint32_t alice = j->n_rows[0] >= j->n_rows[1] ? 0 : 1;
    uint32_t n = 0;
    memset(sigma, 0, sizeof sigma);
    find_sigma(j, alice, sigma);
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
static void draw(id_based_job *j, uint32_t n_first, uint32_t n_second, uint32_t n_values,
                 uint64_t seed)
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

static id_based_job *new_job(void)
{
    id_based_job *j = calloc(1, sizeof *j);
    assert_non_null(j);
    return j;
}

static void random_tables_lose_the_right_rows(void **state)
{
    static const uint32_t ks[] = {2, 3, 5, 20};
    (void)state;
    id_based_job *j = new_job();
    for (uint32_t i = 0; i < 8; i++) {
        j->k = ks[i % 4];
        j->hashing = i % 2;
        j->lists = i < 4 ? 12 : 0;
        draw(j, i < 4 ? 40 : 14 + i, i < 4 ? 30 : 16, 12, i);
        check(j);
    }
    free(j);
}

static void bins_and_all_pairs_agree(void **state)
{
    (void)state;
    id_based_job *j = new_job();
    bool first[2][64];
    j->k = 3;
    for (int hashing = 0; hashing < 2; hashing++) {
        draw(j, 60, 60, 30, 11);
        j->lists = 50; /* enough for bins to pay */
        j->hashing = hashing;
        check(j);
        for (uint32_t p = 0; p < 2; p++)
            for (uint32_t i = 0; i < 60; i++) {
                if (hashing)
                    assert_int_equal(first[p][i], j->suppressed[p][i]);
                first[p][i] = j->suppressed[p][i];
            }
    }
    free(j);
}

/* Value v has `a` rows at the first party and `b` rows at the second one. */
static void put(id_based_job *j, uint32_t v, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < a; i++)
        j->value[0][j->n_rows[0]++] = v;
    for (uint32_t i = 0; i < b; i++)
        j->value[1][j->n_rows[1]++] = v;
    if (v >= j->n_values)
        j->n_values = v + 1;
}

static void begin(id_based_job *j, uint32_t k, uint32_t lists)
{
    memset(j, 0, sizeof *j);
    j->k = k;
    j->lists = lists;
    j->hashing = true;
    j->seed = 5;
}

/* Condition (a): Q_A,1 - Q_B,0 and Q_B,1 - Q'_A,0 are the same without x*. */
static void k_anonymous_tables_stay_as_they_are(void **state)
{
    (void)state;
    id_based_job *j = new_job();
    begin(j, 4, 6);
    put(j, 0, 3, 1); /* infrequent at both */
    put(j, 1, 2, 7); /* frequent at Bob */
    put(j, 2, 9, 0); /* frequent at Alice */
    put(j, 3, 0, 5);
    put(j, 4, 6, 6);
    check(j);
    assert_true(j->already[0]);
    free(j);
}

/* Condition (b): sigma takes rows of a frequent quasi-identifier, of which Bob has a few. */
static void k_anonymous_tables_are_recognized_with_a_split_quasi_identifier(void **state)
{
    (void)state;
    id_based_job *j = new_job();
    begin(j, 4, 4);
    put(j, 0, 5, 2); /* the least frequent one of Alice: x* */
    put(j, 1, 9, 0);
    check(j);
    assert_true(j->already[0]);
    begin(j, 4, 4);
    put(j, 0, 5, 0); /* x* that Bob does not have: condition (a) */
    put(j, 1, 9, 1);
    check(j);
    assert_true(j->already[0]);
    begin(j, 4, 4);
    put(j, 0, 2, 2);
    put(j, 1, 5, 3); /* x*, and another list before it */
    check(j);
    assert_true(j->already[0]);
    begin(j, 4, 4);
    put(j, 0, 5, 2); /* x*, but the table is not k-anonymous */
    put(j, 1, 9, 0);
    put(j, 2, 0, 1);
    check(j);
    assert_false(j->already[0]);
    free(j);
}

static void almost_k_anonymous_tables_are_not(void **state)
{
    (void)state;
    id_based_job *j = new_job();
    begin(j, 4, 5);
    put(j, 0, 3, 0); /* one row is missing */
    put(j, 1, 5, 5);
    check(j);
    assert_false(j->already[0]);
    begin(j, 4, 5);
    put(j, 0, 2, 1); /* both have it, in all three rows */
    put(j, 1, 6, 1);
    check(j);
    assert_false(j->already[0]);
    free(j);
}

static void a_party_may_have_no_rows_or_fewer_than_k(void **state)
{
    (void)state;
    id_based_job *j = new_job();
    begin(j, 3, 4);
    put(j, 0, 4, 0);
    put(j, 1, 1, 0);
    check(j);
    begin(j, 3, 4);
    put(j, 0, 0, 4);
    put(j, 1, 0, 2);
    check(j);
    assert_int_equal(j->alice[0], 1);
    begin(j, 5, 4);
    put(j, 0, 2, 1);
    put(j, 1, 1, 3);
    check(j); /* neither has k rows: all are suppressed */
    for (uint32_t i = 0; i < j->n_rows[0]; i++)
        assert_true(j->suppressed[0][i]);
    begin(j, 5, 4);
    put(j, 0, 3, 2);
    check(j); /* neither has k rows, and the table is k-anonymous */
    assert_true(j->already[0]);
    free(j);
}

static void more_quasi_identifiers_than_lists_are_refused(void **state)
{
    (void)state;
    id_based_job *j = new_job();
    begin(j, 2, 2);
    put(j, 0, 2, 2);
    put(j, 1, 2, 2);
    put(j, 2, 2, 2);
    assert_int_not_equal(session_run(2, id_based_job_fn, j), KITH_OK);
    free(j);
}

/* Keys of a generator, alone and of two generators together. */
static void keys_of_a_generator_serve(void **state)
{
    static ibe_parameters parameters, other, joined;
    ibe_master master, second;
    ibe_identity names[2];
    ibe_key keys[2], more[2];
    (void)state;
    id_based_job *j = new_job();
    ibe_generate(&parameters, &master);
    ibe_generate(&other, &second);
    ibe_parameters_join(&joined, &parameters, &other);
    for (int i = 0; i < 2; i++) {
        ibe_identity_of(&names[i], i == 0 ? "north" : "south", "2026-11");
        ibe_extract(&keys[i], &parameters, &master, &names[i]);
    }
    begin(j, 2, 4);
    j->parameters = &parameters;
    j->identities = names;
    j->keys = keys;
    put(j, 0, 3, 1);
    put(j, 1, 1, 1);
    put(j, 2, 1, 0);
    check(j);
    for (int i = 0; i < 2; i++) {
        ibe_extract(&keys[i], &joined, &master, &names[i]);
        ibe_extract(&more[i], &joined, &second, &names[i]);
        ibe_key_join(&keys[i], &keys[i], &more[i]);
    }
    j->parameters = &joined;
    check(j);
    free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tables_lose_the_right_rows),
        cmocka_unit_test(bins_and_all_pairs_agree),
        cmocka_unit_test(k_anonymous_tables_stay_as_they_are),
        cmocka_unit_test(k_anonymous_tables_are_recognized_with_a_split_quasi_identifier),
        cmocka_unit_test(almost_k_anonymous_tables_are_not),
        cmocka_unit_test(a_party_may_have_no_rows_or_fewer_than_k),
        cmocka_unit_test(more_quasi_identifiers_than_lists_are_refused),
        cmocka_unit_test(keys_of_a_generator_serve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The ID-based protocol suppresses the rows that its function says, on tables of all kinds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/id_based_check.h"

/* Every k, with lists that the study bounds and with the parties' own. */
static void random_tables_lose_the_right_rows(void **state)
{
    (void)state;
    uint32_t n_suppressed = 0, n_kept = 0;
    id_based_job *j = id_based_job_new(0, 0);
    for (uint32_t k = 2; k <= 20; k++) {
        const uint32_t n_values = k % 2 == 0 ? 3 : 2;
        j->k = k;
        j->hashing = k % 4 < 2;
        j->lists = k <= 7 && k % 3 == 0 ? 0 : n_values;
        id_based_check_draw(j, j->lists == 0 ? 8 : 2 * k + 2, j->lists == 0 ? 7 : 2 * k, n_values,
                            k);
        id_based_check(j);
        for (uint32_t i = 0; i < j->n_rows[0]; i++)
            *(j->suppressed[0][i] ? &n_suppressed : &n_kept) += 1;
    }
    assert_true(n_suppressed > 20 && n_kept > 20);
    free(j);
}

/* The smallest bound at which bins have fewer pairs. It takes some 10 s; smaller bins are in
 * tests/fault/test_id_based_bins_small.c. */
static void bins_of_the_real_size_agree_too(void **state)
{
    (void)state;
    if (session_samples(0) == 0)
        skip();
    id_based_job *j = id_based_job_new(2, 68);
    id_based_check_draw(j, 60, 60, 40, 11);
    j->hashing = true;
    id_based_check(j);
    free(j);
}

static void more_lists_than_values_are_compared(void **state)
{
    (void)state;
    id_based_job *j = id_based_job_new(3, 12);
    id_based_check_draw(j, 20, 20, 9, 11);
    id_based_check(j);
    free(j);
}

/* Condition (a): Q_A,1 - Q_B,0 and Q_B,1 - Q'_A,0 are the same without x*. */
static void k_anonymous_tables_stay_as_they_are(void **state)
{
    (void)state;
    id_based_job *j = id_based_job_new(4, 6);
    id_based_job_put(j, 0, 3, 1); /* infrequent at both */
    id_based_job_put(j, 1, 2, 7); /* frequent at Bob */
    id_based_job_put(j, 2, 9, 0); /* frequent at Alice */
    id_based_job_put(j, 3, 0, 5);
    id_based_job_put(j, 4, 6, 6);
    id_based_check(j);
    assert_true(j->already[0]);
    free(j);
}

/* Condition (b): sigma takes rows of a frequent quasi-identifier, of which Bob has a few. */
static void k_anonymous_tables_are_recognized_with_a_split_quasi_identifier(void **state)
{
    (void)state;
    id_based_job *j = id_based_job_new(4, 4);
    id_based_job_put(j, 0, 5, 2); /* the least frequent one of Alice: x* */
    id_based_job_put(j, 1, 9, 0);
    id_based_check(j);
    assert_true(j->already[0]);
    id_based_job_begin(j, 4, 4);
    id_based_job_put(j, 0, 5, 0); /* x* that Bob does not have: condition (a) */
    id_based_job_put(j, 1, 9, 1);
    id_based_check(j);
    assert_true(j->already[0]);
    id_based_job_begin(j, 4, 4);
    id_based_job_put(j, 0, 2, 2);
    id_based_job_put(j, 1, 5, 3); /* x*, and another list before it */
    id_based_check(j);
    assert_true(j->already[0]);
    id_based_job_begin(j, 4, 4);
    id_based_job_put(j, 0, 5, 2); /* x*, but the table is not k-anonymous */
    id_based_job_put(j, 1, 9, 0);
    id_based_job_put(j, 2, 0, 1);
    id_based_check(j);
    assert_false(j->already[0]);
    free(j);
}

static void almost_k_anonymous_tables_are_not(void **state)
{
    (void)state;
    id_based_job *j = id_based_job_new(4, 5);
    id_based_job_put(j, 0, 3, 0); /* one row is missing */
    id_based_job_put(j, 1, 5, 5);
    id_based_check(j);
    assert_false(j->already[0]);
    id_based_job_begin(j, 4, 5);
    id_based_job_put(j, 0, 2, 1); /* both have it, in all three rows */
    id_based_job_put(j, 1, 6, 1);
    id_based_check(j);
    assert_false(j->already[0]);
    free(j);
}

static void a_party_may_have_no_rows_or_fewer_than_k(void **state)
{
    (void)state;
    id_based_job *j = id_based_job_new(3, 4);
    id_based_job_put(j, 0, 4, 0);
    id_based_job_put(j, 1, 1, 0);
    id_based_check(j);
    id_based_job_begin(j, 3, 4);
    id_based_job_put(j, 0, 0, 4);
    id_based_job_put(j, 1, 0, 2);
    id_based_check(j);
    assert_int_equal(j->alice[0], 1);
    id_based_job_begin(j, 5, 4);
    id_based_job_put(j, 0, 2, 1);
    id_based_job_put(j, 1, 1, 3);
    id_based_check(j); /* neither has k rows: all are suppressed */
    for (uint32_t i = 0; i < j->n_rows[0]; i++)
        assert_true(j->suppressed[0][i]);
    id_based_job_begin(j, 5, 4);
    id_based_job_put(j, 0, 3, 2);
    id_based_check(j); /* neither has k rows, and the table is k-anonymous */
    assert_true(j->already[0]);
    free(j);
}

static void more_quasi_identifiers_than_lists_are_refused(void **state)
{
    (void)state;
    id_based_job *j = id_based_job_new(2, 2);
    id_based_job_put(j, 0, 2, 2);
    id_based_job_put(j, 1, 2, 2);
    id_based_job_put(j, 2, 2, 2);
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
    id_based_job *j = id_based_job_new(2, 4);
    ibe_generate(&parameters, &master);
    ibe_generate(&other, &second);
    ibe_parameters_join(&joined, &parameters, &other);
    for (int i = 0; i < 2; i++) {
        ibe_identity_of(&names[i], i == 0 ? "north" : "south", "2026-11");
        ibe_extract(&keys[i], &parameters, &master, &names[i]);
    }
    j->parameters = &parameters;
    j->identities = names;
    j->keys = keys;
    id_based_job_put(j, 0, 3, 1);
    id_based_job_put(j, 1, 1, 1);
    id_based_job_put(j, 2, 1, 0);
    id_based_check(j);
    for (int i = 0; i < 2; i++) {
        ibe_extract(&keys[i], &joined, &master, &names[i]);
        ibe_extract(&more[i], &joined, &second, &names[i]);
        ibe_key_join(&keys[i], &keys[i], &more[i]);
    }
    j->parameters = &joined;
    id_based_check(j);
    free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tables_lose_the_right_rows),
        cmocka_unit_test(bins_of_the_real_size_agree_too),
        cmocka_unit_test(more_lists_than_values_are_compared),
        cmocka_unit_test(k_anonymous_tables_stay_as_they_are),
        cmocka_unit_test(k_anonymous_tables_are_recognized_with_a_split_quasi_identifier),
        cmocka_unit_test(almost_k_anonymous_tables_are_not),
        cmocka_unit_test(a_party_may_have_no_rows_or_fewer_than_k),
        cmocka_unit_test(more_quasi_identifiers_than_lists_are_refused),
        cmocka_unit_test(keys_of_a_generator_serve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

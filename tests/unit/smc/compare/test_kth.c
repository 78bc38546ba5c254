/* Order statistics: all tiny multisets, odd numbers of searches, extreme ranges, empty parties. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "smc/compare/kth.h"
#include "support/ideal.h"
#include "support/session.h"

enum { MAX_VALUES = 20 };

typedef struct job {
    size_t n;
    uint32_t most;
    kth_query *query;
    kth_values *values[PARTY_MAX];
    int64_t *store[PARTY_MAX]; /* [n][MAX_VALUES] */
    int64_t *real[PARTY_MAX], *ideal[PARTY_MAX];
    bool *found[PARTY_MAX], *ideal_found[PARTY_MAX];
} job;

static void job_open(job *j, uint32_t m, size_t n)
{
    j->n = n;
    j->most = m * MAX_VALUES;
    j->query = calloc(n + 1, sizeof *j->query);
    for (uint32_t i = 0; i < m; i++) {
        j->values[i] = calloc(n + 1, sizeof **j->values);
        j->store[i] = calloc(n * MAX_VALUES + 1, 8);
        j->real[i] = calloc(n + 1, 8);
        j->ideal[i] = calloc(n + 1, 8);
        j->found[i] = calloc(n + 1, 1);
        j->ideal_found[i] = calloc(n + 1, 1);
        for (size_t k = 0; k < n; k++)
            j->values[i][k].values = j->store[i] + k * MAX_VALUES;
    }
}

static void job_close(job *j, uint32_t m)
{
    free(j->query);
    for (uint32_t i = 0; i < m; i++) {
        free(j->values[i]);
        free(j->store[i]);
        free(j->real[i]);
        free(j->ideal[i]);
        free(j->found[i]);
        free(j->ideal_found[i]);
    }
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void put(job *j, uint32_t i, size_t k, const int64_t *value, size_t count)
{
    int64_t *place = j->store[i] + k * MAX_VALUES;
    memcpy(place, value, count * sizeof *place);
    qsort(place, count, sizeof *place, ascending);
    j->values[i][k].count = count;
}

static kith_status alone(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    kth_query *query = arena_array(party_memory(p), j->n, sizeof *query);
    TRY_ALLOC(query, error);
    for (size_t k = 0; k < j->n; k++) {
        query[k] = j->query[k];
        query[k].max_values = j->most;
    }
    return kth(p, j->real[i], j->found[i], query, j->values[i], j->n, error);
}

static kith_status both(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    TRY(alone(p, user, error));
    return ideal_kth(p, j->ideal[i], j->ideal_found[i], j->query, j->values[i], j->n, error);
}

static void check(job *j, uint32_t m)
{
    assert_int_equal(session_run(m, both, j), KITH_OK);
    for (uint32_t i = 0; i < m; i++) {
        assert_memory_equal(j->found[i], j->ideal_found[i], j->n + 1);
        assert_memory_equal(j->real[i], j->ideal[i], (j->n + 1) * 8);
    }
}

static const kth_query shapes[] = {{KTH_SMALLEST, 0, 2, 1, 0, 0}, {KTH_SMALLEST, 0, 2, 2, 0, 0},
                                   {KTH_SMALLEST, 0, 2, 5, 0, 0}, {KTH_LARGEST, 0, 2, 1, 0, 0},
                                   {KTH_LARGEST, 0, 2, 3, 0, 0},  {KTH_QUANTILE, 0, 2, 1, 2, 0},
                                   {KTH_QUANTILE, 0, 2, 1, 4, 0}, {KTH_QUANTILE, 0, 2, 3, 3, 0}};

/* Two parties, each with every multiset of up to two of the values 0, 1, 2; every kind of search.
 */
static void finds_all_tiny_values(void **state)
{
    (void)state;
    static const int64_t sets[][2] = {{0, 0}, {0, 0}, {1, 0}, {2, 0}, {0, 0},
                                      {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    static const size_t counts[] = {0, 1, 1, 1, 2, 2, 2, 2, 2, 2};
    for (uint32_t m = 2; m < 4; m++) {
        job j = {0};
        job_open(&j, m, 800);
        for (size_t k = 0; k < 800; k++) {
            size_t a = k / 8 % 10, b = k / 80;
            j.query[k] = shapes[k % 8];
            put(&j, 0, k, sets[a], counts[a]);
            put(&j, m - 1, k, sets[b], counts[b]);
        }
        check(&j, m);
        job_close(&j, m);
    }
}

static void finds_like_the_ideal_twin(void **state)
{
    (void)state;
    static const uint32_t parties[] = {2, 3, 5, 8};
    static const size_t sizes[] = {0, 1, 3, 63, 64, 65};
    rng r;
    rng_init(&r, 21, 0);
    for (unsigned a = 0; a < 4; a++) {
        for (unsigned b = 0; b < 6; b++) {
            job j = {0};
            job_open(&j, parties[a], sizes[b]);
            for (size_t k = 0; k < j.n; k++) {
                j.query[k] = shapes[rng_below(&r, 8)];
                j.query[k].low = -(int64_t)rng_below(&r, 500);
                j.query[k].high = (int64_t)rng_below(&r, 500);
                for (uint32_t i = 0; i < parties[a]; i++) {
                    int64_t value[MAX_VALUES];
                    size_t count = rng_below(&r, MAX_VALUES + 1);
                    for (size_t v = 0; v < count; v++)
                        value[v] = j.query[k].low +
                                   rng_below(&r, (uint32_t)(j.query[k].high - j.query[k].low + 1));
                    put(&j, i, k, value, count);
                }
            }
            check(&j, parties[a]);
            job_close(&j, parties[a]);
        }
    }
}

static void finds_at_the_ends_of_the_range(void **state)
{
    (void)state;
    static const int64_t ends[] = {INT64_MIN + 1, INT64_MAX, 0};
    for (unsigned which = 0; which < 3; which++) {
        job j = {0};
        job_open(&j, 3, 2);
        j.query[0] = (kth_query){KTH_SMALLEST, INT64_MIN + 1, INT64_MAX, 1, 0, 0};
        j.query[1] = (kth_query){KTH_LARGEST, ends[which], ends[which], 1, 0, 0};
        put(&j, 1, 0, &ends[which], 1);
        put(&j, 2, 1, &ends[which], 1);
        check(&j, 3);
        for (unsigned q = 0; q < 2; q++) {
            assert_true(j.found[0][q]);
            assert_int_equal(j.real[0][q], ends[which]);
        }
        job_close(&j, 3);
    }
}

static void refuses_bad_searches(void **state)
{
    (void)state;
    static const kth_query bad[] = {{KTH_SMALLEST, 5, 4, 1, 0, 0},
                                    {KTH_SMALLEST, 0, 4, 0, 0, 0},
                                    {KTH_QUANTILE, 0, 4, 1, 0, 0},
                                    {KTH_QUANTILE, 0, 4, 3, 2, 0},
                                    {KTH_SMALLEST, INT64_MIN, INT64_MAX, 1, 0, 0},
                                    {KTH_SMALLEST, 8, 9, 1, 0, 0}};
    static const int64_t seven = 7;
    for (unsigned k = 0; k < 6; k++) {
        job j = {0};
        void *user[] = {&j, &j};
        job_open(&j, 2, 1);
        j.query[0] = bad[k];
        put(&j, 1, 0, &seven, 1);
        assert_int_equal(inproc_run(2, NULL, NULL, alone, user, NULL), KITH_INVALID);
        job_close(&j, 2);
    }
}

static void costs_what_the_header_says(void **state)
{
    (void)state;
    session_facts facts = {0};
    for (uint32_t m = 2; m < 5; m++) {
        job j = {0};
        int64_t three = 3;
        job_open(&j, m, 2);
        for (size_t k = 0; k < 2; k++) {
            j.query[k] = (kth_query){KTH_QUANTILE, 0, 7, 1, 2, 0};
            put(&j, m - 1, k, &three, 1);
        }
        assert_int_equal(session_audit(m, alone, &j, &facts), KITH_OK);
        if (m == 4) /* b = 10 (80 values, halves), so 8 rounds a comparison; 4 comparisons */
            assert_int_equal(facts.n_rounds, 4 * (4 + 3 + 1));
        for (uint32_t i = 0; i < m; i++)
            assert_int_equal(facts.learned[i], 2);
        job_close(&j, m);
    }
    session_agrees(&facts, "compare/kth.h");
}

static void ends_everywhere_after_a_fault(void **state)
{
    (void)state;
    job j = {0};
    int64_t one = 1;
    job_open(&j, 3, 1);
    j.query[0] = (kth_query){KTH_SMALLEST, 0, 3, 1, 0, 0};
    put(&j, 0, 0, &one, 1);
    assert_true(session_faults(3, alone, &j, FAULT_LOSE, session_samples(5)) > 0);
    assert_true(session_faults(3, alone, &j, FAULT_DUPLICATE, session_samples(5)) > 0);
    job_close(&j, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_all_tiny_values),
        cmocka_unit_test(finds_like_the_ideal_twin),
        cmocka_unit_test(finds_at_the_ends_of_the_range),
        cmocka_unit_test(refuses_bad_searches),
        cmocka_unit_test(costs_what_the_header_says),
        cmocka_unit_test(ends_everywhere_after_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

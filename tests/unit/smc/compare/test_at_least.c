/* Thresholds on sums of private counts: exhaustively on tiny inputs, against the ideal twin, views.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "smc/compare/at_least.h"
#include "support/ideal.h"
#include "support/session.h"

typedef struct job {
    size_t n;
    uint32_t below;
    uint32_t receiver;
    int64_t *value[PARTY_MAX];
    int64_t *least;
    uint64_t *real[PARTY_MAX], *ideal[PARTY_MAX];
} job;

static void job_open(job *j, uint32_t m, size_t n)
{
    j->n = n;
    j->least = calloc(n + 1, 8);
    for (uint32_t i = 0; i < m; i++) {
        j->value[i] = calloc(n + 1, 8);
        j->real[i] = calloc(smc_words(n) + 1, 8);
        j->ideal[i] = calloc(smc_words(n) + 1, 8);
    }
}

static void job_close(job *j, uint32_t m)
{
    free(j->least);
    for (uint32_t i = 0; i < m; i++) {
        free(j->value[i]);
        free(j->real[i]);
        free(j->ideal[i]);
    }
}

static kith_status one(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    const at_least_sums sums = {j->value[i], j->least, j->n, j->below};
    return at_least(p, j->real[i], &sums, (smc_output){j->receiver, "at least"}, error);
}

static kith_status both(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    TRY(one(p, user, error));
    return ideal_dominates(p, j->ideal[i], j->value[i], j->least, j->n, 1, j->receiver, error);
}

static const uint32_t parties[] = {3, 5, 8};
static const size_t sizes[] = {0, 1, 63, 64, 65, 70000};

static void decides_like_the_ideal_twin(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 31, 0);
    for (unsigned a = 0; a < 3; a++) {
        for (unsigned b = 0; b < 6; b++) {
            const uint32_t m = parties[a];
            job j = {.receiver = b % 2 ? SMC_ALL : rng_below(&r, m), .below = b % 3};
            job_open(&j, m, sizes[b]);
            for (size_t k = 0; k < j.n; k++) {
                j.least[k] = 1 + rng_below(&r, 15);
                for (uint32_t i = 0; i < m; i++) /* now and then far more than the threshold */
                    j.value[i][k] =
                        rng_below(&r, 20) == 0 ? rng_below(&r, 100000) : rng_below(&r, 28 / m);
                for (uint32_t off = 0; off < j.below; off++)
                    j.value[rng_below(&r, m)][k]--;
            }
            assert_int_equal(session_run(m, both, &j), KITH_OK);
            for (uint32_t i = 0; i < m; i++)
                assert_memory_equal(j.real[i], j.ideal[i], (smc_words(j.n) + 1) * 8);
            job_close(&j, m);
        }
    }
}

/* Every combination of counts 0 … 4 (minus what is taken off), every threshold up to 6. */
static void decides_all_tiny_inputs(void **state)
{
    (void)state;
    for (uint32_t below = 0; below < 3; below++) {
        job j = {.receiver = SMC_ALL, .below = below};
        job_open(&j, 3, 5 * 5 * 5 * 6);
        for (size_t k = 0; k < j.n; k++) {
            j.least[k] = 1 + (int64_t)(k / 125);
            j.value[0][k] = (int64_t)(k % 5) - below;
            j.value[1][k] = (int64_t)(k / 5 % 5);
            j.value[2][k] = (int64_t)(k / 25 % 5);
        }
        assert_int_equal(session_run(3, one, &j), KITH_OK);
        for (size_t k = 0; k < j.n; k++) {
            int64_t sum = j.value[0][k] + j.value[1][k] + j.value[2][k];
            assert_int_equal(smc_bit(j.real[2], k), sum >= j.least[k]);
        }
        job_close(&j, 3);
    }
}

static void knows_what_fits(void **state)
{
    (void)state;
    assert_true(at_least_fits(5, 10, 0));
    assert_true(at_least_fits(5, 50, 0));
    assert_false(at_least_fits(5, 51, 0));
    assert_false(at_least_fits(5, 50, 1));
    assert_false(at_least_fits(2, 2, 0));
    assert_false(at_least_fits(3, 0, 0));
    assert_false(at_least_fits(64, UINT32_MAX, UINT32_MAX));
}

static void refuses_what_does_not_fit(void **state)
{
    (void)state;
    job j = {.receiver = 0};
    void *users[] = {&j, &j, &j};
    job_open(&j, 3, 1);
    j.least[0] = 84;
    assert_int_equal(inproc_run(3, NULL, NULL, one, users, NULL), KITH_INVALID);
    j.least[0] = 0;
    assert_int_equal(inproc_run(3, NULL, NULL, one, users, NULL), KITH_INVALID);
    j.least[0] = 2;
    assert_int_equal(inproc_run(2, NULL, NULL, one, users, NULL), KITH_INVALID);
    j.value[0][0] = j.value[1][0] = j.value[2][0] = -1;
    assert_int_equal(inproc_run(3, NULL, NULL, one, users, NULL), KITH_INVALID);
    job_close(&j, 3);
}

static void fill(job *j, int64_t first, int64_t second)
{
    for (size_t k = 0; k < j->n; k++) {
        j->least[k] = 5;
        j->value[0][k] = first;
        j->value[1][k] = second;
    }
}

/* The same answers from different counts, and no mask twice. */
static void shows_uniform_residues(void **state)
{
    (void)state;
    static const char *const types[] = {"shared.share", "at_least.test"};
    for (unsigned type = 0; type < 2; type++) {
        job j = {.receiver = 0, .below = 1};
        session_view view[3] = {
            {.type = types[type]}, {.type = types[type]}, {.type = types[type]}};
        job_open(&j, 3, session_samples(50000));
        fill(&j, 0, 0);
        assert_int_equal(session_watch(3, one, &j, &view[0]), KITH_OK);
        assert_int_equal(session_watch(3, one, &j, &view[1]), KITH_OK);
        fill(&j, 3, 1);
        assert_int_equal(session_watch(3, one, &j, &view[2]), KITH_OK);
        for (unsigned v = 0; v < 3; v++) {
            assert_true(view[v].bytes >= j.n);
            assert_true(session_uniform_p(view[v].bin, 0, 250) > 1e-9);
        }
        assert_true(session_same_p(view[0].bin, view[2].bin, 251) > 1e-9);
        for (uint32_t i = 0; i < 3; i++)
            assert_true(view[0].fingerprint[i] == 0 ||
                        view[0].fingerprint[i] != view[1].fingerprint[i]);
        job_close(&j, 3);
    }
}

/* A refused sum shows one equal pair at a place that says nothing; an accepted one shows none. */
static void the_place_of_a_match_is_secret(void **state)
{
    (void)state;
    enum { N = 20000, S = 6 }; /* refused: -1 … 4 */
    static unsigned char kept[2 * N * S];
    for (int64_t sum = -1; sum < 7; sum++) {
        job j = {.receiver = 0, .below = 1};
        uint64_t place[S] = {0}, difference[256] = {0};
        session_view view = {.type = "at_least.test", .kept = kept, .room = sizeof kept};
        view.from = UINT32_MAX;
        job_open(&j, 3, N);
        fill(&j, sum < 0 ? -1 : 0, sum < 0 ? 0 : sum);
        assert_int_equal(session_watch(3, one, &j, &view), KITH_OK);
        assert_int_equal(view.length, sizeof kept);
        for (size_t k = 0; k < N; k++) {
            unsigned equal = 0;
            for (unsigned s = 0; s < S; s++) {
                unsigned apart = (kept[k * S + s] + 251 - kept[(N + k) * S + s]) % 251;
                difference[apart]++;
                place[s] += apart == 0;
                equal += apart == 0;
            }
            assert_int_equal(equal, sum < 5);
        }
        assert_true(session_uniform_p(difference, 1, 250) > 1e-9);
        if (sum < 5)
            assert_true(session_uniform_p(place, 0, S - 1) > 1e-9);
        job_close(&j, 3);
    }
}

static void costs_what_the_header_says(void **state)
{
    (void)state;
    session_facts facts = {0};
    for (uint32_t m = 3; m < 7; m++) {
        job j = {.receiver = SMC_ALL};
        job_open(&j, m, 10);
        fill(&j, 3, 1);
        assert_int_equal(session_audit(m, one, &j, &facts), KITH_OK);
        assert_int_equal(facts.n_rounds, 3);
        assert_int_equal(facts.sent, (m - 2) + 2 + (m - 1));
        for (uint32_t i = 0; i < m; i++)
            assert_int_equal(facts.learned[i], 10);
        job_close(&j, m);
    }
    session_agrees(&facts, "compare/at_least.h");
}

static void ends_everywhere_after_a_fault(void **state)
{
    (void)state;
    job j = {.receiver = SMC_ALL};
    job_open(&j, 3, 5);
    fill(&j, 3, 1);
    for (frame_fault f = FAULT_LOSE; f < FAULTS; f++)
        assert_true(session_faults(3, one, &j, f, 64) > 0);
    job_close(&j, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decides_like_the_ideal_twin),
        cmocka_unit_test(decides_all_tiny_inputs),
        cmocka_unit_test(knows_what_fits),
        cmocka_unit_test(refuses_what_does_not_fit),
        cmocka_unit_test(shows_uniform_residues),
        cmocka_unit_test(the_place_of_a_match_is_secret),
        cmocka_unit_test(costs_what_the_header_says),
        cmocka_unit_test(ends_everywhere_after_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

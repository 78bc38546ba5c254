/* Sums: right at all sizes, uniform to look at, and as their header says. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "smc/sums/sum.h"
#include "support/ideal.h"
#include "support/session.h"

typedef struct job {
    size_t n;
    uint64_t modulus;
    uint32_t receiver;
    uint64_t *value[PARTY_MAX];
    uint64_t *real[PARTY_MAX];
    uint64_t *ideal[PARTY_MAX];
} job;

static kith_status both(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    TRY(sum_masked(p, j->real[i], j->value[i], j->n, j->modulus, j->receiver, error));
    return ideal_sum(p, j->ideal[i], j->value[i], j->n, j->modulus, j->receiver, error);
}

static kith_status alone(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    return sum_masked(p, j->real[i], j->value[i], j->n, j->modulus, j->receiver, error);
}

static void job_open(job *j, uint32_t m, size_t n)
{
    j->n = n;
    for (uint32_t i = 0; i < m; i++) {
        j->value[i] = calloc(n + 1, 8);
        j->real[i] = malloc((n + 1) * 8);
        j->ideal[i] = malloc((n + 1) * 8);
        memset(j->real[i], 0xa5, (n + 1) * 8);
        memset(j->ideal[i], 0xa5, (n + 1) * 8);
    }
}

static void job_close(job *j, uint32_t m)
{
    for (uint32_t i = 0; i < m; i++) {
        free(j->value[i]);
        free(j->real[i]);
        free(j->ideal[i]);
    }
}

static void fill(job *j, uint32_t m, uint64_t seed)
{
    rng r;
    rng_init(&r, seed, 0);
    for (uint32_t i = 0; i < m; i++)
        for (size_t k = 0; k < j->n; k++)
            j->value[i][k] = j->modulus == 0 ? rng_next(&r) : rng_next(&r) % j->modulus;
}

static void check(job *j, uint32_t m, uint64_t seed)
{
    fill(j, m, seed);
    assert_int_equal(session_run(m, both, j), KITH_OK);
    for (uint32_t i = 0; i < m; i++) {
        /* At receivers the plain sum, elsewhere nothing was touched. */
        assert_memory_equal(j->real[i], j->ideal[i], (j->n + 1) * 8);
        for (size_t k = 0; k < j->n && (j->receiver == SMC_ALL || j->receiver == i); k++) {
            uint64_t plain = 0;
            for (uint32_t l = 0; l < m; l++)
                plain = j->modulus == 0 ? plain + j->value[l][k]
                                        : (plain + j->value[l][k]) % j->modulus;
            assert_int_equal(j->real[i][k], plain);
        }
    }
}

static const uint32_t parties[] = {2, 3, 5, 8};
static const size_t sizes[] = {0, 1, 63, 64, 65, 100000};

static void adds_like_the_ideal_twin(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 4; a++) {
        for (unsigned b = 0; b < 6; b++) {
            uint32_t m = parties[a];
            uint64_t modulus[] = {0, 2147483647, 2};
            job j = {.modulus = modulus[(a + b) % 3]};
            j.receiver = b % 2 ? SMC_ALL : (a + b) % m;
            job_open(&j, m, sizes[b]);
            check(&j, m, 1 + a + 10 * b);
            job_close(&j, m);
        }
    }
}

static void adds_all_tiny_inputs(void **state)
{
    (void)state;
    /* Three parties with every triple of residues modulo 5, as one vector. */
    job j = {.modulus = 5, .receiver = SMC_ALL};
    job_open(&j, 3, 125);
    for (size_t k = 0; k < 125; k++) {
        j.value[0][k] = k % 5;
        j.value[1][k] = k / 5 % 5;
        j.value[2][k] = k / 25;
    }
    assert_int_equal(session_run(3, alone, &j), KITH_OK);
    for (size_t k = 0; k < 125; k++)
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(j.real[i][k], (k % 5 + k / 5 % 5 + k / 25) % 5);
    job_close(&j, 3);
}

static void works_among_64(void **state)
{
    (void)state;
    job j = {.receiver = SMC_ALL};
    job_open(&j, 64, 100);
    check(&j, 64, 5);
    job_close(&j, 64);
}

static void refuses_wrong_arguments(void **state)
{
    (void)state;
    job j = {.modulus = 7, .receiver = 2};
    job_open(&j, 2, 3);
    kith_error errors[2];
    void *user[] = {&j, &j};
    assert_int_equal(inproc_run(2, NULL, NULL, alone, user, errors), KITH_INVALID);
    j.receiver = 0;
    j.value[1][2] = 7;
    assert_int_equal(inproc_run(2, NULL, NULL, alone, user, errors), KITH_INVALID);
    assert_string_equal(errors[1].message, "a value to be added is not below the modulus");
    assert_int_equal(errors[0].status, KITH_PEER);
    job_close(&j, 2);
}

/* Inputs all zero, then inputs far from it with the same sum. */
static void shows_uniform_bytes(void **state)
{
    (void)state;
    job j = {.receiver = 1};
    session_view view[3] = {{.type = "sum.share"}, {.type = "sum.share"}, {.type = "sum.share"}};
    job_open(&j, 3, session_samples(20000));
    assert_int_equal(session_watch(3, alone, &j, &view[0]), KITH_OK);
    assert_int_equal(session_watch(3, alone, &j, &view[1]), KITH_OK);
    for (size_t k = 0; k < j.n; k++) {
        j.value[0][k] = k;
        j.value[2][k] = 0 - k;
    }
    assert_int_equal(session_watch(3, alone, &j, &view[2]), KITH_OK);
    for (unsigned v = 0; v < 3; v++)
        assert_true(session_uniform_p(view[v].bin, 0, 255) > 1e-9);
    assert_true(session_same_p(view[0].bin, view[2].bin, 256) > 1e-9);
    assert_true(view[0].bytes >= 2 * 8 * j.n);
    for (uint32_t i = 0; i < 3; i++) /* the same run twice gives different bytes */
        assert_true(view[0].fingerprint[i] == 0 ||
                    view[0].fingerprint[i] != view[1].fingerprint[i]);
    job_close(&j, 3);
}

/* The chi-square tests can fail: constant or slightly skewed bytes are noticed. */
static void notices_skew(void **state)
{
    (void)state;
    uint64_t skewed[256], flat[256];
    for (unsigned i = 0; i < 256; i++) {
        flat[i] = 4000;
        skewed[i] = 4000 + (i < 128 ? 40 : 0) - (i >= 128 ? 40 : 0);
    }
    skewed[7] += 3000;
    assert_true(session_uniform_p(skewed, 0, 255) < 1e-9);
    assert_true(session_same_p(skewed, flat, 256) < 1e-9);
    assert_true(session_uniform_p(flat, 0, 255) > 0.5);
}

/* Two calls of one run. */
static kith_status two_calls(party *p, void *user, kith_error *error)
{
    TRY(alone(p, user, error));
    return alone(p, user, error);
}

static void never_repeats_a_mask(void **state)
{
    (void)state;
    job j = {.receiver = 0};
    unsigned char kept[160];
    session_view view = {
        .type = "sum.share", .kept = kept, .at = 0, .from = 2, .room = sizeof kept};
    job_open(&j, 3, 10);
    assert_int_equal(session_watch(3, two_calls, &j, &view), KITH_OK);
    assert_int_equal(view.length, 160);
    for (size_t a = 0; a < 20; a++)
        for (size_t b = 0; b < a; b++)
            assert_memory_not_equal(kept + 8 * a, kept + 8 * b, 8);
    job_close(&j, 3);
}

static void costs_what_the_header_says(void **state)
{
    (void)state;
    session_facts facts = {0};
    for (uint32_t m = 2; m < 6; m++) {
        job j = {.receiver = SMC_ALL};
        job_open(&j, m, 10);
        assert_int_equal(session_audit(m, alone, &j, &facts), KITH_OK);
        assert_int_equal(facts.n_rounds, 2);
        assert_int_equal(facts.sent, 2 * (m - 1));
        for (uint32_t i = 0; i < m; i++)
            assert_int_equal(facts.learned[i], 10);
        j.receiver = m - 1;
        assert_int_equal(session_audit(m, alone, &j, &facts), KITH_OK);
        assert_int_equal(facts.n_rounds, 1);
        assert_int_equal(facts.sent, m - 1);
        for (uint32_t i = 0; i < m; i++)
            assert_int_equal(facts.learned[i], i == m - 1 ? 10 : 0);
        job_close(&j, m);
    }
    session_agrees(&facts, "sums/sum.h");
}

static void ends_everywhere_after_a_fault(void **state)
{
    (void)state;
    job j = {.receiver = SMC_ALL};
    job_open(&j, 3, 5);
    for (frame_fault f = FAULT_LOSE; f < FAULTS; f++)
        assert_int_equal(session_faults(3, alone, &j, f, 64), 4); /* every frame */
    job_close(&j, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_like_the_ideal_twin),
        cmocka_unit_test(adds_all_tiny_inputs),
        cmocka_unit_test(works_among_64),
        cmocka_unit_test(refuses_wrong_arguments),
        cmocka_unit_test(shows_uniform_bytes),
        cmocka_unit_test(notices_skew),
        cmocka_unit_test(never_repeats_a_mask),
        cmocka_unit_test(costs_what_the_header_says),
        cmocka_unit_test(ends_everywhere_after_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

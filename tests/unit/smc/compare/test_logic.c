/* AND, OR and threshold: exhaustively on tiny inputs, against the ideal twin at odd sizes, views.
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
#include "smc/compare/logic.h"
#include "support/ideal.h"
#include "support/session.h"

typedef struct job {
    size_t n;
    uint32_t t; /* of threshold; 0: AND and OR */
    uint32_t receiver;
    unsigned n_calls;
    uint64_t *in[PARTY_MAX];
    uint64_t *real[PARTY_MAX];
    uint64_t *ideal[PARTY_MAX];
} job;

static void job_open(job *j, uint32_t m, size_t n)
{
    j->n = n;
    for (uint32_t i = 0; i < m; i++) {
        j->in[i] = calloc(smc_words(n) + 1, 8);
        j->real[i] = calloc(smc_words(n) + 1, 8);
        j->ideal[i] = calloc(smc_words(n) + 1, 8);
    }
}

static void job_close(job *j, uint32_t m)
{
    for (uint32_t i = 0; i < m; i++) {
        free(j->in[i]);
        free(j->real[i]);
        free(j->ideal[i]);
    }
}

static kith_status one(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    for (unsigned call = 0; call < 1 + j->n_calls; call++)
        TRY(logic_threshold(p, j->real[i], j->in[i], j->n, j->t, j->receiver, error));
    return KITH_OK;
}

static kith_status both(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    TRY(one(p, user, error));
    return ideal_threshold(p, j->ideal[i], j->in[i], j->n, j->t, j->receiver, error);
}

static kith_status and_then_or(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    TRY(logic_and(p, j->real[i], j->in[i], j->n, j->receiver, error));
    TRY(logic_or(p, j->ideal[i], j->in[i], j->n, j->receiver, error));
    return KITH_OK;
}

static unsigned ones(const job *j, uint32_t m, size_t k)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < m; i++)
        count += smc_bit(j->in[i], k);
    return count;
}

static const uint32_t parties[] = {2, 3, 5, 8};
static const size_t sizes[] = {0, 1, 63, 64, 65, 100000};

static void decides_like_the_ideal_twin(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 11, 0);
    for (unsigned a = 0; a < 4; a++) {
        for (unsigned b = 0; b < 6; b++) {
            const uint32_t m = parties[a];
            job j = {.t = 1 + rng_below(&r, m), .receiver = b % 2 ? SMC_ALL : rng_below(&r, m)};
            job_open(&j, m, sizes[b]);
            for (uint32_t i = 0; i < m; i++)
                for (size_t k = 0; k < j.n; k++)
                    smc_set_bit(j.in[i], k, rng_below(&r, 4) > (m - j.t) * 3 / m);
            assert_int_equal(session_run(m, both, &j), KITH_OK);
            for (uint32_t i = 0; i < m; i++)
                assert_memory_equal(j.real[i], j.ideal[i], (smc_words(j.n) + 1) * 8);
            for (size_t k = 0; k < j.n && j.receiver == SMC_ALL; k++)
                assert_int_equal(smc_bit(j.real[m - 1], k), ones(&j, m, k) >= j.t);
            job_close(&j, m);
        }
    }
}

static void fill_all(job *j, uint32_t m)
{
    for (uint32_t i = 0; i < m; i++)
        for (size_t k = 0; k < j->n; k++)
            smc_set_bit(j->in[i], k, k >> i & 1);
}

/* Every combination of input bits, every threshold, every receiver. */
static void decides_all_tiny_inputs(void **state)
{
    (void)state;
    for (uint32_t m = 2; m <= 6; m++) {
        job j = {0};
        job_open(&j, m, (size_t)1 << m);
        fill_all(&j, m);
        for (uint32_t receiver = 0; receiver <= m; receiver++) {
            j.receiver = receiver == m ? SMC_ALL : receiver;
            for (j.t = 1; j.t <= m; j.t++) {
                assert_int_equal(session_run(m, one, &j), KITH_OK);
                for (size_t k = 0; k < j.n; k++)
                    assert_int_equal(smc_bit(j.real[receiver % m], k), ones(&j, m, k) >= j.t);
            }
            assert_int_equal(session_run(m, and_then_or, &j), KITH_OK);
            for (size_t k = 0; k < j.n; k++) {
                assert_int_equal(smc_bit(j.real[receiver % m], k), k == j.n - 1);
                assert_int_equal(smc_bit(j.ideal[receiver % m], k), k > 0);
            }
        }
        job_close(&j, m);
    }
}

static void works_among_64(void **state)
{
    (void)state;
    job j = {.t = 33, .receiver = SMC_ALL};
    job_open(&j, 64, 65);
    for (uint32_t i = 0; i < 64; i++)
        for (size_t k = 0; k < j.n; k++)
            smc_set_bit(j.in[i], k, i < k); /* k of 64 say yes */
    assert_int_equal(session_run(64, both, &j), KITH_OK);
    for (size_t k = 0; k < j.n; k++)
        assert_int_equal(smc_bit(j.real[63], k), k >= 33);
    job_close(&j, 64);
}

static void refuses_silly_thresholds(void **state)
{
    (void)state;
    job j = {.t = 0, .receiver = 0};
    void *user[] = {&j, &j, &j};
    job_open(&j, 3, 1);
    assert_int_equal(inproc_run(3, NULL, NULL, one, user, NULL), KITH_INVALID);
    j.t = 4;
    assert_int_equal(inproc_run(3, NULL, NULL, one, user, NULL), KITH_INVALID);
    job_close(&j, 3);
}

static void fill_constant(job *j, uint32_t i, unsigned bit)
{
    for (size_t k = 0; k < j->n; k++)
        smc_set_bit(j->in[i], k, bit);
}

/* The same answer (no) from 0 of 3 and from 2 of 3 votes. */
static void shows_uniform_residues(void **state)
{
    (void)state;
    static const char *const types[] = {"shared.share", "logic.test"};
    for (unsigned type = 0; type < 2; type++) {
        job j = {.t = 3, .receiver = 0};
        session_view view[3] = {
            {.type = types[type]}, {.type = types[type]}, {.type = types[type]}};
        job_open(&j, 3, session_samples(50000));
        assert_int_equal(session_watch(3, one, &j, &view[0]), KITH_OK);
        assert_int_equal(session_watch(3, one, &j, &view[1]), KITH_OK);
        fill_constant(&j, 1, 1);
        fill_constant(&j, 2, 1);
        assert_int_equal(session_watch(3, one, &j, &view[2]), KITH_OK);
        for (unsigned v = 0; v < 3; v++) {
            assert_true(view[v].bytes >= j.n);
            assert_true(session_uniform_p(view[v].bin, 0, 250) > 1e-9);
            for (unsigned k = 251; k < 256; k++)
                assert_int_equal(view[v].bin[k], 0);
        }
        assert_true(session_same_p(view[0].bin, view[2].bin, 251) > 1e-9);
        for (uint32_t i = 0; i < 3; i++)
            assert_true(view[0].fingerprint[i] == 0 ||
                        view[0].fingerprint[i] != view[1].fingerprint[i]);
        job_close(&j, 3);
    }
}

static void unequal_pairs_are_uniform(void **state)
{
    (void)state;
    enum { N = 60000 }; /* less than a chunk: all from A, then all from B */
    static unsigned char kept[2 * N];
    for (unsigned votes = 0; votes < 3; votes++) {
        job j = {.t = 3, .receiver = 0};
        uint64_t bin[256] = {0};
        session_view view = {.type = "logic.test", .kept = kept, .room = sizeof kept};
        view.from = UINT32_MAX;
        job_open(&j, 3, N);
        for (unsigned i = 0; i < votes; i++)
            fill_constant(&j, i, 1);
        assert_int_equal(session_watch(3, one, &j, &view), KITH_OK);
        assert_int_equal(view.length, sizeof kept);
        for (size_t k = 0; k < N; k++)
            bin[(kept[k] + 251 - kept[N + k]) % 251]++;
        assert_int_equal(bin[0], 0); /* no false match */
        assert_true(session_uniform_p(bin, 1, 250) > 1e-9);
        job_close(&j, 3);
    }
}

/* Where the equal pair of a refused bit lies is as likely at any place, whatever the sum was. */
static void the_place_of_a_match_is_secret(void **state)
{
    (void)state;
    enum { N = 30000, T = 3 };
    static unsigned char kept[2 * N * T];
    for (unsigned votes = 0; votes < T; votes++) {
        job j = {.t = T, .receiver = 0};
        uint64_t place[T] = {0};
        session_view view = {.type = "logic.test", .kept = kept, .room = sizeof kept};
        view.from = UINT32_MAX;
        job_open(&j, 8, N);
        for (unsigned i = 0; i < votes; i++)
            fill_constant(&j, i, 1);
        assert_int_equal(session_watch(8, one, &j, &view), KITH_OK);
        for (size_t k = 0; k < N; k++) {
            unsigned equal = 0;
            for (unsigned s = 0; s < T; s++) {
                if (kept[k * T + s] == kept[N * T + k * T + s]) {
                    place[s]++;
                    equal++;
                }
            }
            assert_int_equal(equal, 1);
        }
        assert_true(session_uniform_p(place, 0, T - 1) > 1e-9);
        job_close(&j, 8);
    }
}

static void two_parties_show_uniform_bytes(void **state)
{
    (void)state;
    static const char *const types[] = {"ot.columns", "logic.choice"};
    for (unsigned type = 0; type < 2; type++) {
        for (unsigned bit = 0; bit < 2; bit++) {
            job j = {.t = 2, .receiver = 0};
            session_view view = {.type = types[type]}, again = {.type = types[type]};
            job_open(&j, 2, 200000);
            fill_constant(&j, 1, bit); /* the sender's bit; the answer stays no */
            assert_int_equal(session_watch(2, one, &j, &view), KITH_OK);
            assert_int_equal(session_watch(2, one, &j, &again), KITH_OK);
            /* 4 bytes for every transfer, one bit for every answer. */
            assert_int_equal(view.bytes, smc_words(200000) * 8 * (type == 0 ? 32 : 1));
            assert_true(session_uniform_p(view.bin, 0, 255) > 1e-9);
            assert_true(view.fingerprint[type] == 0 ||
                        view.fingerprint[type] != again.fingerprint[type]);
            job_close(&j, 2);
        }
    }
}

static void costs_what_the_header_says(void **state)
{
    (void)state;
    session_facts facts = {0};
    for (uint32_t m = 2; m < 7; m++) {
        job j = {.t = 2, .receiver = SMC_ALL};
        job_open(&j, m, 10);
        assert_int_equal(session_audit(m, one, &j, &facts), KITH_OK);
        assert_int_equal(facts.n_rounds, m == 2 ? 5 : 3);
        assert_int_equal(facts.sent, m == 2 ? 6 : (m - 2) + 2 + (m - 1));
        for (uint32_t i = 0; i < m; i++)
            assert_int_equal(facts.learned[i], 10);
        j.receiver = 1;
        j.n_calls = 1; /* two calls: the second needs no base transfers */
        assert_int_equal(session_audit(m, one, &j, &facts), KITH_OK);
        assert_int_equal(facts.sent, m == 2 ? 7 : 2 * ((m - 2) + 2));
        for (uint32_t i = 0; i < m; i++)
            assert_int_equal(facts.learned[i], i == 1 ? 20 : 0);
        assert_int_equal(session_audit(m, and_then_or, &j, &facts), KITH_OK);
        job_close(&j, m);
    }
    session_agrees(&facts, "compare/logic.h");
}

static void ends_everywhere_after_a_fault(void **state)
{
    (void)state;
    for (uint32_t m = 2; m < 4; m++) {
        job j = {.t = m, .receiver = SMC_ALL};
        job_open(&j, m, 5);
        for (frame_fault f = FAULT_LOSE; f < FAULTS; f++)
            assert_true(session_faults(m, one, &j, f, 64) > 0);
        job_close(&j, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decides_like_the_ideal_twin),
        cmocka_unit_test(decides_all_tiny_inputs),
        cmocka_unit_test(works_among_64),
        cmocka_unit_test(refuses_silly_thresholds),
        cmocka_unit_test(shows_uniform_residues),
        cmocka_unit_test(unequal_pairs_are_uniform),
        cmocka_unit_test(the_place_of_a_match_is_secret),
        cmocka_unit_test(two_parties_show_uniform_bytes),
        cmocka_unit_test(costs_what_the_header_says),
        cmocka_unit_test(ends_everywhere_after_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

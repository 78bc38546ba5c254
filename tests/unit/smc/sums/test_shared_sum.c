/* Shared sums: both shares add up, each alone is uniform, whatever the inputs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "smc/sums/shared_sum.h"
#include "support/session.h"

enum { N = 40000 };

typedef struct job {
    size_t n;
    uint64_t modulus;
    uint32_t receiver;
    uint64_t add; /* to everyone's values */
    uint64_t share[PARTY_MAX][N];
    uint8_t small[PARTY_MAX][N];
} job;

static uint64_t value(const job *j, uint32_t i, size_t k)
{
    uint64_t v = k * (i + 1) + j->add;
    return j->modulus == 0 ? v * UINT64_C(0x9e3779b97f4a7c15) : v % j->modulus;
}

static kith_status words(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    smc_call call;
    for (size_t k = 0; k < j->n; k++)
        j->share[i][k] = value(j, i, k);
    TRY(smc_call_open(&call, p, "test", (smc_output){j->receiver, NULL}, error));
    kith_status status = shared_sum(&call, j->share[i], j->share[i], j->n, j->modulus, error);
    return smc_call_close(&call, status, j->n);
}

static kith_status bytes(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    smc_call call;
    for (size_t k = 0; k < j->n; k++)
        j->small[i][k] = (uint8_t)value(j, i, k);
    TRY(smc_call_open(&call, p, "test", (smc_output){j->receiver, NULL}, error));
    kith_status status =
        shared_sum_bytes(&call, j->small[i], j->small[i], j->n, (unsigned)j->modulus, error);
    return smc_call_close(&call, status, j->n);
}

/* Roles as smc_assign gives them. */
static uint32_t role(uint32_t m, uint32_t receiver, uint32_t after)
{
    uint32_t hub = receiver == SMC_ALL ? 0 : receiver;
    return m == 2 ? (hub + after - 1) % 2 : (hub + after) % m;
}

static void shares_add_up(void **state)
{
    (void)state;
    static const uint32_t parties[] = {2, 3, 5, 8};
    static const size_t sizes[] = {0, 1, 63, 64, 65, N};
    static const uint64_t moduli[] = {0, 251, 2147483647};
    job *j = calloc(1, sizeof *j);
    for (unsigned a = 0; a < 4; a++) {
        for (unsigned b = 0; b < 18; b++) {
            const uint32_t m = parties[a];
            j->n = sizes[b % 6];
            j->modulus = moduli[b / 6];
            j->receiver = b % 3 == 0 ? SMC_ALL : b % m;
            const uint32_t first = role(m, j->receiver, 1), second = role(m, j->receiver, 2);
            assert_int_equal(session_run(m, words, j), KITH_OK);
            if (j->modulus == 251)
                assert_int_equal(session_run(m, bytes, j), KITH_OK);
            for (size_t k = 0; k < j->n; k++) {
                uint64_t sum = 0, got = j->share[first][k] + j->share[second][k];
                for (uint32_t i = 0; i < m; i++)
                    sum += value(j, i, k);
                assert_true(j->modulus == 0 ? sum == got : sum % j->modulus == got % j->modulus);
                if (j->modulus == 251)
                    assert_int_equal((j->small[first][k] + j->small[second][k]) % 251, sum % 251);
            }
        }
    }
    free(j);
}

static void each_share_is_uniform(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    j->n = N;
    j->modulus = 251;
    for (j->add = 0; j->add < 2; j->add++) {
        for (uint32_t m = 2; m < 4; m++) {
            assert_int_equal(session_run(m, bytes, j), KITH_OK);
            for (uint32_t after = 1; after < 3; after++) {
                uint64_t bin[256] = {0};
                for (size_t k = 0; k < N; k++)
                    bin[j->small[role(m, 0, after)][k]]++;
                assert_true(session_uniform_p(bin, 0, 250) > 1e-9);
            }
        }
    }
    free(j);
}

static void costs_what_the_header_says(void **state)
{
    (void)state;
    job *j = calloc(1, sizeof *j);
    session_facts facts = {0};
    j->n = 100;
    j->modulus = 251;
    for (uint32_t m = 2; m < 6; m++) {
        assert_int_equal(session_audit(m, words, j, &facts), KITH_OK);
        assert_int_equal(facts.sent, m - 2);
        assert_int_equal(facts.n_rounds, m > 2);
        assert_int_equal(session_audit(m, bytes, j, &facts), KITH_OK);
        assert_int_equal(facts.sent, m - 2);
    }
    session_agrees(&facts, "sums/shared_sum.h");
    free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_add_up),
        cmocka_unit_test(each_share_is_uniform),
        cmocka_unit_test(costs_what_the_header_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

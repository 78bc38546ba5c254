/* Sums, small counts and comparisons at the ends of their ranges, against the ideal twins: the
 * largest thresholds, bounds and moduli, values next to them, sums that just reach a threshold or
 * just do not. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "smc/compare/at_least.h"
#include "smc/compare/compare.h"
#include "smc/sums/sum.h"
#include "support/ideal.h"
#include "support/session.h"

enum { N = 1024, MOST = 8, SEED = 42 };

/* The questions of one call. */
typedef struct job {
    int64_t values[MOST][N], thresholds[N];
    uint64_t real[MOST][N / 64], ideal[MOST][N / 64];
    uint32_t slack;
    int64_t bound;
    uint64_t residues[MOST][N], sums[MOST][N], ideal_sums[MOST][N];
    uint64_t modulus;
} job;

static size_t n_asked;

static void ask(uint32_t m, session_fn *fn, job *j)
{
    memset(j->real, 0, sizeof j->real);
    memset(j->ideal, 0, sizeof j->ideal);
    assert_int_equal(session_run(m, fn, j), KITH_OK);
    n_asked += N;
}

static void decided_alike(const job *j, uint32_t m)
{
    for (uint32_t i = 0; i < m; i++)
        for (size_t k = 0; k < N; k++)
            if (smc_bit(j->real[i], k) != smc_bit(j->ideal[i], k))
                fail_msg("%u parties, bound %lld, slack %u, threshold %lld: party %u has %u", m,
                         (long long)j->bound, j->slack, (long long)j->thresholds[k], i,
                         smc_bit(j->real[i], k));
}

/* --- small counts --- */

static kith_status count_both(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    const at_least_sums sums = {j->values[i], j->thresholds, N, j->slack};
    TRY(at_least(p, j->real[i], &sums, (smc_output){SMC_ALL, "at least"}, error));
    return ideal_dominates(p, j->ideal[i], j->values[i], j->thresholds, N, 1, SMC_ALL, error);
}

/* A value of one party; `left` is what may still be taken off the sum. */
static int64_t count_of(rng *r, int64_t threshold, uint32_t slack, int64_t *left)
{
    int64_t off;
    switch (rng_below(r, 6)) {
    case 0: return 0;
    case 1: return threshold + slack;
    case 2: return INT64_MAX;
    case 3: return rng_below(r, 5);
    case 4:
        off = rng_below(r, (uint32_t)*left + 1);
        *left -= off;
        return -off;
    default: return rng_below(r, (uint32_t)threshold + 1);
    }
}

/* The sum is the threshold, or one less; the first party takes off all that may be. */
static void just_about(job *j, uint32_t m, size_t k)
{
    for (uint32_t i = 0; i < m; i++)
        j->values[i][k] = 0;
    j->values[0][k] = -(int64_t)j->slack;
    j->values[m - 1][k] = j->thresholds[k] + j->slack - (int64_t)(k / 5 % 2);
}

static void counts_at_the_largest_thresholds(void **state)
{
    static job j;
    rng r;
    (void)state;
    rng_init(&r, SEED, 0);
    for (uint32_t m = 3; m <= MOST; m++)
        for (j.slack = 0; j.slack <= 6; j.slack += 2) {
            uint32_t largest = 1;
            while (at_least_fits(m, largest + 1, j.slack))
                largest++;
            for (size_t k = 0; k < N; k++) {
                int64_t left = j.slack;
                j.thresholds[k] = k % 3 == 0 ? largest : 1 + rng_below(&r, largest);
                for (uint32_t i = 0; i < m; i++)
                    j.values[i][k] = count_of(&r, j.thresholds[k], j.slack, &left);
                if (k % 5 == 0)
                    just_about(&j, m, k);
            }
            ask(m, count_both, &j);
            decided_alike(&j, m);
        }
}

/* --- comparisons --- */

static kith_status compare_both(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    const compare_sums sums = {j->values[i], j->thresholds, N, NULL, 0, j->bound};
    TRY(compare_thresholds(p, j->real[i], &sums, (smc_output){SMC_ALL, "compare"}, error));
    return ideal_dominates(p, j->ideal[i], j->values[i], j->thresholds, N, 1, SMC_ALL, error);
}

/* A number from -bound to bound. */
static int64_t within(rng *r, int64_t bound)
{
    return (int64_t)(rng_next(r) % (2 * (uint64_t)bound + 1)) - bound;
}

/* Parts within the bound that add up to `sum`. */
static void split(job *j, uint32_t m, size_t k, int64_t sum, rng *r)
{
    for (uint32_t i = 1; i < m; i++) {
        int64_t part = within(r, j->bound / m);
        const bool fits = sum - part <= j->bound && sum - part >= -j->bound;
        j->values[i][k] = fits ? part : 0;
        sum -= j->values[i][k];
    }
    j->values[0][k] = sum;
}

static int64_t threshold_near(rng *r, int64_t sum, int64_t bound)
{
    const int64_t all[] = {INT64_MIN, INT64_MAX, sum,    sum + 1,
                           bound,     bound + 1, -bound, -bound - 1};
    return all[rng_below(r, 8)];
}

static void compares_at_every_bound(void **state)
{
    static const int64_t bounds[] = {0,
                                     1,
                                     2,
                                     3,
                                     4,
                                     7,
                                     8,
                                     127,
                                     128,
                                     255,
                                     256,
                                     65535,
                                     65536,
                                     INT32_MAX,
                                     INT64_C(1) << 31,
                                     INT64_C(1) << 32,
                                     (INT64_C(1) << 61) - 1,
                                     COMPARE_MAX_BOUND};
    static job j;
    rng r;
    (void)state;
    rng_init(&r, SEED, 1);
    for (uint32_t m = 2; m <= 5; m++)
        for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
            j.bound = bounds[b];
            for (size_t k = 0; k < N; k++) {
                const int64_t sum = k % 4 == 0   ? j.bound
                                    : k % 4 == 1 ? -j.bound
                                                 : within(&r, j.bound);
                split(&j, m, k, sum, &r);
                j.thresholds[k] = threshold_near(&r, sum, j.bound);
            }
            ask(m, compare_both, &j);
            decided_alike(&j, m);
        }
}

/* --- sums --- */

static kith_status add_both(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    TRY(sum_masked(p, j->sums[i], j->residues[i], N, j->modulus, SMC_ALL, error));
    return ideal_sum(p, j->ideal_sums[i], j->residues[i], N, j->modulus, SMC_ALL, error);
}

static void adds_at_both_ends(void **state)
{
    static const uint64_t moduli[] = {0, 1, 2, 251, INT32_MAX, (UINT64_C(1) << 61) - 1, INT64_MAX};
    static job j;
    rng r;
    (void)state;
    rng_init(&r, SEED, 2);
    for (uint32_t m = 2; m <= MOST; m += 3)
        for (size_t b = 0; b < sizeof moduli / sizeof *moduli; b++) {
            j.modulus = moduli[b];
            const uint64_t top = j.modulus - 1; /* 2^64 - 1 if the modulus is 0 */
            for (size_t k = 0; k < N; k++)
                for (uint32_t i = 0; i < m; i++)
                    j.residues[i][k] = k % 4 == 0       ? top
                                       : k % 4 == 1     ? (i == 0 ? top : 0)
                                       : k % 4 == 2     ? (top > 0 && i == 1 ? 1 : 0)
                                       : j.modulus == 0 ? rng_next(&r)
                                                        : rng_next(&r) % j.modulus;
            ask(m, add_both, &j);
            for (uint32_t i = 0; i < m; i++)
                assert_memory_equal(j.sums[i], j.ideal_sums[i], sizeof j.sums[i]);
        }
    print_message("%zu questions\n", n_asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_at_the_largest_thresholds),
        cmocka_unit_test(compares_at_every_bound),
        cmocka_unit_test(adds_at_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

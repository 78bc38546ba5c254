/* Comparisons of shared sums: exhaustively around thresholds, against the ideal twin, views. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "smc/compare/compare.h"
#include "support/ideal.h"
#include "support/session.h"

typedef struct job {
    size_t n_groups, size;
    int64_t bound;
    uint32_t receiver;
    int64_t *value[PARTY_MAX];
    int64_t *least;
    uint64_t *real[PARTY_MAX];
    uint64_t *ideal[PARTY_MAX];
} job;

static void job_open(job *j, uint32_t m, size_t n_groups, size_t size)
{
    j->n_groups = n_groups;
    j->size = size;
    j->least = calloc(n_groups * size + 1, 8);
    for (uint32_t i = 0; i < m; i++) {
        j->value[i] = calloc(n_groups * size + 1, 8);
        j->real[i] = calloc(smc_words(n_groups) + 1, 8);
        j->ideal[i] = calloc(smc_words(n_groups) + 1, 8);
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

static kith_status alone(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    const compare_block whole = {j->size, j->size};
    compare_sums sums = {j->value[i], j->least, j->n_groups, NULL, 0, j->bound};
    if (j->size == 1)
        return compare_thresholds(p, j->real[i], &sums, (smc_output){j->receiver, "compare"},
                                  error);
    sums.blocks = &whole;
    sums.n_blocks = 1;
    return compare_thresholds(p, j->real[i], &sums, (smc_output){j->receiver, "dominates"}, error);
}

static kith_status both(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t i = party_self(p);
    TRY(alone(p, user, error));
    return ideal_dominates(p, j->ideal[i], j->value[i], j->least, j->n_groups, j->size, j->receiver,
                           error);
}

static void check(job *j, uint32_t m)
{
    assert_int_equal(session_run(m, both, j), KITH_OK);
    for (uint32_t i = 0; i < m; i++)
        assert_memory_equal(j->real[i], j->ideal[i], (smc_words(j->n_groups) + 1) * 8);
    for (size_t g = 0; g < j->n_groups && j->receiver == SMC_ALL; g++) {
        unsigned holds = 1;
        for (size_t k = g * j->size; k < (g + 1) * j->size; k++) {
            int64_t sum = 0;
            for (uint32_t i = 0; i < m; i++)
                sum += j->value[i][k];
            holds &= sum >= j->least[k];
        }
        assert_int_equal(smc_bit(j->real[m - 1], g), holds);
    }
}

/* Values whose sum stays within the bound, and thresholds near the sums. */
static void fill(job *j, uint32_t m, rng *r)
{
    for (size_t k = 0; k < j->n_groups * j->size; k++) {
        int64_t sum = 0, each = j->bound / m;
        for (uint32_t i = 0; i < m; i++) {
            int64_t v = (int64_t)(rng_next(r) % (2 * (uint64_t)each + 1)) - each;
            j->value[i][k] = v;
            sum += v;
        }
        j->least[k] = sum + (int64_t)rng_below(r, j->size > 1 ? 3 : 4) - (j->size > 1 ? 2 : 1);
    }
}

/* Sanitizers make transfers ten times as slow. */
static bool slow_build(void)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    return true;
#else
    return false;
#endif
}

static void compares_like_the_ideal_twin(void **state)
{
    (void)state;
    static const uint32_t parties[] = {2, 3, 5, 8};
    static const size_t sizes[] = {0, 1, 63, 64, 65, 100000};
    static const int64_t bounds[] = {100, 100000, 8, COMPARE_MAX_BOUND, 1 << 20, 1000};
    rng r;
    rng_init(&r, 3, 0);
    for (unsigned a = 0; a < 4; a++) {
        for (unsigned b = 0; b < 6; b++) {
            if (parties[a] == 2 && b == 5 && slow_build())
                continue; /* three million transfers, or thirty */
            job j = {.bound = bounds[b], .receiver = b % 2 ? SMC_ALL : b % parties[a]};
            job_open(&j, parties[a], b == 5 ? session_samples(sizes[b]) : sizes[b], 1);
            fill(&j, parties[a], &r);
            check(&j, parties[a]);
            job_close(&j, parties[a]);
        }
    }
}

static void dominates_like_the_ideal_twin(void **state)
{
    (void)state;
    static const size_t sizes[] = {2, 3, 7, 16};
    static const size_t groups[] = {1, 64, 65, 700};
    rng r;
    rng_init(&r, 4, 0);
    for (uint32_t m = 2; m < 5; m++) {
        for (unsigned b = 0; b < 4; b++) {
            job j = {.bound = 5000, .receiver = b % 2 ? SMC_ALL : b % m};
            job_open(&j, m, groups[b], sizes[b]);
            fill(&j, m, &r);
            check(&j, m);
            job_close(&j, m);
        }
    }
}

/* More values than one circuit takes: nothing is used twice, nothing lost. */
static void goes_on_in_runs(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 5, 0);
    job j = {.bound = 30, .receiver = SMC_ALL};
    job_open(&j, 3, (1 << 17) + 100, 1);
    fill(&j, 3, &r);
    check(&j, 3);
    job_close(&j, 3);
}

/* Zeros throughout: what A gets in the second run of values is not what it got in the first. */
static void masks_every_run_anew(void **state)
{
    (void)state;
    enum { RUN = 1 << 17 };
    static uint64_t kept[RUN + 64];
    session_view view = {.type = "shared.share", .kept = (unsigned char *)kept, .at = 1, .from = 0};
    job j = {.bound = 1, .receiver = 0};
    view.room = sizeof kept;
    job_open(&j, 3, RUN + 64, 1);
    assert_int_equal(session_watch(3, alone, &j, &view), KITH_OK);
    assert_int_equal(view.length, sizeof kept);
    for (size_t i = 0; i < 64; i++)
        assert_true(kept[i] != kept[RUN + i]);
    job_close(&j, 3);
}

/* Two or three parties, all values, all thresholds from below to above the range. */
static void compares_all_tiny_inputs(void **state)
{
    (void)state;
    for (uint32_t m = 2; m <= 3; m++) {
        for (int64_t bound = 0; bound <= 6; bound++) {
            const int64_t each = bound / m, span = 2 * each + 1, thresholds = 2 * bound + 7;
            job j = {.bound = bound, .receiver = SMC_ALL};
            size_t n = (size_t)(thresholds * span * span * (m == 3 ? span : 1)), k = 0;
            job_open(&j, m, n, 1);
            for (int64_t t = 0; t < thresholds; t++)
                for (int64_t x = 0; x < span; x++)
                    for (int64_t y = 0; y < span; y++)
                        for (int64_t z = 0; z < (m == 3 ? span : 1); z++, k++) {
                            j.least[k] = t - bound - 3;
                            j.value[0][k] = x - each;
                            j.value[1][k] = y - each;
                            if (m == 3)
                                j.value[2][k] = z - each;
                        }
            assert_int_equal(k, n);
            check(&j, m);
            job_close(&j, m);
        }
    }
}

static void refuses_what_is_out_of_bounds(void **state)
{
    (void)state;
    job j = {.bound = 10, .receiver = 0};
    void *user[] = {&j, &j, &j};
    kith_error errors[3];
    job_open(&j, 3, 2, 1);
    j.value[2][1] = -11;
    assert_int_equal(inproc_run(3, NULL, NULL, alone, user, errors), KITH_INVALID);
    assert_string_equal(errors[2].message, "a value to be compared is beyond the public bound");
    j.value[2][1] = 0;
    j.bound = COMPARE_MAX_BOUND + 1;
    assert_int_equal(inproc_run(3, NULL, NULL, alone, user, errors), KITH_INVALID);
    j.bound = -1;
    assert_int_equal(inproc_run(3, NULL, NULL, alone, user, errors), KITH_INVALID);
    job_close(&j, 3);
}

/* Zero everywhere, then large values with the same sum and so the same answer. */
static void shows_uniform_bytes(void **state)
{
    (void)state;
    static const char *const types[] = {"shared.share", "gmw.and", "gmw.open", "gmw.triple"};
    for (unsigned type = 0; type < 4; type++) {
        job j = {.bound = 1 << 20, .receiver = 0};
        session_view view[3] = {
            {.type = types[type]}, {.type = types[type]}, {.type = types[type]}};
        job_open(&j, 3, session_samples(30000), 1);
        assert_int_equal(session_watch(3, alone, &j, &view[0]), KITH_OK);
        assert_int_equal(session_watch(3, alone, &j, &view[1]), KITH_OK);
        for (size_t k = 0; k < j.n_groups; k++) {
            j.value[1][k] = 1 << 19;
            j.value[2][k] = -(1 << 19);
        }
        assert_int_equal(session_watch(3, alone, &j, &view[2]), KITH_OK);
        for (unsigned v = 0; v < 3; v++) {
            assert_true(view[v].bytes >= j.n_groups / 8);
            assert_true(session_uniform_p(view[v].bin, 0, 255) > 1e-9);
        }
        assert_true(session_same_p(view[0].bin, view[2].bin, 256) > 1e-9);
        for (uint32_t i = 0; i < 3; i++)
            assert_true(view[0].fingerprint[i] == 0 ||
                        view[0].fingerprint[i] != view[1].fingerprint[i]);
        job_close(&j, 3);
    }
}

static void two_parties_show_uniform_bytes(void **state)
{
    (void)state;
    for (unsigned filled = 0; filled < 2; filled++) {
        job j = {.bound = 1000, .receiver = 1};
        session_view view = {.type = "gmw.and"};
        job_open(&j, 2, 4000, 1);
        for (size_t k = 0; k < j.n_groups; k++) {
            j.value[0][k] = filled ? 999 : 0;
            j.value[1][k] = filled ? -999 : 0;
        }
        assert_int_equal(session_watch(2, alone, &j, &view), KITH_OK);
        assert_true(view.bytes > 4000);
        assert_true(session_uniform_p(view.bin, 0, 255) > 1e-9);
        job_close(&j, 2);
    }
}

static void costs_what_the_header_says(void **state)
{
    (void)state;
    session_facts facts = {0};
    for (uint32_t m = 2; m < 6; m++) {
        for (size_t size = 1; size < 4; size += 2) {
            job j = {.bound = 200, .receiver = SMC_ALL}; /* b = 10: 4 layers of spans */
            job_open(&j, m, 10, size);
            assert_int_equal(session_audit(m, alone, &j, &facts), KITH_OK);
            if (m > 2)
                assert_int_equal(facts.n_rounds, 4 + 3 + (size == 3 ? 2 : 0) + 1);
            for (uint32_t i = 0; i < m; i++)
                assert_int_equal(facts.learned[i], 10);
            j.receiver = m - 1;
            assert_int_equal(session_audit(m, alone, &j, &facts), KITH_OK);
            for (uint32_t i = 0; i < m; i++)
                assert_int_equal(facts.learned[i], i == m - 1 ? 10 : 0);
            job_close(&j, m);
        }
    }
    session_agrees(&facts, "compare/compare.h");
}

/* One group of many values must not take a word of gates for each of them. */
static void packs_large_groups(void **state)
{
    (void)state;
    enum { VALUES = 640 };
    uint64_t bytes[2];
    for (unsigned i = 0; i < 2; i++) {
        job j = {.bound = 30000, .receiver = SMC_ALL};
        session_view view = {.type = "gmw.and"};
        job_open(&j, 3, i == 0 ? VALUES : 1, i == 0 ? 1 : VALUES);
        assert_int_equal(session_watch(3, alone, &j, &view), KITH_OK);
        bytes[i] = view.bytes;
        job_close(&j, 3);
    }
    /* Joining takes a word per value, which comparing takes for about 50 gates of 64 values. */
    assert_true(bytes[1] > bytes[0] && bytes[1] < 4 * bytes[0]);
}

static void ends_everywhere_after_a_fault(void **state)
{
    (void)state;
    for (uint32_t m = 2; m < 4; m++) {
        job j = {.bound = 3, .receiver = SMC_ALL};
        job_open(&j, m, 2, 1);
        assert_true(session_faults(m, alone, &j, FAULT_LOSE, 64) > 0);
        assert_true(session_faults(m, alone, &j, FAULT_CORRUPT, 64) > 0);
        job_close(&j, m);
    }
}

/* --- blocks --- */

typedef struct blocks_job {
    size_t n_groups, n_blocks, size;
    const compare_block *blocks;
    int64_t bound;
    int64_t *value[PARTY_MAX], *least;
    uint64_t *real[PARTY_MAX];
} blocks_job;

static kith_status in_blocks(party *p, void *user, kith_error *error)
{
    blocks_job *j = user;
    const uint32_t i = party_self(p);
    const compare_sums sums = {j->value[i], j->least,    j->n_groups,
                               j->blocks,   j->n_blocks, j->bound};
    return compare_thresholds(p, j->real[i], &sums, (smc_output){SMC_ALL, "dominates"}, error);
}

static unsigned all_blocks_hold(const blocks_job *j, uint32_t m, size_t group)
{
    size_t at = group * j->size;
    for (size_t b = 0; b < j->n_blocks; b++) {
        size_t reached = 0;
        for (size_t c = 0; c < j->blocks[b].size; c++, at++) {
            int64_t sum = 0;
            for (uint32_t i = 0; i < m; i++)
                sum += j->value[i][at];
            reached += sum >= j->least[at];
        }
        if (reached < j->blocks[b].need)
            return 0;
    }
    return 1;
}

static void check_blocks(const compare_block *blocks, size_t n_blocks, uint32_t m, rng *r)
{
    blocks_job j = {.n_groups = 130, .n_blocks = n_blocks, .blocks = blocks, .bound = 8 * m};
    size_t yes = 0;
    for (size_t b = 0; b < n_blocks; b++)
        j.size += blocks[b].size;
    j.least = calloc(j.n_groups * j.size, 8);
    for (uint32_t i = 0; i < m; i++) {
        j.value[i] = calloc(j.n_groups * j.size, 8);
        j.real[i] = calloc(smc_words(j.n_groups), 8);
        for (size_t k = 0; k < j.n_groups * j.size; k++)
            j.value[i][k] = (int64_t)rng_below(r, 8) - 2;
    }
    for (size_t k = 0; k < j.n_groups * j.size; k++)
        j.least[k] = (int64_t)rng_below(r, 4 * m);
    assert_int_equal(session_run(m, in_blocks, &j), KITH_OK);
    for (size_t g = 0; g < j.n_groups; g++) {
        for (uint32_t i = 0; i < m; i++)
            assert_int_equal(smc_bit(j.real[i], g), all_blocks_hold(&j, m, g));
        yes += smc_bit(j.real[0], g);
    }
    if (blocks[0].size > 2 && n_blocks == 1 && blocks[0].need * 2 == blocks[0].size)
        assert_true(yes > 10 && yes < 120);
    free(j.least);
    for (uint32_t i = 0; i < m; i++) {
        free(j.value[i]);
        free(j.real[i]);
    }
}

/* Every size and need up to 9 alone, and blocks together. */
static void counts_what_blocks_need(void **state)
{
    (void)state;
    static const compare_block mixed[][3] = {
        {{1, 1}, {5, 2}, {3, 3}}, {{4, 1}, {4, 4}, {7, 6}}, {{2, 1}, {3, 2}, {4, 3}}};
    rng r;
    rng_init(&r, 21, 0);
    for (size_t size = 1; size <= 9; size++)
        for (size_t need = 1; need <= size; need++)
            check_blocks(&(compare_block){size, need}, 1, 3, &r);
    for (unsigned i = 0; i < 3; i++) {
        check_blocks(mixed[i], 3, 3, &r);
        check_blocks(mixed[i], 3, 2, &r);
    }
    check_blocks(&(compare_block){33, 12}, 1, 3, &r);
}

static void refuses_silly_blocks(void **state)
{
    (void)state;
    static const compare_block silly[] = {{3, 0}, {3, 4}, {0, 0}};
    for (unsigned i = 0; i < 3; i++) {
        int64_t zero[3] = {0};
        uint64_t bits = 0;
        blocks_job j = {
            .n_groups = 1, .n_blocks = 1, .blocks = &silly[i], .bound = 1, .least = zero};
        void *users[3] = {&j, &j, &j};
        for (uint32_t p = 0; p < 3; p++) {
            j.value[p] = zero;
            j.real[p] = &bits;
        }
        assert_int_equal(inproc_run(3, NULL, NULL, in_blocks, users, NULL), KITH_INVALID);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compares_like_the_ideal_twin),
        cmocka_unit_test(dominates_like_the_ideal_twin),
        cmocka_unit_test(goes_on_in_runs),
        cmocka_unit_test(masks_every_run_anew),
        cmocka_unit_test(compares_all_tiny_inputs),
        cmocka_unit_test(refuses_what_is_out_of_bounds),
        cmocka_unit_test(shows_uniform_bytes),
        cmocka_unit_test(two_parties_show_uniform_bytes),
        cmocka_unit_test(costs_what_the_header_says),
        cmocka_unit_test(packs_large_groups),
        cmocka_unit_test(ends_everywhere_after_a_fault),
        cmocka_unit_test(counts_what_blocks_need),
        cmocka_unit_test(refuses_silly_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Trimming: against counting in one place; edges, views, ledger. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "core/rng.h"
#include "smc/compare/trim.h"
#include "support/session.h"

enum { MAX_VALUES = 9, SETS = 70 };

typedef struct job {
    trim_sets sets[PARTY_MAX]; /* at each party */
    uint32_t fixed[PARTY_MAX][SETS * MAX_VALUES], mine[PARTY_MAX][SETS * MAX_VALUES];
    uint32_t stay[PARTY_MAX][SETS * MAX_VALUES];
    uint32_t order[SETS * PARTY_MAX];
} job;

static kith_status run(party *p, void *user, kith_error *error)
{
    job *j = user;
    const uint32_t self = party_self(p);
    return trim(p, j->stay[self], &j->sets[self], error);
}

/* The ideal function: records come one by one, in the order of parties. */
static void check_set(const job *j, uint32_t m, size_t set)
{
    const trim_sets *s = &j->sets[0];
    const double l = (double)s->times / (double)s->scale;
    uint64_t count[MAX_VALUES] = {0}, in[MAX_VALUES] = {0};
    uint32_t most = 0;
    for (uint32_t p = 0; p < m; p++)
        for (uint32_t v = 0; v < s->n_values; v++) {
            const size_t at = set * s->n_values + v;
            in[v] += s->fixed == NULL ? 0 : j->fixed[p][at];
            count[v] += (s->fixed == NULL ? 0 : j->fixed[p][at]) + j->mine[p][at];
        }
    for (uint32_t t = 1; t <= s->max_count; t++) {
        uint64_t sum = 0;
        for (uint32_t v = 0; v < s->n_values; v++)
            sum += count[v] < t ? count[v] : t;
        most = (double)sum >= l * t ? t : most;
    }
    for (uint32_t position = 0; position < m; position++) {
        const uint32_t p = s->order[set * m + position];
        for (uint32_t v = 0; v < s->n_values; v++) {
            uint32_t stays = 0;
            for (uint32_t i = 0; i < j->mine[p][set * s->n_values + v] && in[v] < most; i++) {
                stays++;
                in[v]++;
            }
            assert_int_equal(j->stay[p][set * s->n_values + v], stays);
        }
    }
}

/* Counts of all parties; fixed ones are diverse, as those of a class are. */
static void prepare(job *j, uint32_t m, uint64_t seed, bool fixed, size_t n_sets)
{
    rng r;
    rng_init(&r, seed, m);
    const uint32_t n_values = 2 + rng_below(&r, MAX_VALUES - 1);
    const trim_sets sets = {.count = n_sets,
                            .n_values = n_values,
                            .scale = seed % 3 == 0 ? 2 : 1,
                            .times = seed % 3 == 0 ? 3 : 2,
                            .max_count = (UINT32_C(2) << seed % 5) - 1,
                            .order = j->order};
    memset(j, 0, sizeof *j);
    for (size_t i = 0; i < n_sets; i++) {
        for (uint32_t p = 0; p < m; p++)
            j->order[i * m + p] = p;
        rng_shuffle(&r, j->order + i * m, m);
        const uint32_t equal = rng_below(&r, sets.max_count + 1), scarce = rng_below(&r, 3);
        for (uint32_t v = 0; v < n_values; v++) {
            j->fixed[rng_below(&r, m)][i * n_values + v] = fixed ? equal : 0;
            for (uint32_t p = 0; p < m; p++)
                if (rng_below(&r, 3) >= scarce)
                    j->mine[p][i * n_values + v] = rng_below(&r, v == 0 ? 60 : 6);
        }
    }
    for (uint32_t p = 0; p < m; p++) {
        j->sets[p] = sets;
        j->sets[p].fixed = fixed ? j->fixed[p] : NULL;
        j->sets[p].mine = j->mine[p];
    }
}

static void lets_stay_what_counting_says(void **state)
{
    (void)state;
    static job j;
    for (uint64_t seed = 0; seed < 24; seed++) {
        const uint32_t m = 2 + (uint32_t)(seed % 4);
        const size_t n_sets = m == 2 ? 3 : 1 + 23 * (seed % 4);
        prepare(&j, m, seed, seed / 4 % 2 == 1, n_sets);
        assert_int_equal(session_run(m, run, &j), KITH_OK);
        for (size_t i = 0; i < n_sets; i++)
            check_set(&j, m, i);
    }
}

/* Nothing at all, everything of one value, more than the maximum. */
static void survives_the_edges(void **state)
{
    (void)state;
    static job j;
    for (uint32_t edge = 0; edge < 4; edge++) {
        prepare(&j, 3, 1, false, 2);
        for (uint32_t p = 0; p < 3; p++)
            for (size_t i = 0; i < 2 * MAX_VALUES; i++)
                j.mine[p][i] = edge == 0   ? 0
                               : edge == 1 ? (i == 0 ? 5 : 0)
                               : edge == 2 ? 1000
                                           : UINT32_MAX;
        assert_int_equal(session_run(3, run, &j), KITH_OK);
        for (size_t i = 0; i < 2 * j.sets[0].n_values; i++) {
            uint32_t stay = 0;
            for (uint32_t p = 0; p < 3; p++)
                stay += j.stay[p][i];
            assert_int_equal(stay, edge < 2 ? 0 : j.sets[0].max_count);
        }
    }
}

static void refuses_what_it_cannot_trim(void **state)
{
    (void)state;
    static job j;
    prepare(&j, 3, 1, true, 2);
    for (uint32_t p = 0; p < 3; p++)
        j.sets[p].max_count = 6;
    assert_int_equal(session_run(3, run, &j), KITH_INVALID);
    prepare(&j, 3, 1, true, 2);
    for (uint32_t p = 0; p < 3; p++)
        j.sets[p].times = j.sets[p].scale;
    assert_int_equal(session_run(3, run, &j), KITH_INVALID);
}

/* What is opened is masked: uniform, whatever stays. */
static void outputs_are_masked(void **state)
{
    (void)state;
    static job j;
    unsigned char kept[512];
    uint64_t bin[256] = {0};
    session_view view = {.type = "circuit.result", .at = 1, .from = 0, .kept = kept};
    for (int again = 0; again < 200; again++) {
        prepare(&j, 3, 1, false, 64);
        memset(j.mine, 0, sizeof j.mine);
        view.room = sizeof kept;
        view.length = 0;
        assert_int_equal(session_watch(3, run, &j, &view), KITH_OK);
        assert_true(view.length >= 3 * 2 * sizeof(uint64_t));
        for (size_t i = 0; i < view.length && i < sizeof kept; i++)
            bin[kept[i]]++;
    }
    assert_true(session_uniform_p(bin, 0, 255) > 1e-6);
}

static void costs_what_the_header_says(void **state)
{
    (void)state;
    static job j;
    session_facts facts = {0};
    for (uint32_t m = 2; m < 6; m++) {
        prepare(&j, m, m, m % 2 == 0, 2);
        assert_int_equal(session_audit(m, run, &j, &facts), KITH_OK);
    }
    session_agrees(&facts, "compare/trim.h");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lets_stay_what_counting_says), cmocka_unit_test(survives_the_edges),
        cmocka_unit_test(refuses_what_it_cannot_trim),  cmocka_unit_test(outputs_are_masked),
        cmocka_unit_test(costs_what_the_header_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

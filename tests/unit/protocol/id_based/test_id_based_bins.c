/* The bins: places exist whenever a matching does, and the bounds of both failures hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/rng.h"
#include "protocol/id_based/id_based_bins.h"

enum { MAX_NAMES = 64, MAX_BINS = 256 };

static void draw_names(id_based_name *names, uint32_t n, rng *r)
{
    for (uint32_t i = 0; i < n; i++)
        for (size_t at = 0; at < sizeof names->bytes; at += sizeof(uint64_t)) {
            const uint64_t word = rng_next(r);
            memcpy(names[i].bytes + at, &word, sizeof word);
        }
}

/* The three bins of a name, as Bob uses them. */
static void bins_of(uint32_t out[ID_BASED_TABLES], const id_based_bins *bins,
                    const id_based_name *name, const unsigned char *run_id, arena *scratch)
{
    uint32_t slots[MAX_BINS], n = 0;
    const id_based_bins single = {.n_bins = bins->n_bins, .capacity = 1, .hashed = true};
    assert_int_equal(id_based_bins_spread(slots, &single, name, 1, run_id, scratch, NULL), KITH_OK);
    for (uint32_t b = 0; b < bins->n_bins; b++)
        if (slots[b] != ID_BASED_EMPTY)
            out[n++] = b;
    assert_int_equal(n, ID_BASED_TABLES);
}

/* Tries all ways to give the names i, i + 1, … bins of their own. */
static bool fits(uint32_t (*bin)[ID_BASED_TABLES], uint32_t i, uint32_t n, uint64_t taken)
{
    if (i == n)
        return true;
    for (uint32_t t = 0; t < ID_BASED_TABLES; t++)
        if ((taken >> bin[i][t] & 1) == 0 && fits(bin, i + 1, n, taken | UINT64_C(1) << bin[i][t]))
            return true;
    return false;
}

static void places_are_found_whenever_there_are_some(void **state)
{
    enum { NAMES = 9, BINS = 9 };
    const id_based_bins bins = {.n_bins = BINS, .capacity = NAMES, .hashed = true};
    uint32_t found = 0, lacking = 0;
    rng r;
    (void)state;
    rng_init(&r, 1, 0);
    for (uint32_t round = 0; round < 400; round++) {
        id_based_name names[NAMES];
        unsigned char run_id[32] = {(unsigned char)round, (unsigned char)(round >> 8)};
        uint32_t in_bin[BINS], bin[NAMES][ID_BASED_TABLES], placed = 0;
        arena *scratch = arena_new();
        draw_names(names, NAMES, &r);
        for (uint32_t i = 0; i < NAMES; i++)
            bins_of(bin[i], &bins, &names[i], run_id, scratch);
        const bool possible = fits(bin, 0, NAMES, 0);
        const kith_status status =
            id_based_bins_place(in_bin, &bins, names, NAMES, run_id, scratch, NULL);
        assert_int_equal(status, possible ? KITH_OK : KITH_INFEASIBLE);
        for (uint32_t b = 0; possible && b < BINS; b++) {
            if (in_bin[b] == ID_BASED_EMPTY)
                continue;
            const uint32_t *own = bin[in_bin[b]];
            assert_true(own[0] == b || own[1] == b || own[2] == b);
            placed++;
        }
        assert_int_equal(placed, possible ? NAMES : 0);
        found += possible;
        lacking += !possible;
        arena_free(scratch);
    }
    assert_true(found > 20 && lacking > 20);
}

/* How often one of the two fails in so many runs. */
typedef struct failures {
    uint32_t no_place, full;
} failures;

static failures sample(const id_based_bins *bins, uint32_t n, uint32_t runs)
{
    failures f = {0, 0};
    rng r;
    rng_init(&r, n, bins->n_bins);
    for (uint32_t run = 0; run < runs; run++) {
        id_based_name names[MAX_NAMES];
        uint32_t in_bin[MAX_BINS], slots[MAX_BINS * 8];
        unsigned char run_id[32] = {0};
        arena *scratch = arena_new();
        memcpy(run_id, &run, sizeof run);
        draw_names(names, n, &r);
        f.no_place += id_based_bins_place(in_bin, bins, names, n, run_id, scratch, NULL) != KITH_OK;
        f.full += id_based_bins_spread(slots, bins, names, n, run_id, scratch, NULL) != KITH_OK;
        arena_free(scratch);
    }
    return f;
}

/* Observed frequencies lie below the bounds, and not far below where failures are rare: the first
 * moment is then nearly the probability. */
static void bounds_hold_where_failures_can_be_seen(void **state)
{
    static const struct {
        uint32_t names, bins, capacity;
    } cases[] = {{8, 12, 3}, {12, 18, 4}, {16, 21, 4}, {24, 36, 5}, {40, 54, 6}};
    enum { RUNS = 30000 };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const id_based_bins bins = {cases[i].bins, cases[i].capacity, true};
        const failures f = sample(&bins, cases[i].names, RUNS);
        const double place = RUNS * exp2(id_based_bins_no_place(cases[i].names, cases[i].bins));
        const double full =
            RUNS * exp2(id_based_bins_full(cases[i].names, cases[i].bins, cases[i].capacity));
        print_message("%u names in %u bins: %u without place, at most %.0f expected; %u overflow, "
                      "at most %.0f expected\n",
                      cases[i].names, cases[i].bins, f.no_place, place, f.full, full);
        assert_true(f.no_place <= place + 6 * sqrt(place) + 6);
        assert_true(f.full <= full + 6 * sqrt(full) + 6);
        assert_true(f.full * 3 >= full - 6 * sqrt(full) - 6);
        if (place < RUNS / 50.0)
            assert_true(f.no_place * 3 >= place - 6 * sqrt(place) - 6);
    }
}

static void shapes_depend_on_the_bound_alone_and_fail_below_two_to_the_minus_forty(void **state)
{
    static const uint32_t lists[] = {5, 16, 64, 200, 256, 1000, 1024, 4096, 30162, 1 << 20};
    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const id_based_bins bins = id_based_bins_for(lists[i], true);
        const double pairs = (double)bins.n_bins * bins.capacity;
        assert_true(pairs <= (double)lists[i] * lists[i]);
        if (!bins.hashed)
            continue;
        const double place = exp2(id_based_bins_no_place(lists[i], bins.n_bins));
        const double full = exp2(id_based_bins_full(lists[i], bins.n_bins, bins.capacity));
        print_message("%u lists: %u bins of %u, %.1f comparisons per list, failure 2^%.1f\n",
                      lists[i], bins.n_bins, bins.capacity, pairs / lists[i], log2(place + full));
        assert_true(place + full < exp2(-ID_BASED_FAILURE_BITS));
        if (lists[i] >= 1000)
            assert_true(pairs / lists[i] < 40);
    }
    assert_false(id_based_bins_for(1000, false).hashed);
    assert_false(id_based_bins_for(16, true).hashed); /* all pairs are fewer */
    assert_true(id_based_bins_for(1000, true).hashed);
}

static void more_names_than_bins_never_fit(void **state)
{
    (void)state;
    assert_true(id_based_bins_no_place(13, 12) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_found_whenever_there_are_some),
        cmocka_unit_test(bounds_hold_where_failures_can_be_seen),
        cmocka_unit_test(shapes_depend_on_the_bound_alone_and_fail_below_two_to_the_minus_forty),
        cmocka_unit_test(more_names_than_bins_never_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

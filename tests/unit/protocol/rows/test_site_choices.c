/* Distributions of several sites: even by themselves, and even together once they have been
 * flattened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "protocol/rows/site_choices.h"
#include "support/problems.h"

enum { RECORDS = 400, MAX_PARTS = 64, VALUES = 5 };

typedef struct fixture {
    arena *memory;
    problem *p;
    slots rows;
    class_rules admit;
    clusters c;
    value_counts census;
    site_choices sites;
    uint32_t site[RECORDS], record[RECORDS], start[9];
} fixture;

static void open_fixture(fixture *f, uint32_t m, double l, uint64_t seed)
{
    problem_shape shape = {.n_records = RECORDS,
                           .n_attributes = 3,
                           .n_leaves = 9,
                           .width = 3,
                           .k = 5,
                           .n_sensitive = VALUES,
                           .l = l};
    *f = (fixture){.memory = arena_new()};
    f->p = problems_random(f->memory, &shape, seed);
    for (uint32_t i = 0; i < RECORDS; i++)
        f->site[i] = (uint32_t)((i * UINT64_C(2654435761) >> 7) % m);
    for (uint32_t s = 0, at = 0; s < m; s++) {
        f->start[s] = at;
        for (uint32_t i = 0; i < RECORDS; i++)
            if (f->site[i] == s)
                f->record[at++] = i;
        f->start[s + 1] = at;
    }
    assert_int_equal(slots_build_whole(&f->rows, f->p, f->memory, NULL), KITH_OK);
    assert_int_equal(class_rules_init(&f->admit, f->p, f->memory, NULL), KITH_OK);
    assert_int_equal(value_counts_init(&f->census, &f->admit, f->memory, NULL), KITH_OK);
    f->census.tightest = l > 0 ? 0 : UINT32_MAX;
    assert_int_equal(clusters_init(&f->c, &f->rows, &f->admit, MAX_PARTS, f->memory, NULL),
                     KITH_OK);
    const sensitive_attribute *by = l > 0 ? &f->p->sensitive[0] : NULL;
    assert_int_equal(site_choices_init(&f->sites, &f->c, f->site, by, MAX_PARTS, NULL), KITH_OK);
}

static void distribute_all(fixture *f, uint32_t m, uint32_t n_parts)
{
    for (uint32_t s = 0; s < m; s++) {
        rng r;
        site_choices_rng(&r, 3, s);
        site_choices_distribute(&f->sites, f->record + f->start[s], f->start[s + 1] - f->start[s],
                                n_parts, &r);
    }
}

/* Every site gives floor or ceil of its share to each part, and not always the first ones more. */
static void each_site_distributes_evenly(void **state)
{
    (void)state;
    for (uint32_t m = 1; m < 8; m += 3) {
        fixture f;
        uint32_t size[MAX_PARTS] = {0};
        open_fixture(&f, m, 0, m);
        distribute_all(&f, m, 37);
        for (uint32_t s = 0; s < m; s++) {
            uint32_t count[MAX_PARTS] = {0}, all = f.start[s + 1] - f.start[s];
            for (uint32_t i = f.start[s]; i < f.start[s + 1]; i++) {
                count[f.sites.part_of[f.record[i]]]++;
                size[f.sites.part_of[f.record[i]]]++;
            }
            for (uint32_t part = 0; part < 37; part++)
                assert_in_range(count[part], all / 37, all / 37 + 1);
        }
        assert_int_equal(site_choices_create_clusters(&f.sites, 37, NULL), KITH_OK);
        for (uint32_t part = 0; part < 37; part++)
            assert_int_equal(f.c.size[part], size[part]);
        arena_free(f.memory);
    }
}

static void flattening_makes_values_even(void **state)
{
    (void)state;
    uint32_t uneven = 0;
    for (uint32_t m = 1; m < 9; m++)
        for (uint32_t n_parts = 2; n_parts < MAX_PARTS; n_parts = n_parts * 2 + 1) {
            fixture f;
            uint32_t table[MAX_PARTS * VALUES] = {0};
            open_fixture(&f, m, 1.5, 10 * m + n_parts);
            distribute_all(&f, m, n_parts);
            site_choices_count(&f.sites, &f.census, table, f.record, RECORDS);
            for (int after = 0; after < 2; after++) {
                for (uint32_t v = 0; v < VALUES; v++) {
                    uint32_t low = UINT32_MAX, high = 0;
                    for (uint32_t part = 0; part < n_parts; part++) {
                        uint32_t count = table[part * VALUES + v];
                        low = count < low ? count : low;
                        high = count > high ? count : high;
                    }
                    uneven += !after && high - low > 1;
                    assert_true(!after || high - low <= 1);
                }
                for (uint32_t s = 0; s < m && !after; s++)
                    assert_int_equal(site_choices_flatten(&f.sites, &f.census, table, n_parts,
                                                          f.record + f.start[s],
                                                          f.start[s + 1] - f.start[s], NULL),
                                     KITH_OK);
            }
            uint32_t again[MAX_PARTS * VALUES] = {0}; /* the table has followed */
            site_choices_count(&f.sites, &f.census, again, f.record, RECORDS);
            assert_memory_equal(again, table, n_parts * VALUES * sizeof *table);
            arena_free(f.memory);
        }
    assert_true(uneven > 50);
}

/* Laps cover alpha n records, in a circle, none twice in one lap. Alpha is the same in all turns of
 * a run: the mean of many would tell n. */
static void laps_go_round(void **state)
{
    (void)state;
    rng r;
    uint32_t min = UINT32_MAX, max = 0;
    rng_init(&r, 1, 1);
    for (int run = 0; run < 500; run++) {
        site_choices_laps l = {0};
        uint32_t expected = 0, of_run = 0;
        for (int turn = 0; turn < 5; turn++) {
            site_choices_next_laps(&l, 100, true, &r);
            assert_int_equal(l.first[0], expected);
            assert_true(l.records[0] <= 100 && l.records[1] <= 50);
            assert_true(l.records[1] == 0 || l.records[0] == 100);
            uint32_t all = l.records[0] + l.records[1];
            assert_true(turn == 0 || all == of_run);
            of_run = all;
            expected = (expected + all) % 100;
            assert_int_equal(l.next, expected);
        }
        min = of_run < min ? of_run : min;
        max = of_run > max ? of_run : max;
    }
    assert_in_range(min, 50, 55);
    assert_in_range(max, 145, 149);
    site_choices_laps l = {0};
    site_choices_next_laps(&l, 100, false, &r);
    assert_true(l.first[0] == 0 && l.records[0] == 100 && l.records[1] == 0);
    site_choices_next_laps(&l, 0, true, &r);
    assert_true(l.records[0] == 0 && l.records[1] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_site_distributes_evenly),
        cmocka_unit_test(flattening_makes_values_even),
        cmocka_unit_test(laps_go_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

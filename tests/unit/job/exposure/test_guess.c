/* Naming codes: what co-occurrence and hierarchies give away, and what they do not. */
#include "unit/job/support.h"

#include <math.h>

#include "core/rng.h"
#include "job/exposure/guess.h"

enum { ROWS = 6000, VALUES = 12, COLUMNS = 4 };

/* Two samples of one population. Column 0 is skewed. Column 1 is flat, and column 0 depends on it.
 * Column 2 is flat and depends on nothing. Column 3 are groups of values of column 2, of different
 * sizes: its hierarchy. */
typedef struct people {
    uint32_t cells[2][COLUMNS][ROWS];
    guess_column columns[COLUMNS];
    guess_tables tables;
} people;

static uint32_t group_of(uint32_t value)
{
    return value < 2 ? 0 : value < 6 ? 1 : 2; /* 2, 4 and 6 values */
}

static void draw_rows(people *p, uint32_t sample, uint64_t seed)
{
    rng r;
    rng_init(&r, seed, 0);
    for (uint32_t i = 0; i < ROWS; i++) {
        const uint32_t flat = rng_below(&r, VALUES);
        const bool common = rng_unit(&r) < 0.1 + 0.07 * flat;
        const uint32_t rare = rng_below(&r, 10);
        p->cells[sample][0][i] = common ? 0 : rare < 6 ? 1 : rare < 9 ? 2 : 3;
        p->cells[sample][1][i] = flat;
        p->cells[sample][2][i] = rng_below(&r, VALUES);
        p->cells[sample][3][i] = group_of(p->cells[sample][2][i]);
    }
}

static people *people_new(uint32_t n_columns)
{
    static const uint32_t column[] = {0, 1, 2, 2}, level[] = {0, 0, 0, 1},
                          labels[] = {4, VALUES, VALUES, 3};
    people *p = calloc(1, sizeof *p);
    assert_non_null(p);
    draw_rows(p, 0, 1);
    draw_rows(p, 1, 2);
    for (uint32_t j = 0; j < COLUMNS; j++)
        p->columns[j] = (guess_column){.column = column[j],
                                       .level = level[j],
                                       .n_labels = labels[j],
                                       .view = p->cells[0][j],
                                       .known = p->cells[1][j]};
    p->tables = (guess_tables){ROWS, ROWS, n_columns, p->columns};
    return p;
}

static void guess(double *share, const people *p, bool cooccurrence, uint64_t seed)
{
    context c;
    kith_run run = KITH_OPTIONS(kith_run, .seeded = true, .seed = seed);
    assert_int_equal(context_init(&c, &run, NULL), KITH_OK);
    assert_int_equal(cooccurrence ? guess_by_cooccurrence(share, &p->tables, &c, NULL)
                                  : guess_by_frequency(share, &p->tables, &c, NULL),
                     KITH_OK);
    context_wipe(&c);
}

/* Values whose frequencies say nothing are named by what stands beside them. */
static void co_occurrence_names_more_than_frequency(void **state)
{
    (void)state;
    double rank[COLUMNS], both[COLUMNS];
    people *p = people_new(2);
    guess(rank, p, false, 1);
    guess(both, p, true, 1);
    assert_true(rank[0] == 1 && both[0] == 1);
    assert_true(rank[1] < 0.5);
    assert_true(both[1] > 0.9);
    free(p);
}

/* Labels have the same numbers on both sides. An attack that looked at them would name everything;
 * a flat column that depends on nothing is named by chance only. */
static void nothing_is_named_without_a_reason(void **state)
{
    (void)state;
    double share[COLUMNS], sum = 0;
    people *p = people_new(3);
    for (uint64_t seed = 0; seed < 10; seed++) {
        guess(share, p, true, seed);
        sum += share[2];
    }
    assert_true(sum / 10 < 0.35); /* one in twelve is chance; frequencies tell a little */
    free(p);
}

/* The numbers of labels are only names: others give the same result. */
static void names_do_not_matter(void **state)
{
    (void)state;
    double before[COLUMNS], after[COLUMNS];
    people *p = people_new(2);
    guess(before, p, true, 1);
    for (uint32_t sample = 0; sample < 2; sample++)
        for (uint32_t i = 0; i < ROWS; i++)
            p->cells[sample][1][i] = (p->cells[sample][1][i] * 5 + 3) % VALUES;
    guess(after, p, true, 1);
    assert_true(before[1] == after[1]);
    free(p);
}

/* A level above, and how many leaves its nodes have if it is public. */
static void hierarchies_name_their_nodes(void **state)
{
    (void)state;
    static const uint32_t leaves[] = {2, 4, 6},
                          one_leaf[VALUES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    double share[COLUMNS];
    people *p = people_new(4);
    guess(share, p, true, 1);
    assert_true(share[3] ==
                1); /* groups of 2, 4 and 6 equally frequent values: their frequencies */
    for (uint32_t sample = 0; sample < 2; sample++)
        for (uint32_t i = 0; i < ROWS; i++) { /* now groups are equally frequent */
            const uint32_t group = p->cells[sample][2][i] % 3;
            const uint32_t within = p->cells[sample][2][i] / 3;
            p->cells[sample][2][i] = group == 0   ? within % 2
                                     : group == 1 ? 2 + within
                                                  : 6 + (within + i % 2 * 4) % 6;
            p->cells[sample][3][i] = group;
        }
    p->columns[2].leaves = one_leaf;
    p->columns[3].leaves = leaves;
    guess(share, p, true, 1);
    assert_true(share[3] == 1);
    free(p);
}

/* More codes than names, names that the view does not have, and a single row. */
static void takes_any_tables(void **state)
{
    (void)state;
    double share[COLUMNS];
    people *p = people_new(4);
    p->tables.n_known = 20;
    guess(share, p, true, 1);
    p->tables.n_known = ROWS;
    p->tables.n_view = 1;
    guess(share, p, true, 1);
    for (uint32_t j = 0; j < 4; j++)
        assert_true(share[j] >= 0 && share[j] <= 1);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(co_occurrence_names_more_than_frequency),
        cmocka_unit_test(nothing_is_named_without_a_reason),
        cmocka_unit_test(names_do_not_matter),
        cmocka_unit_test(hierarchies_name_their_nodes),
        cmocka_unit_test(takes_any_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

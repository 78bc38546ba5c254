/* Counting queries against brute force: every record, every value of every cell. */
#include "measure/query_error.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"

enum { RECORDS = 200, COLUMNS = 3, CLASSES = 17, MAX_VALUES = 3000 };

typedef struct table {
    query_column columns[COLUMNS];
    query_input in;
    uint32_t positions[COLUMNS][RECORDS];
    uint32_t rank[COLUMNS][MAX_VALUES + 1];
    query_cell cells[COLUMNS][CLASSES];
    uint32_t sizes[CLASSES];
} table;

/* Random values, an order of leaves that is not that of values, cells of both kinds; every second
 * table has missing values. */
static void table_draw(table *t, rng *r, const uint32_t n_values[COLUMNS])
{
    const bool missing = rng_below(r, 2) == 1;
    t->in = (query_input){RECORDS, COLUMNS, t->columns, CLASSES, t->sizes, NULL};
    memset(t->sizes, 0, sizeof t->sizes);
    for (uint32_t i = 0; i < RECORDS; i++)
        t->sizes[rng_below(r, CLASSES)]++;
    for (uint32_t j = 0; j < COLUMNS; j++) {
        const uint32_t n_leaves = n_values[j] + missing;
        for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
            t->rank[j][leaf] = leaf;
        rng_shuffle(r, t->rank[j], n_values[j]);
        for (uint32_t i = 0; i < RECORDS; i++) {
            const uint32_t drawn = rng_below(r, n_leaves);
            t->positions[j][i] = drawn == n_values[j] ? QUERY_NO_VALUE : drawn;
        }
        for (uint32_t c = 0; c < CLASSES; c++) {
            const uint32_t a = rng_below(r, n_leaves), b = rng_below(r, n_leaves);
            t->cells[j][c] = (query_cell){rng_below(r, 2) == 1, a < b ? a : b, a < b ? b : a};
        }
        t->columns[j] =
            (query_column){n_values[j], t->positions[j], n_leaves, t->rank[j], t->cells[j]};
    }
}

static bool holds(query_range q, uint32_t position)
{
    return position != QUERY_NO_VALUE && position >= q.first && position <= q.last;
}

static double naive_exact(const table *t, const query_pair *q)
{
    double count = 0;
    for (uint32_t i = 0; i < RECORDS; i++)
        count += holds(q->ranges[0], t->positions[q->ranges[0].column][i]) &&
                 holds(q->ranges[1], t->positions[q->ranges[1].column][i]);
    return count;
}

/* The share of a class's values that satisfy a condition, value by value. */
static double naive_share(const table *t, query_range q, uint32_t class)
{
    const query_cell cell = t->cells[q.column][class];
    double hits = 0, all = 0;
    for (uint32_t v = cell.first; v <= cell.last; v++) {
        hits += holds(q, cell.by_position ? v : t->rank[q.column][v]);
        all++;
    }
    return hits / all;
}

static double naive_estimate(const table *t, const query_pair *q)
{
    double sum = 0;
    for (uint32_t c = 0; c < CLASSES; c++)
        sum += t->sizes[c] * naive_share(t, q->ranges[0], c) * naive_share(t, q->ranges[1], c);
    return sum;
}

static query_range range_draw(const table *t, uint32_t column, rng *r)
{
    const uint32_t n = t->columns[column].n_values;
    const uint32_t a = rng_below(r, n), b = rng_below(r, n);
    return (query_range){column, a < b ? a : b, a < b ? b : a};
}

static void compare_with_brute_force(const uint32_t n_values[COLUMNS], uint64_t seed)
{
    enum { QUERIES = 40 };
    static table t;
    rng r;
    query_pair queries[QUERIES];
    double exact[QUERIES], estimate[QUERIES];
    kith_error error;
    arena *memory = arena_new();
    rng_init(&r, seed, 0);
    table_draw(&t, &r, n_values);
    for (uint32_t i = 0; i < QUERIES; i++) {
        const uint32_t a = rng_below(&r, COLUMNS - 1), b = a + 1 + rng_below(&r, COLUMNS - 1 - a);
        queries[i] = (query_pair){{range_draw(&t, a, &r), range_draw(&t, b, &r)}};
    }
    assert_int_equal(query_error_count(exact, estimate, &t.in, queries, QUERIES, memory, &error),
                     KITH_OK);
    for (uint32_t i = 0; i < QUERIES; i++) {
        assert_true(exact[i] == naive_exact(&t, &queries[i]));
        assert_true(fabs(estimate[i] - naive_estimate(&t, &queries[i])) < 1e-9 * RECORDS);
    }
    arena_free(memory);
}

static void small_domains(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++)
        compare_with_brute_force((const uint32_t[]){2, 7, 30}, seed);
}

/* Too many pairs of values for a table of sums. */
static void large_domains(void **state)
{
    (void)state;
    compare_with_brute_force((const uint32_t[]){MAX_VALUES, 2, MAX_VALUES}, 1);
}

/* Classes that show single values answer every query exactly. */
static void the_data_itself_has_no_error(void **state)
{
    (void)state;
    static uint32_t rank[10], positions[10], sizes[10];
    static query_cell cells[10];
    for (uint32_t i = 0; i < 10; i++) {
        rank[i] = positions[i] = i;
        sizes[i] = 1;
        cells[i] = (query_cell){i % 2 == 0, i, i};
    }
    const query_column columns[] = {{10, positions, 10, rank, cells},
                                    {10, positions, 10, rank, cells}};
    const query_input in = {10, 2, columns, 10, sizes, NULL};
    query_error_report report;
    kith_error error;
    arena *memory = arena_new();
    assert_int_equal(query_error_measure(&report, &in, 500, 7, memory, &error), KITH_OK);
    assert_int_equal(report.n_queries, 500);
    assert_true(report.n_redrawn > 0); /* ranges of three values apart have no record in common */
    assert_true(report.mean == 0 && report.median == 0 && report.p95 == 0);
    arena_free(memory);
}

/* One column of ten values, one record each, all in one class: a range of three values has three
 * records, and the estimate is three. With all records at one end it is wrong by a known amount. */
static void errors_that_can_be_counted_by_hand(void **state)
{
    (void)state;
    static uint32_t rank[10], positions[10];
    const uint32_t sizes[] = {10};
    const query_cell cells[] = {{true, 0, 9}};
    for (uint32_t i = 0; i < 10; i++)
        rank[i] = positions[i] = i;
    const query_column column = {10, positions, 10, rank, cells};
    const query_input in = {10, 1, &column, 1, sizes, NULL};
    query_error_report report;
    kith_error error;
    arena *memory = arena_new();
    assert_int_equal(query_error_measure(&report, &in, 100, 1, memory, &error), KITH_OK);
    assert_true(fabs(report.mean) < 1e-12);
    for (uint32_t i = 0; i < 10; i++)
        positions[i] = 0;
    assert_int_equal(query_error_measure(&report, &in, 100, 1, memory, &error), KITH_OK);
    assert_true(report.n_redrawn > 0);           /* 1 of 8 ranges has the records */
    assert_true(fabs(report.mean - 0.7) < 1e-9); /* it has 10, the estimate is 3 */
    for (uint32_t i = 0; i < 10; i++)
        positions[i] = QUERY_NO_VALUE;
    assert_int_equal(query_error_measure(&report, &in, 100, 1, memory, &error), KITH_OK);
    assert_int_equal(report.n_queries, 0); /* and it ends */
    assert_true(isnan(report.mean));
    arena_free(memory);
}

/* Two values: the condition is equality. */
static void two_values_are_asked_one_by_one(void **state)
{
    (void)state;
    const uint32_t rank[] = {0, 1}, positions[] = {0, 0, 0, 1}, sizes[] = {4};
    const query_cell cells[] = {{true, 0, 1}};
    const query_column column = {2, positions, 2, rank, cells};
    const query_input in = {4, 1, &column, 1, sizes, NULL};
    query_error_report report;
    kith_error error;
    arena *memory = arena_new();
    assert_int_equal(query_error_measure(&report, &in, 1000, 1, memory, &error), KITH_OK);
    /* |3 - 2| / 3 or |1 - 2| / 1 */
    assert_true(fabs(report.p95 - 1) < 1e-12);
    assert_true(report.mean > 0.5 && report.mean < 0.85);
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_domains),
        cmocka_unit_test(large_domains),
        cmocka_unit_test(the_data_itself_has_no_error),
        cmocka_unit_test(errors_that_can_be_counted_by_hand),
        cmocka_unit_test(two_values_are_asked_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Assignments of smallest cost, against all permutations. */
#include "unit/job/support.h"

#include <math.h>

#include "core/rng.h"
#include "job/exposure/assignment.h"

/* The smallest cost of rows `row` … of a rectangle, by trying everything. */
static double cheapest(const double *cost, uint32_t n_rows, uint32_t n_columns, uint32_t row,
                       uint32_t taken)
{
    double best = INFINITY;
    if (row == n_rows)
        return 0;
    for (uint32_t column = 0; column < n_columns; column++)
        if ((taken >> column & 1) == 0) {
            double found = cost[row * n_columns + column] +
                           cheapest(cost, n_rows, n_columns, row + 1, taken | 1u << column);
            best = found < best ? found : best;
        }
    return best;
}

static double solve(const double *cost, uint32_t n_rows, uint32_t n_columns)
{
    uint32_t column_of[16] = {0}, taken = 0;
    double sum = 0;
    arena *memory = arena_new();
    assert_int_equal(assignment_solve(column_of, cost, n_rows, n_columns, memory, NULL), KITH_OK);
    for (uint32_t row = 0; row < n_rows; row++) {
        assert_true(column_of[row] < n_columns);
        assert_int_equal(taken >> column_of[row] & 1, 0); /* a column of its own */
        taken |= 1u << column_of[row];
        sum += cost[row * n_columns + column_of[row]];
    }
    arena_free(memory);
    return sum;
}

/* Costs of several kinds: real, small whole ones with many ties, negative, of very different size.
 */
static double draw(rng *r, unsigned kind)
{
    switch (kind) {
    case 0: return rng_unit(r);
    case 1: return rng_below(r, 3);
    case 2: return -100.0 * rng_unit(r);
    default: return rng_below(r, 3) == 0 ? 1e9 + rng_below(r, 50) : rng_unit(r);
    }
}

static void finds_the_cheapest_of_all(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 1, 0);
    for (unsigned trial = 0; trial < 4000; trial++) {
        double cost[49];
        const uint32_t n_columns = 1 + rng_below(&r, 7), n_rows = 1 + rng_below(&r, n_columns);
        for (uint32_t i = 0; i < n_rows * n_columns; i++)
            cost[i] = draw(&r, trial % 4);
        const double best = cheapest(cost, n_rows, n_columns, 0, 0);
        assert_true(fabs(solve(cost, n_rows, n_columns) - best) <= 1e-9 * (1 + fabs(best)));
    }
}

/* A hidden permutation with cost 0 in a sea of ones. */
static void finds_a_hidden_permutation(void **state)
{
    (void)state;
    enum { N = 300 };
    arena *memory = arena_new();
    double *cost = arena_array(memory, N * N, sizeof *cost);
    uint32_t hidden[N], found[N];
    rng r;
    rng_init(&r, 2, 0);
    for (uint32_t i = 0; i < N; i++)
        hidden[i] = i;
    rng_shuffle(&r, hidden, N);
    for (uint32_t i = 0; i < N * N; i++)
        cost[i] = i % N == hidden[i / N] ? 0 : 1 + rng_unit(&r);
    assert_int_equal(assignment_solve(found, cost, N, N, memory, NULL), KITH_OK);
    assert_memory_equal(found, hidden, sizeof hidden);
    assert_int_equal(assignment_solve(found, cost, 0, N, memory, NULL),
                     KITH_OK); /* nothing to do */
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_cheapest_of_all),
        cmocka_unit_test(finds_a_hidden_permutation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Rows of all ranks are equal exactly where they have the same number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "core/rng.h"
#include "support/thread_ranks.h"
#include "table/rows/code_numbers.h"

enum { ROWS = 400, COLUMNS = 3, MOST_RANKS = 5 };

typedef struct numbered_case {
    uint32_t cells[COLUMNS][ROWS];
    uint32_t n_codes[COLUMNS];
    uint32_t cuts[MOST_RANKS + 1]; /* rank r has the rows cuts[r] … cuts[r + 1] - 1 */
    uint32_t number[ROWS];
    uint32_t count[MOST_RANKS];
    uint32_t column[MOST_RANKS][ROWS]; /* the second one, by number */
    bool failed;
} numbered_case;

static kith_status number_own(numbered_case *s, context *c, kith_error *error)
{
    const uint32_t r = ranks_self(c->ranks), first = s->cuts[r];
    code_numbers numbers;
    uint32_t *codes[COLUMNS], *all;
    for (uint32_t i = 0; i < COLUMNS; i++)
        codes[i] = s->cells[i] + first;
    const code_rows rows = {.n_rows = s->cuts[r + 1] - first,
                            .n_columns = COLUMNS,
                            .n_codes = s->n_codes,
                            .codes = codes};
    kith_status status = code_numbers_make(&numbers, &rows, c, c->memory, error);
    if (status == KITH_OK)
        status = code_numbers_column(&all, &numbers, 1, c, c->memory, error);
    if (status != KITH_OK)
        return status;
    s->count[r] = numbers.count;
    for (uint32_t i = 0; i < rows.n_rows; i++)
        s->number[first + i] = numbers.of[i];
    for (uint32_t i = 0; i < numbers.count; i++)
        s->column[r][i] = all[i];
    return KITH_OK;
}

static void one_rank(kith_ranks *ranks, void *user)
{
    numbered_case *s = user;
    kith_error error = {0};
    context own;
    if (context_init(&own, NULL, &error) != KITH_OK)
        abort();
    own.ranks = ranks;
    if (ranks_leave(ranks, number_own(s, &own, &error), &error) != KITH_OK)
        s->failed = true;
    context_wipe(&own);
}

static bool equal(const numbered_case *s, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < COLUMNS; i++)
        if (s->cells[i][a] != s->cells[i][b])
            return false;
    return true;
}

static void judge(const numbered_case *s, uint32_t n_ranks)
{
    bool used[ROWS] = {false};
    assert_false(s->failed);
    for (uint32_t r = 0; r < n_ranks; r++)
        assert_int_equal(s->count[r], s->count[0]);
    for (uint32_t a = 0; a < ROWS; a++) {
        assert_true(s->number[a] < s->count[0]);
        used[s->number[a]] = true;
        for (uint32_t b = 0; b < a; b++)
            assert_int_equal(s->number[a] == s->number[b], equal(s, a, b));
        for (uint32_t r = 0; r < n_ranks; r++)
            assert_int_equal(s->column[r][s->number[a]], s->cells[1][a]);
    }
    for (uint32_t i = 0; i < s->count[0]; i++)
        assert_true(used[i]);
}

static void equal_rows_have_one_number(void **state)
{
    (void)state;
    static const uint32_t ranks[] = {1, 2, 3, 5};
    static numbered_case s;
    rng r;
    rng_init(&r, 1, 0);
    for (uint32_t trial = 0; trial < 12; trial++) {
        const uint32_t n_ranks = ranks[trial % 4], n_values = trial < 4 ? 2 : trial < 8 ? 12 : 500;
        s = (numbered_case){.failed = false};
        for (uint32_t i = 0; i < COLUMNS; i++) {
            s.n_codes[i] = n_values;
            for (uint32_t row = 0; row < ROWS; row++) /* some cells are missing */
                s.cells[i][row] = rng_below(&r, 9) == 0 ? TABLE_MISSING : rng_below(&r, n_values);
        }
        for (uint32_t k = 1; k < n_ranks; k++) /* one rank may have nothing */
            s.cuts[k] = k == 2 ? s.cuts[1] : k * ROWS / n_ranks;
        s.cuts[n_ranks] = ROWS;
        thread_ranks_run(n_ranks, one_rank, &s);
        judge(&s, n_ranks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_rows_have_one_number)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/rng.h"
#include "support/aborts.h"
#include "table/rows/row_groups.h"

enum { ROWS = 5000 };

/* Two rows are in one group exactly if all columns agree; counted the slow way. */
static void agrees_with_comparing(uint32_t width, uint32_t n_rows)
{
    static uint32_t codes[3][ROWS];
    rng r;
    rng_init(&r, 7, width);
    column columns[3];
    for (int c = 0; c < 3; c++) {
        columns[c] = (column){.values = {.count = width}, .codes = codes[c]};
        for (uint32_t row = 0; row < n_rows; row++) {
            uint32_t code = rng_below(&r, width + 1);
            codes[c][row] = code == width ? TABLE_MISSING : code;
        }
    }
    arena *memory = arena_new();
    row_groups_scratch *scratch;
    row_groups g;
    assert_int_equal(row_groups_scratch_new(&scratch, memory, n_rows, NULL), KITH_OK);
    assert_int_equal(row_groups_all(&g, memory, n_rows, NULL), KITH_OK);
    for (int c = 0; c < 3; c++)
        row_groups_refine(&g, &g, &columns[c], scratch);
    uint32_t n_singles = 0, min_size = n_rows;
    for (uint32_t a = 0; a < n_rows; a++) {
        uint32_t equal = 0;
        for (uint32_t b = 0; b < n_rows; b++) {
            bool same = codes[0][a] == codes[0][b] && codes[1][a] == codes[1][b] &&
                        codes[2][a] == codes[2][b];
            if (same != (g.of[a] == g.of[b]))
                fail_msg("rows %u and %u", a, b);
            equal += same;
        }
        n_singles += equal == 1;
        min_size = equal < min_size ? equal : min_size;
    }
    assert_int_equal(row_groups_count_singles(&g, scratch), n_singles);
    assert_int_equal(row_groups_min_size(&g, scratch), min_size);
    arena_free(memory);
}

static void groups_few_values(void **state)
{
    (void)state;
    agrees_with_comparing(1, 100);
    agrees_with_comparing(4, 2000);
}

static void groups_many_values(void **state)
{
    (void)state;
    agrees_with_comparing(40, 2000); /* the table of pairs is too large: hashed */
    agrees_with_comparing(1000, 2000);
}

static void no_rows(void **state)
{
    (void)state;
    arena *memory = arena_new();
    row_groups_scratch *scratch;
    row_groups g;
    assert_int_equal(row_groups_scratch_new(&scratch, memory, 0, NULL), KITH_OK);
    assert_int_equal(row_groups_all(&g, memory, 0, NULL), KITH_OK);
    assert_int_equal(g.count, 0);
    assert_int_equal(row_groups_min_size(&g, scratch), 0);
    assert_int_equal(row_groups_count_singles(&g, scratch), 0);
    arena_free(memory);
}

#if KITH_DEBUG
static void list_groups_with_a_gap(void)
{
    uint32_t of[] = {0, 2, 1};
    row_groups g = {.n_rows = 3, .count = 3, .of = of};
    row_groups_lists lists;
    (void)!row_groups_list(&lists, &g, arena_new(), NULL);
}

static void debug_builds_notice_wrong_numbers(void **state)
{
    (void)state;
    assert_true(aborts(list_groups_with_a_gap));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_few_values),
        cmocka_unit_test(groups_many_values),
        cmocka_unit_test(no_rows),
#if KITH_DEBUG
        cmocka_unit_test(debug_builds_notice_wrong_numbers),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

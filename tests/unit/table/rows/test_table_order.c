#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "table/rows/table_order.h"

enum { ROWS = 3000, COLUMNS = 3 };

typedef struct scene {
    uint32_t codes[COLUMNS][ROWS], before[COLUMNS][ROWS];
    uint64_t offsets[ROWS + 1]; /* of texts that do not matter, but for the first one */
    bool empty;                 /* which is empty */
    column columns[COLUMNS];
    kith_table table;
} scene;

static void draw(scene *s, uint32_t n_rows, uint32_t width, bool empty)
{
    static const char bytes[] = "x";
    rng r;
    rng_init(&r, 3, width);
    s->empty = empty;
    s->offsets[0] = empty ? 1 : 0;
    s->table = (kith_table){.columns = s->columns, .n_columns = COLUMNS, .n_rows = n_rows};
    for (uint32_t c = 0; c < COLUMNS; c++) {
        s->columns[c] = (column){.values = {.count = width, .offsets = s->offsets, .bytes = bytes},
                                 .codes = s->codes[c]};
        for (uint32_t row = 0; row < n_rows; row++) {
            const uint32_t code = rng_below(&r, width + 1);
            s->codes[c][row] = code == width ? TABLE_MISSING : code;
        }
    }
    memcpy(s->before, s->codes, sizeof s->before);
}

/* Negative if row a of the table before comes first: missing is the largest code. */
static int compare(const scene *s, uint32_t a, uint32_t b, bool as_shown)
{
    for (uint32_t c = 0; c < COLUMNS; c++) {
        uint32_t x = s->before[c][a], y = s->before[c][b];
        x = as_shown && s->empty && x == 0 ? TABLE_MISSING : x;
        y = as_shown && s->empty && y == 0 ? TABLE_MISSING : y;
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static void sorts(uint32_t n_rows, uint32_t width, bool empty)
{
    static scene s;
    static uint8_t seen[ROWS];
    uint32_t *order;
    arena *memory = arena_new();
    draw(&s, n_rows, width, empty);
    memset(seen, 0, sizeof seen);
    assert_int_equal(table_order_by_cells(&order, &s.table, memory, NULL), KITH_OK);
    for (uint32_t i = 0; i < n_rows; i++) {
        assert_true(order[i] < n_rows && !seen[order[i]]);
        seen[order[i]] = 1;
        if (i == 0)
            continue;
        const int shown = compare(&s, order[i - 1], order[i], true);
        const int way = shown != 0 ? shown : compare(&s, order[i - 1], order[i], false);
        assert_true(way < 0 || (way == 0 && order[i - 1] < order[i]));
    }
    assert_int_equal(table_order_apply(&s.table, order, NULL), KITH_OK);
    for (uint32_t c = 0; c < COLUMNS; c++)
        for (uint32_t i = 0; i < n_rows; i++)
            assert_int_equal(s.codes[c][i], s.before[c][order[i]]);
    assert_int_equal(table_order_undo(&s.table, order, NULL), KITH_OK);
    assert_memory_equal(s.codes, s.before, sizeof s.before);
    arena_free(memory);
}

static void rows_are_sorted_by_their_cells(void **state)
{
    (void)state;
    for (int empty = 0; empty < 2; empty++) {
        sorts(0, 1, empty);
        sorts(1, 1, empty);
        sorts(200, 1, empty);
        sorts(ROWS, 4, empty);
        sorts(ROWS, 1000, empty);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_sorted_by_their_cells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

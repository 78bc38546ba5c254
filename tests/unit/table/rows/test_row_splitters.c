/* Parts of rows that are sorted by their cells: the rows of a part come before those of the next
 * one, rows that look equal are together, and no part is much larger than the others. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <kith/kith.h>

#include "table/rows/row_splitters.h"
#include "support/scratch.h"
#include "table/rows/table_order.h"

enum { ROWS = 2 * ROW_SPILL_ROWS + 1000, PARTS = 9 };

static arena *memory;
static kith_table *whole;
static uint32_t *order;
static row_spill *rows;

/* The first column alone does not tell enough rows apart, and has cells that are missing. */
static int begin(void **state)
{
    static const row_spill_rule all = {.needed = NULL};
    const kith_table_options options = KITH_INIT(kith_table_options);
    if (scratch_setup(state) != 0)
        return -1;
    memory = arena_new();
    FILE *file = fopen(scratch_path("data.csv"), "w");
    if (memory == NULL || file == NULL)
        return -1;
    fputs("few,many\n", file);
    for (uint32_t row = 0; row < ROWS; row++) {
        if (row % 7 != 3)
            fprintf(file, "v%u", row * 7919u % 5);
        fprintf(file, ",n%u\n", row * 31u % 7001u);
    }
    fclose(file);
    if (row_spill_read(&rows, scratch_path("data.csv"), &options, &all, scratch_path("x"), NULL,
                       memory, NULL) != KITH_OK ||
        kith_table_read(&whole, scratch_path("data.csv"), &options, NULL, NULL) != KITH_OK)
        return -1;
    return table_order_by_cells(&order, whole, memory, NULL) == KITH_OK ? 0 : -1;
}

static int end(void **state)
{
    kith_table_free(whole);
    arena_free(memory);
    return scratch_teardown(state);
}

static void parts_follow_each_other(void **state)
{
    row_splitters *s;
    uint32_t sizes[PARTS] = {0}, before = 0;
    (void)state;
    assert_int_equal(row_splitters_find(&s, rows, PARTS, memory, NULL), KITH_OK);
    for (uint32_t i = 0; i < ROWS; i++) {
        const uint32_t part = row_splitters_part(s, whole, order[i]);
        assert_in_range(part, before, PARTS - 1);
        if (i > 0 && table_order_compare(whole, order[i - 1], whole, order[i]) == 0)
            assert_int_equal(part, before);
        sizes[part]++;
        before = part;
    }
    for (uint32_t part = 0; part < PARTS; part++)
        assert_in_range(sizes[part], ROWS / PARTS / 2, 2 * ROWS / PARTS);
}

static void one_part_has_all_rows(void **state)
{
    row_splitters *s;
    (void)state;
    assert_int_equal(row_splitters_find(&s, rows, 1, memory, NULL), KITH_OK);
    for (uint32_t i = 0; i < ROWS; i += 1000)
        assert_int_equal(row_splitters_part(s, whole, i), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(parts_follow_each_other, begin, end),
        cmocka_unit_test_setup_teardown(one_part_has_all_rows, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

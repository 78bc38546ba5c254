/* Rows are records of as few bytes as their columns allow, and come back as they were. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "table/rows/row_bytes.h"

static arena *memory;

static int begin(void **state)
{
    (void)state;
    memory = arena_new();
    return memory == NULL ? -1 : 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(memory);
    return 0;
}

static void a_cell_takes_the_bytes_of_its_largest_value(void **state)
{
    (void)state;
    enum { CELLS = 8 };
    const uint32_t max[CELLS] = {0, 255, 256, 65535, 65536, 0xffffff, 0x1000000, UINT32_MAX};
    const uint8_t width[CELLS] = {1, 1, 2, 2, 3, 3, 4, 4};
    row_bytes form;
    assert_int_equal(row_bytes_init(&form, max, CELLS, memory, NULL), KITH_OK);
    assert_memory_equal(form.width, width, sizeof width);
    assert_int_equal(form.n_bytes, 20);
    uint8_t record[20];
    uint32_t found[CELLS];
    row_bytes_put(&form, record, max);
    row_bytes_get(&form, found, record);
    assert_memory_equal(found, max, sizeof max);
}

static void bytes_are_little_endian(void **state)
{
    (void)state;
    const uint32_t max[] = {255, 65535, 0xffffff, UINT32_MAX};
    const uint32_t cells[] = {0x01, 0x0302, 0x060504, 0x0a090807};
    const uint8_t expected[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    uint8_t record[sizeof expected];
    row_bytes form;
    assert_int_equal(row_bytes_init(&form, max, 4, memory, NULL), KITH_OK);
    assert_int_equal(form.n_bytes, sizeof expected);
    row_bytes_put(&form, record, cells);
    assert_memory_equal(record, expected, sizeof expected);
}

/* A column of 255 values needs one byte, since a missing cell is 0; one of 256 needs two. */
static void rows_of_a_table_come_back(void **state)
{
    (void)state;
    uint32_t first[] = {254, 0, TABLE_MISSING}, second[] = {TABLE_MISSING, 255, 0};
    uint32_t codes[2][3];
    column from_columns[] = {{.values = {.count = 255}, .codes = first},
                             {.values = {.count = 256}, .codes = second}};
    column to_columns[] = {{.values = {.count = 255}, .codes = codes[0]},
                           {.values = {.count = 256}, .codes = codes[1]}};
    const kith_table from = {.n_rows = 3, .n_columns = 2, .columns = from_columns};
    kith_table to = {.n_rows = 3, .n_columns = 2, .columns = to_columns};
    row_bytes form;
    assert_int_equal(row_bytes_table(&form, &from, memory, NULL), KITH_OK);
    assert_int_equal(form.n_bytes, 1 + 2);
    for (uint32_t row = 0; row < 3; row++) {
        uint32_t cells[2], found[2];
        uint8_t record[3];
        row_bytes_take(cells, &from, row);
        row_bytes_put(&form, record, cells);
        row_bytes_get(&form, found, record);
        row_bytes_give(found, &to, row);
    }
    assert_memory_equal(codes[0], first, sizeof first);
    assert_memory_equal(codes[1], second, sizeof second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_cell_takes_the_bytes_of_its_largest_value, begin, end),
        cmocka_unit_test_setup_teardown(bytes_are_little_endian, begin, end),
        cmocka_unit_test_setup_teardown(rows_of_a_table_come_back, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

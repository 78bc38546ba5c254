/* Distinct rows against a list that is looked through. */
#include "search/records/tuple_index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"

enum { ROWS = 5000, WIDTH = 3 };

static uint32_t find(uint32_t (*all)[WIDTH], uint32_t count, const uint32_t *row)
{
    uint32_t i = 0;
    while (i < count && memcmp(all[i], row, WIDTH * sizeof *row) != 0)
        i++;
    return i;
}

static void numbers_rows_as_they_come(void **state)
{
    (void)state;
    static uint32_t all[ROWS][WIDTH];
    uint32_t count = 0;
    tuple_index x;
    rng r;
    arena *memory = arena_new();
    rng_init(&r, 7, 0);
    tuple_index_init(&x, WIDTH, memory);
    for (uint32_t i = 0; i < ROWS; i++) {
        const uint32_t row[WIDTH] = {rng_below(&r, 20), rng_below(&r, 20), rng_below(&r, 9)};
        const uint32_t known = find(all, count, row);
        uint32_t number;
        assert_int_equal(tuple_index_find(&x, row), known < count ? known : UINT32_MAX);
        assert_int_equal(tuple_index_add(&x, row, &number, NULL), KITH_OK);
        assert_int_equal(number, known);
        if (known == count)
            memcpy(all[count++], row, sizeof row);
        assert_int_equal(x.count, count);
        assert_memory_equal(tuple_index_row(&x, number), row, sizeof row);
    }
    assert_true(count > 1024); /* the table has grown */
    tuple_index_release(&x);
    assert_int_equal(tuple_index_find(&x, all[0]), UINT32_MAX);
    arena_free(memory);
}

static void adds_many_and_closes(void **state)
{
    (void)state;
    static uint32_t rows[ROWS][WIDTH], of[ROWS];
    tuple_index x;
    rng r;
    arena *memory = arena_new();
    rng_init(&r, 8, 0);
    tuple_index_init(&x, WIDTH, memory);
    for (uint32_t i = 0; i < ROWS; i++)
        for (uint32_t j = 0; j < WIDTH; j++)
            rows[i][j] = rng_below(&r, 12);
    assert_int_equal(tuple_index_add_all(&x, rows[0], ROWS, of, NULL), KITH_OK);
    tuple_index_close(&x);
    assert_int_equal(x.room, x.count);
    for (uint32_t i = 0; i < ROWS; i++) {
        assert_int_equal(of[i], of[find(rows, i, rows[i])]);
        assert_memory_equal(tuple_index_row(&x, of[i]), rows[i], sizeof rows[i]);
    }
    arena_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_rows_as_they_come),
                                       cmocka_unit_test(adds_many_and_closes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

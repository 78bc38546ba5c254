/* Grouping rows by the texts of some columns. */
#include "unit/verify/support.h"

#include "verify/classes.h"

static void groups_equal_rows(void **state)
{
    (void)state;
    const char *cells[] = {"a", "1", "b", "1", "a", "1", "a", "2", "b", "1"};
    kith_table *t = texts(cells, 5, 2);
    arena *memory = arena_new();
    classes c;
    const uint32_t both[] = {0, 1};
    assert_int_equal(classes_make(&c, memory, t, both, 2, NULL), KITH_OK);
    const uint32_t expected[] = {0, 1, 0, 2, 1};
    assert_int_equal(c.count, 3);
    assert_memory_equal(c.class_of, expected, sizeof expected);
    assert_int_equal(c.size[0], 2);
    assert_int_equal(c.size[2], 1);
    assert_int_equal(c.first[2], 3);
    uint32_t *start, *row;
    assert_int_equal(classes_rows(&c, memory, 5, &start, &row, NULL), KITH_OK);
    const uint32_t starts[] = {0, 2, 4, 5}, rows[] = {0, 2, 1, 4, 3};
    assert_memory_equal(start, starts, sizeof starts);
    assert_memory_equal(row, rows, sizeof rows);
    arena_free(memory);
    kith_table_free(t);
}

static void missing_agrees_with_missing_only(void **state)
{
    (void)state;
    const char *cells[] = {"a", NULL, NULL, "a"};
    kith_table *t = texts(cells, 4, 1);
    arena *memory = arena_new();
    classes c;
    const uint32_t column_list[] = {0};
    assert_int_equal(classes_make(&c, memory, t, column_list, 1, NULL), KITH_OK);
    assert_int_equal(c.count, 2);
    assert_int_equal(c.class_of[1], c.class_of[2]);
    assert_int_not_equal(c.class_of[0], c.class_of[1]);
    arena_free(memory);
    kith_table_free(t);
}

static void no_columns_make_one_class(void **state)
{
    (void)state;
    const char *cells[] = {"a", "b"};
    kith_table *t = texts(cells, 2, 1);
    arena *memory = arena_new();
    classes c;
    assert_int_equal(classes_make(&c, memory, t, NULL, 0, NULL), KITH_OK);
    assert_int_equal(c.count, 1);
    arena_free(memory);
    kith_table_free(t);
}

/* Many classes against a direct comparison of all pairs. */
static void agrees_with_all_pairs(void **state)
{
    (void)state;
    enum { ROWS = 300 };
    static const char *const values[] = {"a", "b", "c", "d", NULL, "*"};
    const char *cells[ROWS * 3];
    srand(7);
    for (size_t i = 0; i < ROWS * 3; i++)
        cells[i] = values[(size_t)rand() % 6];
    kith_table *t = texts(cells, ROWS, 3);
    arena *memory = arena_new();
    classes c;
    const uint32_t columns[] = {2, 0};
    assert_int_equal(classes_make(&c, memory, t, columns, 2, NULL), KITH_OK);
    for (uint32_t a = 0; a < ROWS; a++)
        for (uint32_t b = 0; b < a; b++)
            assert_int_equal(c.class_of[a] == c.class_of[b],
                             cells[3 * a] == cells[3 * b] && cells[3 * a + 2] == cells[3 * b + 2]);
    arena_free(memory);
    kith_table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_equal_rows),
        cmocka_unit_test(missing_agrees_with_missing_only),
        cmocka_unit_test(no_columns_make_one_class),
        cmocka_unit_test(agrees_with_all_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

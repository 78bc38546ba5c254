/* Special uniques by hand and by brute force: every record, every set of columns. Attribute
 * disclosure by hand. */
#include "risk/special_uniques.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/rng.h"
#include "risk/disclosure.h"

enum { MAX_ROWS = 130, MAX_COLUMNS = 6 };

typedef struct scene {
    uint32_t n_rows, n_columns;
    uint32_t codes[MAX_COLUMNS][MAX_ROWS];
    column columns[MAX_COLUMNS];
    const column *list[MAX_COLUMNS];
} scene;

static void scene_close(scene *s, uint32_t n_values)
{
    for (uint32_t j = 0; j < s->n_columns; j++) {
        s->columns[j] = (column){.values.count = n_values, .codes = s->codes[j]};
        s->list[j] = &s->columns[j];
    }
}

static bool unique_by(const scene *s, uint32_t row, uint32_t set)
{
    for (uint32_t other = 0; other < s->n_rows; other++) {
        bool same = other != row;
        for (uint32_t j = 0; j < s->n_columns; j++)
            if ((set >> j & 1) != 0)
                same = same && s->codes[j][row] == s->codes[j][other];
        if (same)
            return false;
    }
    return true;
}

static bool minimal_by(const scene *s, uint32_t row, uint32_t set)
{
    if (!unique_by(s, row, set))
        return false;
    for (uint32_t part = (set - 1) & set; part != 0; part = (part - 1) & set)
        if (unique_by(s, row, part))
            return false;
    return true;
}

/* The product over sizes from k to M of (A - size), as the paper has it. */
static double weight(uint32_t k, uint32_t columns, uint32_t most)
{
    double product = 1;
    for (uint32_t i = k; i <= most; i++)
        product *= i < columns ? columns - i : 1;
    return product;
}

static void compare(const scene *s, uint32_t max_size)
{
    arena *memory = arena_new();
    special_uniques found;
    kith_error error;
    assert_int_equal(
        special_uniques_find(&found, s->list, s->n_columns, s->n_rows, max_size, memory, &error),
        KITH_OK);
    uint64_t n_sets[SPECIAL_UNIQUES_MAX_SIZE + 1] = {0};
    double of_column[MAX_COLUMNS] = {0};
    for (uint32_t row = 0; row < s->n_rows; row++) {
        double score = 0;
        uint32_t sets = 0;
        for (uint32_t set = 1; set < 1U << s->n_columns; set++) {
            const uint32_t size = (uint32_t)__builtin_popcount(set);
            if (size > max_size || !minimal_by(s, row, set))
                continue;
            sets++;
            n_sets[size]++;
            score += weight(size, s->n_columns, max_size);
            for (uint32_t j = 0; j < s->n_columns; j++)
                if ((set >> j & 1) != 0)
                    of_column[j] += weight(size, s->n_columns, max_size);
        }
        assert_int_equal(found.sets_of[row], sets);
        assert_true(found.scores[row] == score);
    }
    for (uint32_t j = 0; j < s->n_columns; j++)
        assert_true(found.column_scores[j] == of_column[j]);
    for (uint32_t size = 1; size <= found.max_size; size++)
        assert_int_equal(found.n_sets[size], n_sets[size]);
    arena_free(memory);
}

static void agrees_with_brute_force(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 3, 0);
    for (int round = 0; round < 60; round++) {
        scene s = {.n_rows = 1 + rng_below(&r, MAX_ROWS), .n_columns = 1 + rng_below(&r, 6)};
        const uint32_t n_values = 1 + rng_below(&r, 8);
        for (uint32_t j = 0; j < s.n_columns; j++)
            for (uint32_t i = 0; i < s.n_rows; i++)
                s.codes[j][i] = rng_below(&r, 9) == 0 ? TABLE_MISSING : rng_below(&r, n_values);
        scene_close(&s, n_values);
        compare(&s, 1 + rng_below(&r, SPECIAL_UNIQUES_MAX_SIZE));
    }
}

/* a a x / a b x / b a y: the second is unique by the second column, the third by the first and by
 * the third, the first by the first two and by the last two together. With three columns and M = 2
 * a set of one counts (3 - 1)(3 - 2) = 2, a set of two 1. */
static void a_table_by_hand(void **state)
{
    (void)state;
    arena *memory = arena_new();
    scene s = {.n_rows = 3, .n_columns = 3, .codes = {{0, 0, 1}, {0, 1, 0}, {0, 0, 1}}};
    special_uniques found;
    kith_error error;
    scene_close(&s, 2);
    assert_int_equal(special_uniques_find(&found, s.list, 3, 3, 2, memory, &error), KITH_OK);
    assert_int_equal(found.n_sets[1], 3);
    assert_int_equal(found.n_sets[2], 2);
    assert_int_equal(found.n_records, 3);
    assert_true(found.scores[0] == 2 && found.scores[1] == 2 && found.scores[2] == 4);
    assert_true(found.column_scores[1] == 2 + 1 + 1);
    arena_free(memory);
}

static void refuses_too_many_sets(void **state)
{
    (void)state;
    enum { MANY = 500 };
    arena *memory = arena_new();
    uint32_t codes[2] = {0, 1};
    const column one = {.values.count = 2, .codes = codes};
    const column *list[MANY];
    special_uniques found;
    kith_error error;
    for (uint32_t j = 0; j < MANY; j++)
        list[j] = &one;
    assert_int_equal(special_uniques_find(&found, list, MANY, 2, 3, memory, &error), KITH_INVALID);
    assert_int_equal(special_uniques_find(&found, list, MANY, 2, 2, memory, &error), KITH_OK);
    assert_int_equal(found.n_sets[1], 2 * MANY);
    assert_int_equal(found.n_sets[2], 0);
    arena_free(memory);
}

/* Classes 0: flu flu cold, 1: cold cold, 2: flu (left out), 3: nothing and flu. */
static void disclosure_by_hand(void **state)
{
    (void)state;
    uint32_t of[] = {0, 0, 1, 0, 1, 2, 3, 3};
    uint32_t codes[] = {0, 0, 1, 1, 1, 0, TABLE_MISSING, 0};
    const row_groups classes = {8, 4, of};
    const column sensitive = {.values.count = 2, .codes = codes};
    disclosure d;
    kith_error error;
    assert_int_equal(disclosure_assess(&d, &classes, 2, &sensitive, NULL, &error), KITH_OK);
    assert_true(d.highest == 1);
    assert_int_equal(d.n_certain, 2);
    assert_true(d.mean == (2 + 2 + 1) / 7.0);
    assert_true(d.overall == 3 / 7.0);
    assert_int_equal(disclosure_assess(&d, &classes, 1, &sensitive, NULL, &error), KITH_OK);
    assert_true(d.overall == 4 / 6.0);
    assert_int_equal(d.n_certain, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_brute_force),
        cmocka_unit_test(a_table_by_hand),
        cmocka_unit_test(refuses_too_many_sets),
        cmocka_unit_test(disclosure_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

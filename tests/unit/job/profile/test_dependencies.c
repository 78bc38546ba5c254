#include "unit/job/support.h"

#include "core/rng.h"
#include "job/profile/dependencies.h"

enum { ROWS = 60, COLUMNS = 6, VALUES = 4 };

/* From the definition: rows that agree in a agree in b. */
static bool determines(const char *const *cells, size_t a, size_t b)
{
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = 0; k < i; k++) {
            const char *x = cells[i * COLUMNS + a], *y = cells[k * COLUMNS + a];
            const char *u = cells[i * COLUMNS + b], *v = cells[k * COLUMNS + b];
            bool same_a = x == y || (x != NULL && y != NULL && strcmp(x, y) == 0);
            bool same_b = u == v || (u != NULL && v != NULL && strcmp(u, v) == 0);
            if (same_a && !same_b)
                return false;
        }
    return true;
}

static bool reported(const kith_document *d, const char *a, const char *b)
{
    for (size_t i = 0; i < kith_document_n_items(d, "dependencies"); i++) {
        char path[80];
        snprintf(path, sizeof path, "dependencies.%zu.column", i);
        if (strcmp(kith_document_text(d, path, ""), a) != 0)
            continue;
        snprintf(path, sizeof path, "dependencies.%zu.determines", i);
        for (size_t k = 0; k < kith_document_n_items(d, path); k++) {
            char item[120];
            snprintf(item, sizeof item, "%s.%zu", path, k);
            if (strcmp(kith_document_text(d, item, ""), b) == 0)
                return true;
        }
    }
    return false;
}

/* Columns 2 and 3 depend on column 1 by random maps; the others are drawn. */
static void draw(rng *r, const char **cells)
{
    static const char *const texts[] = {"p", "q", "r", NULL};
    uint32_t map[2][VALUES];
    for (int i = 0; i < VALUES; i++)
        for (int k = 0; k < 2; k++)
            map[k][i] = rng_below(r, VALUES);
    for (size_t row = 0; row < ROWS; row++) {
        uint32_t value[COLUMNS];
        for (int c = 0; c < COLUMNS; c++)
            value[c] = rng_below(r, c == 5 ? 1 : c == 4 ? 2 : VALUES);
        value[2] = map[0][value[1]];
        value[3] = map[1][value[1]];
        for (int c = 0; c < COLUMNS; c++)
            cells[row * COLUMNS + (size_t)c] = texts[value[c]];
    }
}

static void agrees_with_the_definition(void **state)
{
    (void)state;
    static const char *const names[COLUMNS] = {"a", "b", "c", "d", "e", "f"};
    rng r;
    rng_init(&r, 7, 0);
    uint32_t n_found = 0;
    for (int round = 0; round < 50; round++) {
        const char *cells[ROWS * COLUMNS];
        kith_column_spec specs[COLUMNS] = {0};
        for (size_t i = 0; i < COLUMNS; i++)
            specs[i].name = names[i];
        const kith_table_options options =
            KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = COLUMNS);
        kith_table *table = NULL;
        kith_error error = {0};
        context c;
        column_profile *profiles;
        draw(&r, cells);
        assert_int_equal(kith_table_from_cells(&table, cells, ROWS, &options, &error), KITH_OK);
        assert_int_equal(context_init(&c, NULL, &error), KITH_OK);
        assert_int_equal(profile_table(&profiles, table, &c, &error), KITH_OK);
        kith_document *d = document_new();
        assert_int_equal(dependencies_put(d, table, profiles, &c, &error), KITH_OK);
        assert_true(kith_document_flag(d, "dependencies_complete", false));
        for (size_t a = 0; a < COLUMNS; a++)
            for (size_t b = 0; b < COLUMNS; b++) {
                bool varies_a = profiles[a].distinct + (profiles[a].missing > 0) > 1;
                bool varies_b = profiles[b].distinct + (profiles[b].missing > 0) > 1;
                bool expected = a != b && varies_a && varies_b && determines(cells, a, b);
                assert_int_equal(reported(d, names[a], names[b]), expected);
                n_found += expected;
            }
        kith_document_free(d);
        context_wipe(&c);
        kith_table_free(table);
    }
    assert_true(n_found > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_the_definition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

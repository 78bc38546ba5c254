/* Random tables, given to Arrow and taken back: every cell and every type is as before, however the
 * stream is cut into batches; nothing is freed twice or never (sanitizers and valgrind see that).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <kith/arrow.h>

#include "core/rng.h"
#include "table/table.h"

enum { COLUMNS = 5, MOST_ROWS = 300, TRIALS = 200 };

static const kith_column_spec specs[COLUMNS] = {{.name = "text"},
                                                {.name = "whole", .type = KITH_TYPE_INTEGER},
                                                {.name = "number", .type = KITH_TYPE_DECIMAL},
                                                {.name = "day", .type = KITH_TYPE_DATE},
                                                {.name = "other"}};

static void draw(rng *r, size_t which, bool odd, char out[64])
{
    const unsigned n = rng_below(r, 40);
    switch (which) {
    case 1: snprintf(out, 64, odd && n == 0 ? "007" : "%d", (int)n * 1000003 - 9); break;
    case 2: snprintf(out, 64, odd ? "%u.50" : "%u.5", n); break; /* fixed digits, or a double */
    case 3: snprintf(out, 64, "20%02u-03-%02u", n, 1 + n % 28); break;
    default: snprintf(out, 64, "%.*sé%u", (int)n, "a text that is long, or not so long at all", n);
    }
}

static kith_table *draw_table(rng *r, bool odd)
{
    static char texts[MOST_ROWS][COLUMNS][64];
    static const char *cells[MOST_ROWS * COLUMNS];
    kith_table *table = NULL;
    const size_t n_rows = rng_below(r, MOST_ROWS);
    for (size_t row = 0; row < n_rows; row++)
        for (size_t i = 0; i < COLUMNS; i++) {
            draw(r, i, odd, texts[row][i]);
            cells[row * COLUMNS + i] = rng_below(r, 8) == 0 && i != 4 ? NULL : texts[row][i];
        }
    assert_int_equal(kith_table_from_cells(&table, cells, n_rows,
                                           &(kith_table_options)KITH_OPTIONS(kith_table_options,
                                                                             .columns = specs,
                                                                             .n_columns = COLUMNS),
                                           NULL),
                     KITH_OK);
    return table;
}

static void assert_same(const kith_table *a, const kith_table *b)
{
    assert_int_equal(a->n_rows, b->n_rows);
    assert_int_equal(a->n_columns, b->n_columns);
    for (uint32_t i = 0; i < a->n_columns; i++) {
        const column *x = &a->columns[i], *y = &b->columns[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->values.count, y->values.count);
        assert_memory_equal(x->codes, y->codes, a->n_rows * sizeof *x->codes);
        for (uint32_t code = 0; code < x->values.count; code++)
            assert_string_equal(dictionary_text(&x->values, code),
                                dictionary_text(&y->values, code));
    }
}

static kith_table *there_and_back(const kith_table *table, const kith_arrow_options *options,
                                  bool typed)
{
    struct ArrowArrayStream stream;
    kith_table *back = NULL;
    kith_error error = {0};
    const kith_table_options wanted =
        KITH_OPTIONS(kith_table_options, .columns = typed ? specs : NULL, .n_columns = COLUMNS);
    assert_int_equal(kith_table_to_arrow(&stream, table, options, NULL), KITH_OK);
    if (kith_table_from_arrow(&back, &stream, &wanted, NULL, &error) != KITH_OK)
        fail_msg("%s", error.message);
    assert_null(stream.release);
    return back;
}

static void tables_come_back(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 21, 0);
    for (unsigned i = 0; i < TRIALS; i++) {
        const bool odd = rng_below(&r, 2) == 0, all_texts = rng_below(&r, 2) == 0;
        kith_table *table = draw_table(&r, odd);
        const kith_arrow_options options =
            KITH_OPTIONS(kith_arrow_options, .batch_rows = rng_below(&r, 70),
                         .all_texts = all_texts, .no_dictionary = rng_below(&r, 2) == 0);
        kith_table *typed = there_and_back(table, &options, true);
        assert_same(table, typed);
        for (uint32_t c = 0; c < COLUMNS; c++)
            assert_int_equal(typed->columns[c].values.type, specs[c].type);
        kith_table *plain = there_and_back(table, &options, false);
        const bool numbers = !all_texts && !odd && table->n_rows > 0;
        if (numbers) { /* the stream itself says what is a number */
            assert_same(table, plain);
            assert_int_equal(plain->columns[1].values.type, KITH_TYPE_INTEGER);
            assert_int_equal(plain->columns[2].values.type, KITH_TYPE_DECIMAL);
            assert_int_equal(plain->columns[3].values.type, KITH_TYPE_DATE);
        }
        kith_table_free(plain);
        kith_table_free(typed);
        kith_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tables_come_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

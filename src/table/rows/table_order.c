#include "table/rows/table_order.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"

/* The empty text is the first one, if a column has it. */
static bool has_empty(const column *c)
{
    return c->values.count > 0 && dictionary_text(&c->values, 0)[0] == '\0';
}

/* The place of a cell in a column whose empty and missing cells look the same. */
static uint32_t shown_place(const column *c, uint32_t code)
{
    return code == TABLE_MISSING || (code == 0 && has_empty(c)) ? c->values.count : code;
}

int table_order_compare(const kith_table *a, uint32_t row, const kith_table *b, uint32_t other)
{
    for (uint32_t i = 0; i < a->n_columns; i++) {
        const column *c = &a->columns[i];
        const uint32_t x = shown_place(c, c->codes[row]);
        const uint32_t y = shown_place(c, b->columns[i].codes[other]);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* Sorts rows by one column, stably. `as_shown`: the empty text is not told from a missing cell.
 * starts[] has room for all codes and the missing value. */
static void sort_by(const column *c, bool as_shown, const uint32_t *rows, uint32_t *sorted,
                    uint32_t n_rows, uint32_t *starts)
{
    const uint32_t n_values = c->values.count;
    const uint32_t first = as_shown && has_empty(c) ? 1 : 0; /* code of the first text */
    memset(starts, 0, ((size_t)n_values + 2) * sizeof *starts);
    for (uint32_t i = 0; i < n_rows; i++) {
        const uint32_t code = c->codes[i];
        starts[(code == TABLE_MISSING || code < first ? n_values : code) + 1]++;
    }
    for (uint32_t v = 0; v < n_values; v++)
        starts[v + 1] += starts[v];
    for (uint32_t i = 0; i < n_rows; i++) {
        const uint32_t code = c->codes[rows[i]];
        sorted[starts[code == TABLE_MISSING || code < first ? n_values : code]++] = rows[i];
    }
}

/* By all columns, the last one first, so that the first one decides. A file does not tell an empty
 * text from a missing cell, so that its order must not, either; rows that differ in nothing else
 * still have an order of their own, for databases. */
kith_status table_order_by_cells(uint32_t **order, const kith_table *table, arena *memory,
                                 kith_error *error)
{
    const uint32_t n = table->n_rows;
    uint32_t n_values = 0, n_passes = 1;
    for (uint32_t i = 0; i < table->n_columns; i++) {
        if (n_values < table->columns[i].values.count)
            n_values = table->columns[i].values.count;
        if (has_empty(&table->columns[i]))
            n_passes = 2;
    }
    uint32_t *rows = TRY_ARRAY(rows, memory, n, error);
    uint32_t *sorted = TRY_ARRAY(sorted, memory, n, error);
    const size_t n_starts = (size_t)n_values + 2;
    uint32_t *starts = TRY_ARRAY(starts, memory, n_starts, error);
    for (uint32_t i = 0; i < n; i++)
        rows[i] = i;
    for (uint32_t pass = 0; pass < n_passes; pass++)
        for (uint32_t c = table->n_columns; c-- > 0;) {
            sort_by(&table->columns[c], pass == 1, rows, sorted, n, starts);
            uint32_t *taken = rows;
            rows = sorted;
            sorted = taken;
        }
    arena_release(memory, starts, n_starts * sizeof *starts);
    arena_release(memory, sorted, n * sizeof *sorted);
    *order = rows;
    return KITH_OK;
}

/* Moves every row: from order[i] to i, or back. */
static kith_status move(kith_table *table, const uint32_t *order, bool back, kith_error *error)
{
    const uint32_t n = table->n_rows;
    uint32_t *moved = malloc(((size_t)n + 1) * sizeof *moved);
    TRY_ALLOC(moved, error);
    for (uint32_t c = 0; c < table->n_columns; c++) {
        uint32_t *codes = table->columns[c].codes;
        for (uint32_t i = 0; i < n; i++) {
            ASSERT(order[i] < n);
            moved[back ? order[i] : i] = codes[back ? i : order[i]];
        }
        memcpy(codes, moved, n * sizeof *codes);
    }
    free(moved);
    return KITH_OK;
}

kith_status table_order_apply(kith_table *table, const uint32_t *order, kith_error *error)
{
    return move(table, order, false, error);
}

kith_status table_order_undo(kith_table *table, const uint32_t *order, kith_error *error)
{
    return move(table, order, true, error);
}

#include "job/prepare/kept_rows.h"

#include <string.h>

#include "core/error.h"

/* Are all cells of the row missing? */
static bool is_blank(const kith_table *table, uint32_t row)
{
    for (uint32_t i = 0; i < table->n_columns; i++)
        if (table->columns[i].codes[row] != TABLE_MISSING)
            return false;
    return true;
}

bool kept_rows_is_empty(const kith_table *table, uint32_t row)
{
    return table->n_columns > 1 && is_blank(table, row);
}

uint32_t kept_rows_n_empty(const kith_table *table)
{
    uint32_t count = 0;
    for (uint32_t row = 0; row < table->n_rows; row++)
        count += kept_rows_is_empty(table, row);
    return count;
}

kith_status kept_rows_remove_empty(kith_table *table, uint32_t n_read, arena *memory,
                                   kith_error *error)
{
    kith_table read = *table;
    read.n_columns = n_read;
    const uint32_t n_empty = kept_rows_n_empty(&read);
    if (n_empty == 0)
        return KITH_OK;
    uint32_t *source_rows = TRY_ARRAY(source_rows, memory, table->n_rows - n_empty, error);
    uint32_t n = 0;
    for (uint32_t row = 0; row < table->n_rows; row++) {
        if (kept_rows_is_empty(&read, row))
            continue;
        for (uint32_t i = 0; i < table->n_columns; i++)
            table->columns[i].codes[n] = table->columns[i].codes[row];
        source_rows[n++] = table->source_rows == NULL ? row : table->source_rows[row];
    }
    table->source_rows = source_rows;
    table->n_rows = n;
    table->n_empty += n_empty;
    CHECK(table_check(table));
    return KITH_OK;
}

kith_status kept_rows_full(const kith_table **full, const kith_table *table, uint32_t n_read,
                           arena *memory, kith_error *error)
{
    kith_table read = *table;
    read.n_columns = n_read;
    *full = table;
    if (kept_rows_n_empty(&read) == 0)
        return KITH_OK;
    kith_table *copy = TRY_ALLOC(arena_alloc(memory, sizeof *copy), error);
    TRY(table_room(copy, table, table->n_rows, memory, error));
    copy->source_rows = table->source_rows;
    for (uint32_t i = 0; i < table->n_columns; i++)
        memcpy(copy->columns[i].codes, table->columns[i].codes,
               table->n_rows * sizeof *copy->columns[i].codes);
    *full = copy;
    return kept_rows_remove_empty(copy, n_read, memory, error);
}

bool kept_rows_has(const kept_rows *k, const kith_table *table, uint32_t row)
{
    if (k->held == NULL && kept_rows_is_empty(table, row))
        return false;
    if (k->study->missing != MISSING_DROP)
        return true;
    for (uint32_t i = 0; i < k->study->n_columns; i++) {
        const study_column *c = &k->study->columns[i];
        if ((c->role != ROLE_QUASI_IDENTIFYING && c->role != ROLE_SENSITIVE) ||
            (k->held != NULL && !k->held[i]))
            continue;
        const uint32_t place = table_find(table, c->name);
        if (place != UINT32_MAX && table->columns[place].codes[row] == TABLE_MISSING)
            return false;
    }
    return true;
}

uint32_t kept_rows_count(const kept_rows *k, const kith_table *table)
{
    uint32_t count = 0;
    for (uint32_t row = 0; row < table->n_rows; row++)
        count += kept_rows_has(k, table, row);
    return count;
}

static kith_status copy_column(column *to, const column *from, const bool *keep, uint32_t n_rows,
                               arena *memory, kith_error *error)
{
    uint32_t *new_code = TRY_ARRAY(new_code, memory, from->values.count + (size_t)1, error);
    dictionary_value *kept = TRY_ARRAY(kept, memory, from->values.count, error);
    uint32_t count = 0;
    *to = *from;
    to->codes = TRY_ALLOC(arena_array(memory, n_rows, sizeof *to->codes), error);
    memset(new_code, 0xFF, (from->values.count + (size_t)1) * sizeof *new_code);
    for (uint32_t row = 0; row < n_rows; row++)
        if (keep[row] && from->codes[row] != TABLE_MISSING)
            new_code[from->codes[row]] = 0;
    for (uint32_t code = 0; code < from->values.count; code++)
        if (new_code[code] != TABLE_MISSING) {
            kept[count] = (dictionary_value){&from->values, code};
            new_code[code] = count++;
        }
    for (uint32_t row = 0; row < n_rows; row++)
        to->codes[row] = keep[row] && from->codes[row] != TABLE_MISSING ? new_code[from->codes[row]]
                                                                        : TABLE_MISSING;
    return dictionary_of(&to->values, &from->values, kept, count, memory, error);
}

kith_status kept_rows_table(const kith_table **kept, const kept_rows *k, const kith_table *table,
                            arena *memory, kith_error *error)
{
    bool *keep = TRY_ALLOC(arena_array(memory, table->n_rows, sizeof *keep), error);
    bool clean = true;
    for (uint32_t row = 0; row < table->n_rows; row++) {
        keep[row] = kept_rows_has(k, table, row);
        clean = clean && (keep[row] || is_blank(table, row));
    }
    *kept = table;
    if (clean)
        return KITH_OK;
    kith_table *copy;
    TRY(table_copy(&copy, table, memory, error));
    for (uint32_t i = 0; i < copy->n_columns; i++)
        TRY(copy_column(&copy->columns[i], &table->columns[i], keep, copy->n_rows, memory, error));
    CHECK(table_check(copy));
    *kept = copy;
    return KITH_OK;
}

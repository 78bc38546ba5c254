#include "job/prepare/whole_counts.h"

#include "core/error.h"
#include "job/prepare/equal_values.h"
#include "job/prepare/recode.h"

/* A table with every value of each column of `table` once, in the order of the dictionary. */
static kith_status whole_counts_list_values(kith_table *list, const kith_table *table,
                                            arena *memory, kith_error *error)
{
    *list = *table;
    list->memory = NULL; /* everything belongs to the caller's arena */
    list->n_rows = 0;
    list->columns = TRY_ALLOC(arena_array(memory, table->n_columns, sizeof *list->columns), error);
    for (uint32_t i = 0; i < table->n_columns; i++)
        if (table->columns[i].values.count > list->n_rows)
            list->n_rows = table->columns[i].values.count;
    for (uint32_t i = 0; i < table->n_columns; i++) {
        column *c = &list->columns[i];
        *c = table->columns[i];
        c->codes = TRY_ALLOC(arena_array(memory, list->n_rows, sizeof *c->codes), error);
        for (uint32_t row = 0; row < list->n_rows; row++)
            c->codes[row] = row < c->values.count ? row : TABLE_MISSING;
    }
    return KITH_OK;
}

/* The study changes values, not rows: what becomes of the list of all values tells what becomes of
 * every cell. */
kith_status whole_counts_make(const uint64_t *const **counts, const prepared *p,
                              const kith_table *table, arena *memory, kith_error *error)
{
    kith_table list;
    const kith_table *changed;
    TRY(whole_counts_list_values(&list, table, memory, error));
    TRY(recode_table(&changed, p->study, &list, memory, error));
    TRY(equal_values_table(&changed, p->study, changed, memory, error));
    const uint64_t **all = TRY_ALLOC(arena_array(memory, table->n_columns, sizeof *all), error);
    for (uint32_t i = 0; i < table->n_columns; i++) {
        const uint32_t n = table->columns[i].values.count, left = changed->columns[i].values.count;
        uint64_t *own = TRY_ALLOC(arena_zalloc(memory, left + (size_t)1, sizeof *own), error);
        for (uint32_t code = 0; code < n; code++)
            own[changed->columns[i].codes[code]] += p->whole->counts[i][code];
        own[left] = p->whole->counts[i][n];
        all[i] = own;
    }
    *counts = all;
    return KITH_OK;
}

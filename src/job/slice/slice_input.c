#include "job/slice/slice_input.h"

#include <string.h>

#include "core/run/ranks.h"
#include "core/error.h"

/* What unites the tables of ranks writes into their codes, and a table in memory is its caller's.
 */
static kith_status copy_rows(const kith_table **copy, const kith_table *from, arena *memory,
                             kith_error *error)
{
    kith_table *rows = TRY_ALLOC(arena_alloc(memory, sizeof *rows), error);
    TRY(table_room(rows, from, from->n_rows, memory, error));
    for (uint32_t i = 0; i < from->n_columns && from->n_rows > 0; i++)
        memcpy(rows->columns[i].codes, from->columns[i].codes,
               from->n_rows * sizeof *rows->columns[i].codes);
    rows->source_rows = from->source_rows;
    *copy = rows;
    return KITH_OK;
}

kith_status slice_input_read(const kith_table **table, slice *about, const kith_input *from,
                             const kith_table_options *options, context *c, kith_error *error)
{
    if (ranks_count(c->ranks) == 1 || from->table != NULL) {
        TRY(table_input_read(table, from, options, c->run, c->memory, error));
        if (ranks_count(c->ranks) > 1)
            TRY(copy_rows(table, *table, c->memory, error));
        return slice_place(about, (*table)->n_rows, c, error);
    }
    kith_table_options own = *options;
    kith_table *read = NULL;
    own.separator = from->separator;
    own.csv = from->csv;
    TRY(slice_read(&read, about, from->uri, &own, c, error));
    TRY(table_own(read, c->memory, error));
    *table = read;
    return KITH_OK;
}

#include "job/share/share_input.h"

#include "core/crew.h"
#include "core/error.h"

static void free_table(void *table)
{
    kith_table_free(table);
}

kith_status share_input_read(const kith_table **table, share *about, const table_input *from,
                             const kith_table_options *options, context *c, kith_error *error)
{
    if (crew_size(c->crew) == 1 || from->table != NULL) {
        TRY(table_input_read(table, from, options, c->run, c->memory, error));
        return share_place(about, (*table)->n_rows, c, error);
    }
    kith_table_options own = *options;
    kith_table *read = NULL;
    own.separator = from->separator;
    own.csv = from->csv;
    TRY(share_read(&read, about, from->uri, &own, c, error));
    if (!arena_defer(c->memory, free_table, read))
        return error_nomem(error);
    *table = read;
    return KITH_OK;
}

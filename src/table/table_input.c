#include "table/table_input.h"

#include "core/error.h"
#include "core/options.h"
#include "table/table_view.h"

kith_status table_input_check(const table_input *from, const char *member, kith_error *error)
{
    if (from->uri == NULL || from->table == NULL)
        return KITH_OK;
    return error_set(error, KITH_INVALID, "options.%s and options.%s_table exclude each other",
                     member, member);
}

kith_status table_input_need(const table_input *from, const char *member, kith_error *error)
{
    if (from->table == NULL)
        TRY(options_need(from->uri, member, error));
    return table_input_check(from, member, error);
}

kith_status table_input_read(const kith_table **table, const table_input *from,
                             const kith_table_options *options, const kith_run *run, arena *memory,
                             kith_error *error)
{
    kith_table_options own = *options;
    kith_table *read = NULL;
    if (from->table != NULL)
        return table_view(table, memory, from->table, &own, error);
    own.separator = from->separator;
    own.csv = from->csv;
    TRY(kith_table_read(&read, from->uri, &own, run, error));
    TRY(table_own(read, memory, error));
    *table = read;
    return KITH_OK;
}

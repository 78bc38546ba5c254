#include "table/table_input.h"

#include "core/error.h"
#include "core/options.h"
#include "table/table_view.h"

kith_status table_input_take(kith_input *mine, const kith_input *theirs, const char *member,
                             kith_error *error)
{
    TRY(OPTIONS_TAKE(kith_input, csv, mine, theirs, error));
    if (mine->uri == NULL || mine->table == NULL)
        return KITH_OK;
    return error_set(error, KITH_INVALID, "options.%s: a URI and a table exclude each other",
                     member);
}

kith_status table_input_need(kith_input *mine, const kith_input *theirs, const char *member,
                             kith_error *error)
{
    TRY(table_input_take(mine, theirs, member, error));
    return mine->table != NULL ? KITH_OK : options_need(mine->uri, member, error);
}

kith_status table_input_refuse_table(const kith_input *from, const char *member, kith_error *error)
{
    if (from->table == NULL)
        return KITH_OK;
    return error_set(error, KITH_INVALID, "options.%s: a table in memory cannot be taken here",
                     member);
}

kith_status table_input_read(const kith_table **table, const kith_input *from,
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

#include "core/error.h"
#include "table/source.h"
kith_status sqlite_source_read(const source *s, kith_table **table, kith_error *error)
{
    (void)s;
    (void)table;
    return error_set(error, KITH_INVALID, "databases are not read or written yet");
}

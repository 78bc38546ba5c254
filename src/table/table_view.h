/* A table in memory as if it were read from a file: with the columns, types and missing values that
 * somebody asks for. */
#ifndef TABLE_TABLE_VIEW_H
#define TABLE_TABLE_VIEW_H

#include "table/table.h"

/* What kith_table_read would make, with these options, of a file with the cells of `from`; missing
 * cells stay missing, as NULLs of a database do. Rows, and the places of columns, are those of
 * `from`. Messages name lines where `from` has some, otherwise rows. The view lives in `memory` and
 * shares with `from` every column that is already as it should be; it is not freed. */
kith_status table_view(const kith_table **view, arena *memory, const kith_table *from,
                       const kith_table_options *options, kith_error *error) KITH_MUST_USE;

#endif

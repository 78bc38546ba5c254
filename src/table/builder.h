/* Builds a table cell by cell: what every source feeds.
 *
 * Codes are given in order of first sight and put into sorted order at the end. */
#ifndef TABLE_BUILDER_H
#define TABLE_BUILDER_H

#include <stdbool.h>
#include <stddef.h>

#include "table/table.h"

typedef struct builder builder;

/* Begins a table of `count` columns; `memory` will own the table. Names and types come from
 * `columns`, missing values and trimming from `options`. */
kith_status builder_new(builder **b, arena *memory, const char *source,
                        const kith_column_spec *columns, size_t count,
                        const kith_table_options *options, kith_error *error);
/* Adds a cell to the current row of a column; NULL text is missing. On failure `error` has a
 * message without place ("12a is not an integer"), to which the source adds file, line and column.
 */
kith_status builder_cell(builder *b, size_t column, const char *text, size_t length,
                         kith_error *error);
/* The same in two steps: stage the cells of a row, then settle them, and the memory they need is on
 * its way meanwhile. Until then a text must stay, with BUILDER_PADDING readable bytes behind it. */
enum { BUILDER_PADDING = 8 };
void builder_stage(builder *b, size_t column, const char *text, size_t length);
kith_status builder_settle(builder *b, size_t column, kith_error *error);
/* All columns of the row are there. Fails when rows or memory run out. */
kith_status builder_row(builder *b, kith_error *error);
/* Sorts the dictionaries, recodes, and hands out the table. Columns are placed in their order. */
kith_status builder_finish(builder *b, kith_table **table, kith_error *error);

#endif

/* Builds a table cell by cell: what every source feeds.
 *
 * Codes are given in order of first sight and put into sorted order at the end. */
#ifndef TABLE_TABLE_BUILDER_H
#define TABLE_TABLE_BUILDER_H

#include <stdbool.h>
#include <stddef.h>

#include "table/table.h"

typedef struct table_builder table_builder;

/* Begins a table of `count` columns; `memory` will own the table. Names and types come from
 * `columns`, missing values and trimming from `options`. */
kith_status table_builder_new(table_builder **b, arena *memory, const char *source,
                              const kith_column_spec *columns, size_t count,
                              const kith_table_options *options, kith_error *error);
/* Adds a cell to the current row of a column; NULL text is missing. On failure `error` has a
 * message without place ("12a is not an integer"), to which the source adds file, line and column.
 */
kith_status table_builder_cell(table_builder *b, size_t column, const char *text, size_t length,
                               kith_error *error);
/* The cells of one column for `count` rows at once, so that the memory they need is on its way
 * while others are looked up: the next rows, or those that come `skip` rows later, if the column is
 * filled before the others. Eight bytes must be readable behind every text. Trims in place. On
 * failure nothing is lost: the same cells can be added one by one to learn which is wrong. */
enum { BUILDER_BATCH = 64 };
kith_status table_builder_cells(table_builder *b, size_t column, size_t skip, const char **texts,
                                size_t *lengths, size_t count, kith_error *error);
/* Makes room for `count` more rows before table_builder_cells, and adds them after it. */
kith_status table_builder_reserve(table_builder *b, size_t count, kith_error *error);
void table_builder_rows(table_builder *b, size_t count);
/* With those that have left memory (row_spill.h). */
uint32_t table_builder_n_rows(const table_builder *b);

/* For sources that remember the codes of their values: the code that a cell with this text has, and
 * where the codes of the rows belong that have been reserved, but not yet added. A NULL text is
 * missing. Codes stay valid until the table is finished. */
kith_status table_builder_code(table_builder *b, size_t column, const char *text, size_t length,
                               uint32_t *code, kith_error *error) KITH_MUST_USE;
uint32_t *table_builder_next(table_builder *b, size_t column);
/* Does it strip blanks around texts? */
bool table_builder_trims(const table_builder *b);

/* Some texts; a NULL text is missing. Without lengths every text ends with a NUL. */
typedef struct table_builder_piece {
    const char *const *texts;
    const size_t *lengths; /* or NULL */
    size_t count;
} table_builder_piece;

/* A piece of a column, from row `first` on, beside other columns that may be shorter or longer: the
 * room has been reserved, and table_builder_rows comes when all columns are complete. On failure
 * `error` has a message without place, and *wrong is the cell. */
kith_status table_builder_texts(table_builder *b, size_t column, size_t first,
                                const table_builder_piece *piece, size_t *wrong,
                                kith_error *error) KITH_MUST_USE;
/* The same from codes: cell i is value codes[i], or missing (TABLE_MISSING). Values may be equal,
 * and stand in any order. */
kith_status table_builder_codes(table_builder *b, size_t column, size_t first,
                                const table_builder_piece *values, const uint32_t *codes,
                                size_t count, size_t *wrong, kith_error *error) KITH_MUST_USE;

/* All columns of the row are there. Fails when rows or memory run out. */
kith_status table_builder_row(table_builder *b, kith_error *error);
/* Does this text mean missing? */
bool table_builder_means_missing(const kith_table_options *options, const char *text,
                                 size_t length);
/* Sorts the dictionaries, recodes, and hands out the table. Columns are placed in their order. */
kith_status table_builder_finish(table_builder *b, kith_table **table, kith_error *error);

#endif

/* One column of a table, read from Arrow arrays batch by batch. */
#ifndef TABLE_ARROW_ARROW_COLUMN_H
#define TABLE_ARROW_ARROW_COLUMN_H

#include "table/arrow/arrow_text.h"
#include "table/table_builder.h"

typedef struct arrow_column arrow_column;

/* `spec` is what is wanted of the column, which is number `which` of the builder. */
kith_status arrow_column_new(arrow_column **made, arena *memory, const arrow_type *type,
                             const kith_column_spec *spec, table_builder *builder, size_t which,
                             kith_error *error) KITH_MUST_USE;

/* Values `skip` … `skip + count - 1` of an array become the cells of the next `count` rows, for
 * which there is room. On failure `error` has a message without place; *wrong is the cell, or
 * `count` if it is about the whole array. */
kith_status arrow_column_read(arrow_column *c, const struct ArrowArray *array, int64_t skip,
                              size_t count, size_t *wrong, kith_error *error) KITH_MUST_USE;

#endif

/* Reading some rows of what DuckDB reads (source_cut). LIMIT and OFFSET would do, but read all rows
 * before; the numbers of rows in tables and in Parquet files lead DuckDB to the row groups that
 * have them. */
#ifndef TABLE_DUCK_PARTS_H
#define TABLE_DUCK_PARTS_H

#include "table/duck_relation.h"

/* What follows FROM for s->rows; NULL if out of memory. */
const char *duck_parts_from(const source *s, const duck_relation *r);

#endif

/* Cutting a table of a PostgreSQL server into parts, which several connections read. Together they
 * have the rows of a single reading, in its order.
 *
 * A plain table without an order in its address is cut by the pages in which it is stored. Where
 * there is an order the server takes a sample, and parts are ranges of it: rows that are equal in
 * all columns of the order stay together, whatever their types, collations and NULLs are. */
#ifndef TABLE_POSTGRES_PARTS_H
#define TABLE_POSTGRES_PARTS_H

#include "table/postgres_source.h"

#define POSTGRES_UNCOUNTED UINT64_MAX

/* (*parts)[n_parts], in the arena of the reading; NULL if the order of the rows is nobody's, as
 * that of a view is. *n_rows: how many they have together, POSTGRES_UNCOUNTED if nobody can miss
 * one. */
kith_status postgres_parts_cut(postgres_part **parts, uint64_t *n_rows, const postgres_reading *r,
                               uint32_t n_parts, kith_error *error) KITH_MUST_USE;

#endif

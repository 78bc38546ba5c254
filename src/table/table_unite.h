/* Slices of one table, each on a rank, get the dictionaries of the whole table: a code then means
 * the same on all ranks, and what is made of dictionaries alone is the same everywhere. */
#ifndef TABLE_TABLE_UNITE_H
#define TABLE_TABLE_UNITE_H

#include "core/run/context.h"
#include "table/table.h"

/* *united has the rows of `own`, and takes its codes over: `own` must not be read any more. All
 * ranks have the same columns. needed[columns] says which of them are united, the same on all
 * ranks; NULL: all. Dictionaries live in c->memory, the rest where `own` does. Cost: of n ranks
 * each sends all values that it knows log2(n) times. */
kith_status table_unite(const kith_table **united, const kith_table *own, const bool *needed,
                        context *c, kith_error *error) KITH_MUST_USE;

#endif

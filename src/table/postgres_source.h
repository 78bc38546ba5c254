/* Reading what a PostgreSQL server selects. */
#ifndef TABLE_POSTGRES_SOURCE_H
#define TABLE_POSTGRES_SOURCE_H

#include "table/postgres.h"
#include "table/source.h"

/* Names of all columns of the table; their types are in *described. */
kith_status postgres_source_names(const postgres *db, arena *memory, const char ***names,
                                  size_t *width, PGresult **described, kith_error *error);

/* All rows of a SELECT, which has `count` columns, into the builder. */
kith_status postgres_source_select(const source *s, const postgres *db, const char *select,
                                   table_builder *b, size_t count, kith_error *error);

#endif

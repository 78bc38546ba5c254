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

/* What is read in bounded memory (row_spill.h): the columns of a SELECT are those of the options.
 */
typedef struct postgres_spill {
    const postgres *db;
    const char *select; /* NULL: out of memory */
    const kith_table_options *options;
    const uint32_t *places;     /* [columns] in the server's table; NULL: 0, 1, … */
    const row_spill_rule *rule; /* lives as long as the spill */
    const kith_run *run;
    const char *phase;  /* for its progress */
    const char *beside; /* where temporary files stand (core/spill_file.h) */
} postgres_spill;
kith_status postgres_source_spill(row_spill **spill, const postgres_spill *asked, arena *memory,
                                  kith_error *error) KITH_MUST_USE;

#endif

/* Writing rows into a table of a PostgreSQL server: COPY … FROM STDIN in text format. */
#ifndef TABLE_POSTGRES_COPY_H
#define TABLE_POSTGRES_COPY_H

#include "table/postgres.h"
#include "table/table.h"

/* Invariant: `buffer` holds whole rows that have not been sent. */
typedef struct postgres_copy {
    arena *memory;
    const postgres *db;
    size_t n_columns;
    char *buffer;
    size_t used, room;
} postgres_copy;

/* `c` is zero, or has ended. */
kith_status postgres_copy_begin(postgres_copy *c, const postgres *db, arena *memory,
                                const char *quoted, size_t n_columns, kith_error *error);
/* A NULL cell is NULL. */
kith_status postgres_copy_row(postgres_copy *c, const char *const *cells, kith_error *error);
kith_status postgres_copy_end(postgres_copy *c, kith_error *error);

#endif

/* The rows of a SELECT one by one, of which few are in memory at a time. */
#ifndef TABLE_POSTGRES_CURSOR_H
#define TABLE_POSTGRES_CURSOR_H

#include "table/postgres.h"

typedef struct postgres_cursor {
    const postgres *db;
    PGresult *rows;
    int at; /* the present row */
} postgres_cursor;

/* Within a transaction; one cursor at a time for a connection. A NULL `select` means out of
 * memory. */
kith_status postgres_cursor_open(postgres_cursor *c, const postgres *db, const char *select,
                                 kith_error *error) KITH_MUST_USE;
/* Goes to the first row, and to the next one; false: there is none. */
kith_status postgres_cursor_next(postgres_cursor *c, bool *more, kith_error *error) KITH_MUST_USE;
/* Also after an error. */
void postgres_cursor_close(postgres_cursor *c);

/* A cell of the present row; NULL is missing. */
static inline const char *postgres_cursor_cell(const postgres_cursor *c, int at)
{
    return PQgetisnull(c->rows, c->at, at) ? NULL : PQgetvalue(c->rows, c->at, at);
}
static inline size_t postgres_cursor_length(const postgres_cursor *c, int at)
{
    return (size_t)PQgetlength(c->rows, c->at, at);
}

#endif

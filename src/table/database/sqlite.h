/* What the SQLite source and sink share: a database file and one table of it. */
#ifndef TABLE_DATABASE_SQLITE_H
#define TABLE_DATABASE_SQLITE_H

#include <sqlite3.h>
#include <stdbool.h>

#include <kith/status.h>

#include "core/arena.h"

typedef struct sqlite {
    sqlite3 *handle;
    const char *path;
    const char *table;
    const char *shown; /* the URI, for messages */
} sqlite;

/* Opens "sqlite:FILE?table=T" to be read, or `writable` and made if need be. The arena closes it,
 * which rolls back whatever has not been committed. */
kith_status sqlite_open(sqlite **db, arena *memory, const char *uri, bool writable,
                        kith_error *error);

/* Prepares `sql` (from sqlite3_mprintf, freed here; NULL: out of memory). The arena finalizes it.
 * `what` is for the message: "read" or "write". */
kith_status sqlite_prepare(const sqlite *db, arena *memory, char *sql, const char *what,
                           sqlite3_stmt **statement, kith_error *error);
kith_status sqlite_run(const sqlite *db, const char *sql, const char *what, kith_error *error);

/* Is there a table or view of that name? */
kith_status sqlite_has_table(const sqlite *db, bool *exists, kith_error *error);
/* "no table", with a hint that lists those that are there. */
kith_status sqlite_no_table(const sqlite *db, kith_error *error);
/* The database's own words. */
kith_status sqlite_failed(const sqlite *db, const char *what, kith_error *error);

#endif

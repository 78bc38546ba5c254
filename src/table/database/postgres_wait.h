/* Waiting for a PostgreSQL server, which may take long: for a lock, or for an answer. All waits are
 * here. While one lasts the run is asked whether it is to go on; if not, the server is told to drop
 * the statement, and the call returns KITH_CANCELLED. The connection is of no use then. */
#ifndef TABLE_DATABASE_POSTGRES_WAIT_H
#define TABLE_DATABASE_POSTGRES_WAIT_H

#include "table/database/postgres.h"

/* Begins and finishes a connection. One that has failed is there, too, with the server's words;
 * NULL: out of memory. A caller who limits the time (connect_timeout) waits for no longer. */
kith_status postgres_wait_connect(postgres *db, const char *address, kith_error *error);

/* What PQexec does: the last result of the statement, which the caller clears; NULL if there is
 * none, as when the connection is lost. An error of the server is a result. */
kith_status postgres_wait_exec(const postgres *db, const char *sql, PGresult **result,
                               kith_error *error);

/* The next result of what is under way; NULL: there are no more. */
kith_status postgres_wait_result(const postgres *db, PGresult **result, kith_error *error);

/* Sends all that has been queued; *sent is false if the connection is lost. */
kith_status postgres_wait_send(const postgres *db, bool *sent, kith_error *error);

/* PQgetCopyData: the next row, or its -1 and -2. */
kith_status postgres_wait_row(const postgres *db, char **row, int *length, kith_error *error);

#endif

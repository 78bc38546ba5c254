/* What the PostgreSQL source and sink share: a connection and one table. No message ever shows the
 * password. */
#ifndef TABLE_DATABASE_POSTGRES_H
#define TABLE_DATABASE_POSTGRES_H

#include <libpq-fe.h>
#include <stdint.h>

#include <kith/run.h>
#include <kith/status.h>
#include <kith/table.h>

#include "core/arena.h"

typedef struct postgres {
    PGconn *connection;
    const char *shown;        /* the URI without password, for messages */
    const char *table;        /* as given */
    const char *quoted;       /* "schema"."table", to be put into statements */
    const char *password;     /* to be struck out of the server's messages; may be NULL */
    const char *const *order; /* [n_order] columns by which rows are to be read, as given */
    size_t n_order;
    const kith_run *run; /* polled while a wait lasts (postgres_wait.h); may be NULL */
    const char *phase;   /* for its progress */
} postgres;

/* The beginning of a transaction that reads: all its statements see the same rows. */
extern const char postgres_snapshot[];

/* Connects; the arena disconnects, and the server rolls back what has not been committed. `run`
 * may be NULL; it lives as long as the connection. */
kith_status postgres_open(postgres **db, arena *memory, const char *uri, const kith_run *run,
                          const char *phase, kith_error *error);

/* Runs a statement (NULL: out of memory). `what` is for the message: "read" or "write"; `wanted` is
 * the status of a good result. */
kith_status postgres_run(const postgres *db, const char *sql, ExecStatusType wanted,
                         const char *what, kith_error *error);
/* The same, and hands out the result, which the arena clears. */
kith_status postgres_query(const postgres *db, arena *memory, const char *sql,
                           ExecStatusType wanted, const char *what, PGresult **result,
                           kith_error *error);

/* The whole numbers in the only row that a SELECT gives; a NULL is 0. */
kith_status postgres_numbers(uint64_t *numbers, size_t count, const postgres *db,
                             const char *select, kith_error *error) KITH_MUST_USE;

/* "name" with its quotes doubled, from the arena; NULL if out of memory. */
const char *postgres_quote(arena *memory, const char *name);

/* The same for "schema.table", or "table". */
const char *postgres_quote_table(arena *memory, const char *name);

/* A text as a literal, from the arena; NULL if out of memory. */
const char *postgres_literal(const postgres *db, arena *memory, const char *text);

/* " ORDER BY …": by the order of the address and then by all of these columns, which are read; NULL
 * if out of memory. */
const char *postgres_order_by(const postgres *db, arena *memory, const kith_column_spec *specs,
                              size_t count);

/* The server's own words, in one line. */
kith_status postgres_failed(const postgres *db, const PGresult *result, const char *what,
                            kith_error *error);

#endif

/* A connection to DuckDB that can do no more than is wanted: it reads and writes only the files
 * that are named, installs and loads nothing, and writes no data elsewhere, not even when memory is
 * short. */
#ifndef TABLE_ARROW_DUCK_SESSION_H
#define TABLE_ARROW_DUCK_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "table/arrow/duck_library.h"

typedef struct duck_session {
    const duck_library *library;
    duck_database database;
    duck_connection connection;
    arena *memory;
    const char *shown; /* the data, for messages */
} duck_session;

/* What a session is for. */
typedef struct duck_request {
    const char *shown;
    const char *database; /* a file of DuckDB's; NULL: none, only memory */
    bool writable;        /* the database may be changed, and is made if need be */
    const char *const *paths;
    size_t n_paths;     /* files that may be read and written, with their absolute paths */
    unsigned n_threads; /* 0: one per processor */
} duck_request;

/* The arena closes it, which rolls back whatever has not been committed. */
kith_status duck_session_open(duck_session **session, arena *memory, const duck_request *request,
                              kith_error *error) KITH_MUST_USE;

/* Runs one statement; NULL: out of memory. `status` is that of a failure, and `what` is for its
 * message: "read" or "write". */
kith_status duck_session_run(const duck_session *session, const char *sql, const char *what,
                             kith_status status, kith_error *error) KITH_MUST_USE;

/* The first cell of the answer, in the session's arena; NULL if there is none or it is NULL. */
kith_status duck_session_ask(const duck_session *session, const char *sql, const char **answer,
                             kith_error *error) KITH_MUST_USE;

/* A table or view by its name, or by schema.name, as SQL has it; NULL if there is none. DuckDB
 * compares names without regard to case. */
kith_status duck_session_table(const duck_session *session, const char *name, const char **sql,
                               kith_error *error) KITH_MUST_USE;

/* The arena destroys it. */
kith_status duck_session_prepare(const duck_session *session, const char *sql,
                                 duck_prepared *statement, kith_error *error) KITH_MUST_USE;

/* "cannot read x.parquet: …", with the first line of what DuckDB says. Memory that it lacks is
 * KITH_NOMEM. */
kith_status duck_session_failed(const duck_session *session, const char *what, kith_status status,
                                const char *reason, kith_error *error);

/* Texts with commas between them. NULL: out of memory. */
char *duck_session_join(arena *memory, const char *const *texts, size_t count);

/* A name or a text of SQL: in these quotation marks (" or '), which are doubled in it. Of several,
 * a list. NULL: out of memory. */
char *duck_session_quote(arena *memory, const char *text, char mark);
char *duck_session_quote_all(arena *memory, const char *const *texts, size_t count, char mark);

#endif

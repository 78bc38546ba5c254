#include "table/postgres_cursor.h"

#include <stdlib.h>

#include "core/error.h"
#include "table/postgres_wait.h"

kith_status postgres_cursor_open(postgres_cursor *c, const postgres *db, const char *select,
                                 kith_error *error)
{
    TRY_ALLOC(select, error);
    *c = (postgres_cursor){.db = db};
    /* All rows will be asked for. */
    TRY(postgres_run(db, "SET LOCAL cursor_tuple_fraction TO 1", PGRES_COMMAND_OK, "read", error));
    arena *scratch = TRY_ALLOC(arena_new(), error);
    const char *sql = arena_printf(scratch, "DECLARE kith_rows NO SCROLL CURSOR FOR %s", select);
    kith_status status = postgres_run(db, sql, PGRES_COMMAND_OK, "read", error);
    arena_free(scratch);
    return status;
}

kith_status postgres_cursor_next(postgres_cursor *c, bool *more, kith_error *error)
{
    *more = true;
    if (c->rows != NULL && ++c->at < PQntuples(c->rows))
        return KITH_OK;
    PQclear(c->rows);
    c->rows = NULL;
    c->at = 0;
    TRY(postgres_wait_exec(c->db, "FETCH 10000 FROM kith_rows", &c->rows, error));
    if (PQresultStatus(c->rows) != PGRES_TUPLES_OK)
        return postgres_failed(c->db, c->rows, "read", error);
    *more = PQntuples(c->rows) > 0;
    return KITH_OK;
}

void postgres_cursor_close(postgres_cursor *c)
{
    PQclear(c->rows);
    c->rows = NULL;
    /* After an error the server may still be busy; the transaction ends with the connection. */
    (void)postgres_run(c->db, "CLOSE kith_rows", PGRES_COMMAND_OK, "read", NULL);
}

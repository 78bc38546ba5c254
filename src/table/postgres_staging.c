#include "table/postgres_staging.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "table/postgres_wait.h"
#include "table/sql_numbers.h"

static const char lock_not_available[] = "55P03"; /* a SQLSTATE */

static const char *type_of(const dictionary *whole)
{
    return whole == NULL                       ? "text"
           : sql_numbers_integers(whole)       ? "bigint"
           : sql_numbers_decimals(whole, true) ? "numeric"
                                               : "text";
}

/* "a" text, "b" bigint */
static const char *list_columns(const postgres_columns *columns, arena *memory)
{
    const char *list = "";
    for (size_t i = 0; i < columns->count && list != NULL; i++) {
        const char *name = postgres_quote(memory, columns->names[i]);
        const char *type = type_of(columns->whole == NULL ? NULL : columns->whole[i]);
        list = name == NULL
                   ? NULL
                   : arena_printf(memory, "%s%s%s %s", list, i == 0 ? "" : ", ", name, type);
    }
    return list;
}

static kith_status drop_old(bool *in_use, const postgres_staging *s, const postgres *db,
                            arena *memory, kith_error *error)
{
    PGresult *result = NULL;
    const char *sql = TRY_ALLOC(arena_printf(memory, "DROP TABLE IF EXISTS %s", s->table), error);
    TRY(postgres_wait_exec(db, sql, &result, error));
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    *in_use = state != NULL && strcmp(state, lock_not_available) == 0;
    const kith_status status = PQresultStatus(result) == PGRES_COMMAND_OK || *in_use
                                   ? KITH_OK
                                   : postgres_failed(db, result, "replace", error);
    PQclear(result);
    return status;
}

/* The end of the transaction is tried out, and taken back. Readers are kept waiting for as long as
 * the old table is locked here, which is a moment. */
static kith_status rehearse(const postgres_staging *s, const postgres *db, const char *columns,
                            arena *memory, kith_error *error)
{
    bool in_use = false;
    TRY(postgres_run(db, "SAVEPOINT kith; SET LOCAL lock_timeout TO '100ms'", PGRES_COMMAND_OK,
                     "write", error));
    if (s->overwrite)
        TRY(drop_old(&in_use, s, db, memory, error));
    if (!in_use)
        TRY(postgres_run(db, arena_printf(memory, "CREATE TABLE %s (%s)", s->table, columns),
                         PGRES_COMMAND_OK, "write", error));
    return postgres_run(db, "ROLLBACK TO SAVEPOINT kith; RELEASE SAVEPOINT kith", PGRES_COMMAND_OK,
                        "write", error);
}

kith_status postgres_staging_create(postgres_staging *s, const postgres *db, arena *memory,
                                    const postgres_columns *columns, bool overwrite,
                                    kith_error *error)
{
    char own[32];
    const char *dot = strchr(db->table, '.');
    const char *list = TRY_ALLOC(list_columns(columns, memory), error);
    snprintf(own, sizeof own, "kith_%016llx", (unsigned long long)rng_fresh_seed());
    *s = (postgres_staging){.table = db->quoted, .overwrite = overwrite};
    s->name = TRY_ALLOC(postgres_quote(memory, dot == NULL ? db->table : dot + 1), error);
    s->quoted = TRY_ALLOC(postgres_beside(db, memory, own), error);
    TRY(rehearse(s, db, list, memory, error));
    return postgres_run(db, arena_printf(memory, "CREATE TABLE %s (%s)", s->quoted, list),
                        PGRES_COMMAND_OK, "write", error);
}

kith_status postgres_staging_publish(const postgres_staging *s, const postgres *db, arena *memory,
                                     kith_error *error)
{
    bool in_use = false;
    if (s->overwrite)
        TRY(drop_old(&in_use, s, db, memory, error));
    if (in_use) /* the server's own lock_timeout has passed */
        return error_set(error, KITH_IO, "cannot replace %s: others are using it", db->shown);
    return postgres_run(db, arena_printf(memory, "ALTER TABLE %s RENAME TO %s", s->quoted, s->name),
                        PGRES_COMMAND_OK, "write", error);
}

#include "table/database/postgres.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "table/database/postgres_wait.h"
#include "table/database/sql.h"
#include "table/uri.h"

enum { MESSAGE_BYTES = 600, LIST_BYTES = 400 };

/* SQLSTATE codes of errors that deserve a message of their own. */
static const char undefined_table[] = "42P01", undefined_schema[] = "3F000",
                  duplicate_table[] = "42P07";

const char postgres_snapshot[] = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/* The library never prints, and libpq would write notices to standard error. */
static void no_notice(void *user, const char *message)
{
    (void)user;
    (void)message;
}

static void disconnect(void *object)
{
    PQfinish(object);
}

static void clear(void *object)
{
    PQclear(object);
}

/* Lists the tables that exist, since a name is most likely misspelt. */
static kith_status no_table(const postgres *db, kith_error *error)
{
    static const char sql[] =
        "SELECT CASE WHEN table_schema = current_schema() THEN table_name "
        "ELSE table_schema || '.' || table_name END FROM information_schema.tables "
        "WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1 LIMIT 20";
    char list[LIST_BYTES] = "";
    PGresult *ended = NULL, *tables = NULL;
    TRY(postgres_wait_exec(db, "ROLLBACK", &ended, error)); /* the transaction has failed */
    PQclear(ended);
    TRY(postgres_wait_exec(db, sql, &tables, error));
    error_set(error, KITH_DATA, "%s: no table '%s'", db->shown, db->table);
    int count = PQresultStatus(tables) == PGRES_TUPLES_OK ? PQntuples(tables) : 0;
    for (int i = 0; i < count; i++)
        text_list_add(list, sizeof list, PQgetvalue(tables, i, 0));
    PQclear(tables);
    if (list[0] == '\0')
        return error_hint(error, KITH_DATA, "the database has no tables that can be seen");
    return error_hint(error, KITH_DATA, "its tables are: %s", list);
}

/* Some errors are the user's (a wrong table), the others are the server's and quoted in its
 * words. */
kith_status postgres_failed(const postgres *db, const PGresult *result, const char *what,
                            kith_error *error)
{
    const char *state = result == NULL ? NULL : PQresultErrorField(result, PG_DIAG_SQLSTATE);
    if (state != NULL &&
        (strcmp(state, undefined_table) == 0 || strcmp(state, undefined_schema) == 0))
        return no_table(db, error);
    if (state != NULL && strcmp(state, duplicate_table) == 0)
        return error_exists(error, db->shown);
    char text[MESSAGE_BYTES];
    /* In one line, without "ERROR:  " and without the password. */
    const char *words = result == NULL ? PQerrorMessage(db->connection)
                                       : PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    if (words == NULL)
        words = PQerrorMessage(db->connection);
    snprintf(text, sizeof text, "%s", words);
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    for (char *s = text; *s != '\0'; s++)
        if (*s == '\n' || *s == '\t')
            *s = ' ';
    const size_t secret = db->password == NULL ? 0 : strlen(db->password);
    for (char *found = text; secret > 0 && (found = strstr(found, db->password)) != NULL;) {
        memset(found, '*', secret);
        found += secret;
    }
    return error_set(error, KITH_IO, "cannot %s %s: %s", what, db->shown, text);
}

kith_status postgres_query(const postgres *db, arena *memory, const char *sql,
                           ExecStatusType wanted, const char *what, PGresult **result,
                           kith_error *error)
{
    TRY_ALLOC(sql, error);
    const kith_status status = postgres_wait_exec(db, sql, result, error);
    if (*result != NULL && !arena_defer(memory, clear, *result))
        return error_nomem(error);
    TRY(status);
    if (PQresultStatus(*result) != wanted)
        return postgres_failed(db, *result, what, error);
    return KITH_OK;
}

kith_status postgres_run(const postgres *db, const char *sql, ExecStatusType wanted,
                         const char *what, kith_error *error)
{
    TRY_ALLOC(sql, error);
    PGresult *result = NULL;
    kith_status status = postgres_wait_exec(db, sql, &result, error);
    if (status == KITH_OK && PQresultStatus(result) != wanted)
        status = postgres_failed(db, result, what, error);
    PQclear(result);
    return status;
}

kith_status postgres_numbers(uint64_t *numbers, size_t count, const postgres *db,
                             const char *select, kith_error *error)
{
    TRY_ALLOC(select, error);
    PGresult *row = NULL;
    kith_status status = postgres_wait_exec(db, select, &row, error);
    if (status == KITH_OK && (PQresultStatus(row) != PGRES_TUPLES_OK || PQntuples(row) != 1))
        status = postgres_failed(db, row, "read", error);
    for (size_t i = 0; status == KITH_OK && i < count; i++)
        numbers[i] = strtoull(PQgetvalue(row, 0, (int)i), NULL, 10);
    PQclear(row);
    return status;
}

const char *postgres_quote(arena *memory, const char *name)
{
    return sql_quote(memory, name, strlen(name), '"');
}

const char *postgres_literal(const postgres *db, arena *memory, const char *text)
{
    char *escaped = PQescapeLiteral(db->connection, text, strlen(text));
    const char *copy = escaped == NULL ? NULL : arena_strdup(memory, escaped);
    PQfreemem(escaped);
    return copy;
}

const char *postgres_quote_table(arena *memory, const char *name)
{
    const char *dot = strchr(name, '.');
    if (dot == NULL)
        return postgres_quote(memory, name);
    const char *schema = sql_quote(memory, name, (size_t)(dot - name), '"');
    const char *table = postgres_quote(memory, dot + 1);
    return schema == NULL || table == NULL ? NULL : arena_printf(memory, "%s.%s", schema, table);
}

/* Checks the address and notes its password. libpq's own message might repeat the address, so it is
 * not shown. */
static kith_status note_password(postgres *db, arena *memory, const char *address,
                                 kith_error *error)
{
    char *message = NULL;
    PQconninfoOption *options = PQconninfoParse(address, &message);
    PQfreemem(message);
    if (options == NULL)
        return error_set(error, KITH_INVALID, "%s is not a valid PostgreSQL address", db->shown);
    bool good = true;
    for (PQconninfoOption *o = options; o->keyword != NULL; o++) {
        if (strcmp(o->keyword, "password") == 0 && o->val != NULL)
            db->password = arena_strdup(memory, o->val);
        if (strcmp(o->keyword, "port") == 0 && o->val != NULL) /* several have commas */
            good = o->val[strspn(o->val, "0123456789,")] == '\0';
    }
    PQconninfoFree(options);
    if (good)
        return KITH_OK;
    /* libpq would quote what it takes for a port: the beginning of a password with a slash. */
    error_set(error, KITH_INVALID, "%s is not a valid PostgreSQL address: the port is no number",
              db->shown);
    return error_hint(error, KITH_INVALID, "in a password / is written %%2F, and @ is %%40");
}

kith_status postgres_open(postgres **result, arena *memory, const char *uri, const kith_run *run,
                          const char *phase, kith_error *error)
{
    const char *address;
    postgres *db = TRY_ZEROS(db, memory, 1, error);
    TRY(uri_take_order(memory, uri, &address, &db->order, &db->n_order, error));
    TRY(uri_split(memory, address, &address, &db->table, error));
    db->shown = uri_shown(memory, uri);
    db->quoted = postgres_quote_table(memory, db->table);
    if (db->shown == NULL || db->quoted == NULL)
        return error_nomem(error);
    TRY(note_password(db, memory, address, error));
    db->run = run;
    db->phase = phase;
    const kith_status status = postgres_wait_connect(db, address, error);
    if (db->connection != NULL && !arena_defer(memory, disconnect, db->connection))
        return error_nomem(error);
    TRY(status);
    TRY_ALLOC(db->connection, error);
    PQsetNoticeProcessor(db->connection, no_notice, NULL);
    /* Otherwise sending would wait without asking whether to go on. */
    if (PQstatus(db->connection) != CONNECTION_OK || PQsetnonblocking(db->connection, 1) != 0)
        return postgres_failed(db, NULL, "reach", error);
    /* Dates come as text; ISO is what typed_value parses without a format. */
    TRY(postgres_run(db, "SET client_encoding TO 'UTF8'; SET datestyle TO ISO", PGRES_COMMAND_OK,
                     "reach", error));
    *result = db;
    return KITH_OK;
}

const char *postgres_order_by(const postgres *db, arena *memory, const kith_column_spec *specs,
                              size_t count)
{
    const char *list = "";
    for (size_t i = 0; i < db->n_order + count && list != NULL; i++) {
        const char *name = i < db->n_order ? db->order[i] : specs[i - db->n_order].name;
        const char *quoted = postgres_quote(memory, name);
        list = quoted == NULL
                   ? NULL
                   : arena_printf(memory, "%s%s%s", list, i == 0 ? " ORDER BY " : ", ", quoted);
    }
    return list;
}

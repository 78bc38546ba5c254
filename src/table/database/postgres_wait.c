#include "table/database/postgres_wait.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "core/error.h"

/* How long a wait lasts before the run is asked again. A signal ends it at once. */
enum { PAUSE_MS = 100 };

static kith_status ask(const postgres *db, kith_error *error)
{
    const kith_run *run = db->run;
    if (run == NULL || run->progress == NULL || run->progress(run->user, db->phase, -1))
        return KITH_OK;
    /* The server goes on with a statement until it has something to send, even if the client has
     * gone; so it is told to stop. */
    char why[256];
    PGcancel *cancel =
        PQstatus(db->connection) == CONNECTION_OK ? PQgetCancel(db->connection) : NULL;
    if (cancel != NULL)
        (void)PQcancel(cancel, why, sizeof why);
    PQfreeCancel(cancel);
    return error_set(error, KITH_CANCELLED, "interrupted while waiting for %s", db->shown);
}

/* Until the socket has something to read, or with `writes` also room to write. */
static kith_status wait_for(const postgres *db, bool reads, bool writes, kith_error *error)
{
    struct pollfd socket = {.fd = PQsocket(db->connection),
                            .events = (short)((reads ? POLLIN : 0) | (writes ? POLLOUT : 0))};
    while (true) {
        const int ready = socket.fd < 0 ? 1 : poll(&socket, 1, PAUSE_MS);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return KITH_OK; /* what is wrong is seen by those who read or write next */
        TRY(ask(db, error));
    }
}

static bool is_set(PQconninfoOption *options, const char *keyword)
{
    bool set = false;
    for (PQconninfoOption *o = options; o != NULL && o->keyword != NULL && !set; o++)
        set = strcmp(o->keyword, keyword) == 0 && o->val != NULL && o->val[0] != '\0';
    PQconninfoFree(options);
    return set;
}

kith_status postgres_wait_connect(postgres *db, const char *address, kith_error *error)
{
    TRY(ask(db, error));
    /* Only libpq can keep a limit for each of several hosts. */
    if (is_set(PQconninfoParse(address, NULL), "connect_timeout") ||
        is_set(PQconninfoParse(address, NULL), "service") ||
        is_set(PQconndefaults(), "connect_timeout")) {
        db->connection = PQconnectdb(address);
        return KITH_OK;
    }
    db->connection = PQconnectStart(address);
    PostgresPollingStatusType wanted = PGRES_POLLING_WRITING;
    while (db->connection != NULL && PQstatus(db->connection) != CONNECTION_BAD &&
           (wanted == PGRES_POLLING_WRITING || wanted == PGRES_POLLING_READING)) {
        TRY(wait_for(db, wanted == PGRES_POLLING_READING, wanted == PGRES_POLLING_WRITING, error));
        wanted = PQconnectPoll(db->connection);
    }
    return KITH_OK;
}

kith_status postgres_wait_send(const postgres *db, bool *sent, kith_error *error)
{
    int left;
    /* A server that does not read may wait for its own words to be read. */
    while ((left = PQflush(db->connection)) == 1) {
        TRY(wait_for(db, true, true, error));
        if (PQconsumeInput(db->connection) != 1)
            break;
    }
    *sent = left == 0;
    return KITH_OK;
}

kith_status postgres_wait_result(const postgres *db, PGresult **result, kith_error *error)
{
    *result = NULL;
    while (PQisBusy(db->connection) == 1) {
        TRY(wait_for(db, true, false, error));
        if (PQconsumeInput(db->connection) != 1)
            break;
    }
    *result = PQgetResult(db->connection);
    return KITH_OK;
}

kith_status postgres_wait_row(const postgres *db, char **row, int *length, kith_error *error)
{
    while ((*length = PQgetCopyData(db->connection, row, 1)) == 0) {
        TRY(wait_for(db, true, false, error));
        if (PQconsumeInput(db->connection) != 1) {
            *length = -2;
            break;
        }
    }
    return KITH_OK;
}

static bool begins_copy(const PGresult *result)
{
    const ExecStatusType status = PQresultStatus(result);
    return status == PGRES_COPY_IN || status == PGRES_COPY_OUT;
}

/* Reads and drops the remaining rows of a COPY: the server sends them in any case. */
static kith_status skip_rows(const postgres *db, kith_error *error)
{
    int length;
    do {
        char *row = NULL;
        const kith_status status = postgres_wait_row(db, &row, &length, error);
        PQfreemem(row);
        TRY(status);
    } while (length > 0);
    return KITH_OK;
}

/* What is left of an earlier statement. */
static kith_status finish_earlier(const postgres *db, kith_error *error)
{
    bool more = true;
    while (more) {
        PGresult *left = NULL;
        TRY(postgres_wait_result(db, &left, error));
        const ExecStatusType status = PQresultStatus(left);
        more = left != NULL;
        PQclear(left);
        if (status == PGRES_COPY_IN)
            return KITH_OK; /* the next statement is refused */
        if (status == PGRES_COPY_OUT)
            TRY(skip_rows(db, error));
    }
    return KITH_OK;
}

kith_status postgres_wait_exec(const postgres *db, const char *sql, PGresult **result,
                               kith_error *error)
{
    bool sent = false;
    *result = NULL;
    TRY(ask(db, error));
    TRY(finish_earlier(db, error));
    if (PQsendQuery(db->connection, sql) != 1)
        return KITH_OK;
    TRY(postgres_wait_send(db, &sent, error));
    while (sent && !begins_copy(*result)) {
        PGresult *next = NULL;
        const kith_status status = postgres_wait_result(db, &next, error);
        if (status == KITH_OK && next == NULL)
            break;
        PQclear(*result);
        *result = next;
        TRY(status);
    }
    return KITH_OK;
}

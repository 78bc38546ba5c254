#include "table/arrow/duck_session.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "table/memory_budget.h"
#include "table/database/sql.h"

enum { REASON_BYTES = 400 };

/* What a session must not do, whatever stands in a database that it opens. Spilled data would
 * survive a kill. */
static const char *const settings[][2] = {{"autoinstall_known_extensions", "false"},
                                          {"autoload_known_extensions", "false"},
                                          {"allow_community_extensions", "false"},
                                          {"allow_persistent_secrets", "false"},
                                          {"temp_directory", ""},
                                          {"preserve_insertion_order", "true"}};

/* DuckDB begins messages with their kind, and shows the statement in further lines. */
kith_status duck_session_failed(const duck_session *session, const char *what, kith_status status,
                                const char *reason, kith_error *error)
{
    char line[REASON_BYTES];
    static const char real[] = "\nError: "; /* behind a message about its own query */
    if (reason == NULL)
        reason = "DuckDB does not say why";
    if (strstr(reason, real) != NULL)
        reason = strstr(reason, real) + strlen(real);
    if (strncmp(reason, "Out of Memory", strlen("Out of Memory")) == 0)
        status = KITH_NOMEM;
    text_quote(line, sizeof line, reason, strcspn(reason, "\n"));
    return error_set(error, status, "cannot %s %s: %s", what, session->shown, line);
}

char *duck_session_join(arena *memory, const char *const *texts, size_t count)
{
    size_t bytes = 1;
    for (size_t i = 0; i < count; i++)
        bytes += strlen(texts[i]) + 2;
    char *joined = arena_alloc(memory, bytes), *to = joined;
    if (joined == NULL)
        return NULL;
    *to = '\0';
    for (size_t i = 0; i < count; i++)
        to = stpcpy(i == 0 ? to : stpcpy(to, ", "), texts[i]);
    return joined;
}

char *duck_session_quote(arena *memory, const char *text, char mark)
{
    return sql_quote(memory, text, strlen(text), mark);
}

char *duck_session_quote_all(arena *memory, const char *const *texts, size_t count, char mark)
{
    const char **quoted = arena_array(memory, count, sizeof *quoted);
    if (quoted == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        quoted[i] = duck_session_quote(memory, texts[i], mark);
        if (quoted[i] == NULL)
            return NULL;
    }
    return duck_session_join(memory, quoted, count);
}

static void close_session(void *object)
{
    duck_session *s = object;
    if (s->connection != NULL)
        s->library->disconnect(&s->connection);
    if (s->database != NULL)
        s->library->close(&s->database);
}

static bool configure(const duck_session *s, duck_config config, const duck_request *request)
{
    const duck_library *duck = s->library;
    char text[32];
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (duck->set_config(config, settings[i][0], settings[i][1]) != DUCK_SUCCESS)
            return false;
    if (request->database != NULL && !request->writable &&
        duck->set_config(config, "access_mode", "READ_ONLY") != DUCK_SUCCESS)
        return false;
    const uint64_t available = memory_budget_available("", 0);
    snprintf(text, sizeof text, "%lluKiB", (unsigned long long)(available / 1024));
    if (available != UINT64_MAX && duck->set_config(config, "memory_limit", text) != DUCK_SUCCESS)
        return false;
    snprintf(text, sizeof text, "%u", request->n_threads);
    return request->n_threads == 0 || duck->set_config(config, "threads", text) == DUCK_SUCCESS;
}

static kith_status open_database(duck_session *s, const duck_request *request, kith_error *error)
{
    const duck_library *duck = s->library;
    duck_config config = NULL;
    char *reason = NULL;
    if (duck->create_config(&config) != DUCK_SUCCESS)
        return error_nomem(error);
    const bool configured = configure(s, config, request);
    const bool opened = configured && duck->open_ext(request->database, &s->database, config,
                                                     &reason) == DUCK_SUCCESS;
    duck->destroy_config(&config);
    if (opened && duck->connect(s->database, &s->connection) == DUCK_SUCCESS)
        return KITH_OK;
    const kith_status status =
        duck_session_failed(s, "open", request->database == NULL ? KITH_BUG : KITH_DATA,
                            configured ? reason : "this version of DuckDB lacks a setting", error);
    if (reason != NULL)
        duck->free(reason);
    return status;
}

kith_status duck_session_open(duck_session **session, arena *memory, const duck_request *request,
                              kith_error *error)
{
    duck_session *s = TRY_ZEROS(s, memory, 1, error);
    s->memory = memory;
    s->shown = request->shown;
    TRY(duck_library_get(&s->library, request->shown, error));
    TRY_ALLOC(arena_defer(memory, close_session, s), error);
    TRY(open_database(s, request, error));
    /* Files that are not named are out of reach from here on, and this cannot be changed. */
    const char *list =
        TRY_ALLOC(duck_session_quote_all(memory, request->paths, request->n_paths, '\''), error);
    if (request->n_paths > 0)
        TRY(duck_session_run(s, arena_printf(memory, "SET allowed_paths = [%s]", list), "open",
                             KITH_BUG, error));
    TRY(duck_session_run(s, "SET enable_external_access = false", "open", KITH_BUG, error));
    TRY(duck_session_run(s, "SET lock_configuration = true", "open", KITH_BUG, error));
    *session = s;
    return KITH_OK;
}

kith_status duck_session_run(const duck_session *session, const char *sql, const char *what,
                             kith_status status, kith_error *error)
{
    const duck_library *duck = session->library;
    duck_result result;
    TRY_ALLOC(sql, error);
    const kith_status done =
        duck->query(session->connection, sql, &result) == DUCK_SUCCESS
            ? KITH_OK
            : duck_session_failed(session, what, status, duck->result_error(&result), error);
    duck->destroy_result(&result);
    return done;
}

kith_status duck_session_ask(const duck_session *session, const char *sql, const char **answer,
                             kith_error *error)
{
    const duck_library *duck = session->library;
    duck_result result;
    char *text = NULL;
    kith_status status = KITH_OK;
    TRY_ALLOC(sql, error);
    *answer = NULL;
    if (duck->query(session->connection, sql, &result) != DUCK_SUCCESS)
        status =
            duck_session_failed(session, "read", KITH_DATA, duck->result_error(&result), error);
    else
        text = duck->value_varchar(&result, 0, 0);
    duck->destroy_result(&result);
    if (text == NULL)
        return status;
    *answer = arena_strdup(session->memory, text);
    duck->free(text);
    return *answer == NULL ? error_nomem(error) : KITH_OK;
}

kith_status duck_session_table(const duck_session *session, const char *name, const char **sql,
                               kith_error *error)
{
    const char *text = TRY_ALLOC(duck_session_quote(session->memory, name, '\''), error);
    return duck_session_ask(
        session,
        arena_printf(session->memory,
                     "SELECT '\"' || replace(table_schema, '\"', '\"\"') || '\".\"' || "
                     "replace(table_name, '\"', '\"\"') || '\"' FROM information_schema.tables "
                     "WHERE table_catalog = current_database() AND (table_schema = 'main' AND "
                     "lower(table_name) = lower(%s) OR lower(table_schema || '.' || table_name) = "
                     "lower(%s)) ORDER BY table_schema = 'main' DESC LIMIT 1",
                     text, text),
        sql, error);
}

/* A statement and who destroys it. */
typedef struct owned_statement {
    const duck_library *library;
    duck_prepared statement;
} owned_statement;

static void destroy_statement(void *object)
{
    owned_statement *owned = object;
    if (owned->statement != NULL)
        owned->library->destroy_prepare(&owned->statement);
}

kith_status duck_session_prepare(const duck_session *session, const char *sql,
                                 duck_prepared *statement, kith_error *error)
{
    const duck_library *duck = session->library;
    TRY_ALLOC(sql, error);
    owned_statement *owned = TRY_ZEROS(owned, session->memory, 1, error);
    owned->library = duck;
    TRY_ALLOC(arena_defer(session->memory, destroy_statement, owned), error);
    if (duck->prepare(session->connection, sql, &owned->statement) != DUCK_SUCCESS)
        return duck_session_failed(session, "read", KITH_DATA,
                                   duck->prepare_error(owned->statement), error);
    *statement = owned->statement;
    return KITH_OK;
}

/* The server. */
#include "console/server/temporary.h"
#include "console/server/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <microhttpd.h>
#include <sodium.h>

#include "console/server/assets.h"
#include "console/server/connections.h"
#include "console/server/files.h"
#include "console/server/guard.h"
#include "console/server/json.h"
#include "console/server/reply.h"

enum {
    MAX_BODY = 1 << 20,
    MAX_BODIES = 32 << 20, /* of all requests that have a token */
    MAX_START = 256,       /* of a request that has none yet: kept apart from them */
    MAX_UPLOAD = (1 << 30) - 1,
    CONNECTIONS = 512,
    ROOM = 448, /* from so many on strangers give way */
    CONNECTION_BYTES = 32 << 10,
    PATIENCE_SECONDS = 15,
    THREADS = 4
};

struct server {
    surroundings around;
    const route *const *tables;
    struct MHD_Daemon *daemon;
    unsigned port;
    connections connections;
    atomic_size_t n_body_bytes; /* of all requests but /api/start */
    void (*tell)(void *user, const char *address);
    void *user;
    pthread_mutex_t lock; /* of `start` */
    char start[GUARD_TOKEN_SIZE];
    char session[GUARD_TOKEN_SIZE]; /* what pages send in a header */
};

/* One request on its way in. */
typedef struct exchange {
    const route *route;
    char *body; /* `start` or memory that is counted */
    char start[MAX_START + 1];
    size_t length, capacity;
    int upload; /* descriptor, or -1 */
    char upload_path[TEMPORARY_PATH];
    bool failed; /* the body could not be kept */
} exchange;

static const char start_path[] = "/api/start";

static void tell_address(server *s)
{
    char address[GUARD_TOKEN_SIZE + 64];
    snprintf(address, sizeof address, "http://127.0.0.1:%u/#%s", s->port, s->start);
    s->tell(s->user, address);
    sodium_memzero(address, sizeof address);
}

/* {"start": TOKEN}: gives the token of the session, once, and prints the next address. */
static kith_status start_session(server *s, const cJSON *body, cJSON *out, kith_error *error)
{
    pthread_mutex_lock(&s->lock);
    const bool fits = guard_token_equal(s->start, json_text_or(body, "start", NULL));
    if (fits) {
        guard_token_make(s->start);
        tell_address(s);
    }
    pthread_mutex_unlock(&s->lock);
    if (!fits)
        return json_fail(error, KITH_INVALID,
                         "this address was used before; the terminal shows a new one");
    cJSON_AddStringToObject(out, "token", s->session);
    cJSON_AddBoolToObject(out, "readOnly", s->around.read_only);
    return KITH_OK;
}

static const route start_route = {start_path, ROUTE_ALWAYS, NULL};

static const route *find_route(const server *s, const char *path)
{
    if (strcmp(path, start_path) == 0)
        return &start_route;
    for (const route *const *table = s->tables; *table != NULL; table++)
        for (const route *r = *table; r->path != NULL; r++)
            if (strcmp(r->path, path) == 0)
                return !s->around.read_only || (r->flags & ROUTE_ALWAYS) != 0 ? r : NULL;
    return NULL;
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result answer_get(server *s, struct MHD_Connection *connection, const char *path)
{
    static const char files[] = "/file/";
    if (strcmp(path, "/") == 0)
        path = "/index.html";
    for (const asset *a = assets; a->path != NULL; a++)
        if (strcmp(a->path, path) == 0)
            return reply_asset(connection, a);
    if (strncmp(path, files, sizeof files - 1) == 0) {
        char *file = links_take(s->around.links, path + sizeof files - 1);
        if (file != NULL)
            connections_trust(&s->connections, connection);
        kith_error why; /* the file may have become another one since the link was given */
        const enum MHD_Result queued =
            file == NULL ? reply_refusal(connection, MHD_HTTP_NOT_FOUND, "this link is void")
            : files_check_readable(file, &why) != KITH_OK ? reply_error(connection, &why)
                                                          : reply_file(connection, file);
        free(file);
        return queued;
    }
    return reply_refusal(connection, MHD_HTTP_NOT_FOUND, "there is no such page");
}

/* Makes room for the body; NULL if all is well, else the reason for a refusal with *code. */
static const char *take_body(server *s, exchange *x, size_t length, unsigned *code)
{
    const bool uploads = (x->route->flags & ROUTE_UPLOAD) != 0, starts = x->route == &start_route;
    *code = MHD_HTTP_CONTENT_TOO_LARGE;
    if (length > (size_t)(uploads ? MAX_UPLOAD : starts ? MAX_START : MAX_BODY))
        return "the request is too large";
    x->capacity = length;
    *code = MHD_HTTP_SERVICE_UNAVAILABLE;
    if (starts) {
        x->body = x->start;
        return NULL;
    }
    if (uploads) {
        x->upload = temporary_open(x->upload_path, false);
        return x->upload < 0 ? "the directory cannot be written to" : NULL;
    }
    if (atomic_fetch_add(&s->n_body_bytes, length) + length > MAX_BODIES) {
        atomic_fetch_sub(&s->n_body_bytes, length);
        return "too many requests at once";
    }
    x->body = malloc(length + 1);
    if (x->body == NULL)
        atomic_fetch_sub(&s->n_body_bytes, length);
    return x->body == NULL ? "out of memory" : NULL;
}

/* All that is checked before the body is read. Sets the exchange, or answers at once. */
static enum MHD_Result begin(server *s, struct MHD_Connection *connection, const char *path,
                             const char *method, void **state)
{
    const guard_headers headers = {.host = header(connection, "Host"),
                                   .origin = header(connection, "Origin"),
                                   .fetch_site = header(connection, "Sec-Fetch-Site"),
                                   .fetch_mode = header(connection, "Sec-Fetch-Mode"),
                                   .fetch_dest = header(connection, "Sec-Fetch-Dest"),
                                   .length = header(connection, "Content-Length"),
                                   .front_page =
                                       strcmp(method, "GET") == 0 && strcmp(path, "/") == 0};
    const char *refused = guard_refuses(&headers, s->port);
    if (refused != NULL)
        return reply_refusal(connection, MHD_HTTP_FORBIDDEN, refused);
    if (strcmp(method, "GET") == 0)
        return answer_get(s, connection, path);
    if (strcmp(method, "POST") != 0)
        return reply_refusal(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "expected GET or POST");
    const route *found = find_route(s, path);
    if (found != &start_route && !guard_token_equal(s->session, header(connection, "X-Kith-Token")))
        return reply_refusal(connection, MHD_HTTP_UNAUTHORIZED,
                             "the request has no token of this console");
    if (found != &start_route)
        connections_trust(&s->connections, connection);
    if (found == NULL)
        return reply_refusal(connection, MHD_HTTP_NOT_FOUND, "there is no such route");
    size_t length;
    if (!guard_length(&length, headers.length))
        return reply_refusal(connection, MHD_HTTP_LENGTH_REQUIRED, "the request has no length");
    exchange *x = calloc(1, sizeof *x);
    if (x == NULL)
        return MHD_NO;
    unsigned code;
    x->route = found;
    x->upload = -1;
    *state = x;
    refused = take_body(s, x, length, &code);
    return refused == NULL ? MHD_YES : reply_refusal(connection, code, refused);
}

static void keep(exchange *x, const char *data, size_t length)
{
    if (length > x->capacity - x->length) {
        x->failed = true;
        return;
    }
    for (size_t done = 0; x->upload >= 0 && done < length && !x->failed;) {
        const ssize_t wrote = write(x->upload, data + done, length - done);
        if (wrote > 0)
            done += (size_t)wrote;
        else
            x->failed = errno != EINTR;
    }
    if (x->body != NULL)
        memcpy(x->body + x->length, data, length);
    x->length += length;
}

static kith_status answer(server *s, struct MHD_Connection *connection, const exchange *x,
                          cJSON *out, kith_error *error)
{
    if (x->failed || x->length != x->capacity)
        return json_fail(error, KITH_IO, "the request could not be kept: is the disk full?");
    request r = {.around = &s->around};
    if (x->upload >= 0) {
        char name[512];
        const char *given = header(connection, "X-Kith-Name");
        snprintf(name, sizeof name, "%s", given == NULL ? "" : given);
        if (strstr(name, "%00") != NULL)
            return json_fail(error, KITH_INVALID, "the name of the file has a NUL in it");
        MHD_http_unescape(name);
        r.name = name;
        r.upload = x->upload_path;
        return x->route->answer(&r, out, error);
    }
    cJSON *body = NULL;
    TRY(json_parse(&body, x->body, x->length, error));
    r.body = body;
    const kith_status status = x->route == &start_route ? start_session(s, body, out, error)
                                                        : x->route->answer(&r, out, error);
    cJSON_Delete(body);
    return status;
}

static enum MHD_Result finish(server *s, struct MHD_Connection *connection, const exchange *x)
{
    kith_error error = {0};
    cJSON *out = cJSON_CreateObject();
    if (out == NULL)
        return MHD_NO;
    const kith_status status = answer(s, connection, x, out, &error);
    error.status = status;
    const enum MHD_Result queued = status == KITH_OK ? reply_json(connection, MHD_HTTP_OK, out)
                                                     : reply_error(connection, &error);
    cJSON_Delete(out);
    return queued;
}

static enum MHD_Result on_request(void *user, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *data,
                                  size_t *length, void **state)
{
    (void)version;
    server *s = user;
    if (*state == NULL)
        return begin(s, connection, path, method, state);
    exchange *x = *state;
    if (*length > 0) {
        keep(x, data, *length);
        *length = 0;
        return MHD_YES;
    }
    return finish(s, connection, x);
}

static void on_end(void *user, struct MHD_Connection *connection, void **state,
                   enum MHD_RequestTerminationCode code)
{
    (void)connection;
    (void)code;
    server *s = user;
    exchange *x = *state;
    if (x == NULL)
        return;
    if (x->upload >= 0) {
        close(x->upload);
        unlink(x->upload_path); /* unless the route has renamed it */
    }
    if (x->body != NULL)
        sodium_memzero(x->body, x->length);
    if (x->body != NULL && x->body != x->start) {
        atomic_fetch_sub(&s->n_body_bytes, x->capacity);
        free(x->body);
    }
    free(x);
    *state = NULL;
}

static void say_nothing(void *user, const char *format, va_list arguments)
{
    (void)user;
    (void)format;
    (void)arguments;
}

/* Paths are compared as they come: none of ours has an escape. */
static size_t keep_escapes(void *user, struct MHD_Connection *connection, char *text)
{
    (void)user;
    (void)connection;
    return strlen(text);
}

static struct MHD_Daemon *listen_on(server *s, unsigned port)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)port),
                                        .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ERROR_LOG, (uint16_t)port, NULL, NULL, on_request,
        s, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL, MHD_OPTION_SOCK_ADDR, &address,
        MHD_OPTION_NOTIFY_COMPLETED, on_end, s, MHD_OPTION_NOTIFY_CONNECTION, connections_notify,
        &s->connections, MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_BYTES, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE_SECONDS,
        MHD_OPTION_LISTEN_BACKLOG_SIZE, 4096U, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
        MHD_OPTION_END);
}

static kith_status open_server(server *s, const server_options *options, kith_error *error)
{
    s->around.jobs = jobs_new();
    s->around.links = links_new();
    if (s->around.jobs == NULL || s->around.links == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    guard_token_make(s->start);
    guard_token_make(s->session);
    s->daemon = listen_on(s, options->port);
    const union MHD_DaemonInfo *bound =
        s->daemon == NULL ? NULL : MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
    if (bound == NULL)
        return json_fail(error, KITH_IO, "cannot listen on 127.0.0.1:%u: %s", options->port,
                         strerror(errno));
    s->port = bound->port;
    tell_address(s);
    return KITH_OK;
}

kith_status server_start(server **made, const server_options *options, kith_error *error)
{
    server *s = calloc(1, sizeof *s);
    if (s == NULL || sodium_init() < 0) {
        free(s);
        return json_fail(error, KITH_NOMEM, "out of memory");
    }
    s->around.read_only = options->read_only;
    s->around.workspace = options->workspace;
    s->tables = options->tables;
    s->tell = options->tell;
    s->user = options->user;
    pthread_mutex_init(&s->lock, NULL);
    connections_begin(&s->connections, ROOM);
    const kith_status status = open_server(s, options, error);
    if (status == KITH_OK)
        *made = s;
    else
        server_stop(s);
    return status;
}

void server_stop(server *s)
{
    if (s == NULL)
        return;
    if (s->daemon != NULL)
        MHD_stop_daemon(s->daemon);
    jobs_free(s->around.jobs);
    links_free(s->around.links);
    connections_end(&s->connections);
    pthread_mutex_destroy(&s->lock);
    sodium_memzero(s, sizeof *s);
    free(s);
}

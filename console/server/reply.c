/* Answers on the wire. */
#include "console/server/reply.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The page loads scripts and styles of its own only; frames show reports. */
static const char page_policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";
/* A report has its script inside. The sandbox gives it an origin of its own, from which it cannot
 * ask this server anything. */
static const char file_policy[] =
    "sandbox allow-scripts allow-popups; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'";

static enum MHD_Result deliver(struct MHD_Connection *connection, unsigned code,
                               struct MHD_Response *response, const char *type, const char *policy)
{
    if (response == NULL)
        return MHD_NO;
    const char *const headers[][2] = {{"Content-Type", type},
                                      {"Content-Security-Policy", policy},
                                      {"X-Content-Type-Options", "nosniff"},
                                      {"Referrer-Policy", "no-referrer"},
                                      {"Cross-Origin-Opener-Policy", "same-origin"},
                                      {"Cross-Origin-Resource-Policy", "same-origin"},
                                      {"Cache-Control", "no-store"}};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    const enum MHD_Result queued = MHD_queue_response(connection, code, response);
    MHD_destroy_response(response);
    return queued;
}

static const char *type_of(const char *path)
{
    static const char *const types[][2] = {{".js", "text/javascript; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"},
                                           {".svg", "image/svg+xml"},
                                           {".html", "text/html; charset=utf-8"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof types / sizeof *types; i++)
        if (strcmp(dot, types[i][0]) == 0)
            return types[i][1];
    return "application/octet-stream";
}

enum MHD_Result reply_asset(struct MHD_Connection *connection, const asset *a)
{
    return deliver(connection, MHD_HTTP_OK,
                   MHD_create_response_from_buffer(*a->length, (void *)(size_t)a->bytes,
                                                   MHD_RESPMEM_PERSISTENT),
                   type_of(a->path), page_policy);
}

enum MHD_Result reply_json(struct MHD_Connection *connection, unsigned code, const cJSON *object)
{
    char *text = cJSON_PrintUnformatted(object);
    if (text == NULL)
        return MHD_NO;
    return deliver(connection, code,
                   MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE),
                   "application/json", page_policy);
}

static unsigned code_of(kith_status status)
{
    switch (status) {
    case KITH_OK: return MHD_HTTP_OK;
    case KITH_NOMEM: return MHD_HTTP_SERVICE_UNAVAILABLE;
    case KITH_BUG: return MHD_HTTP_INTERNAL_SERVER_ERROR;
    default: return MHD_HTTP_UNPROCESSABLE_CONTENT;
    }
}

enum MHD_Result reply_error(struct MHD_Connection *connection, const kith_error *error)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "error", error->message);
    cJSON_AddStringToObject(object, "hint", error->hint);
    cJSON_AddStringToObject(object, "kind", kith_status_name(error->status));
    const enum MHD_Result queued = reply_json(connection, code_of(error->status), object);
    cJSON_Delete(object);
    return queued;
}

enum MHD_Result reply_refusal(struct MHD_Connection *connection, unsigned code, const char *reason)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "error", reason);
    const enum MHD_Result queued = reply_json(connection, code, object);
    cJSON_Delete(object);
    return queued;
}

/* The name without directories and what a header could not hold. */
static void add_name(struct MHD_Response *response, const char *path)
{
    char header[300];
    const char *slash = strrchr(path, '/');
    const int used = snprintf(header, sizeof header, "attachment; filename=\"%.200s",
                              slash == NULL ? path : slash + 1);
    for (char *c = header + 22; *c != '\0'; c++)
        if (*c == '"' || *c == '\\' || (unsigned char)*c >= 0x7f)
            *c = '_';
    snprintf(header + used, sizeof header - (size_t)used, "\"");
    MHD_add_response_header(response, "Content-Disposition", header);
}

enum MHD_Result reply_file(struct MHD_Connection *connection, const char *path)
{
    struct stat status;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        if (file >= 0)
            close(file);
        return reply_refusal(connection, MHD_HTTP_NOT_FOUND, "the file is gone");
    }
    struct MHD_Response *response = MHD_create_response_from_fd64((uint64_t)status.st_size, file);
    if (response == NULL) {
        close(file);
        return MHD_NO;
    }
    const char *type = type_of(path);
    const bool shown = strncmp(type, "text/html", 9) == 0;
    if (!shown)
        add_name(response, path);
    return deliver(connection, MHD_HTTP_OK, response, shown ? type : "application/octet-stream",
                   file_policy);
}

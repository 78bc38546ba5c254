#include "job/query_ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/document.h"
#include "core/error.h"

enum { DAY = 86400, NAME = 64 };

static const char time_format[] = "%Y-%m-%dT%H:%M:%SZ";

typedef struct answered {
    time_t when;
    char who[NAME];
} answered;

struct query_ledger {
    const char *path;
    int file;
    answered *recent; /* those of the last 24 hours, and some before; in the order of the file */
    size_t n_recent, room;
};

static void close_ledger(void *object)
{
    query_ledger *l = object;
    if (l->file >= 0)
        close(l->file);
    free(l->recent);
}

/* Forgets what is older than a day as soon as that is the half. */
static bool remember(query_ledger *l, time_t when, const char *who, time_t now)
{
    size_t old = 0;
    while (old < l->n_recent && l->recent[old].when <= now - DAY)
        old++;
    if (old > l->n_recent / 2) {
        l->n_recent -= old;
        memmove(l->recent, l->recent + old, l->n_recent * sizeof *l->recent);
    }
    if (l->n_recent == l->room) {
        const size_t room = l->room == 0 ? 256 : 2 * l->room;
        answered *larger = realloc(l->recent, room * sizeof *larger);
        if (larger == NULL)
            return false;
        l->recent = larger;
        l->room = room;
    }
    answered *a = &l->recent[l->n_recent++];
    a->when = when;
    snprintf(a->who, sizeof a->who, "%s", who);
    return true;
}

/* The time and the name stand first, and neither has characters that JSON would write otherwise. */
static bool parse_line(const char *line, time_t *when, char who[NAME])
{
    static const char begin[] = "{\"when\":\"", middle[] = "\",\"who\":\"";
    struct tm t = {0};
    if (strncmp(line, begin, sizeof begin - 1) != 0)
        return false;
    const char *at = strptime(line + sizeof begin - 1, time_format, &t);
    if (at == NULL || strncmp(at, middle, sizeof middle - 1) != 0)
        return false;
    at += sizeof middle - 1;
    const size_t length = strcspn(at, "\"");
    if (length == 0 || length >= NAME || strstr(at, "\"outcome\":\"") == NULL)
        return false;
    memcpy(who, at, length);
    who[length] = '\0';
    *when = timegm(&t);
    return true;
}

static kith_status read_file(query_ledger *l, kith_error *error)
{
    const int copy = dup(l->file);
    FILE *in = copy < 0 ? NULL : fdopen(copy, "r");
    if (in == NULL) {
        if (copy >= 0)
            close(copy);
        return error_errno(error, errno, "read", l->path);
    }
    char *line = NULL, who[NAME];
    size_t room = 0, number = 0;
    time_t when;
    const time_t now = time(NULL);
    kith_status status = KITH_OK;
    errno = 0;
    while (status == KITH_OK && getline(&line, &room, in) > 0) {
        number++;
        if (!parse_line(line, &when, who))
            status = error_at(error, KITH_DATA, l->path, number, 0,
                              "this is no line of a ledger of queries");
        else if (when > now - DAY && !remember(l, when, who, now))
            status = error_nomem(error);
    }
    free(line);
    if (status == KITH_OK && ferror(in))
        status = error_errno(error, errno, "read", l->path);
    fclose(in);
    return status;
}

kith_status query_ledger_open(query_ledger **out, arena *memory, const char *path,
                              kith_error *error)
{
    struct stat about;
    query_ledger *l = TRY_ZEROS(l, memory, 1, error);
    l->path = TRY_ALLOC(arena_strdup(memory, path), error);
    l->file = -1;
    TRY_ALLOC(arena_defer(memory, close_ledger, l), error);
    l->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (l->file < 0)
        return error_errno(error, errno, "open", path);
    if (fstat(l->file, &about) != 0)
        return error_errno(error, errno, "open", path);
    if (!S_ISREG(about.st_mode) || (about.st_mode & 077) != 0)
        return error_set(error, KITH_INVALID,
                         "%s is not a file that only its owner can read (mode 0600)", path);
    if (flock(l->file, LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK
                   ? error_set(error, KITH_INVALID, "%s is in use by another process", path)
                   : error_errno(error, errno, "lock", path);
    TRY(read_file(l, error));
    *out = l;
    return KITH_OK;
}

/* A line is there whole, since the next run would refuse a ledger with a part of one; it is on the
 * disk before the next query begins. */
static kith_status write_line(const query_ledger *l, const char *line, kith_error *error)
{
    struct stat before;
    size_t left = strlen(line);
    if (fstat(l->file, &before) != 0)
        return error_errno(error, errno, "write to", l->path);
    while (left > 0) {
        const ssize_t wrote = write(l->file, line, left);
        if (wrote < 0 && errno != EINTR)
            break;
        line += wrote < 0 ? 0 : wrote;
        left -= wrote < 0 ? 0 : (size_t)wrote;
    }
    if (left == 0 && fdatasync(l->file) == 0)
        return KITH_OK;
    error_errno(error, errno, "write to", l->path);
    if (ftruncate(l->file, before.st_size) != 0)
        error_hint(error, KITH_IO, "its last line is not complete: remove that");
    return KITH_IO;
}

/* Only the site that sends them to a client has them in its ledger. */
static void put_domains(kith_document *d, document_node *root, const virtual_left *left)
{
    if (left->n_domains == 0)
        return;
    document_node *list = document_array(d, root, "domains");
    for (uint32_t i = 0; i < left->n_domains; i++) {
        document_node *one = document_object(d, list, NULL);
        document_put_text(d, one, "column", left->domains[i].column);
        document_put_count(d, one, "labels", left->domains[i].labels);
    }
}

kith_status query_ledger_add(query_ledger *l, time_t when, const char *who,
                             const query_result *result, const kith_error *failure,
                             kith_error *error)
{
    struct tm t;
    char text[40] = "", outcome[sizeof failure->message + 16];
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    if (gmtime_r(&when, &t) != NULL)
        strftime(text, sizeof text, time_format, &t);
    snprintf(outcome, sizeof outcome, "%s%s",
             failure == NULL ? "complete" : "failed: ", failure == NULL ? "" : failure->message);
    document_put_text(d, root, "when", text);
    document_put_text(d, root, "who", who);
    document_put_text(d, root, "query", result->asked);
    document_put_text(d, root, "left", result->left.rows ? "rows" : "numbers");
    document_put_count(d, root, "count", result->left.count);
    put_domains(d, root, &result->left);
    document_put_text(d, root, "outcome", outcome);
    kith_status status = document_status(d, error);
    char *json = status == KITH_OK ? kith_document_json(d, false) : NULL;
    kith_document_free(d);
    if (json == NULL)
        return error_nomem(error);
    char *line = NULL;
    const int length = asprintf(&line, "%s\n", json);
    kith_free(json);
    if (length < 0)
        return error_nomem(error);
    status = write_line(l, line, error);
    free(line);
    if (status == KITH_OK && !remember(l, when, who, when))
        status = error_nomem(error);
    return status;
}

time_t query_ledger_next(const query_ledger *l, const char *who, uint32_t per_day, time_t now)
{
    uint32_t count = 0;
    time_t blocking = now; /* the query whose day must end first */
    if (per_day == 0)
        return now + DAY;
    for (size_t i = l->n_recent; i-- > 0;) {
        const answered *a = &l->recent[i];
        if (a->when <= now - DAY || strcmp(a->who, who) != 0)
            continue;
        if (++count == per_day) {
            blocking = a->when + DAY;
            break;
        }
    }
    return blocking > now ? blocking : now;
}

#include "core/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

enum { BUFFER_BYTES = 1 << 16 };

/* Invariant: until committed, only `temporary` exists; `failure` keeps the first errno. */
struct output {
    const char *path;
    char *temporary; /* NULL for standard output */
    int descriptor;
    int failure;
    bool overwrite;
    bool finished;
    bool committed;
    size_t used;
    char buffer[BUFFER_BYTES];
};

static void output_drop(void *object)
{
    output *out = object;
    if (out->temporary == NULL || out->committed)
        return;
    if (!out->finished)
        close(out->descriptor);
    unlink(out->temporary);
}

static kith_status refuse_existing(const char *path, kith_error *error)
{
    error_set(error, KITH_INVALID, "%s exists already", path);
    return error_hint(error, KITH_INVALID, "use --force to overwrite it");
}

/* mkstemp makes files for the owner alone; a release gets what the umask allows. */
static void usual_mode(int descriptor)
{
    mode_t mask = umask(0);
    umask(mask);
    (void)!fchmod(descriptor, 0666 & ~mask);
}

kith_status output_open(output **result, arena *memory, const char *path, bool overwrite,
                        kith_error *error)
{
    output *out = arena_alloc(memory, sizeof *out);
    TRY_ALLOC(out, error);
    memset(out, 0, offsetof(output, buffer));
    out->overwrite = overwrite;
    out->path = arena_strdup(memory, path);
    TRY_ALLOC(out->path, error);
    if (strcmp(path, "-") == 0) {
        out->descriptor = STDOUT_FILENO;
        *result = out;
        return KITH_OK;
    }
    struct stat status;
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return error_set(error, KITH_INVALID, "%s is a directory", path);
        if (!overwrite)
            return refuse_existing(path, error);
    }
    out->temporary = arena_printf(memory, "%s.XXXXXX", path);
    TRY_ALLOC(out->temporary, error);
    out->descriptor = mkostemp(out->temporary, O_CLOEXEC);
    if (out->descriptor < 0)
        return error_errno(error, errno, "write", path);
    usual_mode(out->descriptor);
    if (!arena_defer(memory, output_drop, out))
        return error_nomem(error);
    *result = out;
    return KITH_OK;
}

static void flush(output *out)
{
    size_t done = 0;
    while (done < out->used && out->failure == 0) {
        ssize_t n = write(out->descriptor, out->buffer + done, out->used - done);
        if (n >= 0)
            done += (size_t)n;
        else if (errno != EINTR)
            out->failure = errno;
    }
    out->used = 0;
}

void output_write(output *out, const char *bytes, size_t length)
{
    while (length > 0) {
        if (out->used == BUFFER_BYTES)
            flush(out);
        size_t room = BUFFER_BYTES - out->used;
        size_t part = length < room ? length : room;
        memcpy(out->buffer + out->used, bytes, part);
        out->used += part;
        bytes += part;
        length -= part;
    }
}

void output_text(output *out, const char *text)
{
    output_write(out, text, strlen(text));
}

kith_status output_finish(output *out, kith_error *error)
{
    if (out->finished)
        return KITH_OK;
    flush(out);
    out->finished = true;
    if (out->temporary != NULL) {
        if (out->failure == 0 && fsync(out->descriptor) != 0 && errno != EINVAL)
            out->failure = errno;
        if (close(out->descriptor) != 0 && out->failure == 0)
            out->failure = errno;
    }
    if (out->failure != 0)
        return error_errno(error, out->failure, "write",
                           out->temporary == NULL ? "standard output" : out->path);
    return KITH_OK;
}

const char *output_temporary(const output *out)
{
    return out->temporary;
}

kith_status output_commit(output *out, kith_error *error)
{
    TRY(output_finish(out, error));
    if (out->temporary == NULL || out->committed)
        return KITH_OK;
    if (out->overwrite) {
        if (rename(out->temporary, out->path) != 0)
            return error_errno(error, errno, "write", out->path);
    } else {
        /* link refuses to replace a file that has appeared in the meantime. */
        if (link(out->temporary, out->path) != 0) {
            if (errno == EEXIST)
                return refuse_existing(out->path, error);
            return error_errno(error, errno, "write", out->path);
        }
        unlink(out->temporary);
    }
    out->committed = true;
    return KITH_OK;
}

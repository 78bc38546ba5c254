#include "core/system/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kith/application.h>
#include <kith/document.h>

#include "core/check.h"
#include "core/error.h"
#include "core/system/temporary_file.h"

enum { BUFFER_BYTES = 1 << 16 };

/* Invariants: until `committed`, only the file `temporary` exists, and only its owner can read it.
 * Nothing is written after `finished`, and only a finished file is committed. `failure` keeps the
 * first errno, since later ones are its consequences. A stream (standard output, a device, a pipe)
 * has no temporary file: what is written to it cannot be undone. */
struct output {
    const char *path;
    char *temporary; /* NULL for a stream */
    arena *memory;
    char *kept; /* a second name of the file that this one replaces, while `keeps` */
    bool replaces, keeps;
    int descriptor;
    int lock; /* keeps the temporary file ours when `descriptor` is closed; -1 for a stream */
    int failure;
    bool overwrite;
    bool finished;
    bool committed;
    bool private; /* stays readable by its owner only */
    mode_t mode;  /* that the file gets when it appears */
    size_t used;
    char buffer[BUFFER_BYTES];
};

#if KITH_DEBUG
static void output_check(const output *out)
{
    ASSERT(out->used <= BUFFER_BYTES);
    ASSERT(out->descriptor >= 0);
    ASSERT(!out->finished || out->used == 0);
    ASSERT(!out->committed || (out->finished && out->temporary != NULL));
}
#endif

/* Runs when the arena is freed: removes a file that was not committed. */
static void output_drop(void *object)
{
    output *out = object;
    if (!out->finished && out->descriptor != STDOUT_FILENO)
        close(out->descriptor);
    if (out->temporary != NULL && !out->committed)
        unlink(out->temporary);
    if (out->lock >= 0)
        close(out->lock);
}

/* What others may do with new files here, by the umask or the rules of the directory. An empty file
 * shows it: the umask of a process cannot be read without changing it for all threads. */
static bool find_mode(mode_t *mode, char *path)
{
    struct stat status;
    int descriptor = temporary_file_create(path, 0666);
    if (descriptor < 0)
        return false;
    bool found = fstat(descriptor, &status) == 0;
    int failure = errno;
    *mode = found ? status.st_mode & 0777 : 0600;
    close(descriptor);
    unlink(path);
    errno = failure;
    return found;
}

/* Others may read the file when it appears, but not before: it may never appear. */
static int open_temporary(output *out)
{
    temporary_file_sweep(out->path);
    int descriptor =
        find_mode(&out->mode, out->temporary) ? temporary_file_create(out->temporary, 0600) : -1;
    out->lock = descriptor < 0 ? -1 : temporary_file_hold(descriptor);
    if (descriptor >= 0 && out->lock < 0) {
        int failure = errno;
        unlink(out->temporary);
        close(descriptor);
        errno = failure;
        return -1;
    }
    return descriptor;
}

kith_status output_open(output **result, arena *memory, const char *path, bool overwrite,
                        kith_error *error)
{
    output *out = TRY_ALLOC(arena_alloc(memory, sizeof *out), error);
    memset(out, 0, offsetof(output, buffer));
    out->memory = memory;
    out->overwrite = overwrite;
    out->lock = -1;
    out->path = TRY_ALLOC(arena_strdup(memory, path), error);
    if (strcmp(path, "-") == 0) {
        out->descriptor = STDOUT_FILENO;
        *result = out;
        return KITH_OK;
    }
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
        return error_set(error, KITH_INVALID, "%s is a directory", path);
    if (exists && !S_ISREG(status.st_mode)) {
        /* A device or pipe is written in place: a rename would replace it by a file. */
        out->descriptor = open(path, O_WRONLY | O_CLOEXEC);
    } else if (exists && !overwrite) {
        return error_exists(error, path);
    } else {
        out->temporary = TRY_ALLOC(temporary_file_name(memory, path), error);
        out->descriptor = open_temporary(out);
    }
    if (out->descriptor < 0)
        return error_errno(error, errno, "write", path);
    TRY_ALLOC(arena_defer(memory, output_drop, out), error);
    *result = out;
    return KITH_OK;
}

/* Returns 0 or an errno. */
static int write_all(int descriptor, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t n = write(descriptor, bytes, length);
        if (n < 0 && errno != EINTR)
            return errno;
        bytes += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* Empties the buffer even after a failure, so that callers need not check every write. */
static void flush(output *out)
{
    if (out->failure == 0)
        out->failure = write_all(out->descriptor, out->buffer, out->used);
    out->used = 0;
}

void output_write(output *out, const char *bytes, size_t length)
{
    CHECK(output_check(out));
    ASSERT(!out->finished);
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

kith_status output_status(const output *out, kith_error *error)
{
    if (out->failure == 0)
        return KITH_OK;
    bool standard = strcmp(out->path, "-") == 0;
    return error_errno(error, out->failure, "write", standard ? "standard output" : out->path);
}

kith_status output_finish(output *out, kith_error *error)
{
    CHECK(output_check(out));
    if (out->finished)
        return output_status(out, error);
    flush(out);
    out->finished = true;
    if (out->descriptor != STDOUT_FILENO) {
        /* Some file systems cannot sync and answer EINVAL. */
        if (out->failure == 0 && out->temporary != NULL && fsync(out->descriptor) != 0 &&
            errno != EINVAL)
            out->failure = errno;
        if (close(out->descriptor) != 0 && out->failure == 0)
            out->failure = errno;
    }
    return output_status(out, error);
}

const char *output_temporary(const output *out)
{
    return out->temporary;
}

/* Gives the file its name unless another file has got that name in the meantime. Returns 0, or -1
 * with errno. Tries both ways: some file systems have no links, others no exclusive rename. */
static int rename_into_place(const char *temporary, const char *path)
{
    if (link(temporary, path) == 0) {
        unlink(temporary);
        return 0;
    }
    if (errno == EEXIST)
        return -1;
    return renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE);
}

void output_keep_private(output *out)
{
    out->private = true;
}

/* Gives the finished file its name. */
static kith_status move_into_place(output *out, kith_error *error)
{
    /* Some file systems cannot change modes, but then all files have the same one. */
    struct stat status;
    if (!out->private &&
        (stat(out->temporary, &status) != 0 ||
         ((status.st_mode & 0777) != out->mode && chmod(out->temporary, out->mode) != 0)))
        return error_errno(error, errno, "write", out->path);
    int result = out->overwrite ? rename(out->temporary, out->path)
                                : rename_into_place(out->temporary, out->path);
    if (result != 0 && errno == EEXIST && !out->overwrite)
        return error_exists(error, out->path);
    if (result != 0)
        return error_errno(error, errno, "write", out->path);
    out->committed = true;
    return KITH_OK;
}

kith_status output_appear(output *out, kith_error *error)
{
    struct stat status;
    TRY(output_finish(out, error));
    if (out->temporary == NULL || out->committed)
        return KITH_OK;
    out->kept = TRY_ALLOC(temporary_file_name(out->memory, out->path), error);
    out->replaces = out->overwrite && lstat(out->path, &status) == 0;
    if (out->replaces) {
        /* A second name for the file that `out` replaces; where there are no links it cannot be
         * kept. */
        const int made = temporary_file_create(out->kept, 0600);
        if (made >= 0) {
            close(made);
            unlink(out->kept);
        }
        out->keeps = made >= 0 && link(out->path, out->kept) == 0;
    }
    return move_into_place(out, error);
}

void output_settle(output *out)
{
    if (out->keeps)
        unlink(out->kept);
    out->keeps = false;
    if (out->committed && out->lock >= 0) {
        close(out->lock);
        out->lock = -1;
    }
}

void output_withdraw(output *out)
{
    if (out->committed && out->keeps)
        (void)rename(out->kept, out->path);
    else if (out->committed && !out->replaces)
        unlink(out->path);
    else if (out->keeps)
        unlink(out->kept);
    out->keeps = false;
}

kith_status output_commit(output *out, kith_error *error)
{
    TRY(output_finish(out, error));
    if (out->temporary == NULL || out->committed)
        return KITH_OK;
    TRY(move_into_place(out, error));
    output_settle(out);
    return KITH_OK;
}

/* Returns 0 or an errno. */
static int write_private(char *temporary, const char *path, const char *bytes, size_t length,
                         bool overwrite)
{
    temporary_file_sweep(path);
    int descriptor = temporary_file_create(temporary, 0600);
    if (descriptor < 0)
        return errno;
    int failure = write_all(descriptor, bytes, length);
    if (failure == 0 && fsync(descriptor) != 0)
        failure = errno;
    if (failure == 0 &&
        (overwrite ? rename(temporary, path) : rename_into_place(temporary, path)) != 0)
        failure = errno;
    if (failure != 0)
        unlink(temporary);
    if (close(descriptor) != 0 && failure == 0)
        failure = errno;
    return failure;
}

kith_status output_write_private(const char *path, const char *bytes, size_t length, bool overwrite,
                                 kith_error *error)
{
    if (!overwrite && access(path, F_OK) == 0)
        return error_exists(error, path);
    arena *memory = TRY_ALLOC(arena_new(), error);
    char *temporary = temporary_file_name(memory, path);
    int failure =
        temporary == NULL ? ENOMEM : write_private(temporary, path, bytes, length, overwrite);
    arena_free(memory);
    if (failure == 0)
        return KITH_OK;
    return failure == EEXIST && !overwrite ? error_exists(error, path)
                                           : error_errno(error, failure, "write", path);
}

/* Files of callers, written as Kith writes its own. */
static kith_status write_file(const char *path, const char *text, bool private, kith_error *error)
{
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    output *out;
    TRY(output_open(&out, memory, path, true, error));
    if (private)
        output_keep_private(out);
    output_text(out, text);
    if (text[0] != '\0' && text[strlen(text) - 1] != '\n')
        output_text(out, "\n");
    return output_commit(out, error);
}

kith_status kith_file_write(const char *path, const char *text, kith_error *error)
{
    return write_file(path, text, false, error);
}

kith_status kith_file_write_private(const char *path, const char *text, kith_error *error)
{
    return write_file(path, text, true, error);
}

#include "core/system/spill_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/system/temporary_file.h"

struct spill_file {
    int descriptor;
    const char *place; /* for messages */
};

static void close_file(void *object)
{
    const spill_file *file = object;
    close(file->descriptor);
}

/* DIRECTORY/spill, from which the temporary name is made. */
static char *path_in(arena *memory, const char *beside)
{
    const char *asked = getenv("TMPDIR");
    if (asked != NULL && asked[0] != '\0')
        return arena_printf(memory, "%s/spill", asked);
    const char *slash = strrchr(beside, '/');
    return arena_printf(memory, "%.*sspill", slash == NULL ? 0 : (int)(slash + 1 - beside), beside);
}

/* Made for writing only, so that it is opened a second time before its name goes. */
static int open_nameless(char *name)
{
    const int made = temporary_file_create(name, 0600);
    if (made < 0)
        return -1;
    const int descriptor = open(name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    const int failure = errno;
    unlink(name);
    close(made);
    errno = failure;
    return descriptor;
}

kith_status spill_file_open(spill_file **file, arena *memory, const char *beside, kith_error *error)
{
    spill_file *fresh = TRY_ALLOC(arena_alloc(memory, sizeof *fresh), error);
    const char *path = TRY_ALLOC(path_in(memory, beside), error);
    char *name = TRY_ALLOC(temporary_file_name(memory, path), error);
    const char *slash = strrchr(path, '/');
    fresh->place = slash == NULL
                       ? "the current directory"
                       : TRY_ALLOC(arena_strndup(memory, path, (size_t)(slash - path)), error);
    temporary_file_sweep(path);
    fresh->descriptor = open_nameless(name);
    if (fresh->descriptor < 0)
        return error_errno(error, errno, "make a temporary file in", fresh->place);
    TRY_ALLOC(arena_defer(memory, close_file, fresh), error);
    *file = fresh;
    return KITH_OK;
}

kith_status spill_file_write(spill_file *file, uint64_t at, const void *bytes, size_t n_bytes,
                             kith_error *error)
{
    const char *from = bytes;
    while (n_bytes > 0) {
        const ssize_t done = pwrite(file->descriptor, from, n_bytes, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            error_errno(error, done < 0 ? errno : ENOSPC, "write a temporary file in", file->place);
            return error_hint(error, KITH_IO, "TMPDIR names another directory for it");
        }
        from += done;
        at += (uint64_t)done;
        n_bytes -= (size_t)done;
    }
    return KITH_OK;
}

kith_status spill_file_read(const spill_file *file, uint64_t at, void *bytes, size_t n_bytes,
                            kith_error *error)
{
    char *to = bytes;
    while (n_bytes > 0) {
        const ssize_t done = pread(file->descriptor, to, n_bytes, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return error_errno(error, done < 0 ? errno : EIO, "read a temporary file in",
                               file->place);
        to += done;
        at += (uint64_t)done;
        n_bytes -= (size_t)done;
    }
    return KITH_OK;
}

void spill_file_empty(spill_file *file)
{
    (void)!ftruncate(file->descriptor, 0); /* it is only kept for longer then */
}

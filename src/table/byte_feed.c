#include "table/byte_feed.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "core/check.h"
#include "core/error.h"

/* Files are read, not mapped: as fast with a buffer that stays in the cache, one way for files,
 * pipes and compressed data, and no SIGBUS when a file is cut while it is read. */
enum { PACKED_BYTES = 1 << 16, MAGIC_BYTES = 4, TURN_MS = 200 };

typedef enum packing { PLAIN, GZIP, ZSTD } packing;

typedef struct file_feed {
    const char *path;
    const kith_run *run; /* asked whether to stop while nothing comes; may be NULL */
    int descriptor;
    packing packing;
    bool inflating;  /* within a member of gzip or a frame of zstd */
    bool ended;      /* the descriptor has no more bytes */
    off_t size, at;  /* of the file, as far as it has been read; size 0 if unknown */
    uint64_t left;   /* bytes that are still wanted of it */
    z_stream stream; /* its input is what has been read ahead, whatever the packing */
    ZSTD_DCtx *zstd;
    unsigned char ahead[PACKED_BYTES];
} file_feed;

static void file_close(void *object)
{
    file_feed *file = object;
    if (file->packing == GZIP)
        inflateEnd(&file->stream);
    ZSTD_freeDCtx(file->zstd);
    if (file->descriptor != STDIN_FILENO)
        close(file->descriptor);
}

/* Does the caller want to stop? */
static kith_status ask_caller(const file_feed *file, kith_error *error)
{
    const kith_run *run = file->run;
    if (run == NULL || run->progress == NULL || run->progress(run->user, "load", -1))
        return KITH_OK;
    return error_set(error, KITH_CANCELLED, "interrupted while reading %s", file->path);
}

/* Waits until there is something to read, or the end. The caller is asked when a signal comes, and
 * a few times per second besides: one that came just before the wait would not end it. */
static kith_status await_bytes(const file_feed *file, kith_error *error)
{
    struct pollfd input = {.fd = file->descriptor, .events = POLLIN};
    for (;;) {
        const int ready = poll(&input, 1, TURN_MS);
        if (ready > 0 || (ready < 0 && errno != EINTR)) /* read() tells what is wrong */
            return KITH_OK;
        TRY(ask_caller(file, error));
    }
}

static kith_status file_bytes(file_feed *file, void *buffer, size_t size, size_t *got,
                              kith_error *error)
{
    ssize_t n;
    size = size < file->left ? size : (size_t)file->left;
    TRY(await_bytes(file, error));
    while ((n = read(file->descriptor, buffer, size)) < 0 && errno == EINTR)
        TRY(ask_caller(file, error));
    if (n < 0)
        return error_errno(error, errno, "read", file->path);
    *got = (size_t)n;
    file->ended = n == 0;
    file->at += n;
    file->left -= (uint64_t)n;
    return KITH_OK;
}

static kith_status refill(file_feed *file, kith_error *error)
{
    size_t got = 0;
    TRY(file_bytes(file, file->ahead, sizeof file->ahead, &got, error));
    file->stream.next_in = file->ahead;
    file->stream.avail_in = (unsigned)got;
    return KITH_OK;
}

/* Reads until the first bytes are there, to tell compressed data from text. */
static kith_status look_ahead(file_feed *file, kith_error *error)
{
    static const unsigned char gzip[] = {0x1f, 0x8b}, zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
    size_t used = 0, got = 0;
    while (used < MAGIC_BYTES && !file->ended) {
        TRY(file_bytes(file, file->ahead + used, sizeof file->ahead - used, &got, error));
        used += got;
    }
    file->stream.next_in = file->ahead;
    file->stream.avail_in = (unsigned)used;
    if (used >= sizeof gzip && memcmp(file->ahead, gzip, sizeof gzip) == 0) {
        if (inflateInit2(&file->stream, 15 + 16) != Z_OK)
            return error_nomem(error);
        file->packing = GZIP;
        file->inflating = true;
    } else if (used >= sizeof zstd && memcmp(file->ahead, zstd, sizeof zstd) == 0) {
        file->zstd = TRY_ALLOC(ZSTD_createDCtx(), error);
        file->packing = ZSTD;
    }
    return KITH_OK;
}

/* Decompresses until at least one byte came out, because 0 bytes mean the end. A gzip file may
 * consist of several members, one after the other. */
static kith_status gzip_read(file_feed *file, char *buffer, size_t size, size_t *got,
                             kith_error *error)
{
    *got = 0;
    while (*got == 0) {
        if (file->stream.avail_in == 0 && !file->ended)
            TRY(refill(file, error));
        if (!file->inflating) {
            /* After the end of a member another one may follow; zeros may pad the file. */
            while (file->stream.avail_in > 0 && *file->stream.next_in == 0) {
                file->stream.next_in++;
                file->stream.avail_in--;
            }
            if (file->stream.avail_in != 0) {
                file->inflating = true;
                TRY(inflateReset(&file->stream) == Z_OK ? KITH_OK : error_nomem(error));
            }
            if (!file->inflating && file->ended)
                return KITH_OK;
            if (!file->inflating)
                continue;
        }
        unsigned room = size > 1u << 30 ? 1u << 30 : (unsigned)size;
        file->stream.next_out = (unsigned char *)buffer;
        file->stream.avail_out = room;
        int result = inflate(&file->stream, Z_NO_FLUSH);
        *got = room - file->stream.avail_out;
        if (result == Z_STREAM_END)
            file->inflating = false;
        else if (result == Z_MEM_ERROR)
            return error_nomem(error);
        else if (result != Z_OK && result != Z_BUF_ERROR)
            return error_set(error, KITH_DATA, "%s: damaged gzip data", file->path);
        else if (*got == 0 && file->ended && file->stream.avail_in == 0)
            return error_set(error, KITH_DATA, "%s: the gzip data ends too early", file->path);
    }
    return KITH_OK;
}

/* The same for zstd, which may consist of several frames. */
static kith_status zstd_read(file_feed *file, char *buffer, size_t size, size_t *got,
                             kith_error *error)
{
    ZSTD_outBuffer to = {.dst = buffer, .size = size};
    while (to.pos == 0) {
        if (file->stream.avail_in == 0 && !file->ended)
            TRY(refill(file, error));
        ZSTD_inBuffer from = {.src = file->stream.next_in, .size = file->stream.avail_in};
        if (from.size == 0 && !file->inflating)
            break;
        const size_t left = ZSTD_decompressStream(file->zstd, &to, &from);
        if (ZSTD_isError(left))
            return ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation
                       ? error_nomem(error)
                       : error_set(error, KITH_DATA, "%s: damaged zstd data", file->path);
        file->inflating = left != 0;
        file->stream.next_in += from.pos;
        file->stream.avail_in -= (unsigned)from.pos;
        if (to.pos == 0 && from.size == 0 && file->ended)
            return error_set(error, KITH_DATA, "%s: the zstd data ends too early", file->path);
    }
    *got = to.pos;
    return KITH_OK;
}

static kith_status file_read(void *user, char *buffer, size_t size, size_t *got, kith_error *error)
{
    file_feed *file = user;
    switch (file->packing) {
    case GZIP: return gzip_read(file, buffer, size, got, error);
    case ZSTD: return zstd_read(file, buffer, size, got, error);
    case PLAIN: break;
    }
    /* What look_ahead has read goes first. */
    size_t ahead = file->stream.avail_in;
    if (ahead == 0)
        return file_bytes(file, buffer, size, got, error);
    *got = ahead < size ? ahead : size;
    memcpy(buffer, file->stream.next_in, *got);
    file->stream.next_in += *got;
    file->stream.avail_in -= (unsigned)*got;
    return KITH_OK;
}

/* Compressed files: the share of compressed bytes, which is near enough. */
static double file_done(void *user)
{
    file_feed *file = user;
    if (file->size <= 0)
        return -1;
    return file->at < file->size ? (double)file->at / (double)file->size : 1;
}

/* Opens the file; its size is 0 if that is not known. */
static kith_status feed_new(file_feed **result, arena *memory, const char *path,
                            const kith_run *run, kith_error *error)
{
    file_feed *file = TRY_ZEROS(file, memory, 1, error);
    bool standard = strcmp(path, "-") == 0;
    file->path = TRY_ALLOC(standard ? "standard input" : arena_strdup(memory, path), error);
    file->run = run;
    file->left = UINT64_MAX;
    file->descriptor = STDIN_FILENO;
    /* Opening a pipe waits for its writer. */
    while (!standard && (file->descriptor = open(path, O_RDONLY | O_CLOEXEC)) < 0 && errno == EINTR)
        TRY(ask_caller(file, error));
    if (file->descriptor < 0)
        return error_errno(error, errno, "read", path);
    TRY_ALLOC(arena_defer(memory, file_close, file), error);
    struct stat status;
    if (fstat(file->descriptor, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return error_set(error, KITH_IO, "cannot read %s: it is a directory", path);
        file->size = S_ISREG(status.st_mode) ? status.st_size : 0;
    }
    *result = file;
    return KITH_OK;
}

kith_status byte_feed_open(byte_feed *f, arena *memory, const char *path, const kith_run *run,
                           kith_error *error)
{
    file_feed *file;
    TRY(feed_new(&file, memory, path, run, error));
    TRY(look_ahead(file, error));
    *f = (byte_feed){.read = file_read, .done = file_done, .user = file};
    if (file->packing == PLAIN && file->descriptor != STDIN_FILENO)
        f->cut_bytes = (uint64_t)file->size;
    return KITH_OK;
}

kith_status byte_feed_open_range(byte_feed *f, arena *memory, const char *path, uint64_t begin,
                                 uint64_t end, const kith_run *run, kith_error *error)
{
    file_feed *file;
    ASSERT(begin <= end);
    TRY(feed_new(&file, memory, path, run, error));
    if (lseek(file->descriptor, (off_t)begin, SEEK_SET) < 0)
        return error_errno(error, errno, "read", path);
    file->left = end - begin;
    file->size = (off_t)file->left;
    *f = (byte_feed){.read = file_read, .done = file_done, .user = file};
    return KITH_OK;
}

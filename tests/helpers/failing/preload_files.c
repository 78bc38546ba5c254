/* The preloaded library's calls for files. See failing.h. */
#include "failing.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#pragma GCC visibility push(default)

static bool opens(const char *path)
{
    return failing_path(FAILING_OPEN, path) == FATE_WORKS;
}

/* The mode is given only where a file may be made. */
#define OPEN(name, ...)                                            \
    __extension__({                                                \
        va_list rest_;                                             \
        va_start(rest_, flags);                                    \
        const int given_ = va_arg(rest_, int);                     \
        va_end(rest_);                                             \
        opens(path) ? REAL(name)(__VA_ARGS__, flags, given_) : -1; \
    })

int open(const char *path, int flags, ...)
{
    return OPEN(open, path);
}

int open64(const char *path, int flags, ...)
{
    return OPEN(open64, path);
}

int openat(int directory, const char *path, int flags, ...)
{
    return OPEN(openat, directory, path);
}

FILE *fopen(const char *path, const char *how)
{
    return opens(path) ? REAL(fopen)(path, how) : NULL;
}

FILE *fopen64(const char *path, const char *how)
{
    return opens(path) ? REAL(fopen64)(path, how) : NULL;
}

DIR *opendir(const char *path)
{
    return opens(path) ? REAL(opendir)(path) : NULL;
}

int mkstemp(char *path)
{
    return opens(path) ? REAL(mkstemp)(path) : -1;
}

int mkostemp(char *path, int flags)
{
    return opens(path) ? REAL(mkostemp)(path, flags) : -1;
}

int mkdir(const char *path, mode_t mode)
{
    return failing_path(FAILING_MKDIR, path) == FATE_WORKS ? REAL(mkdir)(path, mode) : -1;
}

char *mkdtemp(char *path)
{
    return failing_path(FAILING_MKDIR, path) == FATE_WORKS ? REAL(mkdtemp)(path) : NULL;
}

/* A program wakes its own threads by a few bytes in a pipe: they go in at once. */
static bool cannot_fail(failing_kind kind, int descriptor, size_t bytes)
{
    struct stat status;
    return descriptor > STDERR_FILENO && bytes <= PIPE_BUF &&
           syscall(SYS_fstat, descriptor, &status) == 0 && S_ISFIFO(status.st_mode) &&
           (kind == FAILING_WRITE || (fcntl(descriptor, F_GETFL) & O_NONBLOCK) != 0);
}

/* How many of `bytes` a call handles: all, one, or -1. */
static ssize_t allowed(failing_kind kind, int descriptor, size_t bytes)
{
    if (cannot_fail(kind, descriptor, bytes))
        return (ssize_t)bytes;
    switch (failing_descriptor(kind, descriptor)) {
    case FATE_FAILS: return -1;
    case FATE_SHORT: return bytes < 1 ? 0 : 1;
    default: return (ssize_t)bytes;
    }
}

ssize_t read(int descriptor, void *bytes, size_t room)
{
    const ssize_t n = allowed(FAILING_READ, descriptor, room);
    return n < 0 ? -1 : REAL(read)(descriptor, bytes, (size_t)n);
}

ssize_t pread(int descriptor, void *bytes, size_t room, off_t at)
{
    const ssize_t n = allowed(FAILING_READ, descriptor, room);
    return n < 0 ? -1 : REAL(pread)(descriptor, bytes, (size_t)n, at);
}

ssize_t pread64(int descriptor, void *bytes, size_t room, off64_t at)
{
    const ssize_t n = allowed(FAILING_READ, descriptor, room);
    return n < 0 ? -1 : REAL(pread64)(descriptor, bytes, (size_t)n, at);
}

ssize_t write(int descriptor, const void *bytes, size_t length)
{
    if (descriptor == STDERR_FILENO)
        return REAL(write)(descriptor, bytes, length);
    const ssize_t n = allowed(FAILING_WRITE, descriptor, length);
    return n < 0 ? -1 : REAL(write)(descriptor, bytes, (size_t)n);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t at)
{
    const ssize_t n = allowed(FAILING_WRITE, descriptor, length);
    return n < 0 ? -1 : REAL(pwrite)(descriptor, bytes, (size_t)n, at);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t at)
{
    const ssize_t n = allowed(FAILING_WRITE, descriptor, length);
    return n < 0 ? -1 : REAL(pwrite64)(descriptor, bytes, (size_t)n, at);
}

int fsync(int descriptor)
{
    return failing_descriptor(FAILING_SYNC, descriptor) == FATE_WORKS ? REAL(fsync)(descriptor)
                                                                      : -1;
}

int fdatasync(int descriptor)
{
    return failing_descriptor(FAILING_SYNC, descriptor) == FATE_WORKS ? REAL(fdatasync)(descriptor)
                                                                      : -1;
}

int rename(const char *from, const char *to)
{
    return failing_path(FAILING_RENAME, to) == FATE_WORKS ? REAL(rename)(from, to) : -1;
}

int renameat2(int old, const char *from, int new, const char *to, unsigned flags)
{
    return failing_path(FAILING_RENAME, to) == FATE_WORKS
               ? REAL(renameat2)(old, from, new, to, flags)
               : -1;
}

int link(const char *from, const char *to)
{
    return failing_path(FAILING_RENAME, to) == FATE_WORKS ? REAL(link)(from, to) : -1;
}

int close(int descriptor)
{
    const bool fails = failing_descriptor(FAILING_CLOSE, descriptor) != FATE_WORKS;
    const int result = REAL(close)(descriptor);
    return fails ? -1 : result;
}

int flock(int descriptor, int operation)
{
    return failing_descriptor(FAILING_LOCK, descriptor) == FATE_WORKS
               ? REAL(flock)(descriptor, operation)
               : -1;
}

static bool shows(const char *path)
{
    return failing_path(FAILING_STATUS, path) == FATE_WORKS;
}

int stat(const char *path, struct stat *status)
{
    return shows(path) ? REAL(stat)(path, status) : -1;
}

int stat64(const char *path, struct stat64 *status)
{
    return shows(path) ? REAL(stat64)(path, status) : -1;
}

int lstat(const char *path, struct stat *status)
{
    return shows(path) ? REAL(lstat)(path, status) : -1;
}

int fstat(int descriptor, struct stat *status)
{
    return failing_descriptor(FAILING_STATUS, descriptor) == FATE_WORKS
               ? REAL(fstat)(descriptor, status)
               : -1;
}

int fstat64(int descriptor, struct stat64 *status)
{
    return failing_descriptor(FAILING_STATUS, descriptor) == FATE_WORKS
               ? REAL(fstat64)(descriptor, status)
               : -1;
}

int access(const char *path, int how)
{
    return shows(path) ? REAL(access)(path, how) : -1;
}

int chmod(const char *path, mode_t mode)
{
    return shows(path) ? REAL(chmod)(path, mode) : -1;
}

int fchmod(int descriptor, mode_t mode)
{
    return failing_descriptor(FAILING_STATUS, descriptor) == FATE_WORKS
               ? REAL(fchmod)(descriptor, mode)
               : -1;
}

char *realpath(const char *path, char *resolved)
{
    return shows(path) ? REAL(realpath)(path, resolved) : NULL;
}

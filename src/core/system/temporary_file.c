#include "core/system/temporary_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/error.h"
#include "core/system/remove_tree.h"
#include "core/rng.h"

enum { RANDOM = 6, MAX_NAME = 200, ATTEMPTS = 100 }; /* with all that is added, 255 are allowed */

static const char mark[] = ".kith-";
static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";

/* Where the last part of a path begins. */
static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

char *temporary_file_name(arena *memory, const char *path)
{
    const char *name = last_part(path);
    return arena_printf(memory, "%.*s.%.*s%sXXXXXX", (int)(name - path), path, MAX_NAME, name,
                        mark);
}

size_t temporary_file_stem(const char *path)
{
    const size_t length = strlen(path), added = strlen(mark) + RANDOM;
    const size_t stem = length > added ? length - added : 0;
    const char *name = last_part(path);
    const bool made_here =
        *name == '.' && path + stem > name + 1 && strncmp(path + stem, mark, strlen(mark)) == 0;
    return made_here ? stem : length;
}

static void fill_in(char *name)
{
    char *end = name + strlen(name) - RANDOM;
    uint64_t random = rng_fresh_seed();
    for (int i = 0; i < RANDOM; i++)
        end[i] = letters[random >> (5 * i) & 31];
}

/* Waits: only a process that looks for leftovers has the lock, and only for a moment. False if the
 * file is gone then. Without locks no process removes it. */
static bool lock_new(int descriptor)
{
    struct stat status;
    while (flock(descriptor, LOCK_EX) != 0)
        if (errno != EINTR)
            return true;
    return fstat(descriptor, &status) != 0 || status.st_nlink > 0;
}

int temporary_file_create(char *name, mode_t mode)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        fill_in(name);
        int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (descriptor < 0 && errno != EEXIST)
            return -1;
        if (descriptor >= 0 && lock_new(descriptor))
            return descriptor;
        if (descriptor >= 0)
            close(descriptor);
    }
    errno = EEXIST;
    return -1;
}

int temporary_file_directory(char *name)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        fill_in(name);
        if (mkdir(name, 0700) != 0) {
            if (errno == EEXIST)
                continue;
            return -1;
        }
        int descriptor = open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (descriptor >= 0 && lock_new(descriptor))
            return descriptor;
        if (descriptor < 0 && errno != ENOENT) {
            const int failure = errno;
            rmdir(name);
            errno = failure;
            return -1;
        }
        if (descriptor >= 0)
            close(descriptor);
    }
    errno = EEXIST;
    return -1;
}

int temporary_file_hold(int descriptor)
{
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

/* Is this the name of a temporary file for `name`? */
static bool is_form(const char *found, const char *name)
{
    size_t length = strlen(name);
    length = length < MAX_NAME ? length : MAX_NAME;
    const size_t begin = 1 + length + strlen(mark);
    return found[0] == '.' && strncmp(found + 1, name, length) == 0 &&
           strncmp(found + 1 + length, mark, strlen(mark)) == 0 &&
           strspn(found + begin, letters) == RANDOM && found[begin + RANDOM] == '\0';
}

/* Does a lock of this file hold for all who can see the file? */
static bool has_local_locks(int descriptor)
{
    static const unsigned long shared[] = {
        0x6969,     0x517b,     0xff534d42, 0xfe534d42, /* NFS, SMB, CIFS, SMB2 */
        0x65735546, 0x01021997, 0x00c36400, 0x5346414f, /* FUSE, 9P, Ceph, AFS */
        0x73757245, 0x7461636f, 0x01161970, 0x0bd00bd0, /* Coda, OCFS2, GFS2, Lustre */
    };
    struct statfs system;
    if (fstatfs(descriptor, &system) != 0)
        return false;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (((unsigned long)system.f_type & 0xffffffffUL) == shared[i])
            return false;
    return true;
}

/* With the lock: is the file still there, ours and of a kind that Kith makes? */
static bool is_leftover(int descriptor, const char *path, bool *directory)
{
    struct stat opened, named;
    if (fstat(descriptor, &opened) != 0 || lstat(path, &named) != 0)
        return false;
    *directory = S_ISDIR(opened.st_mode);
    return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino &&
           opened.st_uid == geteuid() && (*directory || S_ISREG(opened.st_mode));
}

static void remove_leftover(const char *path)
{
    bool directory;
    int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return;
    if (has_local_locks(descriptor) && flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
        is_leftover(descriptor, path, &directory)) {
        if (directory)
            remove_tree(path);
        else
            unlink(path);
    }
    close(descriptor);
}

void temporary_file_sweep(const char *path)
{
    char place[4096], found[4096 + 512];
    const char *name = last_part(path);
    const int length = (int)(name - path);
    if ((size_t)snprintf(place, sizeof place, "%.*s", length, path) >= sizeof place)
        return;
    DIR *directory = opendir(length == 0 ? "." : place);
    if (directory == NULL)
        return;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (!is_form(entry->d_name, name))
            continue;
        snprintf(found, sizeof found, "%s%s", place, entry->d_name);
        remove_leftover(found);
    }
    closedir(directory);
}

typedef struct lock {
    const char *path;
    int descriptor;
} lock;

/* Runs when the arena is freed. */
static void remove_locked(void *object)
{
    const lock *l = object;
    remove_tree(l->path);
    close(l->descriptor);
}

kith_status temporary_file_make_directory(const char **made, arena *memory, const char *path,
                                          kith_error *error)
{
    TRY_ALLOC(path, error);
    char *name = TRY_ALLOC(temporary_file_name(memory, path), error);
    lock *l = TRY_ALLOC(arena_alloc(memory, sizeof *l), error);
    temporary_file_sweep(path);
    *l = (lock){name, temporary_file_directory(name)};
    if (l->descriptor < 0)
        return error_errno(error, errno, "make", path);
    TRY_ALLOC(arena_defer(memory, remove_locked, l), error);
    char absolute[PATH_MAX];
    if (realpath(name, absolute) == NULL)
        return error_errno(error, errno, "find", name);
    *made = l->path = TRY_ALLOC(arena_strdup(memory, absolute), error);
    return KITH_OK;
}

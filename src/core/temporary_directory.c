#include "core/temporary_directory.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/error.h"
#include "core/remove_tree.h"
#include "core/temporary_file.h"

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

kith_status temporary_directory_make(const char **made, arena *memory, const char *path,
                                     kith_error *error)
{
    TRY_ALLOC(path, error);
    char *name = TRY_ALLOC(temporary_file_name(memory, path), error);
    lock *l = TRY_ALLOC(arena_alloc(memory, sizeof *l), error);
    temporary_file_sweep(path);
    *l = (lock){name, temporary_file_directory(name)};
    if (l->descriptor < 0)
        return error_errno(error, errno, "make", path);
    if (!arena_defer(memory, remove_locked, l))
        return error_nomem(error);
    char absolute[PATH_MAX];
    if (realpath(name, absolute) == NULL)
        return error_errno(error, errno, "find", name);
    *made = l->path = TRY_ALLOC(arena_strdup(memory, absolute), error);
    return KITH_OK;
}

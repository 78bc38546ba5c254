#include "core/system/remove_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { MAX_DEPTH = 16, BUFFER_BYTES = 2048 };

static void empty(int directory, int depth);

/* False if it is still there. */
static bool remove_entry(int directory, const char *name, int depth)
{
    if (unlinkat(directory, name, 0) == 0)
        return true;
    int inner = depth == MAX_DEPTH
                    ? -1
                    : openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner < 0)
        return false;
    empty(inner, depth + 1);
    close(inner);
    return unlinkat(directory, name, AT_REMOVEDIR) == 0;
}

/* opendir would allocate. */
static bool remove_some(int directory, int depth)
{
    _Alignas(struct dirent64) char buffer[BUFFER_BYTES];
    bool removed = false;
    ssize_t got;
    while ((got = getdents64(directory, buffer, sizeof buffer)) > 0)
        for (ssize_t at = 0; at < got;) {
            const struct dirent64 *entry = (const void *)(buffer + at);
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                removed = remove_entry(directory, entry->d_name, depth) || removed;
            at += entry->d_reclen;
        }
    return removed;
}

/* An entry may be skipped while others are removed: looks again until nothing is left to remove. */
static void empty(int directory, int depth)
{
    while (remove_some(directory, depth))
        lseek(directory, 0, SEEK_SET);
}

void remove_tree(const char *path)
{
    remove_entry(AT_FDCWD, path, 0);
}

#include "console/server/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = ".kith-console-";
static mode_t shared_mode = 0600; /* as the umask has it, which threads cannot ask for */

static void remove_unlocked(const char *path)
{
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    if (flock(file, LOCK_EX | LOCK_NB) == 0)
        unlink(path);
    close(file);
}

void temporary_begin(void)
{
    const mode_t mask = umask(077);
    umask(mask);
    shared_mode = 0666 & ~mask;
    DIR *directory = opendir(".");
    if (directory == NULL)
        return;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (strncmp(entry->d_name, prefix, sizeof prefix - 1) == 0)
            remove_unlocked(entry->d_name);
    closedir(directory);
}

/* Another console may have removed the file before it was locked. */
static bool lock_new(int file)
{
    struct stat status;
    return flock(file, LOCK_EX) == 0 && fstat(file, &status) == 0 && status.st_nlink > 0;
}

bool temporary_share(const char *path)
{
    return chmod(path, shared_mode) == 0;
}

int temporary_open(char path[TEMPORARY_PATH], bool shared)
{
    enum { ATTEMPTS = 10, SUFFIX = 4 };
    for (int i = 0; i < ATTEMPTS; i++) {
        snprintf(path, TEMPORARY_PATH, "%sXXXXXX.csv", prefix);
        const int file = mkostemps(path, SUFFIX, O_CLOEXEC);
        if (file < 0)
            return -1;
        if (lock_new(file) && (!shared || fchmod(file, shared_mode) == 0))
            return file;
        unlink(path);
        close(file);
    }
    errno = EAGAIN;
    return -1;
}

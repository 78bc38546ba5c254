#include "core/system/plugin_file.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char inside[] = "an address in the program or library that contains this code";

/* The directory, with its slash, of the program or library that contains this code. The name of a
 * program is what it was called by: the system knows its file. */
static bool own_directory(char path[PATH_MAX])
{
    Dl_info info;
    ssize_t length = 0;
    if (dladdr(inside, &info) != 0 && info.dli_fname != NULL && info.dli_fname[0] == '/' &&
        realpath(info.dli_fname, path) != NULL)
        length = (ssize_t)strlen(path);
    else
        length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    strrchr(path, '/')[1] = '\0';
    return true;
}

static void *open_at(const plugin_file *file, const char *directory, const char *below)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s%s%s", directory, below, file->name);
    return dlopen(path, RTLD_NOW | file->flags);
}

void *plugin_file_open(const plugin_file *file)
{
    char directory[PATH_MAX];
    const char *named = getenv(file->variable);
    if (named != NULL && named[0] != '\0') {
        /* What the user names is taken and nothing else: an error there should be seen. */
        struct stat status;
        return stat(named, &status) == 0 && S_ISDIR(status.st_mode)
                   ? open_at(file, named, "/")
                   : dlopen(named, RTLD_NOW | file->flags);
    }
    void *handle = NULL;
    if (own_directory(directory)) {
        handle = open_at(file, directory, "");
        for (const char *const *below = file->below; handle == NULL && *below != NULL; below++)
            handle = open_at(file, directory, *below);
    }
    return handle != NULL ? handle : dlopen(file->name, RTLD_NOW | file->flags);
}

/* dlsym gives objects, which C does not turn into functions, but POSIX wants them to have the same
 * form. */
bool plugin_file_function(void *handle, const char *name, void *function)
{
    void *found = dlsym(handle, name);
    if (found == NULL)
        return false;
    memcpy(function, &found, sizeof found);
    return true;
}

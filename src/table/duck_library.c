#include "table/duck_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

static const char file_name[] = "libduckdb.so";

/* Invariant: `handle` is set when all functions are. */
static struct {
    pthread_mutex_t lock;
    void *handle;
    duck_library functions;
} loaded = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Fills `missing` if the library has not all functions. dlsym gives objects, which C does not turn
 * into functions, but POSIX wants them to have the same form. */
static bool find_functions(void *handle, duck_library *functions, const char **missing)
{
    static const struct {
        const char *name;
        size_t place;
    } wanted[] = {
#define DUCK_PLACE(result, name, arguments) {"duckdb_" #name, offsetof(duck_library, name)},
        DUCK_FUNCTIONS(DUCK_PLACE)
#undef DUCK_PLACE
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *found = dlsym(handle, wanted[i].name);
        if (found == NULL) {
            *missing = wanted[i].name;
            return false;
        }
        memcpy((char *)functions + wanted[i].place, &found, sizeof found);
    }
    return true;
}

/* The directory, with its slash, of the program or library that contains this function. The name of
 * a program is what it was called by: the system knows its file. */
static bool own_directory(char path[PATH_MAX])
{
    Dl_info info;
    ssize_t length = 0;
    if (dladdr(&loaded, &info) != 0 && info.dli_fname != NULL && info.dli_fname[0] == '/' &&
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

static void *open_at(const char *directory, const char *below)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s%s%s", directory, below, file_name);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* What the user names is taken and nothing else: an error there should be seen. */
static void *open_named(const char *named)
{
    struct stat status;
    if (stat(named, &status) == 0 && S_ISDIR(status.st_mode))
        return open_at(named, "/");
    return dlopen(named, RTLD_NOW | RTLD_LOCAL);
}

static void *open_library(void)
{
    char directory[PATH_MAX];
    const char *named = getenv("KITH_DUCKDB");
    if (named != NULL && named[0] != '\0')
        return open_named(named);
    void *handle = NULL;
    if (own_directory(directory)) {
        handle = open_at(directory, "");
        if (handle == NULL)
            handle = open_at(directory, "../duckdb/");
    }
    return handle != NULL ? handle : dlopen(file_name, RTLD_NOW | RTLD_LOCAL);
}

static kith_status load(const char *shown, kith_error *error)
{
    static const char hint[] =
        "'make duckdb' in Kith's source fetches it; KITH_DUCKDB=FILE names a "
        "libduckdb.so of version 1.4 or later";
    const char *missing = NULL;
    void *handle = open_library();
    if (handle == NULL) {
        const char *reason = dlerror();
        error_set(error, KITH_INVALID, "%s needs DuckDB, which is not there: %s", shown,
                  reason == NULL ? file_name : reason);
        return error_hint(error, KITH_INVALID, "%s", hint);
    }
    if (!find_functions(handle, &loaded.functions, &missing)) {
        dlclose(handle);
        error_set(error, KITH_INVALID, "%s needs another version of DuckDB: %s has no %s", shown,
                  file_name, missing);
        return error_hint(error, KITH_INVALID, "%s", hint);
    }
    loaded.handle = handle;
    return KITH_OK;
}

kith_status duck_library_get(const duck_library **library, const char *shown, kith_error *error)
{
    pthread_mutex_lock(&loaded.lock);
    const kith_status status = loaded.handle != NULL ? KITH_OK : load(shown, error);
    pthread_mutex_unlock(&loaded.lock);
    *library = status == KITH_OK ? &loaded.functions : NULL;
    return status;
}

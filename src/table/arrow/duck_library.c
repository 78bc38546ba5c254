#include "table/arrow/duck_library.h"

#include <dlfcn.h>
#include <pthread.h>

#include "core/error.h"
#include "core/system/plugin_file.h"

static const char file_name[] = "libduckdb.so";
static const plugin_file file = {.name = file_name,
                                 .variable = "KITH_DUCKDB",
                                 .below = (const char *const[]){"../duckdb/", NULL},
                                 .flags = RTLD_LOCAL};

/* Invariant: `handle` is set when all functions are. */
static struct {
    pthread_mutex_t lock;
    void *handle;
    duck_library functions;
} loaded = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Fills `missing` if the library has not all functions. */
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
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!plugin_file_function(handle, wanted[i].name, (char *)functions + wanted[i].place)) {
            *missing = wanted[i].name;
            return false;
        }
    return true;
}

static kith_status duck_library_load(const char *shown, kith_error *error)
{
    static const char hint[] = "'make duckdb' in Kith's source fetches it into build/duckdb; "
                               "KITH_DUCKDB names that directory, or a "
                               "libduckdb.so of version 1.4 or later";
    const char *missing = NULL;
    void *handle = plugin_file_open(&file);
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
    const kith_status status = loaded.handle != NULL ? KITH_OK : duck_library_load(shown, error);
    pthread_mutex_unlock(&loaded.lock);
    *library = status == KITH_OK ? &loaded.functions : NULL;
    return status;
}

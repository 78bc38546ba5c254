/* The files that are written beside generated data: hierarchies and a study that can be tried at
 * once. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/text.h"
#include "generate/generate.h"

enum { FILES = 12 };

/* Invariant: outputs[i] is NULL if the file paths[i] has the right contents already. */
struct companions {
    size_t count;
    const char *paths[FILES];
    output *outputs[FILES];
};

/* rmdir fails on a directory that is not empty: only one that stayed empty is removed. */
static void remove_directory(void *object)
{
    (void)!rmdir(object);
}

/* A second run into the same directory finds the files of the first one. They are left alone, so
 * that `--force` is needed only where a user has changed something. */
static kith_status write_companions_compare(bool *same, const char *path, const char *text,
                                            kith_error *error)
{
    char bytes[4096];
    size_t got, left = strlen(text);
    FILE *file = fopen(path, "re");
    *same = false;
    if (file == NULL) /* output_open says what is wrong with an invalid path */
        return errno == ENOENT || errno == ENOTDIR ? KITH_OK
                                                   : error_errno(error, errno, "read", path);
    *same = true;
    while (*same && (got = fread(bytes, 1, sizeof bytes, file)) > 0) {
        *same = got <= left && memcmp(bytes, text, got) == 0;
        text += *same ? got : 0;
        left -= *same ? got : 0;
    }
    const int failure = ferror(file) ? errno : 0;
    fclose(file);
    *same = *same && left == 0 && failure == 0;
    return failure == 0 || failure == EISDIR ? KITH_OK : error_errno(error, failure, "read", path);
}

/* The output is finished but gets its name only in write_companions_commit. */
static kith_status write_companions_add(companions *c, arena *memory, const char *path,
                                        const char *text, bool overwrite, kith_error *error)
{
    size_t i = c->count++;
    bool same;
    c->paths[i] = path;
    TRY(write_companions_compare(&same, path, text, error));
    if (same)
        return KITH_OK;
    TRY(output_open(&c->outputs[i], memory, path, overwrite, error));
    output_text(c->outputs[i], text);
    return output_finish(c->outputs[i], error);
}

/* One row per value: the value, its groups, and the root. */
static char *hierarchy_text(arena *memory, const value *values, uint32_t count)
{
    enum { ROW = 160 };
    size_t size = (size_t)count * ROW + 1;
    char *text = arena_alloc(memory, size);
    if (text == NULL)
        return NULL;
    size_t used = 0;
    for (uint32_t v = 0; v < count; v++) {
        used += (size_t)snprintf(text + used, size - used, "%s", values[v].text);
        for (int i = 0; i < NETWORK_LEVELS && values[v].up[i] != NULL; i++)
            used += (size_t)snprintf(text + used, size - used, ";%s", values[v].up[i]);
        used += (size_t)snprintf(text + used, size - used, ";*\n");
    }
    return text;
}

/* The commands in the comment use names without directories: the comment tells to run them in the
 * directory of the study. */
static char *study_text(arena *memory, const profile *p, const char *data, const char *study)
{
    char data_name[200], study_name[200];
    text_quote(data_name, sizeof data_name, data, strlen(data));
    text_quote(study_name, sizeof study_name, study, strlen(study));
    return arena_printf(memory,
                        "# How to anonymize %s, which is synthetic. Try it, in this directory:\n"
                        "#   kith anonymize %s -i %s -o release.csv\n"
                        "#   kith verify %s release.csv\n\n%.*s",
                        data_name, study_name, data_name, study_name, (int)*p->study_length,
                        p->study);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

kith_status write_companions(companions **result, arena *memory, const profile *p,
                             const network *net, const char *data, bool overwrite,
                             kith_error *error)
{
    companions *c = TRY_ZEROS(c, memory, 1, error);
    *result = c;
    if (strcmp(data, "-") == 0)
        return KITH_OK;
    /* The studies name their hierarchies as hierarchies/NAME, relative to their own directory. */
    int directory = (int)(base_name(data) - data);
    char *folder = TRY_ALLOC(arena_printf(memory, "%.*shierarchies", directory, data), error);
    const bool made = mkdir(folder, 0777) == 0;
    if (!made && errno != EEXIST)
        return error_errno(error, errno, "make the directory", folder);
    if (made && !arena_defer(memory, remove_directory, folder))
        return error_nomem(error);
    char *names = TRY_ALLOC(arena_strdup(memory, p->hierarchies), error), *name;
    while ((name = strsep(&names, " ")) != NULL) {
        uint32_t count;
        const value *values = network_values(net, name, &count);
        char *path = TRY_ALLOC(arena_printf(memory, "%s/%s-%s.csv", folder, p->name, name), error);
        char *text = TRY_ALLOC(hierarchy_text(memory, values, count), error);
        TRY(write_companions_add(c, memory, path, text, overwrite, error));
    }
    /* data.csv gets data.study.yaml. */
    const size_t length = strlen(data), stem = text_ends(data, ".csv") ? length - 4 : length;
    char *path = TRY_ALLOC(arena_printf(memory, "%.*s.study.yaml", (int)stem, data), error);
    char *text = TRY_ALLOC(study_text(memory, p, base_name(data), base_name(path)), error);
    return write_companions_add(c, memory, path, text, overwrite, error);
}

kith_status write_companions_commit(companions *c, kith_error *error)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->outputs[i] != NULL)
            TRY(output_commit(c->outputs[i], error));
    return KITH_OK;
}

const char *write_companions_path(const companions *c, size_t index)
{
    return index < c->count ? c->paths[index] : NULL;
}

#include "job/simulate_places.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    (void)!remove(path);
    return 0;
}

static void remove_tree(void *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A private directory whose name ends in six random characters. */
static kith_status make_temporary(const char **made, arena *memory, char *pattern,
                                  kith_error *error)
{
    TRY_ALLOC(pattern, error);
    if (mkdtemp(pattern) == NULL)
        return error_errno(error, errno, "make", pattern);
    char *absolute = realpath(pattern, NULL);
    *made = absolute == NULL ? NULL : arena_strdup(memory, absolute);
    free(absolute);
    if (*made == NULL) {
        remove_tree(pattern);
        return error_nomem(error);
    }
    return arena_defer(memory, remove_tree, (void *)(uintptr_t)*made) ? KITH_OK
                                                                      : error_nomem(error);
}

static const char *temporary_root(void)
{
    const char *named = getenv("TMPDIR");
    return named != NULL && named[0] != '\0' ? named : "/tmp";
}

static kith_status refuse_existing(const simulate_places *p, const char *name, kith_error *error)
{
    const char *path = TRY_ALLOC(arena_printf(p->memory, "%s/%s", p->directory, name), error);
    if (access(path, F_OK) != 0)
        return KITH_OK;
    error_set(error, KITH_INVALID, "%s exists already", path);
    return error_hint(error, KITH_INVALID, "use --force to overwrite it");
}

/* Only rmdir: whatever somebody has put there stays. */
static void remove_made(void *object)
{
    const simulate_places *p = object;
    if (p->made && !p->kept)
        rmdir(p->directory);
}

static kith_status open_directory(simulate_places *p, arena *memory, const char *directory,
                                  kith_error *error)
{
    struct stat status;
    p->directory = directory; /* for the messages until its whole path is known */
    if (mkdir(directory, 0777) == 0)
        p->made = true;
    else if (errno != EEXIST)
        return error_errno(error, errno, "make", directory);
    else if (stat(directory, &status) == 0 && !S_ISDIR(status.st_mode))
        return error_set(error, KITH_INVALID, "%s is not a directory", directory);
    if (!arena_defer(memory, remove_made, p))
        return error_nomem(error);
    return KITH_OK;
}

kith_status simulate_places_open(simulate_places *p, arena *memory, const char *directory,
                                 const char *const *names, uint32_t count, bool overwrite,
                                 kith_error *error)
{
    static const char *const joint[] = {"release.csv", "release.csv.meta.json", "summary.json"};
    *p = (simulate_places){.memory = memory, .overwrite = overwrite};
    TRY(open_directory(p, memory, directory, error));
    for (size_t i = 0; i < sizeof joint / sizeof *joint && !overwrite; i++)
        TRY(refuse_existing(p, joint[i], error));
    for (uint32_t i = 0; i < count && !overwrite; i++)
        TRY(refuse_existing(p, names[i], error));
    TRY(make_temporary(&p->secret, memory,
                       arena_printf(memory, "%s/kith-simulate-XXXXXX", temporary_root()), error));
    TRY(make_temporary(&p->stage, memory, arena_printf(memory, "%s/.stage-XXXXXX", directory),
                       error));
    size_t length = (size_t)(strrchr(p->stage, '/') - p->stage);
    const char *absolute = TRY_ALLOC(arena_strndup(memory, p->stage, length), error);
    p->directory = absolute;
    return KITH_OK;
}

kith_status simulate_places_party(const simulate_places *p, const char *name, const char **path,
                                  kith_error *error)
{
    *path = arena_printf(p->memory, "%s/%s", p->stage, name);
    TRY_ALLOC(*path, error);
    return mkdir(*path, 0700) == 0 || errno == EEXIST ? KITH_OK
                                                      : error_errno(error, errno, "make", *path);
}

/* Moves a file of the stage, `name` below both directories; it need not be there, but what an
 * earlier run left in its place goes. */
static kith_status move_file(const simulate_places *p, const char *name, kith_error *error)
{
    const char *from = arena_printf(p->memory, "%s/%s", p->stage, name);
    const char *to = arena_printf(p->memory, "%s/%s", p->directory, name);
    if (from == NULL || to == NULL)
        return error_nomem(error);
    if (rename(from, to) == 0)
        return KITH_OK;
    if (errno != ENOENT)
        return error_errno(error, errno, "write", to);
    unlink(to);
    return KITH_OK;
}

/* What a party leaves. */
static const char *const files[] = {"ledger.json", "ledger.txt", "release.csv",
                                    "release.csv.meta.json", "summary.json"};

/* A whole folder, or file by file if there is one from an earlier run. */
static kith_status move_party(const simulate_places *p, const char *name, kith_error *error)
{
    const char *from = arena_printf(p->memory, "%s/%s", p->stage, name);
    const char *to = arena_printf(p->memory, "%s/%s", p->directory, name);
    if (from == NULL || to == NULL)
        return error_nomem(error);
    if (rename(from, to) == 0)
        return KITH_OK;
    if (!p->overwrite || (errno != EEXIST && errno != ENOTEMPTY))
        return error_errno(error, errno, "write", to);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *file = TRY_ALLOC(arena_printf(p->memory, "%s/%s", name, files[i]), error);
        TRY(move_file(p, file, error));
    }
    return KITH_OK;
}

/* Folders of sites and masters of an earlier run, as long as nothing else is in them. */
static kith_status remove_stale(const simulate_places *p, const char *const *names, uint32_t count,
                                const char *name, kith_error *error)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return KITH_OK;
    const char *folder = TRY_ALLOC(arena_printf(p->memory, "%s/%s", p->directory, name), error);
    if (access(folder, F_OK) != 0)
        return KITH_OK;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *file = TRY_ALLOC(arena_printf(p->memory, "%s/%s", folder, files[i]), error);
        unlink(file);
    }
    rmdir(folder);
    return KITH_OK;
}

static kith_status remove_earlier(const simulate_places *p, const char *const *names,
                                  uint32_t count, kith_error *error)
{
    enum { SITES_MOST = 64 };
    char name[16];
    for (unsigned i = 1; i <= SITES_MOST; i++) {
        snprintf(name, sizeof name, "site%u", i);
        TRY(remove_stale(p, names, count, name, error));
        snprintf(name, sizeof name, "replica%u", i);
        TRY(remove_stale(p, names, count, name, error));
    }
    return remove_stale(p, names, count, "master", error);
}

kith_status simulate_places_appear(simulate_places *p, const char *const *names, uint32_t count,
                                   kith_error *error)
{
    p->kept = true;
    if (p->overwrite)
        TRY(remove_earlier(p, names, count, error));
    for (uint32_t i = 0; i < count; i++)
        TRY(move_party(p, names[i], error));
    TRY(move_file(p, "release.csv", error));
    TRY(move_file(p, "release.csv.meta.json", error));
    return move_file(p, "summary.json", error);
}

kith_status simulate_places_private(const char **path, arena *memory, kith_error *error)
{
    return make_temporary(path, memory, arena_printf(memory, "%s/kith-XXXXXX", temporary_root()),
                          error);
}

kith_status simulate_places_make(const char *path, kith_error *error)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return KITH_OK;
    return error_errno(error, errno, "make", path);
}

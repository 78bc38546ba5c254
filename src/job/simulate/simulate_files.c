#include "job/simulate/simulate_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/remove_tree.h"
#include "core/temporary_directory.h"
#include "job/result/path_conflicts.h"
#include "job/simulate/simulate_split.h"

/* The files of each party and those of the run. The summary comes last: once it is there, so is
 * everything else. */
static const char *const party_files[] = {"ledger.json",           "ledger.txt",  "release.csv",
                                          "release.csv.meta.json", "rows.sqlite", "summary.json"};
static const char *const joint_files[] = {"release.csv", "release.csv.meta.json", "summary.json"};
enum {
    PARTY_FILES = sizeof party_files / sizeof *party_files,
    JOINT_FILES = sizeof joint_files / sizeof *joint_files
};

static const char *temporary_root(void)
{
    const char *named = getenv("TMPDIR");
    return named != NULL && named[0] != '\0' ? named : "/tmp";
}

/* Removes a directory that was made in vain. rmdir fails if anybody has put a file there, and that
 * is intended. */
static void remove_made(void *object)
{
    const simulate_files *p = object;
    if (p->made && !p->kept)
        rmdir(p->directory);
}

kith_status simulate_files_open(simulate_files *p, arena *memory, const char *directory,
                                const char *const *names, uint32_t count, bool overwrite,
                                kith_error *error)
{
    struct stat status;
    /* `directory` is what the caller wrote: messages show it until the stage is made. */
    *p = (simulate_files){.memory = memory, .directory = directory, .overwrite = overwrite};
    if (mkdir(directory, 0777) == 0)
        p->made = true;
    else if (errno != EEXIST)
        return error_errno(error, errno, "make", directory);
    else if (stat(directory, &status) == 0 && !S_ISDIR(status.st_mode))
        return error_set(error, KITH_INVALID, "%s is not a directory", directory);
    if (!arena_defer(memory, remove_made, p))
        return error_nomem(error);
    for (size_t i = 0; i < JOINT_FILES && !overwrite; i++)
        TRY(path_conflicts_refuse_existing(directory, joint_files[i], error));
    for (uint32_t i = 0; i < count && !overwrite; i++)
        TRY(path_conflicts_refuse_existing(directory, names[i], error));
    TRY(temporary_directory_make(&p->private_directory, memory,
                                 arena_printf(memory, "%s/simulate", temporary_root()), error));
    TRY(temporary_directory_make(&p->stage, memory, arena_printf(memory, "%s/stage", directory),
                                 error));
    /* Parties run in other directories, so all paths must be absolute; that of the stage is. */
    size_t length = (size_t)(strrchr(p->stage, '/') - p->stage);
    const char *absolute = TRY_ALLOC(arena_strndup(memory, p->stage, length), error);
    p->directory = absolute;
    return KITH_OK;
}

kith_status simulate_files_party_directory(const simulate_files *p, const char *name,
                                           const char **path, kith_error *error)
{
    *path = arena_printf(p->memory, "%s/%s", p->stage, name);
    TRY_ALLOC(*path, error);
    return mkdir(*path, 0700) == 0 || errno == EEXIST ? KITH_OK
                                                      : error_errno(error, errno, "make", *path);
}

typedef struct result_path {
    const char *from, *to; /* in the stage, and where it appears */
} result_path;

/* The folder of a party and each file in it. */
typedef struct result_folder {
    result_path path, file[PARTY_FILES];
} result_folder;

/* All paths are made before the first file moves, so that running out of memory cannot leave a part
 * of the results behind. */
typedef struct results {
    result_folder *parties;
    uint32_t n_parties;
    result_folder *stale; /* folders of parties that only an earlier run had */
    uint32_t n_stale;
    result_path joint[JOINT_FILES];
} results;

static kith_status make_path(result_path *path, const simulate_files *p, const char *name,
                             kith_error *error)
{
    path->from = TRY_ALLOC(arena_printf(p->memory, "%s/%s", p->stage, name), error);
    path->to = TRY_ALLOC(arena_printf(p->memory, "%s/%s", p->directory, name), error);
    return KITH_OK;
}

static kith_status make_folder(result_folder *folder, const simulate_files *p, const char *name,
                               kith_error *error)
{
    TRY(make_path(&folder->path, p, name, error));
    for (size_t i = 0; i < PARTY_FILES; i++) {
        const char *file = TRY_ALLOC(arena_printf(p->memory, "%s/%s", name, party_files[i]), error);
        TRY(make_path(&folder->file[i], p, file, error));
    }
    return KITH_OK;
}

/* Adds a folder unless this run has a party of that name or the folder does not exist. */
static kith_status add_stale(results *r, const simulate_files *p, const char *const *names,
                             const char *name, kith_error *error)
{
    for (uint32_t i = 0; i < r->n_parties; i++)
        if (strcmp(names[i], name) == 0)
            return KITH_OK;
    TRY(make_folder(&r->stale[r->n_stale], p, name, error));
    r->n_stale += access(r->stale[r->n_stale].path.to, F_OK) == 0;
    return KITH_OK;
}

/* Folders that an earlier run with more parties has left. Their names are known. */
static kith_status find_stale(results *r, const simulate_files *p, const char *const *names,
                              kith_error *error)
{
    r->stale =
        TRY_ALLOC(arena_array(p->memory, 2 * SIMULATE_MAX_SITES + 1, sizeof *r->stale), error);
    char name[16];
    for (unsigned i = 1; i <= SIMULATE_MAX_SITES; i++) {
        snprintf(name, sizeof name, "site%u", i);
        TRY(add_stale(r, p, names, name, error));
        snprintf(name, sizeof name, "replica%u", i);
        TRY(add_stale(r, p, names, name, error));
    }
    return add_stale(r, p, names, "master", error);
}

/* All paths of the results. */
static kith_status make_results(results *r, const simulate_files *p, const char *const *names,
                                uint32_t count, kith_error *error)
{
    *r = (results){.n_parties = count};
    r->parties = TRY_ALLOC(arena_array(p->memory, count, sizeof *r->parties), error);
    for (uint32_t i = 0; i < count; i++)
        TRY(make_folder(&r->parties[i], p, names[i], error));
    for (size_t i = 0; i < JOINT_FILES; i++)
        TRY(make_path(&r->joint[i], p, joint_files[i], error));
    return p->overwrite ? find_stale(r, p, names, error) : KITH_OK;
}

/* Parties without a release lack some files. What an earlier run left in place of such a file is
 * removed, or it would be taken for a result of this run. */
static kith_status move_file(const result_path *path, kith_error *error)
{
    if (rename(path->from, path->to) == 0)
        return KITH_OK;
    if (errno != ENOENT)
        return error_errno(error, errno, "write", path->to);
    unlink(path->to);
    return KITH_OK;
}

/* Moves a whole folder, or file by file if one from an earlier run is in the way. */
static kith_status move_folder(const result_folder *folder, bool overwrite, kith_error *error)
{
    if (rename(folder->path.from, folder->path.to) == 0)
        return KITH_OK;
    if (!overwrite || (errno != EEXIST && errno != ENOTEMPTY))
        return error_errno(error, errno, "write", folder->path.to);
    for (size_t i = 0; i < PARTY_FILES; i++)
        TRY(move_file(&folder->file[i], error));
    return KITH_OK;
}

/* Removes the results in a folder, and the folder unless it has other files. */
static void remove_folder(const result_folder *folder)
{
    for (size_t i = 0; i < PARTY_FILES; i++)
        unlink(folder->file[i].to);
    rmdir(folder->path.to);
}

kith_status simulate_files_publish(simulate_files *p, const char *const *names, uint32_t count,
                                   kith_error *error)
{
    results r;
    TRY(make_results(&r, p, names, count, error));
    p->kept = true;
    for (uint32_t i = 0; i < r.n_stale; i++)
        remove_folder(&r.stale[i]);
    for (uint32_t i = 0; i < r.n_parties; i++)
        TRY(move_folder(&r.parties[i], p->overwrite, error));
    for (size_t i = 0; i < JOINT_FILES; i++)
        TRY(move_file(&r.joint[i], error));
    return KITH_OK;
}

kith_status simulate_files_private_directory(const char **path, arena *memory, kith_error *error)
{
    return temporary_directory_make(path, memory,
                                    arena_printf(memory, "%s/simulate", temporary_root()), error);
}

kith_status simulate_files_make_directory(const char *path, kith_error *error)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return KITH_OK;
    return error_errno(error, errno, "make", path);
}

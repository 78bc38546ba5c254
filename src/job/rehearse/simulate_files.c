#include "job/rehearse/simulate_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/system/temporary_file.h"
#include "job/result/path_conflicts.h"
#include "job/rehearse/simulate_split.h"

/* The files of each party and those of the run. The summary comes last: once it is there, so is
 * everything else. */
static const char *const party_files[] = {"ledger.json",           "ledger.txt",  "release.csv",
                                          "release.csv.meta.json", "rows.sqlite", "summary.json"};
static const char *const joint_files[] = {"release.csv", "release.csv.meta.json", "summary.json"};
enum {
    PARTY_FILES = sizeof party_files / sizeof *party_files,
    JOINT_FILES = sizeof joint_files / sizeof *joint_files
};

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
    TRY_ALLOC(arena_defer(memory, remove_made, p), error);
    for (size_t i = 0; i < JOINT_FILES && !overwrite; i++)
        TRY(path_conflicts_refuse_existing(directory, joint_files[i], error));
    for (uint32_t i = 0; i < count && !overwrite; i++)
        TRY(path_conflicts_refuse_existing(directory, names[i], error));
    TRY(simulate_files_private_directory(&p->private_directory, memory, error));
    TRY(temporary_file_make_directory(&p->stage, memory,
                                      arena_printf(memory, "%s/stage", directory), error));
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

/* A move of results: descriptors of the stage and of the directory where they appear. No memory is
 * taken, so that lack of it cannot leave a part of the results behind. */
typedef struct result_move {
    const simulate_files *files;
    int from, to;
} result_move;

enum { NAME_BYTES = 96 }; /* of a party, and a file in its folder */

static kith_status cannot_write(const result_move *m, const char *name, kith_error *error)
{
    const int why = errno;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", m->files->directory, name);
    return error_errno(error, why, "write", path);
}

/* Parties without a release lack some files. What an earlier run left in place of such a file is
 * removed, or it would be taken for a result of this run. */
static kith_status move_file(const result_move *m, const char *name, kith_error *error)
{
    if (renameat(m->from, name, m->to, name) == 0)
        return KITH_OK;
    if (errno != ENOENT)
        return cannot_write(m, name, error);
    unlinkat(m->to, name, 0);
    return KITH_OK;
}

/* Moves a whole folder, or file by file if one from an earlier run is in the way. */
static kith_status move_folder(const result_move *m, const char *party, kith_error *error)
{
    if (renameat(m->from, party, m->to, party) == 0)
        return KITH_OK;
    if (!m->files->overwrite || (errno != EEXIST && errno != ENOTEMPTY))
        return cannot_write(m, party, error);
    for (size_t i = 0; i < PARTY_FILES; i++) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "%s/%s", party, party_files[i]);
        TRY(move_file(m, name, error));
    }
    return KITH_OK;
}

/* Removes the results in folders that an earlier run with more parties has left, and the folders
 * unless they have other files. Their names are known. */
static void remove_stale(const result_move *m, const char *const *names, uint32_t count)
{
    for (unsigned i = 0; i <= 2 * SIMULATE_MAX_SITES; i++) {
        char party[16] = "master", name[NAME_BYTES];
        bool stale = true;
        if (i > 0)
            snprintf(party, sizeof party, "%s%u", i % 2 == 1 ? "site" : "replica", (i + 1) / 2);
        for (uint32_t j = 0; j < count && stale; j++)
            stale = strcmp(names[j], party) != 0;
        for (size_t k = 0; k < PARTY_FILES && stale; k++) {
            snprintf(name, sizeof name, "%s/%s", party, party_files[k]);
            unlinkat(m->to, name, 0);
        }
        if (stale)
            unlinkat(m->to, party, AT_REMOVEDIR);
    }
}

static kith_status move_all(const result_move *m, const char *const *names, uint32_t count,
                            kith_error *error)
{
    if (m->from < 0 || m->to < 0)
        return error_errno(error, errno, "open", m->files->directory);
    if (m->files->overwrite)
        remove_stale(m, names, count);
    for (uint32_t i = 0; i < count; i++)
        TRY(move_folder(m, names[i], error));
    for (size_t i = 0; i < JOINT_FILES; i++)
        TRY(move_file(m, joint_files[i], error));
    return KITH_OK;
}

kith_status simulate_files_publish(simulate_files *p, const char *const *names, uint32_t count,
                                   kith_error *error)
{
    const int how = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    const result_move m = {p, open(p->stage, how), open(p->directory, how)};
    p->kept = true;
    const kith_status status = move_all(&m, names, count, error);
    if (m.from >= 0)
        close(m.from);
    if (m.to >= 0)
        close(m.to);
    return status;
}

kith_status simulate_files_private_directory(const char **path, arena *memory, kith_error *error)
{
    const char *named = getenv("TMPDIR");
    const char *root = named != NULL && named[0] != '\0' ? named : "/tmp";
    return temporary_file_make_directory(path, memory, arena_printf(memory, "%s/simulate", root),
                                         error);
}

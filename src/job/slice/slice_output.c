#include "job/slice/slice_output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "core/system/stage.h"
#include "core/system/temporary_file.h"
#include "core/text.h"
#include "table/uri.h"

enum { QUOTE_BYTES = 120 };

static bool ends(const char *name, const char *ending)
{
    const size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static bool is_of_release(const char *name)
{
    const bool part = strncmp(name, "part-", 5) == 0 &&
                      (ends(name, ".csv") || ends(name, ".csv.gz") || ends(name, ".csv.zst"));
    return part || ends(name, ".meta.json") || strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* What is replaced is lost: a directory that has other things in it was named by mistake. */
static kith_status check_old(const char *directory, kith_error *error)
{
    kith_status status = KITH_OK;
    DIR *old = opendir(directory);
    if (old == NULL)
        return error_errno(error, errno, "replace", directory);
    for (const struct dirent *entry; status == KITH_OK && (entry = readdir(old)) != NULL;)
        if (!is_of_release(entry->d_name)) {
            char quoted[QUOTE_BYTES];
            text_quote(quoted, sizeof quoted, entry->d_name, strlen(entry->d_name));
            error_set(error, KITH_INVALID, "%s is not replaced: it holds '%s'", directory, quoted);
            status = error_hint(error, KITH_INVALID,
                                "only a directory of part-*.csv and *.meta.json is");
        }
    closedir(old);
    return status;
}

static kith_status refuse_file(const char *path, kith_error *error)
{
    error_set(error, KITH_INVALID, "%s is not a directory: the release of several ranks is one",
              path);
    return error_hint(error, KITH_INVALID,
                      "use -o DIRECTORY, for a CSV file of each rank; one process, without the "
                      "launcher, writes other files and tables");
}

/* Files in the directory are plain CSV: a name that promises something else is a mistake. */
static bool is_for_directory(const char *path)
{
    return path[0] != '\0' && strcmp(path, "-") != 0 && uri_which(path) == URI_CSV &&
           !ends(path, ".gz") && !ends(path, ".zst");
}

static kith_status slice_output_check_directory(const slice_output *o, kith_error *error)
{
    struct stat status;
    if (lstat(o->directory, &status) != 0)
        return errno == ENOENT ? KITH_OK : error_errno(error, errno, "write", o->directory);
    if (!S_ISDIR(status.st_mode))
        return refuse_file(o->directory, error);
    if (o->overwrite)
        return check_old(o->directory, error);
    return error_exists(error, o->directory);
}

/* The path without slashes at its end. */
static kith_status take_path(slice_output *o, const char *path, arena *memory, kith_error *error)
{
    size_t length = strlen(path);
    if (!is_for_directory(path))
        return refuse_file(path, error);
    while (length > 1 && path[length - 1] == '/')
        length--;
    o->directory = TRY_ALLOC(arena_strndup(memory, path, length), error);
    return KITH_OK;
}

kith_status slice_output_check(const char *path, bool overwrite, context *c, kith_error *error)
{
    slice_output o = {.overwrite = overwrite, .stage = ""};
    TRY(take_path(&o, path, c->memory, error));
    return ranks_self(c->ranks) == 0 ? slice_output_check_directory(&o, error) : KITH_OK;
}

kith_status slice_output_open(slice_output *o, const char *path, bool overwrite, context *c,
                              kith_error *error)
{
    const uint32_t rank = ranks_self(c->ranks);
    ranks_bytes *all = TRY_ALLOC(arena_array(c->memory, ranks_count(c->ranks), sizeof *all), error);
    *o = (slice_output){.overwrite = overwrite, .stage = ""};
    TRY(take_path(o, path, c->memory, error));
    if (rank == 0) {
        TRY(slice_output_check_directory(o, error));
        TRY(temporary_file_make_directory(&o->stage, c->memory, o->directory, error));
    }
    TRY(ranks_gather(c->ranks, o->stage, strlen(o->stage) + 1, all, c->memory, error));
    o->stage = all[0].bytes;
    o->part = TRY_ALLOC(arena_printf(c->memory, "%s/part-%05u.csv", o->stage, rank), error);
    return KITH_OK;
}

void slice_output_name(const slice_output *o, kith_error *error)
{
    const char *at = error == NULL || o->stage == NULL || o->stage[0] == '\0'
                         ? NULL
                         : strstr(error->message, o->stage);
    if (at == NULL)
        return;
    const kith_error old = *error;
    const size_t before = (size_t)(at - error->message);
    error_set(error, old.status, "%.*s%s%s", (int)before, old.message, o->directory,
              old.message + before + strlen(o->stage));
    if (old.hint[0] != '\0')
        error_hint(error, old.status, "%s", old.hint);
}

/* Gives the directory the permissions of new ones, which only a new one shows, and writes it to
 * disk. */
static kith_status open_to_others(const slice_output *o, arena *memory, kith_error *error)
{
    struct stat status;
    const char *probe = TRY_ALLOC(arena_printf(memory, "%s/.new", o->stage), error);
    if (mkdir(probe, 0777) != 0)
        return error_errno(error, errno, "write", o->stage);
    const bool known = stat(probe, &status) == 0;
    rmdir(probe);
    if (!known || chmod(o->stage, status.st_mode & 0777) != 0)
        return error_errno(error, errno, "write", o->stage);
    const int descriptor = open(o->stage, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return error_errno(error, errno, "write", o->stage);
    fsync(descriptor); /* some file systems cannot */
    close(descriptor);
    return KITH_OK;
}

/* Where directories cannot change places: for a moment there is neither. */
static kith_status replace(const slice_output *o, arena *memory, kith_error *error)
{
    const char *aside;
    TRY(temporary_file_make_directory(&aside, memory, o->directory, error));
    if (rename(o->directory, aside) != 0)
        return error_errno(error, errno, "replace", o->directory);
    if (rename(o->stage, o->directory) == 0)
        return KITH_OK;
    const int failure = errno;
    (void)rename(aside, o->directory);
    return error_errno(error, failure, "write", o->directory);
}

/* The whole directory, and memory to give it its name. */
typedef struct made_release {
    const slice_output *output;
    arena *memory;
} made_release;

/* An older release changes places with the new one, and disappears with the stage. */
static kith_status appear(void *self, kith_error *error)
{
    const made_release *made = self;
    const slice_output *o = made->output;
    arena *memory = made->memory;
    TRY(open_to_others(o, memory, error));
    const bool replaces = o->overwrite && access(o->directory, F_OK) == 0;
    if (replaces)
        TRY(check_old(o->directory, error));
    const unsigned how = replaces ? RENAME_EXCHANGE : RENAME_NOREPLACE;
    if (renameat2(AT_FDCWD, o->stage, AT_FDCWD, o->directory, how) == 0)
        return KITH_OK;
    /* Some file systems can only rename to what is not there, or is empty. */
    if (errno == EINVAL && replaces)
        return replace(o, memory, error);
    if (errno == EINVAL && rename(o->stage, o->directory) == 0)
        return KITH_OK;
    return error_errno(error, errno, replaces ? "replace" : "write", o->directory);
}

kith_status slice_output_commit(const slice_output *o, const publication *beside, context *c,
                                kith_error *error)
{
    made_release made = {o, c->memory};
    stage s = {0};
    TRY(ranks_barrier(c->ranks, error));
    ranks_watch(c->ranks, NULL, NULL); /* what has appeared is not stopped any more */
    if (beside->mapping != NULL && ranks_self(c->ranks) == 0)
        TRY(mapping_file_stage(beside->mapping, &s, error));
    for (uint32_t i = 0; i < beside->n_files; i++)
        stage_add(&s, beside->files[i]);
    if (ranks_self(c->ranks) == 0)
        stage_end_with(&s, appear, &made);
    TRY(stage_commit(&s, error));
    return ranks_barrier(c->ranks, error);
}

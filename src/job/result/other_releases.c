#include "job/result/other_releases.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/result/path_conflicts.h"

static const char SUFFIX[] = ".meta.json";

static int is_companion(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name), suffix = strlen(SUFFIX);
    return length > suffix && strcmp(entry->d_name + length - suffix, SUFFIX) == 0;
}

/* Is this the companion of a release of the study? A file that cannot be read is not. */
static bool names_study(const char *companion, const char *study)
{
    kith_document *d = NULL;
    kith_error ignored;
    if (document_read(&d, companion, &ignored) != KITH_OK)
        return false;
    const bool same =
        kith_document_has(d, "digest") && strcmp(kith_document_text(d, "study", ""), study) == 0;
    kith_document_free(d);
    return same;
}

/* The file that `output` replaces is gone when the new one is there. */
static void put_if_other(kith_document *d, document_node *to, document_node **list,
                         const char *companion, const char *output, const char *study)
{
    char release[PATH_MAX];
    snprintf(release, sizeof release, "%s", companion);
    release[strlen(release) - strlen(SUFFIX)] = '\0';
    if (strcmp(release, output) == 0 || access(release, F_OK) != 0 ||
        !names_study(companion, study))
        return;
    if (*list == NULL)
        *list = document_array(d, to, "other_releases");
    document_put_text(d, *list, NULL, release);
}

void other_releases_put(kith_document *d, document_node *to, const char *output, const char *study)
{
    char directory[PATH_MAX], path[PATH_MAX];
    struct dirent **entries = NULL;
    document_node *list = NULL;
    if (output == NULL || !path_conflicts_is_file(output))
        return;
    const char *slash = strrchr(output, '/');
    const int length = slash == NULL ? 0 : (int)(slash - output) + 1;
    snprintf(directory, sizeof directory, "%.*s", length, output);
    const int count = scandir(length == 0 ? "." : directory, &entries, is_companion, alphasort);
    for (int i = 0; i < count; i++) {
        if ((size_t)snprintf(path, sizeof path, "%s%s", directory, entries[i]->d_name) <
            sizeof path)
            put_if_other(d, to, &list, path, output, study);
        free(entries[i]);
    }
    free(entries);
}

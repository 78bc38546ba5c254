/* Documents as files: complete or not at all. */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(const char *path)
{
    kith_error error = {.status = KITH_IO};
    snprintf(error.message, sizeof error.message, "cannot write %s: %s", path, strerror(errno));
    return report_error(&error);
}

/* Can a file be made in the directory of this path? */
static bool directory_writable(const char *path)
{
    char directory[4096];
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    if (length >= sizeof directory)
        return true; /* writing will say what is wrong */
    memcpy(directory, path, length);
    directory[length] = '\0';
    return access(length == 0 ? "." : directory, W_OK) == 0;
}

static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

int save_check(const char *path, bool overwrite)
{
    if (path == NULL || is_special(path))
        return EXIT_DONE;
    if (!overwrite && access(path, F_OK) == 0) {
        kith_error error = {.status = KITH_INVALID, .hint = "use --force to overwrite it"};
        snprintf(error.message, sizeof error.message, "%s exists already", path);
        return report_error(&error);
    }
    return directory_writable(path) ? EXIT_DONE : fail(path);
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    if (stat(a, &x) != 0 || stat(b, &y) != 0)
        return strcmp(a, b) == 0;
    return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int save_apart(const char *what, const char *path, const char *const others[5])
{
    for (int i = 0; i < 5 && path != NULL; i++)
        if (others[i] != NULL && same_file(path, others[i])) {
            kith_error error = {.status = KITH_INVALID};
            snprintf(error.message, sizeof error.message,
                     "%s would take the place of %s, which this run reads or writes", what,
                     others[i]);
            return report_error(&error);
        }
    return EXIT_DONE;
}

int save_text(const char *path, const char *text)
{
    kith_error error = {.status = KITH_OK};
    return kith_file_write(path, text, &error) == KITH_OK ? EXIT_DONE : report_error(&error);
}

int save_private(const char *path, const char *text)
{
    kith_error error = {.status = KITH_OK};
    return kith_file_write_private(path, text, &error) == KITH_OK ? EXIT_DONE
                                                                  : report_error(&error);
}

int save_document(const kith_document *document, const char *path)
{
    if (path == NULL)
        return EXIT_DONE;
    char *json = kith_document_json(document, true);
    if (json == NULL)
        return report_error(&(kith_error){.status = KITH_NOMEM, .message = "out of memory"});
    int status = save_private(path, json);
    kith_free(json);
    return status;
}

int document_tell(kith_document *d, const common_options *common,
                  void (*print)(const kith_document *d, const void *user), const void *user)
{
    int status = save_document(d, common->summary);
    if (status == EXIT_DONE && common->json)
        document_print(d);
    else if (status == EXIT_DONE && !common->quiet)
        print(d, user);
    kith_document_free(d);
    return status;
}

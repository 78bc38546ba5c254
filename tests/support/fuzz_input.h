/* What fuzz targets share: promises that abort when broken, and inputs as files for readers that
 * take a path. Header only. */
#ifndef SUPPORT_FUZZ_INPUT_H
#define SUPPORT_FUZZ_INPUT_H

#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Standard error as it was before libFuzzer closed it (-close_fd_mask). */
static int fuzz_errors = STDERR_FILENO;

__attribute__((constructor)) static void fuzz_keep_errors(void)
{
    fuzz_errors = dup(STDERR_FILENO);
}

_Noreturn static inline void fuzz_broken(const char *file, int line, const char *condition)
{
    dprintf(fuzz_errors, "%s:%d: broken promise: %s\n", file, line, condition);
    abort();
}

/* A promise of the code under test. */
#define require(condition)                               \
    do {                                                 \
        if (!(condition))                                \
            fuzz_broken(__FILE__, __LINE__, #condition); \
    } while (0)

/* --- files --- */

static char fuzz_directory[256];

static inline int fuzz_remove_entry(const char *path, const struct stat *status, int kind,
                                    struct FTW *walk)
{
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

static inline void fuzz_remove_directory(void)
{
    nftw(fuzz_directory, fuzz_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Path of a file in a directory of this process, which goes with it; four results live at a time.
 * A process that is killed leaves it behind, below TMPDIR, which scripts/fuzz cleans. */
static inline const char *fuzz_path(const char *name)
{
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];
    if (fuzz_directory[0] == '\0') {
        const char *place = getenv("TMPDIR");
        if (place == NULL)
            place = "/tmp";
        require(snprintf(fuzz_directory, sizeof fuzz_directory, "%s/kith-fuzz.XXXXXX", place) <
                (int)sizeof fuzz_directory);
        require(mkdtemp(fuzz_directory) != NULL && atexit(fuzz_remove_directory) == 0);
    }
    snprintf(path, sizeof paths[0], "%s/%s", fuzz_directory, name);
    return path;
}

/* Writes a file that only its owner can read, and returns its path. */
static inline const char *fuzz_file(const char *name, const void *data, size_t size)
{
    const char *path = fuzz_path(name);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    require(file >= 0 && write(file, data, size) == (ssize_t)size && close(file) == 0);
    return path;
}

/* --- texts --- */

/* A copy with a NUL behind it, to be freed. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    require(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* Cuts the first line off; the rest begins behind its line end. */
static inline char *fuzz_line(const uint8_t **data, size_t *size)
{
    const uint8_t *end = *size == 0 ? NULL : memchr(*data, '\n', *size);
    const size_t length = end == NULL ? *size : (size_t)(end - *data);
    char *line = fuzz_text(*data, length);
    *data += length + (end != NULL);
    *size -= length + (end != NULL);
    return line;
}

#endif

/* A directory for the files of one test, removed with all that is in it. */
#ifndef SUPPORT_SCRATCH_H
#define SUPPORT_SCRATCH_H

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch_directory[64];

static inline int scratch_setup(void **state)
{
    (void)state;
    snprintf(scratch_directory, sizeof scratch_directory, "%s/kith-test.XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    return mkdtemp(scratch_directory) == NULL ? -1 : 0;
}

static inline int scratch_remove(const char *path, const struct stat *status, int kind,
                                 struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

static inline int scratch_teardown(void **state)
{
    (void)state;
    return nftw(scratch_directory, scratch_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* Path of a file in the directory; four results live at a time. */
static inline const char *scratch_path(const char *name)
{
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", scratch_directory, name);
    return path;
}

/* Entries of the directory (without . and ..). */
static inline size_t scratch_count(void)
{
    size_t count = 0;
    DIR *directory = opendir(scratch_directory);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (directory != NULL)
        closedir(directory);
    return count;
}

/* Whole contents as a text to be freed; NULL if there is no such file. */
static inline char *scratch_read(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    if (text != NULL)
        text[fread(text, 1, size, file)] = '\0';
    fclose(file);
    if (length != NULL)
        *length = size;
    return text;
}

static inline void scratch_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        abort();
    fputs(text, file);
    fclose(file);
}

#endif

/* A picture of the working directory: all files with their contents. They are small. */
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drive.h"

static tree *reading;

static void *or_end(void *block)
{
    if (block == NULL) {
        perror("failing_calls");
        exit(99);
    }
    return block;
}

static void read_bytes(tree_file *f, const char *path)
{
    FILE *in = or_end(fopen(path, "rb"));
    fseek(in, 0, SEEK_END);
    f->length = (size_t)ftell(in);
    rewind(in);
    f->bytes = or_end(malloc(f->length + 1));
    f->length = fread(f->bytes, 1, f->length, in);
    f->bytes[f->length] = '\0';
    fclose(in);
}

static int add(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    if (walk->level == 0)
        return 0;
    tree *t = reading;
    t->files = or_end(realloc(t->files, (t->count + 1) * sizeof *t->files));
    tree_file *f = &t->files[t->count++];
    *f = (tree_file){.path = or_end(strdup(path)),
                     .mode = status->st_mode & 07777,
                     .directory = kind == FTW_D || kind == FTW_DP};
    if (kind == FTW_F && S_ISREG(status->st_mode))
        read_bytes(f, path);
    return 0;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const tree_file *)a)->path, ((const tree_file *)b)->path);
}

tree tree_read(void)
{
    tree t = {0};
    reading = &t;
    nftw(".", add, 16, FTW_PHYS);
    if (t.count > 0)
        qsort(t.files, t.count, sizeof *t.files, by_path);
    return t;
}

void tree_free(tree *t)
{
    for (size_t i = 0; i < t->count; i++) {
        free(t->files[i].path);
        free(t->files[i].bytes);
    }
    free(t->files);
    *t = (tree){0};
}

const tree_file *tree_find(const tree *t, const char *path)
{
    const tree_file wanted = {.path = (char *)path};
    return t->count == 0 ? NULL : bsearch(&wanted, t->files, t->count, sizeof wanted, by_path);
}

static void put_back(const tree_file *f)
{
    if (f->directory || f->bytes == NULL) {
        mkdir(f->path, f->mode);
        return;
    }
    unlink(f->path);
    int descriptor = open(f->path, O_WRONLY | O_CREAT | O_TRUNC, f->mode);
    if (descriptor < 0 || write(descriptor, f->bytes, f->length) != (ssize_t)f->length ||
        fchmod(descriptor, f->mode) != 0 || close(descriptor) != 0) {
        perror(f->path);
        exit(99);
    }
}

void tree_restore(const tree *t)
{
    tree now = tree_read();
    for (size_t i = now.count; i-- > 0;) /* what is in a directory comes behind it */
        if (tree_find(t, now.files[i].path) == NULL)
            remove(now.files[i].path);
    for (size_t i = 0; i < t->count; i++) {
        const tree_file *was = &t->files[i], *is = tree_find(&now, was->path);
        if (is == NULL || is->mode != was->mode || is->length != was->length ||
            (was->bytes != NULL && memcmp(is->bytes, was->bytes, was->length) != 0))
            put_back(was);
    }
    tree_free(&now);
}

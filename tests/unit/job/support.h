/* Studies from text and tables from cells, for the tests of jobs. */
#ifndef TESTS_JOB_SUPPORT_H
#define TESTS_JOB_SUPPORT_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <kith/joint.h>
#include <kith/kith.h>
#include <kith/tools.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline kith_study *study_of(const char *text)
{
    kith_study *study = NULL;
    kith_error error = {0};
    if (kith_study_parse(&study, text, strlen(text), ".", NULL, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return study;
}

/* Cells in the order of the study's columns that are not identifying. */
static inline kith_table *table_of(const kith_study *study, const char *const *cells, size_t n_rows)
{
    kith_table *table = NULL;
    kith_error error = {0};
    kith_table_options options = KITH_INIT(kith_table_options);
    if (kith_study_table_options(&options, study, &error) != KITH_OK ||
        kith_table_from_cells(&table, cells, n_rows, &options, &error) != KITH_OK)
        fail_msg("%s", error.message);
    return table;
}

/* A table of texts. Ranks call it on threads of their own, where nothing may be asserted. */
static inline kith_status texts_of(kith_table **table, const char *const *names, size_t n_columns,
                                   const char *const *cells, size_t n_rows, kith_error *error)
{
    kith_column_spec specs[16];
    if (n_columns > sizeof specs / sizeof *specs)
        abort();
    for (size_t i = 0; i < n_columns; i++)
        specs[i] = (kith_column_spec){names[i], KITH_TYPE_STRING, NULL};
    const kith_table_options how =
        KITH_OPTIONS(kith_table_options, .columns = specs, .n_columns = n_columns);
    return kith_table_from_cells(table, cells, n_rows, &how, error);
}

/* A table that was handed over is still what it was. */
static inline void assert_cells(const kith_table *table, const char *const *cells)
{
    const size_t n_columns = kith_table_n_columns(table);
    for (size_t row = 0; row < kith_table_n_rows(table); row++)
        for (size_t i = 0; i < n_columns; i++) {
            const char *cell = kith_table_cell(table, row, i);
            const char *expected = cells[row * n_columns + i];
            if ((cell == NULL) != (expected == NULL) ||
                (cell != NULL && strcmp(cell, expected) != 0))
                abort();
        }
}

/* What a call has said: its document, which is freed, as JSON, or else a message. */
enum { SAID_BYTES = 1024 };
static inline char *said(kith_status status, kith_document *d, const kith_error *error,
                         char message[SAID_BYTES])
{
    char *json = status == KITH_OK ? kith_document_json(d, true) : NULL;
    if (status != KITH_OK)
        snprintf(message, SAID_BYTES, "%s", error->message);
    kith_document_free(d);
    return json;
}

/* A directory that is removed with all it holds at the end. */
typedef struct place {
    char directory[64];
    char *path[8];
    size_t used;
} place;

static inline void place_make(place *p)
{
    p->used = 0;
    snprintf(p->directory, sizeof p->directory, "/tmp/kith-job-XXXXXX");
    assert_non_null(mkdtemp(p->directory));
}

/* A name in the directory, with this text in it unless NULL. */
static inline const char *place_file(place *p, const char *name, const char *text)
{
    char *path = NULL;
    assert_true(p->used < 8);
    assert_true(asprintf(&path, "%s/%s", p->directory, name) > 0);
    p->path[p->used++] = path;
    if (text != NULL) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(text, file);
        fclose(file);
    }
    return path;
}

/* Fails if anything but the named files stands there. */
static inline void place_wipe(place *p)
{
    for (size_t i = 0; i < p->used; i++) {
        unlink(p->path[i]);
        free(p->path[i]);
    }
    assert_int_equal(rmdir(p->directory), 0);
}

static inline const char *cell_of(const kith_table *table, size_t row, size_t column_index)
{
    const char *cell = kith_table_cell(table, row, column_index);
    return cell == NULL ? "" : cell;
}

#endif

/* How a release appears, the same for a single table, a party of a joint run and a simulation:
 *
 *     publication_open      opens the release and its companion under temporary names
 *     publication_add       opens a further file that appears with them
 *     publication_write     writes the rows, reads them back and assesses what was read
 *     publication_document  writes the companion, or a summary
 *     publication_commit    makes all files appear, or none (core/system/stage.h)
 *
 * A joint run agrees on the release between publication_write and publication_commit, so that it
 * appears at all parties or at none.
 *
 * Invariants: no file is visible before publication_commit, and no release is committed that
 * publication_write has not seen. Standard output, pipes and databases cannot be read back in time;
 * there the same rows are assessed before the first of them is written. */
#ifndef JOB_RESULT_PUBLICATION_H
#define JOB_RESULT_PUBLICATION_H

#include "core/document.h"
#include "core/system/output.h"
#include "job/prepare/prepare.h"
#include "job/assess/assess.h"
#include "job/result/mapping_file.h"
#include "table/table_writer.h"

/* The rows of a release. */
typedef struct publication_rows {
    kith_status (*write)(void *user, table_writer *to, kith_error *error);
    /* The same rows as a table that the publication then owns: for outputs that cannot be read
     * back, and for releases that stay in memory. */
    kith_status (*read)(void *user, kith_table **texts, kith_error *error);
    void *user;
} publication_rows;

/* What must hold before a release appears. */
typedef struct publication_check {
    const kith_study *study; /* its models; NULL: they hold for the rows of all sites together */
    const prepared *data;    /* what the release was made from; NULL: this party does not have it */
    bool reordered;          /* `write` does not write the rows in the order of the data */
    const uint32_t *order;   /* reordered: the record behind each row; NULL: not known */
    bool match;              /* without order: check the cover, too, which takes longer */
} publication_check;

enum { PUBLICATION_MAX_FILES = 2 };

/* Begin with (publication){.context = c}; the files belong to the memory of that context. */
typedef struct publication {
    context *context;
    const kith_run *reading;              /* progress while the release is read back; NULL: none */
    bool stoppable;                       /* the caller's progress function may stop it between two
                                             steps, and while a server is waited for; set it before it is opened */
    table_writer *release;                /* NULL: the release stays in memory */
    table_writer *own_rows;               /* joint runs: those of a virtual database; NULL: none */
    output *meta;                         /* its companion; NULL where the release is not a file */
    mapping_file *mapping;                /* NULL: none */
    output *files[PUBLICATION_MAX_FILES]; /* from publication_add */
    uint32_t n_files;
    char separator;
    kith_table *texts; /* the release as it was assessed; NULL before publication_write */
    bool assessed;     /* the caller has done that instead, part by part */
    assessment assessment;
    double write_seconds, verify_seconds;
} publication;

/* Opens the release, and NAME.meta.json beside it if it is a file. Call it before anything that
 * takes long: a path that cannot be written is an error here. `whole` and `from` are those of
 * table_writer_open_whole. */
kith_status publication_open(publication *p, const char *uri, char separator, bool overwrite,
                             const char *const *names, const dictionary *const *whole,
                             const kith_table *from, uint32_t n_columns,
                             kith_error *error) KITH_MUST_USE;

/* These arguments for a release of a table that has been prepared, in `memory`. */
typedef struct publication_columns {
    uint32_t count;
    const char **names;
    const dictionary **whole;
    const kith_table *from;
} publication_columns;
kith_status publication_columns_of(publication_columns *columns, const prepared *p, arena *memory,
                                   kith_error *error) KITH_MUST_USE;

/* Opens a further file, which tells more than the release: only its owner can read it. All of them
 * appear after the release and its companion, in this order. */
kith_status publication_add(publication *p, output **file, const char *path, bool overwrite,
                            kith_error *error) KITH_MUST_USE;

/* Writes and assesses the release. One that breaks a model or does not cover the data is KITH_BUG,
 * since a search or a protocol has failed then. */
kith_status publication_write(publication *p, const publication_rows *rows,
                              const publication_check *check, kith_error *error) KITH_MUST_USE;

/* Writes a document as the only content of a file, which does not appear yet. */
kith_status publication_document(output *file, const kith_document *document,
                                 kith_error *error) KITH_MUST_USE;

kith_status publication_commit(publication *p, kith_error *error) KITH_MUST_USE;

/* CANCELLED if the caller's progress function wants to stop before this step. */
kith_status publication_may_go_on(const publication *p, const char *step,
                                  kith_error *error) KITH_MUST_USE;

/* Frees the table of texts. Files that have not been committed go with the context. */
void publication_wipe(publication *p);

#endif

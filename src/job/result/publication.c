#include "job/result/publication.h"

#include "core/check.h"
#include "core/error.h"
#include "job/result/path_conflicts.h"
#include "table/rows/table_order.h"

kith_status publication_open(publication *p, const char *uri, char separator, bool overwrite,
                             const char *const *names, const dictionary *const *whole,
                             const kith_table *from, uint32_t n_columns, kith_error *error)
{
    arena *memory = p->context->memory;
    ASSERT(p->release == NULL && p->texts == NULL);
    p->separator = separator;
    const kith_run *run =
        p->stoppable ? TRY_ALLOC(context_run_to_the_end(p->context), error) : NULL;
    TRY(table_writer_open_whole(&p->release, memory, uri, separator, overwrite, names, whole, from,
                                n_columns, run, error));
    if (!path_conflicts_is_file(uri))
        return KITH_OK;
    const char *path = TRY_ALLOC(arena_printf(memory, "%s.meta.json", uri), error);
    return output_open(&p->meta, memory, path, overwrite, error);
}

kith_status publication_columns_of(publication_columns *columns, const prepared *p, arena *memory,
                                   kith_error *error)
{
    *columns = (publication_columns){.count = p->n_columns, .from = p->texts};
    columns->names = TRY_ARRAY(columns->names, memory, p->n_columns, error);
    columns->whole = TRY_ZEROS(columns->whole, memory, p->n_columns, error);
    for (uint32_t i = 0; i < p->n_columns; i++) {
        columns->names[i] = p->columns[i].study->name;
        if (p->columns[i].attribute == PREPARE_NONE) /* not generalized */
            columns->whole[i] = &p->texts->columns[p->columns[i].source].values;
    }
    return KITH_OK;
}

kith_status publication_add(publication *p, output **file, const char *path, bool overwrite,
                            kith_error *error)
{
    ASSERT(p->n_files < PUBLICATION_MAX_FILES);
    TRY_ALLOC(path, error);
    TRY(output_open(file, p->context->memory, path, overwrite, error));
    output_keep_private(*file);
    p->files[p->n_files++] = *file;
    return KITH_OK;
}

kith_status publication_may_go_on(const publication *p, const char *step, kith_error *error)
{
    if (p->stoppable && !context_progress(p->context, step, 0))
        return error_set(error, KITH_CANCELLED, "stopped while about to %s", step);
    return KITH_OK;
}

/* Writes all rows under the temporary name, or to where they cannot be taken back. */
static kith_status publication_write_rows(publication *p, const publication_rows *rows,
                                          double *since, kith_error *error)
{
    TRY(publication_may_go_on(p, "write", error));
    TRY(rows->write(rows->user, p->release, error));
    TRY(table_writer_finish(p->release, error));
    p->write_seconds = context_lap(since);
    return KITH_OK;
}

/* What is assessed is what receivers will read, not what the writer was given: an error of the
 * writer is found, too. */
static kith_status read_back(publication *p, kith_error *error)
{
    const char *path = table_writer_readable(p->release);
    const kith_table_options options = KITH_OPTIONS(kith_table_options, .separator = p->separator);
    const kith_run quiet = KITH_OPTIONS(kith_run, .n_threads = p->context->run->n_threads);
    TRY(publication_may_go_on(p, "verify", error));
    if (path == NULL)
        return error_set(error, KITH_BUG, "the release cannot be read back");
    return kith_table_read(&p->texts, path, &options, p->reading != NULL ? p->reading : &quiet,
                           error);
}

kith_status publication_write(publication *p, const publication_rows *rows,
                              const publication_check *check, kith_error *error)
{
    double since = context_seconds();
    const bool is_file = p->meta != NULL;
    ASSERT(p->texts == NULL);
    if (is_file) {
        TRY(publication_write_rows(p, rows, &since, error));
        TRY(read_back(p, error));
    } else {
        TRY(publication_may_go_on(p, "verify", error));
        TRY(rows->read(rows->user, &p->texts, error));
        p->write_seconds = context_lap(&since);
    }
    if (is_file && check->reordered && check->order != NULL) {
        /* Back into the order of the data, so that each row is compared with its own record. */
        if (p->texts->n_rows != check->data->n_rows)
            return error_set(error, KITH_BUG, "%u rows were written, and %u read back",
                             check->data->n_rows, p->texts->n_rows);
        TRY(table_order_undo(p->texts, check->order, error));
    }
    /* rows->read gives the rows in the order of the data; the writer may have another. */
    const bool in_order =
        check->data != NULL && !(is_file && check->reordered && check->order == NULL);
    const assess_task task = {.study = check->study,
                              .data = check->data,
                              .in_order = in_order,
                              .match = check->match,
                              .made = true};
    if (check->study != NULL)
        TRY(assess_release(&p->assessment, &task, p->texts, p->context, error));
    p->verify_seconds = context_lap(&since);
    return is_file || p->release == NULL ? KITH_OK : publication_write_rows(p, rows, &since, error);
}

kith_status publication_document(output *file, const kith_document *document, kith_error *error)
{
    char *json = TRY_ALLOC(kith_document_json(document, true), error);
    output_text(file, json);
    output_text(file, "\n");
    kith_free(json);
    return output_finish(file, error);
}

kith_status publication_commit(publication *p, kith_error *error)
{
    ASSERT(p->release == NULL || p->texts != NULL || p->assessed);
    stage s = {0};
    /* The mapping goes first: its holder must not miss it for a release that is out. */
    if (p->mapping != NULL)
        TRY(mapping_file_stage(p->mapping, &s, error));
    if (p->release != NULL)
        TRY(table_writer_stage(p->release, &s, error));
    if (p->own_rows != NULL)
        TRY(table_writer_stage(p->own_rows, &s, error));
    stage_add(&s, p->meta);
    for (uint32_t i = 0; i < p->n_files; i++)
        stage_add(&s, p->files[i]);
    return stage_commit(&s, error);
}

void publication_wipe(publication *p)
{
    kith_table_free(p->texts);
    p->texts = NULL;
}

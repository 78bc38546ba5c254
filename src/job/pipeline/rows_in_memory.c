/* All rows in memory. */
#include "core/error.h"
#include "job/check/look.h"
#include "job/pipeline/pipeline.h"
#include "job/result/make_release.h"
#include "release/release.h"
#include "table/rows/table_order.h"

typedef struct in_memory {
    release release;
    kith_table *texts; /* its rows in the order of the data, until they are written or assessed;
                          NULL: not made yet */
    uint32_t *order;   /* the record behind each of its rows; NULL: in the order of the data */
} in_memory;

static kith_status rows_in_memory_check(const pipeline *p, kith_error *error)
{
    (void)p;
    (void)error;
    return KITH_OK;
}

static kith_status rows_in_memory_load(pipeline *p, kith_error *error)
{
    const kith_anonymize_options *o = p->options;
    p->rows = TRY_ALLOC(arena_zalloc(p->context->memory, 1, sizeof(in_memory)), error);
    if (p->table == NULL)
        TRY(look_read(&p->table, &p->outcome.findings, p->study, o->input, p->context, error));
    else
        TRY(look_at_table(&p->outcome.findings, p->study, p->table, p->context, error));
    return prepare_sample(&p->prepared, p->study, p->table, p->context, error);
}

static kith_status rows_in_memory_search(pipeline *p, kith_error *error)
{
    return search_run(&p->result, p->outcome.algorithm, &p->prepared.problem, &p->study->search,
                      p->context, error);
}

static kith_status rows_in_memory_write_rows(void *user, table_writer *to, kith_error *error)
{
    const pipeline *p = user;
    in_memory *m = p->rows;
    if (m->texts == NULL)
        return release_write(&m->release, to, p->context->memory, m->order, error);
    /* To go through sorted texts is faster than to look for every row. */
    TRY(table_order_apply(m->texts, m->order, error));
    TRY(table_writer_rows(to, m->texts, p->context->memory, error));
    kith_table_free(m->texts);
    m->texts = NULL;
    return KITH_OK;
}

static kith_status make_texts(void *user, kith_table **texts, kith_error *error)
{
    const pipeline *p = user;
    in_memory *m = p->rows;
    if (m->texts == NULL)
        return release_table(&m->release, texts, error);
    *texts = m->texts;
    m->texts = NULL;
    return KITH_OK;
}

/* By their cells, unless the caller wants another order: who knows by what the data is sorted would
 * learn from the place of a row which few records it may stand for. */
static kith_status choose_order(pipeline *p, kith_error *error)
{
    const kith_anonymize_options *o = p->options;
    arena *memory = p->context->memory;
    in_memory *m = p->rows;
    if (o->keep_order)
        return KITH_OK;
    if (o->shuffle)
        return release_random_order(&m->order, m->release.n_rows, memory, error);
    TRY(release_table(&m->release, &m->texts, error));
    return table_order_by_cells(&m->order, m->texts, memory, error);
}

/* Writes and assesses the release; a table in memory is assessed only. */
static kith_status write(pipeline *p, kith_error *error)
{
    const publication_rows rows = {rows_in_memory_write_rows, make_texts, p};
    job_times *t = &p->outcome.seconds;
    in_memory *m = p->rows;
    TRY(explain_add(p->outcome.explanation, &p->prepared.problem, &p->result, NULL, p->context,
                    error));
    TRY(make_release(&m->release, &p->prepared, &p->result, p->context, error));
    TRY(choose_order(p, error));
    t->write = context_lap(&p->since);
    const publication_check about = {
        .study = p->study, .data = &p->prepared, .reordered = m->order != NULL, .order = m->order};
    TRY(publication_write(&p->publication, &rows, &about, error));
    t->write += p->publication.write_seconds;
    t->verify = p->publication.verify_seconds;
    return KITH_OK;
}

static kith_status write_mapping(const pipeline *p, kith_error *error)
{
    const in_memory *m = p->rows;
    const uint32_t n = p->prepared.n_rows;
    uint32_t *row = TRY_ARRAY(row, p->context->memory, n, error);
    for (uint32_t i = 0; i < n; i++)
        row[m->order == NULL ? i : m->order[i]] = i;
    const mapping_records all = {.data = &p->prepared,
                                 .release = &m->release,
                                 .confidential_row = p->prepared.rows,
                                 .release_row = row,
                                 .class = p->result.partition.class_of};
    TRY(mapping_file_add(p->publication.mapping, &all, error));
    return mapping_file_finish(p->publication.mapping, error);
}

static kith_status accompany(pipeline *p, kith_error *error)
{
    TRY(pipeline_accompany(p, error));
    return p->publication.mapping == NULL ? KITH_OK : write_mapping(p, error);
}

static kith_status review(pipeline *p, const kith_document *summary, kith_error *error)
{
    const in_memory *m = p->rows;
    kith_table *texts = NULL;
    TRY(release_table(&m->release, &texts, error));
    const kith_review about = {sizeof about, summary, p->table, texts,
                               p->lattice == NULL ? NULL : output_temporary(p->lattice)};
    const kith_status status = p->options->review(p->options->review_user, &about, error);
    kith_table_free(texts);
    return status;
}

/* The caller may want the release as a table; it was assessed in the order of the data. */
static kith_status rows_in_memory_commit(pipeline *p, kith_error *error)
{
    const in_memory *m = p->rows;
    publication *out = &p->publication;
    if (p->options->output_table != NULL && m->order != NULL)
        TRY(table_order_apply(out->texts, m->order, error));
    TRY(pipeline_commit(p, error));
    if (p->options->output_table == NULL)
        return KITH_OK;
    *p->options->output_table = out->texts;
    out->texts = NULL;
    return KITH_OK;
}

static kith_status end(pipeline *p, kith_status status, kith_error *error)
{
    const in_memory *m = p->rows;
    (void)error;
    if (m != NULL)
        kith_table_free(m->texts);
    return status;
}

const rows_place rows_in_memory = {.check = rows_in_memory_check,
                                   .load = rows_in_memory_load,
                                   .open = pipeline_open,
                                   .search = rows_in_memory_search,
                                   .write = write,
                                   .accompany = accompany,
                                   .review = review,
                                   .commit = rows_in_memory_commit,
                                   .end = end};

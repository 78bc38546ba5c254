/* Every rank reads, searches and writes a slice of the rows; the release is a directory
 * with a part of each, which appears complete or not at all. All ranks make the same steps, and the
 * same summary but for the times. */
#include <string.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "job/assess/assess.h"
#include "job/pipeline/pipeline.h"
#include "job/result/make_release.h"
#include "job/slice/slice_mapping.h"
#include "job/slice/slice_order.h"
#include "job/slice/slice_output.h"
#include "job/slice/slice_prepare.h"
#include "job/slice/slice_read.h"
#include "job/slice/slice_search.h"
#include "job/slice/slice_unions.h"
#include "release/release.h"
#include "table/table_unite.h"
#include "table/table_writer.h"

/* What a rank has. */
typedef struct slice_of_rows {
    kith_table *table; /* its rows, as they were read */
    prepare_whole whole;
    slice place; /* of them, among those of all ranks */
    release release;
    slice_order order; /* of the release, unless the order of the data is kept */
    slice_output output;
    table_writer *part; /* its file */
    kith_table *texts;  /* which was read back */
} slice_of_rows;

static kith_status rows_over_ranks_refuse(bool asked, const char *name, kith_error *error)
{
    if (!asked)
        return KITH_OK;
    error_set(error, KITH_INVALID, "%s is not available over ranks", name);
    return error_hint(error, KITH_INVALID, "one process, started without the launcher, can do it");
}

static kith_status rows_over_ranks_check(const pipeline *p, kith_error *error)
{
    const kith_anonymize_options *o = p->options;
    TRY(rows_over_ranks_refuse(o->input->table != NULL, "a table in memory", error));
    TRY(rows_over_ranks_refuse(o->review != NULL, "--report with --internal", error));
    TRY(rows_over_ranks_refuse(o->memory_bytes != 0, "--memory", error));
    TRY(prepare_whole_check(p->study, error));
    return slice_output_check(o->output, o->overwrite, p->context, error);
}

static kith_status rows_over_ranks_load(pipeline *p, kith_error *error)
{
    const kith_anonymize_options *o = p->options;
    slice_of_rows *s = TRY_ZEROS(s, p->context->memory, 1, error);
    p->rows = s;
    p->outcome.output = NULL;
    TRY(context_agree_on_seed(p->context, error));
    kith_table_options options = study_table_options(p->study);
    options.separator = o->input->separator;
    options.csv = o->input->csv;
    TRY(slice_read(&s->table, &s->place, o->input->uri, &options, p->context, error));
    p->table = s->table;
    return slice_prepare(&p->prepared, &s->whole, p->study, s->table, p->context, error);
}

static kith_status open(pipeline *p, kith_error *error)
{
    const kith_anonymize_options *o = p->options;
    const prepared *data = &p->prepared;
    slice_of_rows *s = p->rows;
    arena *memory = p->context->memory;
    const char **names = TRY_ARRAY(names, memory, data->n_columns, error);
    for (uint32_t i = 0; i < data->n_columns; i++)
        names[i] = data->columns[i].study->name;
    TRY(slice_output_open(&s->output, o->output, o->overwrite, p->context, error));
    if (o->mapping != NULL)
        TRY(mapping_file_open(&p->publication.mapping, data,
                              ranks_self(p->context->ranks) == 0 ? o->mapping : NULL,
                              pipeline_separator(p), o->overwrite, p->context, error));
    if (o->lattice != NULL && ranks_self(p->context->ranks) == 0)
        TRY(publication_add(&p->publication, &p->lattice, o->lattice, o->overwrite, error));
    return table_writer_open(&s->part, memory, s->output.part, pipeline_separator(p), false, names,
                             data->n_columns, error);
}

static kith_status rows_over_ranks_search(pipeline *p, kith_error *error)
{
    search_spec spec = p->study->search;
    context *c = p->context;
    explanation *e = p->outcome.explanation;
    const prepared *own = &p->prepared;
    spec.named = p->options->mapping != NULL || p->options->explain;
    bool together = prepare_needs(p->study, true) == NEEDS_RECORDS;
    if (!together) {
        TRY(search_run(&p->result, p->outcome.algorithm, &own->problem, &spec, c, error));
        TRY(slice_unions_break(&together, &p->result, own, c, error));
    }
    if (together)
        TRY(slice_search(&p->result, e, p->outcome.algorithm, own, c, error));
    else if (p->options->explain)
        TRY(slice_explain(e, &p->result, own, c, error));
    if (ranks_self(c->ranks) > 0)
        p->outcome.explanation = NULL; /* the first rank has it */
    /* The other ranks may not know that one was stopped, so no rank keeps the best result so far.
     */
    return p->result.interrupted ? error_set(error, KITH_CANCELLED, "stopped while searching")
                                 : KITH_OK;
}

/* By their cells, unless the caller wants another order. `c` has memory that is given back. */
static kith_status write_ordered(pipeline *p, context *c, kith_error *error)
{
    slice_of_rows *s = p->rows;
    kith_table *texts, rows;
    const kith_table *own;
    TRY(release_table(&s->release, &texts, error));
    TRY(table_own(texts, c->memory, error));
    TRY(table_unite(&own, texts, NULL, c, error));
    TRY(p->options->shuffle
            ? slice_order_by_chance(&s->order, &rows, own, p->context, c->memory, error)
            : slice_order_by_cells(&s->order, &rows, own, p->context, c->memory, error));
    return table_writer_rows(s->part, &rows, c->memory, error);
}

static kith_status rows_over_ranks_write_part(pipeline *p, kith_error *error)
{
    slice_of_rows *s = p->rows;
    context own = *p->context;
    if (p->options->keep_order)
        return release_write(&s->release, s->part, own.memory, NULL, error);
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(own.memory), error);
    own.memory = memory;
    return write_ordered(p, &own, error);
}

/* Reads this rank's part back, and brings every row to its record. */
static kith_status read_back(pipeline *p, const kith_table **home, const assess_task *task,
                             kith_error *error)
{
    slice_of_rows *s = p->rows;
    context *c = p->context;
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .separator = pipeline_separator(p));
    const kith_run quiet = KITH_OPTIONS(kith_run, .n_threads = c->run->n_threads);
    kith_table *own;
    TRY(kith_table_read(&s->texts, table_writer_readable(s->part), &options, &quiet, error));
    if (p->options->keep_order)
        return assess_unite(home, s->texts, task, c, error);
    *home = own = TRY_ALLOC(arena_alloc(c->memory, sizeof *own), error);
    const kith_table *united;
    TRY(table_unite(&united, s->texts, NULL, c, error));
    return slice_order_back(own, &s->order, united, c, error);
}

/* Writes this rank's rows, and assesses what all ranks read back. */
static kith_status write(pipeline *p, kith_error *error)
{
    slice_of_rows *s = p->rows;
    context *c = p->context;
    job_times *t = &p->outcome.seconds;
    const assess_task task = {
        .study = p->study, .data = &p->prepared, .in_order = true, .made = true};
    const kith_table *home;
    TRY(make_release(&s->release, &p->prepared, &p->result, c, error));
    TRY(rows_over_ranks_write_part(p, error));
    TRY(table_writer_finish(s->part, error));
    t->write = context_lap(&p->since);
    TRY(read_back(p, &home, &task, error));
    TRY(assess_release(&p->publication.assessment, &task, home, c, error));
    t->verify = context_lap(&p->since);
    return table_writer_commit(s->part, error);
}

/* The place of each own record in the release. */
static kith_status find_places(uint32_t **places, const pipeline *p, uint64_t first_record,
                               kith_error *error)
{
    const slice_of_rows *s = p->rows;
    arena *memory = p->context->memory;
    if (!p->options->keep_order)
        return slice_order_places(places, &s->order, p->context, memory, error);
    *places = TRY_ARRAY(*places, memory, p->prepared.n_rows, error);
    for (uint32_t i = 0; i < p->prepared.n_rows; i++)
        (*places)[i] = (uint32_t)first_record + i;
    return KITH_OK;
}

static kith_status write_mapping(const pipeline *p, kith_error *error)
{
    const slice_of_rows *s = p->rows;
    const partition *found = &p->result.partition;
    context *c = p->context;
    const uint32_t n = p->prepared.n_rows;
    slice at;
    uint32_t *number, *released;
    uint32_t *confidential = TRY_ARRAY(confidential, c->memory, n, error);
    uint32_t *class = TRY_ARRAY(class, c->memory, n, error);
    TRY(slice_place(&at, n, c, error));
    TRY(find_places(&released, p, at.first_row, error));
    TRY(slice_mapping_classes(&number, found, &p->prepared.problem, c, c->memory, error));
    for (uint32_t i = 0; i < n; i++) {
        confidential[i] = (uint32_t)s->place.first_row + p->prepared.rows[i];
        class[i] = found->class_of[i] == PARTITION_SUPPRESSED ? PARTITION_SUPPRESSED
                                                              : number[found->class_of[i]];
    }
    const mapping_records own = {&p->prepared, &s->release, confidential, released, class};
    return slice_mapping_write(p->publication.mapping, &own, c, error);
}

/* The first rank writes the companion of the release, and the lattice, which all ranks have. */
static kith_status accompany(pipeline *p, kith_error *error)
{
    const slice_of_rows *s = p->rows;
    arena *memory = p->context->memory;
    if (ranks_self(p->context->ranks) == 0) {
        const char *path =
            TRY_ALLOC(arena_printf(memory, "%s/release.meta.json", s->output.stage), error);
        TRY(output_open(&p->publication.meta, memory, path, false, error));
        TRY(pipeline_accompany(p, error));
        TRY(output_commit(p->publication.meta, error));
    }
    if (p->publication.mapping != NULL)
        TRY(write_mapping(p, error));
    /* What the ranks needed. */
    kith_ranks *ranks = p->context->ranks;
    job_ranks *all = &p->outcome.ranks;
    const uint64_t peak = summary_peak_rss_bytes();
    *all = (job_ranks){.count = ranks_count(ranks), .sent_bytes = ranks_n_sent_bytes(ranks)};
    ranks_bytes *peaks = TRY_ARRAY(peaks, p->context->memory, all->count, error);
    TRY(ranks_sum(ranks, &all->sent_bytes, 1, error));
    TRY(ranks_gather(ranks, &peak, sizeof peak, peaks, p->context->memory, error));
    for (uint32_t r = 0; r < all->count; r++) {
        uint64_t one;
        memcpy(&one, peaks[r].bytes, sizeof one);
        all->peak_rss_bytes = one > all->peak_rss_bytes ? one : all->peak_rss_bytes;
    }
    return KITH_OK;
}

static kith_status rows_over_ranks_commit(pipeline *p, kith_error *error)
{
    const slice_of_rows *s = p->rows;
    return slice_output_commit(&s->output, &p->publication, p->context, error);
}

/* All ranks end alike. */
static kith_status end(pipeline *p, kith_status status, kith_error *error)
{
    const slice_of_rows *s = p->rows;
    if (status != KITH_OK && s != NULL)
        slice_output_name(&s->output, error);
    status = ranks_leave(p->context->ranks, status, error);
    if (s != NULL) {
        kith_table_free(s->texts);
        kith_table_free(s->table);
    }
    return status;
}

const rows_place rows_over_ranks = {.check = rows_over_ranks_check,
                                    .load = rows_over_ranks_load,
                                    .open = open,
                                    .search = rows_over_ranks_search,
                                    .write = write,
                                    .accompany = accompany,
                                    .commit = rows_over_ranks_commit,
                                    .end = end};

#include "job/anonymize_shares.h"

#include <string.h>

#include "core/crew.h"
#include "core/error.h"
#include "job/parts/parts.h"
#include "job/prepare/prepare.h"
#include "job/result/make_release.h"
#include "job/result/path_conflicts.h"
#include "job/result/summary.h"
#include "job/share/share_output.h"
#include "job/share/share_read.h"
#include "job/share/share_unite.h"
#include "release/release.h"
#include "table/table_writer.h"

/* The state of one rank; each step fills what the later ones read. */
typedef struct share_job {
    const kith_study *study;
    const kith_anonymize_options *options;
    context *context;
    kith_table *table; /* the rows of this rank, as they were read */
    prepare_whole whole;
    prepared prepared;
    search_result result;
    release release;
    share_output output;
    table_writer *part; /* file of this rank */
    kith_table *texts;  /* which was read back */
    char separator;
    assessment assessment; /* of the whole release */
    job_outcome outcome;
    double begun, since; /* start of the call, and of the present phase */
} share_job;

static kith_status refuse(bool asked, const char *name, kith_error *error)
{
    if (!asked)
        return KITH_OK;
    error_set(error, KITH_INVALID, "%s is not available over ranks", name);
    return error_hint(error, KITH_INVALID, "one process, started without the launcher, can do it");
}

/* What ranks cannot do together is refused before anything is read. */
static kith_status check(const share_job *j, kith_error *error)
{
    const kith_anonymize_options *o = j->options;
    TRY(refuse(o->input_table != NULL, "a table in memory", error));
    TRY(refuse(o->lattice != NULL, "--lattice", error));
    TRY(refuse(o->mapping != NULL, "--mapping", error));
    TRY(refuse(o->shuffle, "--shuffle", error));
    TRY(refuse(o->review != NULL, "--report with --internal", error));
    TRY(refuse(o->explain, "--explain", error));
    TRY(refuse(o->memory != NULL, "--memory", error));
    TRY(refuse(j->study->engine == ENGINE_SQL, "engine: sql", error));
    TRY(refuse(j->study->joint.n_site_models > 0, "a model about sites", error));
    TRY(prepare_shares_check(j->study, error));
    TRY(assess_judges_parts(j->study, error));
    TRY(path_conflicts_check(j->study->path, o, error));
    return share_output_check(o->output, o->overwrite, j->context, error);
}

static kith_status load(share_job *j, kith_error *error)
{
    const kith_anonymize_options *o = j->options;
    context *c = j->context;
    kith_table_options options = study_table_options(j->study);
    options.separator = o->separator;
    options.csv = o->csv;
    share about;
    TRY(share_read(&j->table, &about, o->input, &options, c, error));
    TRY(share_prepare(&j->prepared, &j->whole, j->study, j->table, c, error));
    j->outcome.seconds.load = context_lap(&j->since);
    return KITH_OK;
}

/* Before the search: a path that cannot be written is reported at once. */
static kith_status open_part(share_job *j, kith_error *error)
{
    const prepared *p = &j->prepared;
    arena *memory = j->context->memory;
    const char **names = TRY_ALLOC(arena_array(memory, p->n_columns, sizeof *names), error);
    for (uint32_t i = 0; i < p->n_columns; i++)
        names[i] = p->columns[i].study->name;
    j->separator = j->options->separator != 0 ? j->options->separator : j->table->separator;
    if (j->separator == 0) /* the data does not come from CSV */
        j->separator = ',';
    TRY(share_output_open(&j->output, j->options->output, j->options->overwrite, j->context,
                          error));
    return table_writer_open(&j->part, memory, j->output.part, j->separator, false, names,
                             p->n_columns, error);
}

static kith_status search(share_job *j, kith_error *error)
{
    context *c = j->context;
    if (!context_progress(c, "search", 0))
        return error_set(error, KITH_CANCELLED, "stopped while about to search");
    TRY(search_run(&j->result, j->outcome.algorithm, &j->prepared.problem, &j->study->search, c,
                   error));
    /* The others may not know that one was stopped: nobody keeps the best result so far. */
    if (j->result.interrupted)
        return error_set(error, KITH_CANCELLED, "stopped while searching");
    j->outcome.seconds.search = context_lap(&j->since);
    return make_release(&j->release, &j->prepared, &j->result, c, error);
}

/* Writes the own rows, and assesses what all ranks read back. */
static kith_status write_part(share_job *j, kith_error *error)
{
    context *c = j->context;
    const kith_table_options options = KITH_OPTIONS(kith_table_options, .separator = j->separator);
    const kith_run quiet = KITH_OPTIONS(kith_run, .n_threads = c->run->n_threads);
    TRY(release_write(&j->release, j->part, c->memory, NULL, error));
    TRY(table_writer_finish(j->part, error));
    j->outcome.seconds.write = context_lap(&j->since);
    TRY(kith_table_read(&j->texts, table_writer_readable(j->part), &options, &quiet, error));
    TRY(parts_assess(&j->assessment, &j->prepared, j->texts, c, error));
    j->outcome.seconds.verify = context_lap(&j->since);
    return table_writer_commit(j->part, error);
}

/* The companion of the release; the first rank writes it. */
static kith_status write_meta(const share_job *j, kith_error *error)
{
    arena *memory = j->context->memory;
    output *file;
    kith_document *meta;
    const char *path =
        TRY_ALLOC(arena_printf(memory, "%s/release.meta.json", j->output.stage), error);
    TRY(output_open(&file, memory, path, false, error));
    TRY(summary_meta(&meta, &j->outcome, error));
    kith_status status = publication_document(file, meta, error);
    kith_document_free(meta);
    TRY(status);
    return output_commit(file, error);
}

static kith_status count_effort(share_job *j, kith_error *error)
{
    crew *ranks = j->context->crew;
    job_ranks *all = &j->outcome.ranks;
    const uint64_t peak = summary_peak_rss_bytes();
    *all = (job_ranks){.count = crew_size(ranks), .sent_bytes = crew_n_sent_bytes(ranks)};
    crew_bytes *peaks =
        TRY_ALLOC(arena_array(j->context->memory, all->count, sizeof *peaks), error);
    TRY(crew_sum(ranks, &all->sent_bytes, 1, error));
    TRY(crew_gather(ranks, &peak, sizeof peak, peaks, j->context->memory, error));
    for (uint32_t r = 0; r < all->count; r++) {
        uint64_t one;
        memcpy(&one, peaks[r].bytes, sizeof one);
        all->peak_rss_bytes = one > all->peak_rss_bytes ? one : all->peak_rss_bytes;
    }
    return KITH_OK;
}

static kith_status run(share_job *j, kith_document **summary, kith_error *error)
{
    kith_document *made = NULL;
    TRY(check(j, error));
    TRY(context_agree_on_seed(j->context, error));
    TRY(load(j, error));
    TRY(open_part(j, error));
    TRY(search(j, error));
    TRY(write_part(j, error));
    if (crew_rank(j->context->crew) == 0)
        TRY(write_meta(j, error));
    TRY(count_effort(j, error));
    j->outcome.seconds.total = context_seconds() - j->begun;
    /* Before the release appears, so that a failure to make it leaves none. */
    if (summary != NULL)
        TRY(summary_make(&made, &j->outcome, j->context->run, error));
    kith_status status = share_output_commit(&j->output, j->context, error);
    if (status != KITH_OK)
        kith_document_free(made);
    else if (summary != NULL)
        *summary = made;
    return status;
}

kith_status anonymize_shares(kith_document **summary, const kith_study *study,
                             const kith_anonymize_options *options, context *c, kith_error *error)
{
    share_job j = {.study = study, .options = options, .context = c};
    j.begun = j.since = context_seconds();
    j.outcome = (job_outcome){.command = "anonymize",
                              .prepared = &j.prepared,
                              .algorithm = search_find(study->algorithm),
                              .result = &j.result,
                              .assessment = &j.assessment,
                              .order = ORDER_DATA};
    kith_status status = run(&j, summary, error);
    if (status != KITH_OK)
        share_output_name(&j.output, error);
    status = crew_leave(c->crew, status, error);
    kith_table_free(j.texts);
    kith_table_free(j.table);
    return status;
}

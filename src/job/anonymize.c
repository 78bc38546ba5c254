/* kith_anonymize: from the data of one table to a verified release. */
#include <kith/anonymize.h>
#include <string.h>

#include "core/error.h"
#include "core/options.h"
#include "core/text.h"
#include "job/anonymize_shares.h"
#include "job/check/look.h"
#include "job/prepare/prepare.h"
#include "job/result/lattice_file.h"
#include "job/result/make_release.h"
#include "job/result/path_conflicts.h"
#include "job/result/publication.h"
#include "job/result/summary.h"
#include "job/store/file_store.h"
#include "job/store/sql_store.h"
#include "job/store/store_run.h"
#include "release/release.h"
#include "study/memory_size.h"
#include "table/table_order.h"
#include "table/table_input.h"

/* The state of one call; each step fills what the later ones read. */
typedef struct anonymization {
    const kith_study *study;
    const kith_anonymize_options *options;
    uint64_t memory_bytes; /* that the run may take; 0: no limit */
    context context;
    const kith_table *table;
    prepared prepared;
    search_result result;
    release release;
    kith_table *texts; /* its rows in the order of the data, until they are written or assessed;
                          NULL: not made yet */
    uint32_t *order;   /* the record behind each of its rows; NULL: in the order of the data */
    publication publication;
    output *lattice; /* NULL unless asked for */
    job_outcome outcome;
    double begun, since; /* start of the call, and of the present phase */
} anonymization;

/* The context is there already. */
static void begin(anonymization *a)
{
    a->begun = a->since = context_seconds();
    a->publication.context = &a->context;
    a->outcome = (job_outcome){.command = "anonymize",
                               .output = a->options->output,
                               .prepared = &a->prepared,
                               .result = &a->result,
                               .assessment = &a->publication.assessment};
}

static void end(anonymization *a)
{
    publication_wipe(&a->publication);
    kith_table_free(a->texts);
    context_wipe(&a->context);
}

static kith_status refuse_site_models(const kith_study *study, kith_error *error)
{
    if (study->joint.n_site_models == 0)
        return KITH_OK;
    return error_set(error, KITH_INVALID,
                     "the study asks for %s, which only a joint run can keep: see 'kith party' "
                     "and 'kith simulate'",
                     model_name(study->joint.site_models[0].id));
}

/* Checks what only a joint run can do, and turns the table into a problem. */
static kith_status load(anonymization *a, kith_error *error)
{
    a->outcome.algorithm = search_find(a->study->algorithm);
    if (a->outcome.algorithm == NULL)
        return error_set(error, KITH_INVALID, "there is no algorithm %s", a->study->algorithm);
    TRY(refuse_site_models(a->study, error));
    TRY(prepare_sample(&a->prepared, a->study, a->table, &a->context, error));
    a->outcome.seconds.load = context_lap(&a->since);
    return KITH_OK;
}

/* Searches, and prepares the rows of the release. */
static kith_status solve(anonymization *a, kith_error *error)
{
    if (!context_progress(&a->context, "search", 0))
        return error_set(error, KITH_CANCELLED, "stopped while about to search");
    TRY(search_run(&a->result, a->outcome.algorithm, &a->prepared.problem, &a->study->search,
                   &a->context, error));
    a->outcome.seconds.search = context_lap(&a->since);
    /* An interrupted search has a result, and its caller wants it: from here on only an error can
     * keep the release from appearing. */
    a->publication.stoppable = a->publication.stoppable && !a->result.interrupted;
    if (a->options->explain) {
        explanation *e = TRY_ALLOC(arena_alloc(a->context.memory, sizeof *e), error);
        a->outcome.explanation = e;
        TRY(explain_make(e, &a->prepared, &a->result, &a->context, error));
    }
    TRY(make_release(&a->release, &a->prepared, &a->result, &a->context, error));
    a->outcome.seconds.write = context_lap(&a->since);
    return KITH_OK;
}

static kith_status write_rows(void *user, table_writer *to, kith_error *error)
{
    anonymization *a = user;
    if (a->texts == NULL)
        return release_write(&a->release, to, a->context.memory, a->order, error);
    /* To go through sorted texts is faster than to look for every row. */
    TRY(table_order_apply(a->texts, a->order, error));
    TRY(table_writer_rows(to, a->texts, a->context.memory, error));
    kith_table_free(a->texts);
    a->texts = NULL;
    return KITH_OK;
}

static kith_status make_texts(void *user, kith_table **texts, kith_error *error)
{
    anonymization *a = user;
    if (a->texts == NULL)
        return release_table(&a->release, texts, error);
    *texts = a->texts;
    a->texts = NULL;
    return KITH_OK;
}

/* By their cells, unless the caller wants another order: who knows by what the data is sorted would
 * learn from the place of a row which few records it may stand for. */
static kith_status choose_order(anonymization *a, kith_error *error)
{
    const kith_anonymize_options *o = a->options;
    a->outcome.order = o->keep_order ? ORDER_DATA : o->shuffle ? ORDER_RANDOM : ORDER_SORTED;
    if (o->keep_order)
        return KITH_OK;
    if (o->shuffle)
        return release_random_order(&a->order, a->release.n_rows, a->context.memory, error);
    TRY(release_table(&a->release, &a->texts, error));
    return table_order_by_cells(&a->order, a->texts, a->context.memory, error);
}

/* Writes and assesses the release; a table in memory is assessed only. */
static kith_status write_release(anonymization *a, kith_error *error)
{
    const publication_rows rows = {write_rows, make_texts, a};
    TRY(choose_order(a, error));
    a->outcome.seconds.write += context_lap(&a->since);
    const publication_check check = {
        .study = a->study, .data = &a->prepared, .reordered = a->order != NULL, .order = a->order};
    TRY(publication_write(&a->publication, &rows, &check, error));
    if (a->options->output_table != NULL && a->order != NULL) /* it was assessed in order */
        TRY(table_order_apply(a->publication.texts, a->order, error));
    a->outcome.seconds.write += a->publication.write_seconds;
    a->outcome.seconds.verify = a->publication.verify_seconds;
    a->outcome.seconds.total = context_seconds() - a->begun;
    return KITH_OK;
}

static kith_status read_data(anonymization *a, kith_error *error)
{
    const kith_anonymize_options *o = a->options;
    const table_input input = {o->input, o->input_table, o->separator, o->csv};
    if (a->table == NULL)
        TRY(look_read(&a->table, &a->outcome.findings, a->study, &input, &a->context, error));
    else
        TRY(look_at_table(&a->outcome.findings, a->study, a->table, &a->context, error));
    return load(a, error);
}

/* Opens all outputs before the search, which may take hours: a path that cannot be written is
 * reported at once. */
static kith_status open_outputs(anonymization *a, kith_error *error)
{
    const kith_anonymize_options *o = a->options;
    const prepared *p = &a->prepared;
    publication *out = &a->publication;
    char separator = o->separator != 0 ? o->separator : a->table->separator;
    if (separator == 0) /* the data does not come from CSV */
        separator = ',';
    if (o->output != NULL) {
        publication_columns columns;
        TRY(publication_columns_of(&columns, p, a->context.memory, error));
        TRY(publication_open(out, o->output, separator, o->overwrite, columns.names, columns.whole,
                             columns.from, columns.count, error));
    }
    if (o->mapping != NULL)
        TRY(mapping_file_open(&out->mapping, p, o->mapping, separator, o->overwrite, &a->context,
                              error));
    if (o->lattice != NULL)
        TRY(publication_add(out, &a->lattice, o->lattice, o->overwrite, error));
    return KITH_OK;
}

/* The files beside the release. */
static kith_status write_companions(anonymization *a, kith_error *error)
{
    publication *out = &a->publication;
    if (out->meta != NULL) {
        kith_document *meta;
        TRY(summary_meta(&meta, &a->outcome, error));
        kith_status status = publication_document(out->meta, meta, error);
        kith_document_free(meta);
        TRY(status);
    }
    if (out->mapping != NULL)
        TRY(mapping_file_write(out->mapping, &a->release, a->order, error));
    if (a->lattice == NULL)
        return KITH_OK;
    lattice_file_write(a->lattice, &a->prepared, a->result.lattice);
    return output_finish(a->lattice, error);
}

/* Shows the caller what was read and what is about to appear. */
static kith_status show_for_review(const anonymization *a, const kith_document *summary,
                                   kith_error *error)
{
    kith_table *texts = NULL;
    TRY(release_table(&a->release, &texts, error));
    const kith_review about = {sizeof about, summary, a->table, texts,
                               a->lattice == NULL ? NULL : output_temporary(a->lattice)};
    const kith_status status = a->options->review(a->options->review_user, &about, error);
    kith_table_free(texts);
    return status;
}

/* In memory, from source to release. Nothing appears before publication_commit at the end. */
static kith_status anonymize_data(anonymization *a, kith_document **summary, kith_error *error)
{
    kith_document *made = NULL;
    const algorithm *asked = search_find(a->study->algorithm);
    TRY(path_conflicts_check(a->study->path, a->options, error));
    if (a->options->lattice != NULL && asked != NULL)
        TRY(lattice_file_check(asked, error));
    TRY(read_data(a, error));
    TRY(open_outputs(a, error));
    TRY(solve(a, error));
    TRY(write_release(a, error));
    TRY(write_companions(a, error));
    TRY(publication_may_go_on(&a->publication, "finish", error));
    a->outcome.seconds.total = context_seconds() - a->begun;
    /* The summary is made before the commit, so that a failure to make it leaves no release. */
    TRY(summary_make(&made, &a->outcome, a->context.run, error));
    kith_status status = a->options->review == NULL ? KITH_OK : show_for_review(a, made, error);
    if (status == KITH_OK)
        status = publication_commit(&a->publication, error);
    if (status == KITH_OK && a->options->output_table != NULL) {
        *a->options->output_table = a->publication.texts;
        a->publication.texts = NULL;
    }
    if (status == KITH_OK && summary != NULL)
        *summary = made;
    else
        kith_document_free(made);
    return status;
}

kith_status kith_anonymize_table(kith_table **result, kith_document **summary,
                                 const kith_study *study, const kith_table *table,
                                 const kith_run *run, kith_error *error)
{
    const kith_anonymize_options options =
        KITH_OPTIONS(kith_anonymize_options, .output_table = result);
    anonymization a = {.study = study, .options = &options, .table = table};
    TRY(context_init(&a.context, run, error));
    begin(&a);
    kith_status status = anonymize_data(&a, summary, error);
    end(&a);
    return status;
}

/* A table that is larger than the memory that it may take: from the disk to the disk, or from
 * server to server. */
static kith_status anonymize_store(anonymization *a, bool by_server, kith_document **summary,
                                   kith_error *error)
{
    store s;
    TRY(path_conflicts_check(a->study->path, a->options, error));
    TRY(refuse_site_models(a->study, error));
    TRY(store_run_refuse(a->study, a->options, error));
    if (by_server)
        TRY(sql_store_open(&s, a->study, a->options, &a->context, error));
    else
        TRY(file_store_open(&s, a->study, a->options, a->memory_bytes, &a->context, error));
    s.output = a->options->output;
    return store_run(&s, a->study, &a->context, summary, error);
}

/* The options say how much, or the study. */
static kith_status take_memory(anonymization *a, kith_error *error)
{
    const char *asked = a->options->memory;
    char quoted[80];
    a->memory_bytes = a->study->memory_bytes;
    if (asked == NULL || memory_size_parse(asked, &a->memory_bytes))
        return KITH_OK;
    text_quote(quoted, sizeof quoted, asked, strlen(asked));
    return error_set(error, KITH_INVALID, MEMORY_SIZE_EXPECTED, quoted);
}

/* In memory if the table fits there. */
static kith_status anonymize_alone(anonymization *a, kith_document **summary, kith_error *error)
{
    bool by_server;
    if (a->options->input_table != NULL)
        return anonymize_data(a, summary, error);
    TRY(take_memory(a, error));
    TRY(sql_store_needed(&by_server, a->study, a->options, a->memory_bytes, &a->context, error));
    if (by_server || (a->memory_bytes > 0 &&
                      file_store_needed(a->options->input, a->memory_bytes, a->context.memory)))
        return anonymize_store(a, by_server, summary, error);
    return anonymize_data(a, summary, error);
}

/* Data and release are under URIs, or both are tables. */
static kith_status check_options(const kith_anonymize_options *o, kith_error *error)
{
    const table_input input = {o->input, o->input_table, o->separator, o->csv};
    TRY(table_input_need(&input, "input", error));
    if (o->keep_order && o->shuffle)
        return error_set(error, KITH_INVALID,
                         "rows in the order of the data or in a random one: not both");
    if (o->input_table == NULL)
        TRY(options_need(o->output, "output", error));
    if ((o->input_table != NULL) != (o->output_table != NULL) ||
        (o->output_table != NULL && o->output != NULL))
        return error_set(error, KITH_INVALID,
                         "options.input_table and options.output_table belong together, without "
                         "options.output");
    if (o->input_table != NULL && o->memory != NULL)
        return error_set(error, KITH_INVALID,
                         "options.memory is about data that is read, not about a table in memory");
    return KITH_OK;
}

kith_status kith_anonymize(kith_document **summary, const kith_study *study,
                           const kith_anonymize_options *options, const kith_run *run,
                           kith_error *error)
{
    kith_anonymize_options own;
    anonymization a = {.study = study, .options = &own};
    TRY(OPTIONS_TAKE(kith_anonymize_options, lattice, &own, options, error));
    TRY(check_options(&own, error));
    TRY(context_init_shared(&a.context, run, error));
    begin(&a);
    a.publication.stoppable = true;
    kith_status status = a.context.crew != NULL
                             ? anonymize_shares(summary, study, &own, &a.context, error)
                             : anonymize_alone(&a, summary, error);
    end(&a);
    return status;
}

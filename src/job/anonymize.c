/* One table, this machine: from data to a verified release. */
#include <kith/anonymize.h>
#include <string.h>

#include "core/error.h"
#include "core/options.h"
#include "core/output.h"
#include "job/result/make_release.h"
#include "job/result/assess.h"
#include "job/result/lattice_file.h"
#include "job/result/mapping_file.h"
#include "job/result/path_conflicts.h"
#include "job/prepare/prepare.h"
#include "job/result/summary.h"
#include "release/release.h"

/* What the steps hand on to each other. */
typedef struct anonymization {
    const kith_study *study;
    const kith_anonymize_options *options; /* NULL for a table in memory */
    context context;
    kith_table *table; /* read here; NULL if the caller's */
    kith_table *texts; /* the release as it can be read */
    prepared prepared;
    search_result result;
    release release;
    job_outcome outcome;
    double begun, lap;
    kith_run reading; /* for reading the release back: cannot be interrupted any more */
} anonymization;

static kith_status begin(anonymization *a, const kith_study *study, const kith_run *run,
                         kith_error *error)
{
    *a = (anonymization){.study = study};
    TRY(context_init(&a->context, run, error));
    a->reading = (kith_run)KITH_OPTIONS(kith_run, .n_threads = a->context.run->n_threads);
    a->begun = a->lap = context_seconds();
    a->outcome.command = "anonymize";
    a->outcome.prepared = &a->prepared;
    a->outcome.result = &a->result;
    return KITH_OK;
}

static void end(anonymization *a)
{
    kith_table_free(a->texts);
    kith_table_free(a->table);
    context_wipe(&a->context);
}

/* Seconds since the last call. */
static double lap(anonymization *a)
{
    double now = context_seconds(), passed = now - a->lap;
    a->lap = now;
    return passed;
}

static kith_status check_progress(anonymization *a, const char *phase, kith_error *error)
{
    if (!a->result.interrupted && !context_progress(&a->context, phase, 0))
        return error_set(error, KITH_CANCELLED, "stopped while about to %s", phase);
    return KITH_OK;
}

static kith_status load(anonymization *a, const kith_table *table, kith_error *error)
{
    a->outcome.algorithm = search_find(a->study->algorithm);
    if (a->outcome.algorithm == NULL)
        return error_set(error, KITH_INVALID, "there is no algorithm %s", a->study->algorithm);
    if (a->study->joint.n_site_models > 0)
        return error_set(error, KITH_INVALID,
                         "the study asks for %s, which only a joint run can keep: see 'kith party' "
                         "and 'kith simulate'",
                         model_name(a->study->joint.site_models[0].id));
    TRY(prepare_table(&a->prepared, a->study, table, &a->context, error));
    a->outcome.seconds.load = lap(a);
    return KITH_OK;
}

static kith_status explain(anonymization *a, kith_error *error)
{
    if (a->options == NULL || !a->options->explain)
        return KITH_OK;
    explanation *e = TRY_ALLOC(arena_alloc(a->context.memory, sizeof *e), error);
    a->outcome.explanation = e;
    return explain_make(e, &a->prepared, &a->result, &a->context, error);
}

static kith_status solve(anonymization *a, kith_error *error)
{
    TRY(check_progress(a, "search", error));
    TRY(search_run(&a->result, a->outcome.algorithm, &a->prepared.problem, &a->study->search,
                   &a->context, error));
    a->outcome.seconds.search = lap(a);
    TRY(explain(a, error));
    return make_release(&a->release, &a->prepared, &a->result, &a->context, error);
}

/* The release must be what was asked for, or it does not appear. */
static kith_status judge(anonymization *a, bool in_order, kith_error *error)
{
    job_outcome *out = &a->outcome;
    TRY(assess_models(&out->verified, a->study, &a->prepared, in_order, a->texts, &a->context,
                      error));
    if (!out->verified.holds)
        return error_set(error, KITH_BUG, "the release breaks a privacy model; nothing is written");
    if (in_order) {
        cover_report cover;
        TRY(assess_cover(&cover, &a->prepared, a->texts, &a->context, error));
        if (!cover.holds || cover.check != COVER_IN_ORDER)
            return error_set(error, KITH_BUG,
                             "the release does not cover the data; nothing is written");
    }
    TRY(assess_loss(&out->loss, &a->prepared, a->texts, &out->verified, in_order, false,
                    &a->context, error));
    TRY(risk_assess(&out->risks, &a->prepared, &out->verified, a->texts, &a->context, error));
    out->seconds.verify = lap(a);
    out->seconds.total = context_seconds() - a->begun;
    return KITH_OK;
}

static kith_status summarize(anonymization *a, kith_document **summary, kith_error *error)
{
    return summary == NULL ? KITH_OK : summary_make(summary, &a->outcome, a->context.run, error);
}

static kith_status anonymize_in_memory(anonymization *a, const kith_table *table,
                                       kith_document **summary, kith_error *error)
{
    TRY(load(a, table, error));
    TRY(solve(a, error));
    TRY(release_table(&a->release, &a->texts, error));
    a->outcome.seconds.write = lap(a);
    TRY(judge(a, true, error));
    return summarize(a, summary, error);
}

kith_status kith_anonymize_table(kith_table **result, kith_document **summary,
                                 const kith_study *study, const kith_table *table,
                                 const kith_run *run, kith_error *error)
{
    anonymization a;
    TRY(begin(&a, study, run, error));
    kith_status status = anonymize_in_memory(&a, table, summary, error);
    if (status == KITH_OK) {
        *result = a.texts;
        a.texts = NULL;
    }
    end(&a);
    return status;
}

static kith_status read_data(anonymization *a, kith_error *error)
{
    kith_table_options options = study_table_options(a->study);
    options.separator = a->options->separator;
    TRY(kith_table_read(&a->table, a->options->input, &options, a->context.run, error));
    return load(a, a->table, error);
}

/* The places where the release and its companion will appear. */
typedef struct outputs {
    table_writer *release;
    output *meta;          /* NULL unless the release is a file */
    mapping_file *mapping; /* NULL unless asked for */
    output *lattice;       /* NULL unless asked for */
    char separator;
} outputs;

/* Opened before the search, so that a place that cannot be written is found out at once. */
static kith_status open_outputs(outputs *out, anonymization *a, kith_error *error)
{
    const kith_anonymize_options *options = a->options;
    const prepared *p = &a->prepared;
    arena *memory = a->context.memory;
    const char **names = TRY_ALLOC(arena_array(memory, p->n_columns, sizeof *names), error);
    for (uint32_t i = 0; i < p->n_columns; i++)
        names[i] = p->columns[i].study->name;
    char read = a->table->separator;
    *out = (outputs){.separator = options->separator != 0 ? options->separator
                                  : read != 0             ? read
                                                          : ','};
    TRY(table_writer_open(&out->release, memory, options->output, out->separator,
                          options->overwrite, names, p->n_columns, error));
    if (options->mapping != NULL)
        TRY(mapping_file_open(&out->mapping, p, options->mapping, out->separator,
                              options->overwrite, &a->context, error));
    if (options->lattice != NULL)
        TRY(output_open(&out->lattice, memory, options->lattice, options->overwrite, error));
    if (!path_conflicts_is_file(options->output))
        return KITH_OK;
    const char *path = TRY_ALLOC(arena_printf(memory, "%s.meta.json", options->output), error);
    return output_open(&out->meta, memory, path, options->overwrite, error);
}

static kith_status write_rows(anonymization *a, outputs *out, kith_error *error)
{
    TRY(check_progress(a, "write", error));
    TRY(release_write(&a->release, out->release, a->context.memory, a->options->shuffle, error));
    TRY(table_writer_finish(out->release, error));
    a->outcome.seconds.write += lap(a);
    return KITH_OK;
}

/* A file is written, read back and judged before it appears. Standard output and databases cannot
 * be read back in time: there the same rows are judged before the first one is written. */
static kith_status write_and_judge(anonymization *a, outputs *out, kith_error *error)
{
    if (out->meta != NULL) {
        TRY(write_rows(a, out, error));
        TRY(check_progress(a, "verify", error));
        if (table_writer_readable(out->release) == NULL)
            return error_set(error, KITH_BUG, "%s cannot be read back", a->options->output);
        kith_table_options options = KITH_OPTIONS(kith_table_options, .separator = out->separator);
        TRY(kith_table_read(&a->texts, table_writer_readable(out->release), &options, &a->reading,
                            error));
        return judge(a, !a->options->shuffle, error);
    }
    TRY(check_progress(a, "verify", error));
    TRY(release_table(&a->release, &a->texts, error));
    TRY(judge(a, true, error));
    return write_rows(a, out, error);
}

static kith_status write_meta(anonymization *a, outputs *out, kith_error *error)
{
    if (out->meta == NULL)
        return KITH_OK;
    kith_document *document;
    TRY(summary_meta(&document, &a->outcome, error));
    char *json = kith_document_json(document, true);
    kith_document_free(document);
    TRY_ALLOC(json, error);
    output_text(out->meta, json);
    output_text(out->meta, "\n");
    kith_free(json);
    return output_finish(out->meta, error);
}

static kith_status commit(outputs *out, kith_error *error)
{
    if (out->mapping != NULL)
        TRY(mapping_file_commit(out->mapping, error));
    TRY(table_writer_commit(out->release, error));
    if (out->lattice != NULL)
        TRY(output_commit(out->lattice, error));
    return out->meta == NULL ? KITH_OK : output_commit(out->meta, error);
}

static kith_status anonymize_data(anonymization *a, kith_document **summary, kith_error *error)
{
    outputs out;
    TRY(path_conflicts_check(a->study->path, a->options, error));
    const algorithm *asked = search_find(a->study->algorithm);
    if (a->options->lattice != NULL && asked != NULL)
        TRY(lattice_file_check(asked, error));
    TRY(read_data(a, error));
    TRY(open_outputs(&out, a, error));
    TRY(solve(a, error));
    TRY(write_and_judge(a, &out, error));
    TRY(write_meta(a, &out, error));
    if (out.mapping != NULL)
        TRY(mapping_file_write(out.mapping, &a->release, error));
    if (out.lattice != NULL) {
        lattice_file_write(out.lattice, &a->prepared, a->result.lattice);
        TRY(output_finish(out.lattice, error));
    }
    TRY(check_progress(a, "finish", error));
    a->outcome.seconds.total = context_seconds() - a->begun;
    kith_document *made = NULL;
    TRY(summarize(a, summary == NULL ? NULL : &made, error));
    kith_status status = commit(&out, error);
    if (status != KITH_OK)
        kith_document_free(made);
    else if (summary != NULL)
        *summary = made;
    return status;
}

kith_status kith_anonymize(kith_document **summary, const kith_study *study,
                           const kith_anonymize_options *options, const kith_run *run,
                           kith_error *error)
{
    kith_anonymize_options own;
    anonymization a;
    TRY(OPTIONS_TAKE(kith_anonymize_options, lattice, &own, options, error));
    TRY(options_need(own.input, "input", error));
    TRY(options_need(own.output, "output", error));
    TRY(begin(&a, study, run, error));
    a.options = &own;
    kith_status status = anonymize_data(&a, summary, error);
    end(&a);
    return status;
}

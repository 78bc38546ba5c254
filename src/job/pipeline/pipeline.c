#include "job/pipeline/pipeline.h"

#include "core/run/ranks.h"
#include "core/error.h"
#include "job/result/lattice_file.h"
#include "job/result/path_conflicts.h"

kith_status pipeline_may_go_on(pipeline *p, const char *step, kith_error *error)
{
    if (context_progress(p->context, step, 0))
        return KITH_OK;
    return error_set(error, KITH_CANCELLED, "stopped while about to %s", step);
}

char pipeline_separator(const pipeline *p)
{
    const char given = p->options->input->separator;
    const char separator = given != 0 ? given : p->table->separator;
    return separator != 0 ? separator : ','; /* the data does not come from CSV */
}

/* What is refused wherever the rows are. */
static kith_status pipeline_check(const pipeline *p, kith_error *error)
{
    const kith_study *study = p->study;
    TRY(path_conflicts_check(study->path, p->options, error));
    if (p->outcome.algorithm == NULL)
        return error_set(error, KITH_INVALID, "there is no algorithm %s", study->algorithm);
    if (p->options->lattice != NULL)
        TRY(lattice_file_check(p->outcome.algorithm, error));
    if (study->joint.n_site_models == 0)
        return KITH_OK;
    return error_set(error, KITH_INVALID,
                     "the study asks for %s, which only a joint run can keep: see 'kith party' "
                     "and 'kith simulate'",
                     model_name(study->joint.site_models[0].id));
}

kith_status pipeline_open(pipeline *p, kith_error *error)
{
    const kith_anonymize_options *o = p->options;
    publication *out = &p->publication;
    const char separator = pipeline_separator(p);
    if (o->output != NULL) {
        publication_columns columns;
        TRY(publication_columns_of(&columns, &p->prepared, p->context->memory, error));
        TRY(publication_open(out, o->output, separator, o->overwrite, columns.names, columns.whole,
                             columns.from, columns.count, error));
    }
    if (o->mapping != NULL)
        TRY(mapping_file_open(&out->mapping, &p->prepared, o->mapping, separator, o->overwrite,
                              p->context, error));
    if (o->lattice != NULL)
        TRY(publication_add(out, &p->lattice, o->lattice, o->overwrite, error));
    return KITH_OK;
}

kith_status pipeline_accompany(pipeline *p, kith_error *error)
{
    if (p->publication.meta != NULL) {
        kith_document *meta;
        TRY(summary_meta(&meta, &p->outcome, error));
        const kith_status status = publication_document(p->publication.meta, meta, error);
        kith_document_free(meta);
        TRY(status);
    }
    if (p->lattice == NULL)
        return KITH_OK;
    lattice_file_write(p->lattice, &p->prepared, p->result.lattice);
    return output_finish(p->lattice, error);
}

kith_status pipeline_commit(pipeline *p, kith_error *error)
{
    return publication_commit(&p->publication, error);
}

/* One process writes the summary, wherever the rows are. */
static kith_status open_summary(pipeline *p, kith_error *error)
{
    const kith_anonymize_options *o = p->options;
    if (o->summary == NULL || ranks_self(p->context->ranks) > 0)
        return KITH_OK;
    return publication_add(&p->publication, &p->summary, o->summary, o->overwrite, error);
}

static kith_status pipeline_run_steps(kith_document **summary, const rows_place *place, pipeline *p,
                                      kith_error *error)
{
    job_times *t = &p->outcome.seconds;
    TRY(pipeline_check(p, error));
    TRY(place->check(p, error));
    TRY(place->load(p, error));
    if (p->options->explain)
        TRY(explain_open(&p->outcome.explanation, &p->prepared.problem, p->context->memory, error));
    TRY(place->open(p, error));
    TRY(open_summary(p, error));
    t->load = context_lap(&p->since);
    TRY(pipeline_may_go_on(p, "search", error));
    TRY(place->search(p, error));
    t->search = context_lap(&p->since);
    /* An interrupted search has a result, and its caller wants it: from here on only an error can
     * keep the release from appearing. */
    p->publication.stoppable = p->publication.stoppable && !p->result.interrupted;
    TRY(place->write(p, error));
    TRY(place->accompany(p, error));
    TRY(publication_may_go_on(&p->publication, "finish", error));
    t->total = context_seconds() - p->begun;
    TRY(summary_make(summary, &p->outcome, p->context->run, error));
    if (p->options->review != NULL)
        TRY(place->review(p, *summary, error));
    if (p->summary != NULL)
        TRY(publication_document(p->summary, *summary, error));
    return place->commit(p, error);
}

kith_status pipeline_run(kith_document **summary, const rows_place *place, pipeline *p,
                         bool stoppable, kith_error *error)
{
    kith_document *made = NULL;
    p->begun = p->since = context_seconds();
    p->publication = (publication){.context = p->context, .stoppable = stoppable};
    p->outcome = (job_outcome){.command = "anonymize",
                               .output = p->options->output,
                               .prepared = &p->prepared,
                               .algorithm = search_find(p->study->algorithm),
                               .result = &p->result,
                               .assessment = &p->publication.assessment,
                               .order = p->options->keep_order ? ORDER_DATA
                                        : p->options->shuffle  ? ORDER_RANDOM
                                                               : ORDER_SORTED};
    kith_status status = pipeline_run_steps(&made, place, p, error);
    if (place->end != NULL)
        status = place->end(p, status, error);
    publication_wipe(&p->publication);
    return document_hand_over(summary, made, status);
}

/* Documents keep the order in which keys are added. docs/summary.md describes them. */
#include "job/result/summary.h"

#include <kith/kith.h>
#include <math.h>
#include <sys/resource.h>

#include "core/error.h"
#include "job/prepare/units.h"
#include "job/result/other_releases.h"
#include "job/result/released_as_is.h"

/* Whom the models count, if the study says so. */
static void put_unit(kith_document *d, document_node *root, const kith_study *study)
{
    if (study->unit_row)
        document_put_text(d, root, "unit", "row");
    if (study->n_unit == 0)
        return;
    document_node *columns = document_array(d, root, "unit");
    for (uint32_t i = 0; i < study->n_unit; i++)
        document_put_text(d, columns, NULL, study->columns[study->unit[i]].name);
}

void summary_put_overlap(kith_document *d, document_node *root, const kith_study *study)
{
    const bool of_rows = study->unit_row && study->joint.partition == PARTITION_HORIZONTAL;
    if (study->joint.units || of_rows)
        document_put_text(d, root, "overlap", options_overlaps[study->joint.overlap]);
}

void summary_put_heading(kith_document *d, document_node *root, const char *command,
                         const kith_study *study)
{
    document_put_text(d, root, "kith", kith_version());
    document_put_text(d, root, "command", command);
    document_put_text(d, root, "study", kith_study_name(study));
    put_unit(d, root, study);
}

void summary_put_meta_heading(kith_document *d, document_node *root, const kith_study *study)
{
    char digest[65];
    kith_study_digest(digest, study);
    document_put_text(d, root, "kith", kith_version());
    document_put_text(d, root, "study", kith_study_name(study));
    document_put_text(d, root, "digest", digest);
    put_unit(d, root, study);
}

void summary_put_seed(kith_document *d, document_node *root, const kith_run *run)
{
    if (run != NULL && run->seeded)
        document_put_count(d, root, "seed", run->seed);
    else
        document_put_null(d, root, "seed");
}

void summary_put_classes(kith_document *d, document_node *to, const verify_report *verified)
{
    document_put_count(d, to, "classes", verified->n_classes);
    document_put_count(d, to, "smallest_class", verified->smallest);
    document_put_count(d, to, "suppressed", verified->suppressed);
    if (!verified->by_persons)
        return;
    document_put_count(d, to, "persons", verified->n_persons);
    document_put_count(d, to, "smallest_class_persons", verified->smallest_persons);
}

void summary_put_model_name(kith_document *d, document_node *to, const model_spec *model)
{
    document_put_text(d, to, "model", model_name(model->id));
    if (model->variant != VARIANT_NONE)
        document_put_text(d, to, "variant", model_variant_name(model->variant));
    /* The parameters that the study gives. Those that a model does not have are 0; t of t-closeness
     * is the only one for which 0 is a value. */
    const struct {
        const char *name;
        double value;
    } number[] = {{"k", model->k},         {"l", model->l},         {"c", model->c},
                  {"t", model->t},         {"alpha", model->alpha}, {"p", model->p},
                  {"min", model->min},     {"max", model->max},     {"epsilon", model->epsilon},
                  {"delta", model->delta}, {"beta", model->beta},   {"m", model->m},
                  {"share", model->share}};
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
        if (number[i].value > 0 || (model->id == MODEL_T_CLOSENESS && number[i].name[0] == 't'))
            document_put_number(d, to, number[i].name, number[i].value);
    if (model->attribute != NULL)
        document_put_text(d, to, "attribute", model->attribute);
}

document_node *summary_put_model(kith_document *d, document_node *models, const model_spec *model,
                                 const verify_verdict *verdict)
{
    document_node *one = document_object(d, models, NULL);
    summary_put_model_name(d, one, model);
    if (verdict->with_earlier)
        document_put_count(d, one, "earlier_releases", model->n_previous);
    if (verdict->unknown)
        document_put_null(d, one, "holds");
    else
        document_put_flag(d, one, "holds", verdict->holds);
    document_put_number(d, one, "worst", verdict->worst);
    return one;
}

document_node *summary_put_models(kith_document *d, document_node *to, const kith_study *study,
                                  const verify_report *verified)
{
    document_node *models = document_array(d, to, "models");
    for (uint32_t i = 0; i < study->n_models; i++)
        summary_put_model(d, models, &study->models[i], &verified->verdict[i]);
    return models;
}

/* A model about sites: the protocol would have failed otherwise, and there would be no release.
 * `worst`: as counted in the rows; NaN: it was not. */
static void put_site_model(kith_document *d, document_node *models, const model_spec *m,
                           double worst)
{
    document_node *one = document_object(d, models, NULL);
    document_put_text(d, one, "model", model_name(m->id));
    if (m->variant != VARIANT_NONE)
        document_put_text(d, one, "variant", model_variant_name(m->variant));
    if (m->l > 0)
        document_put_number(d, one, "l", m->l);
    if (m->k > 0)
        document_put_count(d, one, "k", m->k);
    if (m->other_values > 0)
        document_put_count(d, one, "values", m->other_values);
    document_put_flag(d, one, "holds", true);
    document_put_text(d, one, "by", isnan(worst) ? "protocol" : "rows");
    if (!isnan(worst))
        document_put_number(d, one, "worst", worst);
}

/* A model of persons: a release does not show them, and there would be none if the protocol, which
 * has counted them, had not kept it. */
static void put_model_by_protocol(kith_document *d, document_node *models, const model_spec *m)
{
    document_node *one = document_object(d, models, NULL);
    summary_put_model_name(d, one, m);
    document_put_flag(d, one, "holds", true);
    document_put_text(d, one, "by", "protocol");
}

void summary_put_privacy(kith_document *d, document_node *to, const kith_study *study,
                         const verify_report *verified, const protocol_options *joint,
                         const double *worst)
{
    const verify_verdict *v = verified->verdict + study->n_models;
    document_node *models = document_array(d, to, "models");
    for (uint32_t i = 0; i < study->n_models; i++)
        if (joint != NULL && verified->verdict[i].unknown)
            put_model_by_protocol(d, models, &study->models[i]);
        else
            summary_put_model(d, models, &study->models[i], &verified->verdict[i]);
    for (uint32_t i = 0; joint != NULL && i < joint->n_site_models; i++)
        put_site_model(d, models, &joint->site_models[i], worst == NULL ? NAN : worst[i]);
    if (joint != NULL && joint->min_others > 0) {
        const model_spec by_default = {
            .id = MODEL_M_PRIVACY, .k = joint->min_others, .other_values = joint->other_values};
        put_site_model(d, models, &by_default, NAN);
    }
    document_node *all = document_array(d, to, "certainty");
    for (uint32_t i = 0; i < study->n_columns; i++) {
        if (study->columns[i].role != ROLE_SENSITIVE)
            continue;
        document_node *one = document_object(d, all, NULL);
        document_put_text(d, one, "column", study->columns[i].name);
        document_put_number(d, one, "highest", (v++)->worst);
    }
}

/* Loss by the measures that are sums over cells. */
static void put_cells(kith_document *d, document_node *parent, const loss_cells *cells)
{
    document_put_number(d, parent, "lm", cells->lm);
    document_put_number(d, parent, "em", cells->em);
    document_put_number(d, parent, "entropy", cells->entropy);
    document_put_number(d, parent, "tree", cells->tree);
    document_put_number(d, parent, "mi", cells->mi);
    document_put_number(d, parent, "mi_utility", cells->mi_utility);
    document_put_number(d, parent, "pmi", cells->pmi);
    document_put_number(d, parent, "pmi_utility", cells->pmi_utility);
}

void summary_put_loss(kith_document *d, document_node *parent, const loss_report *loss)
{
    document_node *all = document_object(d, parent, "loss");
    put_cells(d, all, &loss->all);
    document_put_number(d, all, "dm", loss->dm);
    document_put_number(d, all, "cm", loss->cm);
    document_put_number(d, all, "average_class", loss->average_class);
    document_put_number(d, all, "precision", loss->all.tree);
    document_put_number(d, all, "arx-loss", loss->arx_loss);
    document_put_number(d, all, "am", loss->am);
    document_put_number(d, all, "pmi_2", loss->pmi_2);
    document_put_number(d, all, "pmi_max", loss->pmi_max);
    if (!isnan(loss->kl)) /* only kith measure computes it */
        document_put_number(d, all, "kl", loss->kl);
}

void summary_put_released_loss(kith_document *d, document_node *parent, const loss_report *loss)
{
    document_node *all = document_object(d, parent, "loss");
    document_put_number(d, all, "lm", loss->all.lm);
    document_put_number(d, all, "dm", loss->dm);
    document_put_number(d, all, "average_class", loss->average_class);
}

void summary_put_attribute_loss(kith_document *d, document_node *parent, const prepared *p,
                                const loss_report *loss)
{
    document_node *all = document_object(d, parent, "attribute_loss");
    for (uint32_t j = 0; j < p->problem.n_attributes; j++)
        put_cells(d, document_object(d, all, p->columns[p->quasi[j]].study->name),
                  &loss->attribute[j]);
}

void summary_put_seconds(kith_document *d, document_node *root, const summary_phase *phases,
                         size_t n_phases)
{
    document_node *seconds = document_object(d, root, "seconds");
    for (size_t i = 0; i < n_phases; i++)
        document_put_number(d, seconds, phases[i].name, phases[i].seconds);
}

uint64_t summary_peak_rss_bytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

void summary_put_quasi_identifiers(kith_document *d, document_node *root, const kith_study *study)
{
    document_node *names = document_array(d, root, "quasi_identifiers");
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].role == ROLE_QUASI_IDENTIFYING)
            document_put_text(d, names, NULL, study->columns[i].name);
}

void summary_put_counts(kith_document *d, document_node *root, const char *search,
                        const prepared *p, const verify_report *verified)
{
    document_put_text(d, root, "algorithm", search);
    document_put_count(d, root, "records", prepare_whole_rows(p));
    document_put_count(d, root, "attributes", p->problem.n_attributes);
    summary_put_quasi_identifiers(d, root, p->study);
    summary_put_classes(d, root, verified);
    /* The columns that show means, if there are any. */
    document_node *names = NULL;
    for (uint32_t i = 0; i < p->n_columns; i++) {
        if (!p->columns[i].study->mean)
            continue;
        if (names == NULL)
            names = document_array(d, root, "means");
        document_put_text(d, names, NULL, p->columns[i].study->name);
    }
}

/* The levels that a search of a lattice chose. */
static void put_levels(kith_document *d, document_node *root, const job_outcome *job)
{
    const prepared *p = job->prepared;
    if (job->result->levels == NULL)
        return;
    document_node *levels = document_object(d, root, "levels");
    for (uint32_t j = 0; j < p->problem.n_attributes; j++)
        document_put_count(d, levels, p->columns[p->quasi[j]].study->name, job->result->levels[j]);
}

/* What concerns the run, not the release: receivers of the release do not see it. */
static void put_run(kith_document *d, document_node *root, const job_outcome *job)
{
    const job_times *t = &job->seconds;
    const summary_phase phases[] = {{"load", t->load},
                                    {"search", t->search},
                                    {"write", t->write},
                                    {"verify", t->verify},
                                    {"total", t->total}};
    document_put_count(d, root, "dropped", prepare_whole_dropped(job->prepared));
    document_put_count(d, root, "empty", prepare_whole_empty(job->prepared));
    if (job->prepared->sampled)
        document_put_number(d, root, "sample", job->prepared->study->sample);
    if (job->algorithm->passes)
        document_put_count(d, root, "passes", job->result->n_passes);
    put_levels(d, root, job);
    if (job->result->levels != NULL) {
        document_put_count(d, root, "transformations", job->result->n_transformations);
        document_put_count(d, root, "checked", job->result->checked);
    }
    if (job->result->stopped != NULL)
        document_put_text(d, root, "stopped", job->result->stopped);
    document_put_flag(d, root, "interrupted", job->result->interrupted);
    summary_put_seconds(d, root, phases, sizeof phases / sizeof *phases);
    if (job->ranks.count == 0) {
        document_put_count(d, root, "peak_rss_bytes", summary_peak_rss_bytes());
        return;
    }
    document_put_count(d, root, "peak_rss_bytes", job->ranks.peak_rss_bytes);
    document_put_count(d, root, "ranks", job->ranks.count);
    document_put_count(d, root, "sent_bytes", job->ranks.sent_bytes);
}

/* Rows whose person is not known. */
static void warn_unknown(kith_document *d, document_node *warnings, const prepared *p)
{
    char text[256];
    if (p->unknown == 0)
        return;
    snprintf(text, sizeof text, UNITS_UNKNOWN, p->unknown, p->unknown == 1 ? "" : "s",
             p->study->columns[p->study->unit[p->lacking]].name);
    document_put_text(d, warnings, NULL, text);
}

/* How the rows are ordered, and what the user should know before publishing them. */
static document_node *put_warnings(kith_document *d, document_node *root, const job_outcome *job)
{
    static const char *const orders[] = {"sorted", "random", "data"};
    document_put_text(d, root, "order", orders[job->order]);
    document_node *warnings = document_array(d, root, "warnings");
    if (job->order == ORDER_DATA)
        document_put_text(
            d, warnings, NULL,
            "the rows of the release are in the order of the data: whoever knows "
            "that order, or sees by what the data is sorted, may find that a row fits "
            "fewer records than the models promise, even a single one");
    if (job->findings == NULL)
        warn_unknown(d, warnings, job->prepared);
    released_as_is_warn(d, warnings, job->findings);
    return warnings;
}

/* A row of a class is that person's with this chance, however many others are in the class. */
static void warn_part(kith_document *d, document_node *warnings, const risk *r)
{
    char text[256];
    if (!r->by_persons || r->largest_part <= 0.5)
        return;
    snprintf(text, sizeof text,
             "%.0f%% of the rows of a class are of one person: a row of this class is most likely "
             "that person's; {model: dominance, share: 0.5} bounds this share",
             100 * r->largest_part);
    document_put_text(d, warnings, NULL, text);
}

kith_status summary_make(kith_document **document, const job_outcome *job, const kith_run *run,
                         kith_error *error)
{
    const kith_study *study = job->prepared->study;
    const assessment *a = job->assessment;
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    summary_put_heading(d, root, job->command, study);
    summary_put_seed(d, root, run);
    summary_put_counts(d, root, job->algorithm->name, job->prepared, &job->assessment->verified);
    summary_put_loss(d, root, &a->loss);
    document_put_text(d, root, "measure", measure_at(study->measure)->name);
    document_put_number(d, root, "objective", assess_objective(job->prepared, &a->loss));
    summary_put_attribute_loss(d, root, job->prepared, &a->loss);
    summary_put_privacy(d, root, study, &a->verified, NULL, NULL);
    risk_put(d, root, &a->risks);
    document_node *warnings = put_warnings(d, root, job);
    warn_part(d, warnings, &a->risks.after);
    intersections_put(d, root, warnings, &a->intersections, a->verified.n_persons);
    if (released_as_is_put(d, root, job->prepared, error) != KITH_OK)
        return document_hand_over(document, d, KITH_NOMEM);
    if (job->explanation != NULL)
        explain_put(d, root, job->explanation, job->prepared);
    put_run(d, root, job);
    other_releases_put(d, root, job->output, kith_study_name(study));
    return document_finish(document, d, error);
}

/* The models of a release by persons. It does not show them, so that no figure about them follows
 * from it; that the models hold is a promise of the parties that made the release. */
static void put_promises(kith_document *d, document_node *root, const kith_study *study)
{
    document_node *models = document_array(d, root, "models");
    for (uint32_t i = 0; i < study->n_models; i++) {
        document_node *one = document_object(d, models, NULL);
        summary_put_model_name(d, one, &study->models[i]);
        document_put_flag(d, one, "holds", true);
    }
}

kith_status summary_meta(kith_document **document, const job_outcome *job, kith_error *error)
{
    const kith_study *study = job->prepared->study;
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    verify_report shown = job->assessment->verified;
    shown.by_persons = false;
    summary_put_meta_heading(d, root, study);
    summary_put_counts(d, root, job->algorithm->name, job->prepared, &shown);
    if (job->prepared->sampled)
        document_put_number(d, root, "sample", study->sample);
    put_levels(d, root, job);
    if (study->n_unit > 0)
        put_promises(d, root, study);
    else
        summary_put_privacy(d, root, study, &shown, NULL, NULL);
    summary_put_released_loss(d, root, &job->assessment->loss);
    return document_finish(document, d, error);
}

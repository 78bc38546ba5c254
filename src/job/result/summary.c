#include "job/result/summary.h"

#include <kith/kith.h>
#include <math.h>
#include <sys/resource.h>

#include "core/error.h"

/* The numbers that a study gives; those that a model has not are 0. */
static void put_parameters(kith_document *d, document_node *one, const model_spec *m)
{
    const struct {
        const char *name;
        double value;
    } number[] = {{"k", m->k},         {"l", m->l},         {"c", m->c},
                  {"t", m->t},         {"alpha", m->alpha}, {"p", m->p},
                  {"min", m->min},     {"max", m->max},     {"epsilon", m->epsilon},
                  {"delta", m->delta}, {"beta", m->beta},   {"m", m->m}};
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
        if (number[i].value > 0 || (m->id == MODEL_T_CLOSENESS && number[i].name[0] == 't'))
            document_put_number(d, one, number[i].name, number[i].value);
}

document_node *summary_put_model(kith_document *d, document_node *models, const model_spec *model,
                                 const verify_verdict *verdict)
{
    document_node *one = document_object(d, models, NULL);
    document_put_text(d, one, "model", model_name(model->id));
    if (model->variant != VARIANT_NONE)
        document_put_text(d, one, "variant", model_variant_name(model->variant));
    put_parameters(d, one, model);
    if (model->attribute != NULL)
        document_put_text(d, one, "attribute", model->attribute);
    document_put_flag(d, one, "holds", verdict->holds);
    document_put_number(d, one, "worst", verdict->worst);
    return one;
}

static void put_models(kith_document *d, document_node *parent, const job_outcome *job)
{
    document_node *models = document_array(d, parent, "models");
    for (uint32_t i = 0; i < job->prepared->study->n_models; i++)
        summary_put_model(d, models, &job->prepared->study->models[i], &job->verified.verdict[i]);
}

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
    if (!isnan(loss->kl))
        document_put_number(d, all, "kl", loss->kl);
}

void summary_put_attribute_loss(kith_document *d, document_node *parent, const prepared *p,
                                const loss_report *loss)
{
    document_node *all = document_object(d, parent, "attribute_loss");
    for (uint32_t j = 0; j < p->problem.n_attributes; j++)
        put_cells(d, document_object(d, all, p->columns[p->quasi[j]].study->name),
                  &loss->attribute[j]);
}

static void put_seconds(kith_document *d, document_node *parent, const job_times *seconds)
{
    document_node *node = document_object(d, parent, "seconds");
    document_put_number(d, node, "load", seconds->load);
    document_put_number(d, node, "search", seconds->search);
    document_put_number(d, node, "write", seconds->write);
    document_put_number(d, node, "verify", seconds->verify);
    document_put_number(d, node, "total", seconds->total);
}

static uint64_t peak_rss_bytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

static void put_seed(kith_document *d, document_node *root, const kith_run *run)
{
    if (run != NULL && run->seeded)
        document_put_count(d, root, "seed", run->seed);
    else
        document_put_null(d, root, "seed");
}

static void put_counts(kith_document *d, document_node *root, const job_outcome *job)
{
    const prepared *p = job->prepared;
    document_put_text(d, root, "algorithm", job->algorithm->name);
    document_put_count(d, root, "records", p->n_rows);
    document_put_count(d, root, "attributes", p->problem.n_attributes);
    document_put_count(d, root, "classes", job->verified.n_classes);
    document_put_count(d, root, "smallest_class", job->verified.smallest);
    document_put_count(d, root, "suppressed", job->verified.suppressed);
}

/* What a search of the lattice of generalizations chose, and how much of it was looked at. */
static void put_lattice(kith_document *d, document_node *root, const job_outcome *job)
{
    const prepared *p = job->prepared;
    if (job->result->levels == NULL)
        return;
    document_node *levels = document_object(d, root, "levels");
    for (uint32_t j = 0; j < p->problem.n_attributes; j++)
        document_put_count(d, levels, p->columns[p->quasi[j]].study->name, job->result->levels[j]);
    document_put_count(d, root, "transformations", job->result->n_transformations);
    document_put_count(d, root, "checked", job->result->checked);
}

static void put_run(kith_document *d, document_node *root, const job_outcome *job)
{
    document_put_count(d, root, "dropped", job->prepared->dropped);
    if (job->algorithm->passes)
        document_put_count(d, root, "passes", job->result->n_passes);
    put_lattice(d, root, job);
    if (job->result->stopped != NULL)
        document_put_text(d, root, "stopped", job->result->stopped);
    document_put_flag(d, root, "interrupted", job->result->interrupted);
    put_seconds(d, root, &job->seconds);
    document_put_count(d, root, "peak_rss_bytes", peak_rss_bytes());
}

static kith_status return_document(kith_document **document, kith_document *d, kith_error *error)
{
    kith_status status = document_status(d, error);
    if (status == KITH_OK)
        *document = d;
    else
        kith_document_free(d);
    return status;
}

kith_status summary_make(kith_document **document, const job_outcome *job, const kith_run *run,
                         kith_error *error)
{
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    document_put_text(d, root, "kith", kith_version());
    document_put_text(d, root, "command", job->command);
    document_put_text(d, root, "study", kith_study_name(job->prepared->study));
    put_seed(d, root, run);
    put_counts(d, root, job);
    summary_put_loss(d, root, &job->loss);
    document_put_text(d, root, "measure", measure_at(job->prepared->study->measure)->name);
    document_put_number(d, root, "objective", assess_objective(job->prepared, &job->loss));
    summary_put_attribute_loss(d, root, job->prepared, &job->loss);
    put_models(d, root, job);
    risk_put(d, root, &job->risks);
    if (job->explanation != NULL)
        explain_put(d, root, job->explanation, job->prepared, job->result);
    put_run(d, root, job);
    return return_document(document, d, error);
}

kith_status summary_meta(kith_document **document, const job_outcome *job, kith_error *error)
{
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    char digest[65];
    kith_study_digest(digest, job->prepared->study);
    document_put_text(d, root, "kith", kith_version());
    document_put_text(d, root, "study", kith_study_name(job->prepared->study));
    document_put_text(d, root, "digest", digest);
    put_counts(d, root, job);
    put_models(d, root, job);
    summary_put_loss(d, root, &job->loss);
    return return_document(document, d, error);
}

/* kith_measure: how much a release has lost, and how much risk remains. */
#include <kith/kith.h>
#include <string.h>

#include "core/error.h"
#include "core/options.h"
#include "job/analysis/analysis.h"
#include "job/analysis/sample_risk.h"
#include "job/result/assess_levels.h"
#include "job/result/risk.h"
#include "job/result/summary.h"
#include "job/result/verdict.h"
#include "table/table_input.h"

enum { MAX_QUERIES = 10000000 };

typedef struct measurement {
    const kith_study *study;
    table_input data_input, release_input;
    context context;
    const kith_table *data, *release;
    prepared prepared;
    verify_report after;
    cover_report cover;
    loss_report loss;
    risk_report risks;
    uint32_t n_queries; /* 0: none */
    query_error_report queries;
    numbers_report numbers;
    distributions_report distributions;
    pairs_report pairs;
    const char *class_column; /* NULL: no classifier is tried */
    classify_report classifier;
    sample_risk_task sampling;
    sample_risk_report sample;
} measurement;

/* The number of distinct values of each quasi-identifier in data and release. */
static void put_values(kith_document *d, document_node *root, const measurement *m)
{
    const prepared *p = &m->prepared;
    document_node *all = document_object(d, root, "attribute_values");
    for (uint32_t j = 0; j < p->problem.n_attributes; j++) {
        const prepared_column *c = &p->columns[p->quasi[j]];
        uint32_t released = table_find(m->release, c->study->name);
        document_node *one = document_object(d, all, c->study->name);
        document_put_count(d, one, "before", m->data->columns[c->source].values.count);
        document_put_count(d, one, "after", m->release->columns[released].values.count);
    }
}

/* What the random counting queries gave. A mean of no queries is left out. */
static void put_queries(kith_document *d, document_node *root, const measurement *m)
{
    const query_error_report *q = &m->queries;
    document_node *node = document_object(d, root, "queries");
    document_put_count(d, node, "count", q->n_queries);
    document_put_count(d, node, "redrawn", q->n_redrawn);
    if (m->context.run->seeded)
        document_put_count(d, node, "seed", m->context.run->seed);
    else
        document_put_null(d, node, "seed");
    if (q->n_queries == 0)
        return;
    document_put_number(d, node, "error_mean", q->mean);
    document_put_number(d, node, "error_median", q->median);
    document_put_number(d, node, "error_p95", q->p95);
}

/* All figures as a document. */
static kith_status make_report(kith_document **report, const measurement *m, kith_error *error)
{
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    summary_put_heading(d, root, "measure", m->study);
    document_put_count(d, root, "records", m->prepared.n_rows);
    document_put_count(d, root, "attributes", m->prepared.problem.n_attributes);
    summary_put_quasi_identifiers(d, root, m->study);
    document_put_count(d, root, "suppressed", m->after.suppressed);
    summary_put_loss(d, root, &m->loss);
    document_put_text(d, root, "measure", measure_at(m->study->measure)->name);
    document_put_number(d, root, "objective", assess_objective(&m->prepared, &m->loss));
    summary_put_attribute_loss(d, root, &m->prepared, &m->loss);
    put_values(d, root, m);
    kith_status status =
        assess_levels_put(d, root, &m->prepared, m->release, &m->after, m->context.memory, error);
    if (status != KITH_OK) {
        kith_document_free(d);
        return status;
    }
    numbers_put(d, root, &m->numbers);
    distributions_put(d, root, &m->distributions);
    pairs_put(d, root, &m->pairs);
    if (m->n_queries > 0)
        put_queries(d, root, m);
    if (m->class_column != NULL)
        classify_put(d, root, &m->classifier);
    risk_put(d, root, &m->risks);
    sample_risk_put(d, root, &m->sample);
    verdict_put_cover(d, root, &m->prepared, m->release, m->release->n_rows, &m->cover);
    return document_finish(report, d, error);
}

/* What analysts would ask the release. */
static kith_status analyze(measurement *m, bool in_order, kith_error *error)
{
    context *c = &m->context;
    analysis a;
    TRY(analysis_make(&a, &m->prepared, m->release, &m->after, in_order, c, error));
    TRY(numbers_assess(&m->numbers, &a, c, error));
    TRY(distributions_assess(&m->distributions, &a, c, error));
    TRY(pairs_assess(&m->pairs, &a, c, error));
    if (m->n_queries > 0)
        TRY(query_error_measure(&m->queries, &a.shown.by_class, m->n_queries, c->seed, c->memory,
                                error));
    if (m->class_column != NULL)
        TRY(classify_assess(&m->classifier, &a, m->class_column, c, error));
    return sample_risk_assess(&m->sample, &a, &m->sampling, c, error);
}

static kith_status read_weights(measurement *m, const char *name, const kith_table_options *of_data,
                                kith_error *error)
{
    double *weights;
    TRY(sample_weights_read(&weights, &m->data_input, of_data, name, &m->prepared, &m->context,
                            error));
    m->sampling.weights = weights;
    m->sampling.weights_name = name;
    return KITH_OK;
}

/* Reads data and release, and compares them: all records, or those of the sample. Rows may be in
 * any order. */
static kith_status measure_all(measurement *m, const kith_measure_options *o,
                               kith_document **report, kith_error *error)
{
    prepared whole;
    arena *memory = m->context.memory;
    const kith_table_options of_data = study_table_options(m->study);
    const kith_table_options of_release = KITH_INIT(kith_table_options);
    if (m->study->sample > 0 && !m->context.run->seeded) {
        error_set(error, KITH_INVALID,
                  "%s: the release is a sample, and which records it has is not known",
                  m->study->path);
        return error_hint(error, KITH_INVALID,
                          "the seed of the run that made it (--seed) draws them again");
    }
    TRY(table_input_read(&m->data, &m->data_input, &of_data, m->context.run, memory, error));
    TRY(table_input_read(&m->release, &m->release_input, &of_release, m->context.run, memory,
                         error));
    TRY(prepare_sample(&whole, m->study, m->data, &m->context, error));
    TRY(assess_part(&m->prepared, &whole, m->release, &m->context, error));
    TRY(assess_cover(&m->cover, &m->prepared, m->release, &m->context, error));
    if (m->prepared.sampled && !m->cover.holds)
        return error_set(error, KITH_DATA,
                         "%s is not made from the records that the seed %llu draws from %s",
                         m->release->source, (unsigned long long)m->context.seed, m->data->source);
    /* Some measures compare rows with records one by one. */
    bool in_order = m->cover.holds && m->cover.check == COVER_IN_ORDER;
    TRY(assess_models(&m->after, m->study, &m->prepared, in_order, m->release, &m->context, error));
    TRY(assess_loss(&m->loss, &m->prepared, m->release, &m->after, in_order, true, &m->context,
                    error));
    if (o->weights != NULL)
        TRY(read_weights(m, o->weights, &of_data, error));
    TRY(analyze(m, in_order, error));
    TRY(risk_assess(&m->risks, &m->prepared, &m->after, m->release, &m->context, error));
    return make_report(report, m, error);
}

kith_status kith_measure(kith_document **report, const kith_study *study,
                         const kith_measure_options *options, const kith_run *run,
                         kith_error *error)
{
    kith_measure_options own;
    measurement m = {.study = study};
    TRY(OPTIONS_TAKE(kith_measure_options, separator, &own, options, error));
    const char data_separator = own.data_separator != 0 ? (char)own.data_separator : own.separator;
    m.data_input = (table_input){own.data, own.data_table, data_separator, own.csv};
    m.release_input = (table_input){own.release, own.release_table, own.separator, NULL};
    TRY(table_input_need(&m.data_input, "data", error));
    TRY(table_input_need(&m.release_input, "release", error));
    if (own.n_queries > MAX_QUERIES)
        return error_set(error, KITH_INVALID, "%zu queries are too many: at most %d", own.n_queries,
                         MAX_QUERIES);
    m.n_queries = (uint32_t)own.n_queries;
    m.class_column = own.classify;
    if (own.special_uniques > SPECIAL_UNIQUES_MAX_SIZE)
        return error_set(error, KITH_INVALID,
                         "special uniques of sets of %zu columns: at most %d can be looked at",
                         own.special_uniques, SPECIAL_UNIQUES_MAX_SIZE);
    if (!(own.population >= 0 && own.population <= 1e15))
        return error_set(error, KITH_INVALID, "a population of %g people", own.population);
    m.sampling =
        (sample_risk_task){.population = own.population > 0 ? own.population : study->population,
                           .max_size = (uint32_t)own.special_uniques};
    TRY(context_init(&m.context, run, error));
    kith_status status = measure_all(&m, &own, report, error);
    context_wipe(&m.context);
    return status;
}

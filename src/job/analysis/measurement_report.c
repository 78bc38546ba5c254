#include "core/error.h"
#include "job/analysis/measurement.h"
#include "job/result/summary.h"
#include "job/result/verdict.h"

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

kith_status measurement_report(kith_document **report, const measurement *m, kith_error *error)
{
    const comparison *k = &m->compared;
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    summary_put_heading(d, root, "measure", m->study);
    document_put_count(d, root, "records", prepare_whole_rows(&k->prepared));
    document_put_count(d, root, "attributes", k->prepared.problem.n_attributes);
    summary_put_quasi_identifiers(d, root, m->study);
    document_put_count(d, root, "suppressed", m->found.verified.suppressed);
    summary_put_loss(d, root, &m->found.loss);
    document_put_text(d, root, "measure", measure_at(m->study->measure)->name);
    document_put_number(d, root, "objective", assess_objective(&k->prepared, &m->found.loss));
    summary_put_attribute_loss(d, root, &k->prepared, &m->found.loss);
    /* The number of distinct values of each quasi-identifier in data and release. */
    const prepared *p = &m->compared.prepared;
    document_node *all = document_object(d, root, "attribute_values");
    for (uint32_t j = 0; j < p->problem.n_attributes; j++) {
        const prepared_column *c = &p->columns[p->quasi[j]];
        uint32_t released = table_find(m->compared.rows, c->study->name);
        document_node *one = document_object(d, all, c->study->name);
        document_put_count(d, one, "before", p->table->columns[c->source].values.count);
        document_put_count(d, one, "after", m->compared.rows->columns[released].values.count);
    }
    assess_levels_put(d, root, &k->prepared, m->levels);
    numbers_put(d, root, &m->numbers);
    distributions_put(d, root, &m->distributions);
    pairs_put(d, root, &m->pairs);
    if (m->n_queries > 0)
        put_queries(d, root, m);
    if (m->options->classify != NULL)
        classify_put(d, root, &m->classifier);
    if (m->study->n_unit > 0 && !m->found.verified.by_persons)
        document_put_text(d, document_array(d, root, "not_checked"), NULL, "units");
    risk_put(d, root, &m->found.risks);
    sample_risk_put(d, root, &m->sample);
    verdict_put_cover(d, root, &k->prepared, &k->wrong, k->place.n_rows, &k->cover, k->data_line,
                      table_input_given(&k->mapping_input));
    return document_finish(report, d, error);
}

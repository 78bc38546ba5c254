#include "job/measurement/measurement.h"

#include "core/error.h"
#include "job/result/mapping_rows.h"

static kith_status read_weights(measurement *m, kith_error *error)
{
    const kith_table_options of_data = study_table_options(m->study);
    return sample_weights_read(&m->sampling.weights, &m->data_input, &of_data, m->options->weights,
                               &m->prepared, &m->context, error);
}

/* What is reported lives in the memory of the measurement, the analysis in that of `scratch`. */
static kith_status analyze(measurement *m, context *scratch, kith_error *error)
{
    context *c = &m->context;
    analysis a;
    TRY(assess_levels_shown(&m->levels, &m->prepared, m->release, &m->after, c, error));
    TRY(analysis_make(&a, &m->prepared, m->release, &m->after, m->in_order, m->first_record,
                      scratch, error));
    TRY(numbers_assess(&m->numbers, &a, c, error));
    TRY(distributions_assess(&m->distributions, &a, c, error));
    TRY(pairs_assess(&m->pairs, &a, c, error));
    if (m->n_queries > 0)
        TRY(query_error_measure(&m->queries, &a.shown.by_class, m->n_queries, c->seed,
                                scratch->memory, error));
    if (m->options->classify != NULL)
        TRY(classify_assess(&m->classifier, &a, m->options->classify, scratch, error));
    return sample_risk_assess(&m->sample, &a, &m->sampling, c, error);
}

kith_status measurement_analyze(measurement *m, kith_error *error)
{
    if (m->options->weights != NULL)
        TRY(read_weights(m, error));
    context scratch = m->context;
    scratch.memory = TRY_ALLOC(arena_new_like(m->context.memory), error);
    const kith_status status = analyze(m, &scratch, error);
    arena_free(scratch.memory);
    return status;
}

kith_status measurement_whole(measurement *m, kith_error *error)
{
    prepared whole;
    const kith_table *data;
    context *c = &m->context;
    const kith_table_options of_data = study_table_options(m->study);
    const kith_table_options of_release = KITH_INIT(kith_table_options);
    const bool mapped = table_input_given(&m->mapping_input);
    if (m->study->sample > 0 && !c->run->seeded && !mapped) {
        error_set(error, KITH_INVALID,
                  "%s: the release is a sample, and which records it has is not known",
                  m->study->path);
        return error_hint(error, KITH_INVALID,
                          "the mapping of the release (--mapping) says it, and the seed of the run "
                          "that made it (--seed) draws them again");
    }
    TRY(table_input_read(&data, &m->data_input, &of_data, c->run, c->memory, error));
    TRY(table_input_read(&m->release, &m->release_input, &of_release, c->run, c->memory, error));
    if (mapped) {
        TRY(prepare_table(&whole, m->study, data, c, error));
        TRY(mapping_rows_apply(&whole, &m->release, &m->mapping_input, data, c, error));
    } else {
        TRY(prepare_sample(&whole, m->study, data, c, error));
    }
    TRY(assess_part(&m->prepared, &whole, m->release, c, error));
    TRY(mapped ? assess_cover_in_order(&m->cover, &m->prepared, m->release, c, error)
               : assess_cover(&m->cover, &m->prepared, m->release, c, error));
    if (m->prepared.sampled && !m->cover.holds && !mapped)
        return error_set(error, KITH_DATA,
                         "%s is not made from the records that the seed %llu draws from %s",
                         m->release->source, (unsigned long long)c->seed, data->source);
    /* Some measures compare rows with records one by one. */
    m->in_order = m->cover.holds && m->cover.check == COVER_IN_ORDER;
    TRY(assess_models(&m->after, m->study, &m->prepared, m->in_order, m->release, c, error));
    m->n_records = m->prepared.n_rows;
    m->n_suppressed = m->after.suppressed;
    m->n_released = m->release->n_rows;
    TRY(assess_loss(&m->loss, &m->prepared, m->release, &m->after, m->in_order, true, c, error));
    TRY(measurement_analyze(m, error));
    return risk_assess(&m->risks, &m->prepared, &m->after, m->release, c, error);
}

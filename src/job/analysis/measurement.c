#include "job/analysis/measurement.h"

#include "core/run/ranks.h"
#include "core/error.h"

/* What is reported lives in the memory of the measurement, the analysis in that of `scratch`. */
static kith_status analyze(measurement *m, context *scratch, kith_error *error)
{
    const comparison *k = &m->compared;
    context *c = &m->context;
    analysis a;
    TRY(assess_levels_shown(&m->levels, &k->prepared, k->rows, &m->found.verified, c, error));
    TRY(analysis_make(&a, &k->prepared, k->rows, &m->found.verified, k->in_order, k->first_record,
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

/* What ranks cannot find out together is refused before anything is read. */
static kith_status measurement_check(const measurement *m, kith_error *error)
{
    const comparison *k = &m->compared;
    const bool over_ranks = ranks_count(m->context.ranks) > 1;
    TRY(comparison_check(k, &m->context, error));
    if (over_ranks && m->sampling.max_size > 0) {
        error_set(error, KITH_INVALID, "special uniques are not supported with MPI ranks");
        return error_hint(error, KITH_INVALID, "start one process, without ranks");
    }
    if (k->study->sample == 0 || m->context.run->seeded || table_input_given(&k->mapping_input))
        return KITH_OK;
    error_set(error, KITH_INVALID,
              "%s: the release is a sample, and which records it has is not known", k->study->path);
    return error_hint(error, KITH_INVALID,
                      "the mapping of the release (--mapping) says it, and the seed of the run "
                      "that made it (--seed) draws them again");
}

/* Rows may be in any order, and be those of a sample; over ranks they are in order. */
static kith_status measurement_compare(measurement *m, kith_error *error)
{
    comparison *k = &m->compared;
    context *c = &m->context;
    TRY(context_agree_on_seed(c, error));
    TRY(comparison_read(k, c, error));
    TRY(comparison_make(k, c, error));
    if (k->prepared.sampled && !k->cover.holds && !table_input_given(&k->mapping_input))
        return error_set(
            error, KITH_DATA, "%s is not made from the records that the seed %llu draws from %s",
            k->release->source, (unsigned long long)c->seed, k->prepared.table->source);
    if (k->rows == NULL)
        return error_set(error, KITH_DATA, "%s has %llu rows, but the data has %llu",
                         k->release->source, (unsigned long long)k->place.n_rows,
                         (unsigned long long)prepare_whole_rows(&k->prepared));
    return KITH_OK;
}

kith_status measurement_make(measurement *m, kith_error *error)
{
    const comparison *k = &m->compared;
    TRY(measurement_check(m, error));
    TRY(measurement_compare(m, error));
    /* Some measures compare rows with records one by one. */
    const assess_task task = {.study = m->study,
                              .data = &k->prepared,
                              .in_order = k->in_order,
                              .mapped = table_input_given(&k->mapping_input),
                              .analyzed = true};
    TRY(assess_release(&m->found, &task, k->rows, &m->context, error));
    const kith_table_options of_data = study_table_options(m->study);
    if (m->options->weights != NULL)
        TRY(sample_weights_read(&m->sampling.weights, &k->data_input, &of_data, m->options->weights,
                                &k->prepared, &m->context, error));
    context scratch = m->context;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(m->context.memory), error);
    scratch.memory = memory;
    return analyze(m, &scratch, error);
}

/* kith_measure: how much a release has lost, and how much risk remains. */

#include "core/run/ranks.h"
#include "core/error.h"
#include "core/options.h"
#include "job/analysis/measurement.h"

enum { MAX_QUERIES = 10000000 };

static kith_status measure_all(measurement *m, kith_document **report, kith_error *error)
{
    TRY(measurement_make(m, error));
    return measurement_report(report, m, error);
}

kith_status kith_measure(kith_document **report, const kith_study *study,
                         const kith_measure_options *options, const kith_run *run,
                         kith_error *error)
{
    kith_measure_options own;
    measurement m = {.study = study, .options = &own};
    comparison *k = &m.compared;
    TRY(OPTIONS_TAKE(kith_measure_options, special_uniques, &own, options, error));
    *k = (comparison){.study = study, .draws = true};
    TRY(table_input_need(&k->data_input, own.data, "data", error));
    TRY(table_input_need(&k->release_input, own.release, "release", error));
    TRY(table_input_take(&k->mapping_input, own.mapping, "mapping", error));
    if (own.n_queries > MAX_QUERIES)
        return error_set(error, KITH_INVALID, "%zu queries are too many: at most %d", own.n_queries,
                         MAX_QUERIES);
    m.n_queries = (uint32_t)own.n_queries;
    if (own.special_uniques > SPECIAL_UNIQUES_MAX_SIZE)
        return error_set(error, KITH_INVALID,
                         "special uniques in sets of %zu columns exceed the limit of %d columns",
                         own.special_uniques, SPECIAL_UNIQUES_MAX_SIZE);
    if (!(own.population >= 0 && own.population <= 1e15))
        return error_set(error, KITH_INVALID, "the population %g is not between 0 and 1e15",
                         own.population);
    m.sampling =
        (sample_risk_task){.population = own.population > 0 ? own.population : study->population,
                           .max_size = (uint32_t)own.special_uniques};
    TRY(context_init_shared(&m.context, run, error));
    kith_document *made = NULL;
    const kith_status status = ranks_leave(m.context.ranks, measure_all(&m, &made, error), error);
    context_wipe(&m.context);
    return document_hand_over(report, made, status);
}

/* What a release is worth, and what risk it leaves. */
#ifndef KITH_MEASURE_H
#define KITH_MEASURE_H

#include <stddef.h>

#include <kith/document.h>
#include <kith/run.h>
#include <kith/status.h>
#include <kith/study.h>
#include <kith/table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_measure_options {
    size_t size;
    const kith_input *data;
    const kith_input *release; /* UTF-8 with a header: without csv */
    const kith_input *mapping; /* of the release, as for kith_verify; may be NULL */
    /* Random counting queries whose error is measured, at most 10 million; 0: none. They are drawn
     * from the seed of the run. */
    size_t n_queries;
    /* A sensitive or insensitive column that a classifier is to predict, trained on the data and on
     * the release; NULL: none. Folds are drawn from the seed of the run. */
    const char *classify;
    /* The number of records of which the data is a sample, or below 1 the share of them that it
     * has; 0: what the study says. */
    double population;
    /* A numeric column of the data: how many of these each record stands for; NULL: all stand for
     * equally many. */
    const char *weights;
    /* Special uniques are looked for in sets of so many quasi-identifiers, at most 6; 0: not. */
    size_t special_uniques;
} kith_measure_options;

/* Utility and risk of a release, before and after, also per attribute.
 * Returns: KITH_OK, KITH_DATA if data, release and study do not fit, KITH_CANCELLED.
 * Out: *report, freed by kith_document_free: what docs/summary.md lists.
 * In: `options` with data and release; `run` (may be NULL). If the study asks for a sample, the
 * mapping must be given, or the seed of the run that made the release: it draws the records
 * again. */
KITH_API KITH_MUST_USE kith_status kith_measure(kith_document **report, const kith_study *study,
                                                const kith_measure_options *options,
                                                const kith_run *run, kith_error *error);

#ifdef __cplusplus
}
#endif
#endif

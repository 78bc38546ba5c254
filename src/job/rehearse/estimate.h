/* What the files of kith_estimate share. */
#ifndef JOB_REHEARSE_ESTIMATE_H
#define JOB_REHEARSE_ESTIMATE_H

#include <kith/kith.h>
#include <kith/simulate.h>

#include "core/document.h"
#include "core/run/context.h"
#include "study/study.h"

/* The figures of a run. BUSIEST: bytes that the busiest party sends. */
enum { CALLS, ROUNDS, MESSAGES, BYTES, BUSIEST, SECONDS, FIGURES };

/* How long the speed of this machine is measured. */
#define ESTIMATE_CALIBRATION_SECONDS 0.5

/* How long an estimate may compute, in seconds of processor: the larger of the two. */
typedef struct estimate_budget {
    double seconds;
    double share; /* of the predicted time */
} estimate_budget;

typedef struct estimation {
    const kith_study *study;
    const kith_estimate_options *options;
    const estimate_budget *budget;
    context context;
    kith_table *table;
    const char *directory; /* private */
    const char *protocol;
    uint32_t n_sites;
    uint64_t n_records;
    double figure[FIGURES];
    double extrapolated; /* number of records in the rehearsal; 0: no extrapolation */
    bool modelled;       /* the figures come from a model of the cost */
    /* Adds what the protocol knows beyond the figures, from `details`, its own; may be NULL. */
    void (*put_details)(kith_document *d, document_node *root, const struct estimation *e);
    const void *details;
} estimation;

/* kith_estimate with options of full size. */
kith_status estimate_run(kith_document **estimate, const kith_study *study,
                         const kith_estimate_options *options, const estimate_budget *budget,
                         const kith_run *run, kith_error *error) KITH_MUST_USE;

/* Rehearses the protocol and sets the figures, the protocol and the number of sites. */
kith_status estimate_trials(estimation *e, kith_error *error) KITH_MUST_USE;
/* How long a phase of a rehearsal would have taken, had the machine nothing else to do: as long as
 * it took, but no longer than its share of the processor time (`work`) of the whole. */
double estimate_trials_seconds(const kith_document *summary, const char *phase, double work);
/* A part of the table, drawn at random. Free it with kith_table_free. */
kith_status estimate_trials_sample(kith_table **part, const estimation *e, uint32_t count,
                                   kith_error *error) KITH_MUST_USE;

#endif

/* Summaries of jobs and companions of releases: the documents that docs/summary.md describes. */
#ifndef JOB_RESULT_SUMMARY_H
#define JOB_RESULT_SUMMARY_H

#include "core/document.h"
#include "job/prepare/prepare.h"
#include "job/result/explain.h"
#include "job/result/publication.h"

/* Seconds of each phase. */
typedef struct job_times {
    double load, search, write, verify, total;
} job_times;

/* What it took several ranks to do a job together. */
typedef struct job_ranks {
    uint32_t count;          /* 0: the process worked alone */
    uint64_t sent_bytes;     /* from rank to rank, in all */
    uint64_t peak_rss_bytes; /* of the largest rank */
} job_ranks;

/* The order of a release's rows. */
typedef enum release_order { ORDER_SORTED, ORDER_RANDOM, ORDER_DATA } release_order;

/* A finished job of one table. */
typedef struct job_outcome {
    const char *command;
    const char *output; /* where the release goes, or NULL */
    const prepared *prepared;
    const algorithm *algorithm;
    const search_result *result;
    const assessment *assessment;
    explanation *explanation; /* NULL: not asked for */
    release_order order;
    const kith_findings *findings; /* what to know of its columns; NULL: not looked for */
    job_times seconds;
    job_ranks ranks;
} job_outcome;

/* The summary of such a job. Free with kith_document_free. */
kith_status summary_make(kith_document **document, const job_outcome *job, const kith_run *run,
                         kith_error *error) KITH_MUST_USE;

/* The companion of its release: what the release tells by itself. No seed, no times, no paths. */
kith_status summary_meta(kith_document **document, const job_outcome *job,
                         kith_error *error) KITH_MUST_USE;

/* The parts from which the summaries of joint runs and of simulations are built, too. Keys appear
 * in the order in which they are added. */

/* "kith", "command" and "study", and "unit" if it says what a person is. */
void summary_put_heading(kith_document *d, document_node *root, const char *command,
                         const kith_study *study);
/* "overlap": what a study with a unit says of persons at several sites; only in joint runs. */
void summary_put_overlap(kith_document *d, document_node *root, const kith_study *study);
/* "kith", "study", "digest" and "unit", with which a companion begins. */
void summary_put_meta_heading(kith_document *d, document_node *root, const kith_study *study);
/* "seed": null unless the caller chose it. */
void summary_put_seed(kith_document *d, document_node *root, const kith_run *run);
/* "quasi_identifiers": their names, in the order of the study. */
void summary_put_quasi_identifiers(kith_document *d, document_node *root, const kith_study *study);
/* "algorithm", "records", "attributes", "quasi_identifiers", the classes and "means" of the whole
 * release. */
void summary_put_counts(kith_document *d, document_node *root, const char *search,
                        const prepared *p, const verify_report *verified);
/* "classes", "smallest_class" and "suppressed", and where persons were counted "persons" and
 * "smallest_class_persons". */
void summary_put_classes(kith_document *d, document_node *to, const verify_report *verified);
/* What a model is, in the object of the model: "model", "variant", its parameters, "attribute". */
void summary_put_model_name(kith_document *d, document_node *to, const model_spec *model);
/* One object in an array of models, to which the caller may add. */
document_node *summary_put_model(kith_document *d, document_node *models, const model_spec *model,
                                 const verify_verdict *verdict);
/* "models", an array with the models of the study. */
document_node *summary_put_models(kith_document *d, document_node *to, const kith_study *study,
                                  const verify_report *verified);
/* "models", with those about sites of `joint` (NULL: no joint run), and "certainty": for each
 * sensitive column the highest share that a value has in a class. `worst` has a value for each
 * model about sites that was counted in the rows and NaN for the others, which the protocol
 * guarantees; NULL: none was counted. */
void summary_put_privacy(kith_document *d, document_node *to, const kith_study *study,
                         const verify_report *verified, const protocol_options *joint,
                         const double *worst);
/* "loss" of a companion: what follows from the cells of the release alone. Measures that weigh
 * cells by the data (em, entropy, mi, pmi, …) would let a receiver test guesses about the data. */
void summary_put_released_loss(kith_document *d, document_node *parent, const loss_report *loss);
/* "loss", and "attribute_loss" with an object for each quasi-identifier. */
void summary_put_loss(kith_document *d, document_node *parent, const loss_report *loss);
void summary_put_attribute_loss(kith_document *d, document_node *parent, const prepared *p,
                                const loss_report *loss);
/* "seconds", with one number for each phase. */
typedef struct summary_phase {
    const char *name;
    double seconds;
} summary_phase;
void summary_put_seconds(kith_document *d, document_node *root, const summary_phase *phases,
                         size_t n_phases);
/* The peak of this process; 0 if the system does not tell. */
uint64_t summary_peak_rss_bytes(void);

#endif

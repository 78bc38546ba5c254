/* Reports: a run as a page that any browser opens. */
#ifndef KITH_REPORT_H
#define KITH_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include <kith/document.h>
#include <kith/run.h>
#include <kith/status.h>
#include <kith/study.h>
#include <kith/table.h>
#include <kith/unstable.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a privacy model is called and what it promises, as a sentence for people: "5-anonymity", and
 * "every record shares all quasi-identifiers with at least 4 others (smallest class: 5)". `path` is
 * that of the model in a summary or verdict, "models.0"; a promise may be empty. Release both texts
 * with kith_free. */
KITH_API KITH_MUST_USE kith_status kith_model_words(char **title, char **promise,
                                                    const kith_document *document, const char *path,
                                                    kith_error *error);

typedef struct kith_report_options {
    size_t size;
    /* What the report is about: the directory of a joint run or of a simulation, or a file with a
     * summary; or the summary itself. One of both. */
    const char *run;
    const kith_document *summary;
    const kith_input *release; /* NULL: release.csv of the directory, if it is there */
    /* A public report holds nothing that cannot be computed from the release. An internal one also
     * says what was measured on the data, what parties sent and learned, and what else was tried;
     * it says on top that it is confidential. */
    bool internal;
    bool overwrite;
    const kith_input *data;  /* internal only: the data, to measure the release; or NULL */
    const kith_study *study; /* for `data`; may be NULL */
    const char *lattice;     /* internal only: file of a searched lattice; or NULL */
    const char *estimate;    /* internal only: what kith_estimate said of a joint run, a file; or
                                NULL */
    const char *output;      /* HTML file, or "-" */
} kith_report_options;

/* Writes a page in one file: styles, scripts and figures are in it, nothing is loaded when it is
 * opened. KITH_INVALID if the report would have to be internal and is not. */
KITH_API KITH_MUST_USE kith_status kith_report(const kith_report_options *options,
                                               const kith_run *run, kith_error *error);

#ifdef __cplusplus
}
#endif
#endif

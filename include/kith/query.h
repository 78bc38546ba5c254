/* The virtual anonymized database: its sites serve queries, and parties and clients ask. */
#ifndef KITH_QUERY_H
#define KITH_QUERY_H

#include <stddef.h>
#include <stdint.h>

#include <kith/run.h>
#include <kith/status.h>
#include <kith/study.h>
#include <kith/unstable.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a site answers queries. */
typedef struct kith_serve_options {
    size_t size;
    const char *as;     /* its name in the study */
    const char *key;    /* its file of kith_identity_create */
    const char *rows;   /* URI of the table that a run with publish: virtual wrote */
    const char *ledger; /* file to which a line is added for every query, made if need be */
    const char *listen; /* host:port, if not its address in the study; may be NULL */
} kith_serve_options;

/* Answers queries until kith_run.progress returns false, which is the usual end: KITH_OK. What an
 * querier or another site does wrong ends a query, never this call. */
KITH_API KITH_MUST_USE kith_status kith_serve(const kith_study *study,
                                              const kith_serve_options *options,
                                              const kith_run *run, kith_error *error);

/* A query, and who asks. */
typedef struct kith_query_options {
    size_t size;
    const char *as;     /* a client or a party of the study */
    const char *key;    /* its file of kith_identity_create */
    const char *query;  /* docs/query.md has the language */
    const char *rows;   /* of a party: URI of its table, which takes part; of a client: NULL */
    const char *format; /* of the answer: "table", "csv", "json"; NULL: "table" */
    uint32_t wait_ms;   /* for all sites to give their turn; 0: one minute */
} kith_query_options;

/* Asks all sites of the study, which must be serving; `answer` is released with kith_free.
 * KITH_INVALID, before anyone is called, if the query is wrong or not allowed. */
KITH_API KITH_MUST_USE kith_status kith_query(char **answer, const kith_study *study,
                                              const kith_query_options *options,
                                              const kith_run *run, kith_error *error);

#ifdef __cplusplus
}
#endif
#endif

/* One end of a query's session: a site, or the querier.
 *
 * Queriers are numbered: the parties of the study, then its clients. In the session of a query the
 * sites come in the order of the study, without the querier, and the querier is last: it connects
 * to all others, and needs no address. */
#ifndef JOB_QUERY_ENDPOINT_H
#define JOB_QUERY_ENDPOINT_H

#include "job/query/virtual_query.h"
#include "wire/tls/tls_session.h"

/* Names and pins of all who may ask; parties have addresses, too. */
kith_status query_endpoint_queriers(tls_peer **queriers, uint32_t *n_queriers,
                                    const kith_study *study, arena *memory,
                                    kith_error *error) KITH_MUST_USE;

/* The number of the querier of this name, whose key was loaded from the file. KITH_INVALID if the
 * study has neither such a client nor such a party, or expects another key. */
kith_status query_endpoint_identity(identity **id, uint32_t *querier, const kith_study *study,
                                    const char *as, const char *key, arena *memory,
                                    kith_error *error) KITH_MUST_USE;

typedef struct query_endpoint {
    const kith_study *study;
    const identity *identity;
    const tls_peer *queriers; /* of query_endpoint_queriers */
    uint32_t self, querier;   /* their numbers */
    const tls_preamble *preamble;
    const int *handed;         /* tls_options.handed; NULL at the querier */
    const char *text;          /* at the querier */
    const virtual_table *mine; /* NULL: none */
    bool (*waiting)(void *user, const char *for_whom);
    void *user;
} query_endpoint;

typedef struct query_result {
    query_answer answer; /* at the querier */
    const char *asked;   /* the text; NULL: the query was not told */
    virtual_left left;   /* from this site */
} query_result;

/* The session from its opening to its end. The result lives in `memory`; after a failure it has
 * what was known until then. */
kith_status query_endpoint_run(query_result *result, const query_endpoint *endpoint, arena *memory,
                               kith_error *error) KITH_MUST_USE;

#endif

/* One end of a query's session: a site, or the asker.
 *
 * Askers are numbered: the parties of the study, then its clients. In the session of a query the
 * sites come in the order of the study, without the asker, and the asker is last: it connects to
 * all others, and needs no address. */
#ifndef JOB_QUERY_SEAT_H
#define JOB_QUERY_SEAT_H

#include "job/query/virtual_query.h"
#include "wire/tls/tls_session.h"

/* Names and pins of all who may ask; parties have addresses, too. */
kith_status query_seat_askers(tls_peer **askers, uint32_t *n_askers, const kith_study *study,
                              arena *memory, kith_error *error) KITH_MUST_USE;

/* The number of the asker of this name, whose key was loaded from the file. KITH_INVALID if the
 * study has neither such a client nor such a party, or expects another key. */
kith_status query_seat_identity(identity **id, uint32_t *asker, const kith_study *study,
                                const char *as, const char *key, arena *memory,
                                kith_error *error) KITH_MUST_USE;

typedef struct query_seat {
    const kith_study *study;
    const identity *identity;
    const tls_peer *askers; /* of query_seat_askers */
    uint32_t self, asker;   /* their numbers */
    const tls_ticket *ticket;
    const int *handed;         /* tls_options.handed; NULL at the asker */
    const char *text;          /* at the asker */
    const virtual_table *mine; /* NULL: none */
    bool (*waiting)(void *user, const char *for_whom);
    void *user;
} query_seat;

typedef struct query_result {
    query_answer answer; /* at the asker */
    const char *asked;   /* the text; NULL: the query was not told */
    virtual_left left;   /* from this site */
} query_result;

/* The session from its opening to its end. The result lives in `memory`; what there is of it is
 * valid after a failure, too. */
kith_status query_seat_run(query_result *result, const query_seat *seat, arena *memory,
                           kith_error *error) KITH_MUST_USE;

#endif

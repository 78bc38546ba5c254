#include "job/query_endpoint.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "job/joint/session.h"

enum {
    WAIT_MS = 10000,    /* for all to connect, who have all said that they are ready */
    LIMIT_TIMEOUTS = 10 /* how many time-outs a query may take in all */
};

static kith_status put_querier(tls_peer *to, const char *name, const char *address, const char *key,
                               kith_error *error)
{
    *to = (tls_peer){.name = name, .address = address};
    return fingerprint_parse(to->pin, key)
               ? KITH_OK
               : error_set(error, KITH_BUG, "the key of %s was not checked", name);
}

kith_status query_endpoint_queriers(tls_peer **queriers, uint32_t *n_queriers,
                                    const kith_study *study, arena *memory, kith_error *error)
{
    const uint32_t m = study->n_parties, n = study->n_clients;
    *n_queriers = m + n;
    *queriers = TRY_ZEROS(*queriers, memory, *n_queriers, error);
    for (uint32_t i = 0; i < m; i++)
        TRY(put_querier(&(*queriers)[i], study->parties[i].name, study->parties[i].address,
                        study->parties[i].key, error));
    for (uint32_t i = 0; i < n; i++)
        TRY(put_querier(&(*queriers)[m + i], study->clients[i].name, NULL, study->clients[i].key,
                        error));
    return KITH_OK;
}

kith_status query_endpoint_identity(identity **id, uint32_t *querier, const kith_study *study,
                                    const char *as, const char *key, arena *memory,
                                    kith_error *error)
{
    tls_peer *queriers;
    uint32_t n;
    TRY(query_endpoint_queriers(&queriers, &n, study, memory, error));
    for (*querier = 0; *querier < n && strcmp(queriers[*querier].name, as) != 0;)
        ++*querier;
    if (*querier == n) {
        char names[512] = "", quoted[80];
        size_t used = 0;
        if (study->n_parties == 0)
            return error_set(error, KITH_INVALID, "%s: the study has no parties", study->path);
        for (uint32_t i = 0; i < n && used < sizeof names; i++)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i == 0 ? "" : ", ",
                                     queriers[i].name);
        text_quote(quoted, sizeof quoted, as, strlen(as));
        return error_set(error, KITH_INVALID,
                         "%s: the study has no party or client '%s'; it has %s", study->path,
                         quoted, names);
    }
    TRY(identity_load(id, memory, key, error));
    return session_check_key(*id, as,
                             *querier < study->n_parties
                                 ? study->parties[*querier].key
                                 : study->clients[*querier - study->n_parties].key,
                             key, error);
}

static kith_status open_session(party **p, const query_endpoint *endpoint, arena *memory,
                                kith_error *error)
{
    char id[2 * SESSION_ID_BYTES + 1];
    session_terms terms = {.count = 0};
    const uint32_t timeout = endpoint->study->timeout_ms;
    tls_options t = {.identity = endpoint->identity,
                     .handed = endpoint->handed,
                     .preamble = endpoint->preamble,
                     .wait_ms = timeout < WAIT_MS ? timeout : WAIT_MS,
                     .deadline_ms = timeout,
                     .limit_ms = LIMIT_TIMEOUTS * timeout,
                     .waiting = endpoint->waiting,
                     .user = endpoint->user};
    sodium_bin2hex(id, sizeof id, endpoint->preamble->id, SESSION_ID_BYTES);
    session_agree(&terms, "query.id", "%s", id);
    session_agree(&terms, "query.asker", "%s", endpoint->queriers[endpoint->querier].name);
    TRY(session_agreement(&t.agreement, memory, endpoint->study, &terms, error));
    /* all parties in the order of the session */
    const uint32_t m = endpoint->study->n_parties;
    tls_peer *peers = TRY_ARRAY(peers, memory, (size_t)m + 1, error);
    for (uint32_t i = 0; i < m; i++) {
        if (i == endpoint->querier)
            continue;
        if (i == endpoint->self)
            t.self = t.count;
        peers[t.count++] = endpoint->queriers[i];
    }
    if (endpoint->self == endpoint->querier)
        t.self = t.count;
    peers[t.count] = endpoint->queriers[endpoint->querier];
    peers[t.count++].address = NULL;
    t.peers = peers;
    return tls_session_open(p, memory, &t, error);
}

kith_status query_endpoint_run(query_result *result, const query_endpoint *endpoint, arena *memory,
                               kith_error *error)
{
    party *p = NULL;
    *result = (query_result){0};
    TRY(open_session(&p, endpoint, memory, error));
    const virtual_query q = {.study = endpoint->study,
                             .querier = party_count(p) - 1,
                             .text = endpoint->text,
                             .mine = endpoint->mine,
                             .rows_allowed = endpoint->study->query_rows,
                             .querier_is_site = endpoint->querier < endpoint->study->n_parties,
                             .left = &result->left};
    kith_status status = virtual_query_run(&result->answer, &result->asked, p, &q, memory, error);
    return tls_session_end(p, status, error);
}

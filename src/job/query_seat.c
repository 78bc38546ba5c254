#include "job/query_seat.h"

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

static kith_status put_asker(tls_peer *to, const char *name, const char *address, const char *key,
                             kith_error *error)
{
    *to = (tls_peer){.name = name, .address = address};
    return fingerprint_parse(to->pin, key)
               ? KITH_OK
               : error_set(error, KITH_BUG, "the key of %s was not checked", name);
}

kith_status query_seat_askers(tls_peer **askers, uint32_t *n_askers, const kith_study *study,
                              arena *memory, kith_error *error)
{
    const uint32_t m = study->n_parties, n = study->n_clients;
    *n_askers = m + n;
    *askers = TRY_ZEROS(*askers, memory, *n_askers, error);
    for (uint32_t i = 0; i < m; i++)
        TRY(put_asker(&(*askers)[i], study->parties[i].name, study->parties[i].address,
                      study->parties[i].key, error));
    for (uint32_t i = 0; i < n; i++)
        TRY(put_asker(&(*askers)[m + i], study->clients[i].name, NULL, study->clients[i].key,
                      error));
    return KITH_OK;
}

kith_status query_seat_identity(identity **id, uint32_t *asker, const kith_study *study,
                                const char *as, const char *key, arena *memory, kith_error *error)
{
    tls_peer *askers;
    uint32_t n;
    TRY(query_seat_askers(&askers, &n, study, memory, error));
    for (*asker = 0; *asker < n && strcmp(askers[*asker].name, as) != 0;)
        ++*asker;
    if (*asker == n) {
        char names[512] = "", quoted[80];
        size_t used = 0;
        if (study->n_parties == 0)
            return error_set(error, KITH_INVALID, "%s: the study has no parties", study->path);
        for (uint32_t i = 0; i < n && used < sizeof names; i++)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i == 0 ? "" : ", ",
                                     askers[i].name);
        text_quote(quoted, sizeof quoted, as, strlen(as));
        return error_set(error, KITH_INVALID,
                         "%s: the study has no party or client '%s'; it has %s", study->path,
                         quoted, names);
    }
    TRY(identity_load(id, memory, key, error));
    return session_check_key(*id, as,
                             *asker < study->n_parties
                                 ? study->parties[*asker].key
                                 : study->clients[*asker - study->n_parties].key,
                             key, error);
}

static kith_status open_session(party **p, const query_seat *seat, arena *memory, kith_error *error)
{
    char id[2 * TICKET_ID + 1];
    session_terms terms = {.count = 0};
    const uint32_t timeout = seat->study->timeout_ms;
    tls_options t = {.identity = seat->identity,
                     .handed = seat->handed,
                     .ticket = seat->ticket,
                     .wait_ms = timeout < WAIT_MS ? timeout : WAIT_MS,
                     .deadline_ms = timeout,
                     .limit_ms = LIMIT_TIMEOUTS * timeout,
                     .waiting = seat->waiting,
                     .user = seat->user};
    sodium_bin2hex(id, sizeof id, seat->ticket->id, TICKET_ID);
    session_agree(&terms, "query.id", "%s", id);
    session_agree(&terms, "query.asker", "%s", seat->askers[seat->asker].name);
    TRY(session_agreement(&t.agreement, memory, seat->study, &terms, error));
    /* all seats in their order */
    const uint32_t m = seat->study->n_parties;
    tls_peer *peers = TRY_ARRAY(peers, memory, (size_t)m + 1, error);
    for (uint32_t i = 0; i < m; i++) {
        if (i == seat->asker)
            continue;
        if (i == seat->self)
            t.self = t.count;
        peers[t.count++] = seat->askers[i];
    }
    if (seat->self == seat->asker)
        t.self = t.count;
    peers[t.count] = seat->askers[seat->asker];
    peers[t.count++].address = NULL;
    t.peers = peers;
    return tls_session_open(p, memory, &t, error);
}

kith_status query_seat_run(query_result *result, const query_seat *seat, arena *memory,
                           kith_error *error)
{
    party *p = NULL;
    *result = (query_result){0};
    TRY(open_session(&p, seat, memory, error));
    const virtual_query q = {.study = seat->study,
                             .asker = party_count(p) - 1,
                             .text = seat->text,
                             .mine = seat->mine,
                             .rows_allowed = seat->study->query_rows,
                             .asker_is_site = seat->asker < seat->study->n_parties,
                             .left = &result->left};
    kith_status status = virtual_query_run(&result->answer, &result->asked, p, &q, memory, error);
    return tls_session_end(p, status, error);
}

/* kith_query: asks the sites of the virtual database. */
#include <stdio.h>
#include <string.h>

#include <kith/query.h>

#include "core/error.h"
#include "core/options.h"
#include "job/query/query_print.h"
#include "job/query_endpoint.h"
#include "wire/tls/tls_client.h"

enum { WAIT_MS = 60000 };

typedef struct question {
    const kith_study *study;
    const kith_query_options *options;
    const kith_run *run;
    arena *memory;
    identity *identity;
    uint32_t self;
    tls_peer *queriers;
    uint32_t n_queriers;
    virtual_table *table; /* of a party */
    query_format format;
} question;

static bool on_waiting(void *user, const char *for_whom)
{
    const kith_run *run = user;
    char phase[1280];
    if (run->progress == NULL)
        return true;
    if (for_whom == NULL)
        return run->progress(run->user, "asking", -1);
    snprintf(phase, sizeof phase, "waiting for %.1200s", for_whom);
    return run->progress(run->user, phase, -1);
}

/* Everything that can be wrong before anyone is called. */
static kith_status query_ask_check(question *q, kith_error *error)
{
    const kith_query_options *o = q->options;
    TRY(query_format_find(&q->format, o->format, error));
    TRY(query_endpoint_identity(&q->identity, &q->self, q->study, o->as, o->key, q->memory, error));
    TRY(query_endpoint_queriers(&q->queriers, &q->n_queriers, q->study, q->memory, error));
    const bool is_site = q->self < q->study->n_parties;
    if (is_site && o->rows == NULL)
        return error_set(error, KITH_INVALID,
                         "%s is a party: its own rows take part (--rows DATABASE)", o->as);
    if (!is_site && o->rows != NULL)
        return error_set(error, KITH_INVALID, "%s is a client, which has no rows", o->as);
    TRY(virtual_query_check(o->query, q->study, q->study->query_rows, error));
    return is_site ? virtual_table_read(&q->table, o->rows, q->study, q->run, error) : KITH_OK;
}

static kith_status ask(char **answer, question *q, kith_error *error)
{
    tls_client *client;
    tls_preamble preamble;
    query_result result;
    TRY(query_ask_check(q, error));
    /* The lock of every other site. */
    const uint32_t m = q->study->n_parties;
    tls_peer *sites = TRY_ARRAY(sites, q->memory, m, error);
    tls_client_options k = {.identity = q->identity,
                            .sites = sites,
                            .wait_ms = q->options->wait_ms == 0 ? WAIT_MS : q->options->wait_ms,
                            .waiting = on_waiting,
                            .user = (void *)(uintptr_t)q->run};
    for (uint32_t i = 0; i < m; i++)
        if (i != q->self)
            sites[k.n_sites++] = q->queriers[i];
    memcpy(k.digest, q->study->digest, sizeof k.digest);
    TRY(tls_client_open(&client, &preamble, q->memory, &k, error));
    TRY(tls_client_start(client, error));
    const query_endpoint endpoint = {.study = q->study,
                                     .identity = q->identity,
                                     .queriers = q->queriers,
                                     .self = q->self,
                                     .querier = q->self,
                                     .preamble = &preamble,
                                     .text = q->options->query,
                                     .mine = q->table,
                                     .waiting = on_waiting,
                                     .user = (void *)(uintptr_t)q->run};
    TRY(query_endpoint_run(&result, &endpoint, q->memory, error));
    return query_print(answer, &result.answer, q->format, q->options->query, error);
}

kith_status kith_query(char **answer, const kith_study *study, const kith_query_options *options,
                       const kith_run *run, kith_error *error)
{
    kith_query_options own;
    kith_run own_run;
    TRY(OPTIONS_TAKE(kith_query_options, wait_ms, &own, options, error));
    TRY(options_need(own.as, "as", error));
    TRY(options_need(own.key, "key", error));
    TRY(options_need(own.query, "query", error));
    TRY(options_take_run(&own_run, run, error));
    question q = {.study = study, .options = &own, .run = &own_run};
    q.memory = TRY_ALLOC(arena_new(), error);
    kith_status status = ask(answer, &q, error);
    arena_free(q.memory);
    virtual_table_free(q.table);
    return status;
}

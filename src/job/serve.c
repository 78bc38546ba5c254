/* kith_serve: a site of the virtual database. The caller's thread listens (tls_listener.h) and
 * keeps the ledger; a second one runs the session of the query that has the lock. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <kith/query.h>

#include "core/error.h"
#include "core/options.h"
#include "job/query_ledger.h"
#include "job/query_endpoint.h"
#include "wire/tls/tls_listener.h"

enum { SLICE_MS = 200 };

typedef struct service {
    const kith_study *study;
    const kith_serve_options *options;
    const kith_run *run;
    arena *memory;
    identity *identity;
    uint32_t self;
    tls_peer *queriers;
    uint32_t n_queriers;
    virtual_table *table;
    query_ledger *ledger;
    tls_listener *listener;
    uint64_t n_answered, n_failed;
    /* The query that has the lock. */
    bool working;
    pthread_t thread;
    int done[2]; /* a pipe: the thread has ended */
    tls_grant grant;
    arena *session_memory;
    query_result result;
    kith_status status;
    kith_error error;
    atomic_bool stop;        /* this site ends */
    atomic_bool client_left; /* before its session began */
} service;

static listener_refusal may_ask(void *user, uint32_t querier, int64_t *until)
{
    const service *s = user;
    const time_t now = time(NULL);
    *until =
        query_ledger_next(s->ledger, s->queriers[querier].name, s->study->queries_per_day, now);
    return *until > now ? LISTENER_LIMIT : LISTENER_WELCOME;
}

/* --- the session's thread --- */

static bool on_waiting(void *user, const char *for_whom)
{
    service *s = user;
    /* A querier that has its answer leaves, too: only while it is awaited that means something. */
    return !atomic_load(&s->stop) && (for_whom == NULL || !atomic_load(&s->client_left));
}

static void *answer(void *user)
{
    service *s = user;
    const query_endpoint endpoint = {.study = s->study,
                                     .identity = s->identity,
                                     .queriers = s->queriers,
                                     .self = s->self,
                                     .querier = s->grant.client,
                                     .preamble = &s->grant.preamble,
                                     .handed = &s->grant.handed,
                                     .mine = s->table,
                                     .waiting = on_waiting,
                                     .user = s};
    s->status = query_endpoint_run(&s->result, &endpoint, s->session_memory, &s->error);
    (void)!write(s->done[1], "", 1);
    return NULL;
}

/* --- the caller's thread --- */

static void begin_session(service *s)
{
    atomic_store(&s->client_left, false);
    s->error = (kith_error){0};
    s->result = (query_result){0};
    s->session_memory = arena_new();
    s->working = s->session_memory != NULL && pthread_create(&s->thread, NULL, answer, s) == 0;
    if (s->working)
        return;
    if (s->session_memory != NULL)
        arena_free(s->session_memory);
    s->n_failed++;
    tls_listener_release(s->listener);
}

/* A query that was never told has no line: nothing has left. */
static kith_status end_session(service *s, kith_error *error)
{
    char byte;
    kith_status status = KITH_OK;
    pthread_join(s->thread, NULL);
    (void)!read(s->done[0], &byte, 1);
    if (s->result.asked != NULL)
        status = query_ledger_add(s->ledger, time(NULL), s->queriers[s->grant.client].name,
                                  &s->result, s->status == KITH_OK ? NULL : &s->error, error);
    s->n_answered += s->status == KITH_OK;
    s->n_failed += s->status != KITH_OK;
    arena_free(s->session_memory);
    s->working = false;
    tls_listener_release(s->listener);
    return status;
}

static bool goes_on(const service *s)
{
    char phase[96];
    snprintf(phase, sizeof phase, "serving: %llu answered, %llu failed",
             (unsigned long long)s->n_answered, (unsigned long long)s->n_failed);
    return s->run->progress == NULL || s->run->progress(s->run->user, phase, -1);
}

/* Without its ledger a site answers nothing more. */
static kith_status serve(service *s, kith_error *error)
{
    kith_status status = KITH_OK;
    while (status == KITH_OK && goes_on(s)) {
        if (tls_listener_serve(s->listener, SLICE_MS, s->done[0], &s->grant))
            begin_session(s);
        if (s->working && tls_listener_client_left(s->listener))
            atomic_store(&s->client_left, true);
        struct pollfd p = {.fd = s->done[0], .events = POLLIN};
        if (s->working && poll(&p, 1, 0) > 0)
            status = end_session(s, error);
    }
    atomic_store(&s->stop, true);
    if (s->working && status == KITH_OK)
        status = end_session(s, error);
    tls_listener_close(s->listener);
    return status;
}

static void close_pipe(void *object)
{
    const int *ends = object;
    close(ends[0]);
    close(ends[1]);
}

static kith_status serve_prepare(service *s, kith_error *error)
{
    const kith_serve_options *o = s->options;
    tls_listener_options f = {.timeout_ms = s->study->timeout_ms, .may_ask = may_ask, .user = s};
    TRY(query_endpoint_identity(&s->identity, &s->self, s->study, o->as, o->key, s->memory, error));
    if (s->self >= s->study->n_parties)
        return error_set(error, KITH_INVALID, "%s is a client: only parties of the study serve",
                         o->as);
    TRY(query_endpoint_queriers(&s->queriers, &s->n_queriers, s->study, s->memory, error));
    TRY(query_ledger_open(&s->ledger, s->memory, o->ledger, error));
    TRY(virtual_table_read(&s->table, o->rows, s->study, s->run, error));
    if (pipe2(s->done, O_CLOEXEC) != 0)
        return error_set(error, KITH_IO, "cannot make a pipe");
    TRY_ALLOC(arena_defer(s->memory, close_pipe, s->done), error);
    f.address = o->listen != NULL ? o->listen : s->study->parties[s->self].address;
    f.identity = s->identity;
    f.clients = s->queriers;
    f.n_clients = s->n_queriers;
    memcpy(f.digest, s->study->digest, sizeof f.digest);
    return tls_listener_open(&s->listener, s->memory, &f, error);
}

kith_status kith_serve(const kith_study *study, const kith_serve_options *options,
                       const kith_run *run, kith_error *error)
{
    kith_serve_options own;
    kith_run own_run;
    TRY(OPTIONS_TAKE(kith_serve_options, listen, &own, options, error));
    TRY(options_need(own.as, "as", error));
    TRY(options_need(own.key, "key", error));
    TRY(options_need(own.rows, "rows", error));
    TRY(options_need(own.ledger, "ledger", error));
    TRY(options_take_run(&own_run, run, error));
    service s = {.study = study, .options = &own, .run = &own_run};
    s.memory = TRY_ALLOC(arena_new(), error);
    kith_status status = serve_prepare(&s, error);
    if (status == KITH_OK)
        status = serve(&s, error);
    arena_free(s.memory);
    virtual_table_free(s.table);
    return status;
}

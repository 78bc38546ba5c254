#include "wire/tls/tls_listener_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <openssl/err.h>

#include "core/check.h"
#include "core/error.h"
#include "core/system/openssl.h"

enum {
    UNKNOWN_PLACES = 64, /* for connections whose certificate is not known */
    ACCEPT_AT_ONCE = 64,
    SLOW_US = 3000000 /* a handshake that takes longer may lose its place */
};

/* --- the lock --- */

void tls_listener_close_pipe(tls_listener *f)
{
    int descriptor;
    while (f->handed[0] >= 0 &&
           read(f->handed[0], &descriptor, sizeof descriptor) == (ssize_t)sizeof descriptor)
        close(descriptor);
    for (int i = 0; i < 2; i++) {
        if (f->handed[i] >= 0)
            close(f->handed[i]);
        f->handed[i] = -1;
    }
}

/* Of the connections that wait, the one whose client had the lock longest ago, then the one that
 * came first. */
static connection *next_waiting(tls_listener *f)
{
    connection *best = NULL;
    for (uint32_t i = 0; i < f->n_places; i++) {
        connection *v = &f->places[i];
        if (v->stage != CONNECTION_WAITING)
            continue;
        const uint64_t served = f->served[v->client];
        if (best == NULL || served < f->served[best->client] ||
            (served == f->served[best->client] && v->since_us < best->since_us))
            best = v;
    }
    return best;
}

static void grant_next(tls_listener *f)
{
    for (connection *v; !f->busy && (v = next_waiting(f)) != NULL;) {
        int64_t until = 0;
        const listener_refusal why = f->options->may_ask(f->options->user, v->client, &until);
        if (why != LISTENER_WELCOME) {
            connection_refuse(f, v, why, until);
            continue;
        }
        if (pipe2(f->handed, O_NONBLOCK | O_CLOEXEC) != 0) {
            f->handed[0] = f->handed[1] = -1;
            connection_refuse(f, v, LISTENER_BUSY, 0);
            continue;
        }
        f->busy = true;
        f->granted = (uint32_t)(v - f->places);
        f->granted_client = v->client;
        f->session = (tls_preamble){.kind = PREAMBLE_JOIN};
        memcpy(f->session.id, v->preamble.id, SESSION_ID_BYTES);
        f->served[v->client] = ++f->n_granted;
        v->stage = CONNECTION_GRANTED;
        v->limit_us = party_now_us() + 1000 * (int64_t)f->options->timeout_ms;
        connection_send(f, v, &(listener_message){.kind = LISTENER_GRANT});
    }
}

bool tls_listener_client_left(const tls_listener *f)
{
    return f->running && f->places[f->granted].stage != CONNECTION_SESSION;
}

void tls_listener_release(tls_listener *f)
{
    ASSERT(f->running);
    if (f->places[f->granted].stage == CONNECTION_SESSION)
        connection_close(&f->places[f->granted]);
    tls_listener_close_pipe(f);
    f->busy = f->running = false;
}

/* --- places --- */

static bool is_unknown(const connection *v)
{
    return v->stage == CONNECTION_PREAMBLE || v->stage == CONNECTION_HANDSHAKE ||
           v->stage == CONNECTION_LEAVING;
}

/* A place for a new connection, or NULL. An client's connections have places of their own, so one
 * of all places is free if fewer than UNKNOWN_PLACES are unknown. */
static connection *tls_listener_find_place(tls_listener *f, int64_t now)
{
    connection *free_place = NULL, *oldest = NULL;
    uint32_t n_unknown = 0;
    for (uint32_t i = 0; i < f->n_places; i++) {
        connection *v = &f->places[i];
        n_unknown += is_unknown(v);
        if (v->stage == CONNECTION_NONE)
            free_place = v;
        /* May another connection take its place? */
        const bool idle =
            v->stage == CONNECTION_PREAMBLE || (is_unknown(v) && now > v->since_us + SLOW_US);
        if (idle && (oldest == NULL || v->since_us < oldest->since_us))
            oldest = v;
    }
    return n_unknown < UNKNOWN_PLACES ? free_place : oldest;
}

static void accept_some(tls_listener *f)
{
    for (int n = 0; n < ACCEPT_AT_ONCE; n++) {
        const int64_t now = party_now_us();
        connection *v = tls_listener_find_place(f, now);
        if (v == NULL)
            return;
        int descriptor = accept4(f->descriptor, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor < 0)
            return;
        connection_close(v);
        *v = (connection){.stage = CONNECTION_PREAMBLE,
                          .socket.descriptor = descriptor,
                          .since_us = now,
                          .limit_us = now + CONNECTION_UNKNOWN_US};
        connection_advance(f, v); /* a client sends its preamble at once */
    }
}

/* --- the loop --- */

bool tls_listener_serve(tls_listener *f, int wait_ms, int wake, tls_grant *grant)
{
    for (uint32_t i = 0; i < f->n_places; i++) {
        const connection *v = &f->places[i];
        const short events = v->wants_write || v->out_left > 0 ? POLLIN | POLLOUT : POLLIN;
        f->polled[i] = (struct pollfd){.fd = v->socket.descriptor, .events = events};
    }
    struct pollfd *last = f->polled + f->n_places;
    last[0] = (struct pollfd){
        .fd = tls_listener_find_place(f, party_now_us()) == NULL ? -1 : f->descriptor,
        .events = POLLIN};
    last[1] = (struct pollfd){.fd = wake, .events = POLLIN};
    if (poll(f->polled, f->n_places + 2, wait_ms) > 0) {
        for (uint32_t i = 0; i < f->n_places; i++)
            if (f->polled[i].revents != 0)
                connection_advance(f, &f->places[i]);
        if (last[0].revents != 0)
            accept_some(f);
    }
    const int64_t now = party_now_us();
    for (uint32_t i = 0; i < f->n_places; i++) {
        connection *v = &f->places[i];
        if (v->stage == CONNECTION_NONE || v->limit_us == 0 || now < v->limit_us)
            continue;
        if (v->stage == CONNECTION_GRANTED)
            connection_refuse(f, v, LISTENER_LATE, 0);
        else
            connection_drop(f, v);
    }
    grant_next(f);
    if (!f->begins)
        return false;
    f->begins = false;
    *grant = (tls_grant){f->granted_client, f->session, f->handed[0]};
    return true;
}

void tls_listener_close(tls_listener *f)
{
    for (uint32_t i = 0; i < f->n_places; i++)
        if (f->places[i].stage >= CONNECTION_KNOWN)
            connection_refuse(f, &f->places[i], LISTENER_CLOSING, 0);
}

/* Runs when the arena is freed. */
static void close_listener(void *object)
{
    tls_listener *f = object;
    for (uint32_t i = 0; i < f->n_places; i++)
        connection_close(&f->places[i]);
    tls_listener_close_pipe(f);
    if (f->descriptor >= 0)
        close(f->descriptor);
    SSL_CTX_free(f->context);
}

kith_status tls_listener_open(tls_listener **out, arena *memory,
                              const tls_listener_options *options, kith_error *error)
{
    tls_listener *f = TRY_ZEROS(f, memory, 1, error);
    tls_listener_options *kept = TRY_ALLOC(arena_alloc(memory, sizeof *kept), error);
    const uint32_t n = UNKNOWN_PLACES + LISTENER_PER_CLIENT * options->n_clients;
    *kept = *options;
    f->options = kept;
    f->descriptor = f->handed[0] = f->handed[1] = -1;
    f->places = TRY_ZEROS(f->places, memory, n, error);
    f->polled = TRY_ARRAY(f->polled, memory, (size_t)n + 2, error);
    f->served = TRY_ZEROS(f->served, memory, options->n_clients, error);
    for (uint32_t i = 0; i < n; i++)
        f->places[i].socket.descriptor = -1;
    TRY_ALLOC(arena_defer(memory, close_listener, f), error);
    f->n_places = n;
    ERR_clear_error();
    f->context = tls_context_new(options->identity);
    if (f->context == NULL)
        return openssl_error(error, "set up TLS 1.3");
    const char *address = f->options->address, *why = NULL;
    tls_lookup *l = TRY_ALLOC(tls_lookup_start(address), error);
    while (!tls_lookup_is_done(l))
        poll(NULL, 0, TLS_LOOKUP_TURN_US / 1000);
    const struct addrinfo *at = tls_lookup_result(l, &why);
    if (at != NULL)
        f->descriptor = tls_dial_bind(at);
    const int failed = errno;
    tls_lookup_free(l);
    if (at == NULL)
        return error_set(error, KITH_INVALID, "cannot listen at %s: %s", address, why);
    if (f->descriptor < 0)
        return error_set(error, KITH_IO, "cannot listen at %s: %s", address, strerror(failed));
    *out = f;
    return KITH_OK;
}

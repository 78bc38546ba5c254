#include "wire/tls/tls_front_internal.h"

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

/* --- turns --- */

void tls_front_close_pipe(tls_front *f)
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

/* Of those who wait, the one whose asker had its last turn longest ago, then the one that came
 * first. */
static visit *next_waiting(tls_front *f)
{
    visit *best = NULL;
    for (uint32_t i = 0; i < f->n_places; i++) {
        visit *v = &f->places[i];
        if (v->stage != VISIT_WAITING)
            continue;
        const uint64_t served = f->served[v->asker];
        if (best == NULL || served < f->served[best->asker] ||
            (served == f->served[best->asker] && v->since_us < best->since_us))
            best = v;
    }
    return best;
}

static void give_turn(tls_front *f)
{
    for (visit *v; !f->busy && (v = next_waiting(f)) != NULL;) {
        int64_t until = 0;
        const knock_refusal why = f->options->may_ask(f->options->user, v->asker, &until);
        if (why != KNOCK_WELCOME) {
            visit_refuse(f, v, why, until);
            continue;
        }
        if (pipe2(f->handed, O_NONBLOCK | O_CLOEXEC) != 0) {
            f->handed[0] = f->handed[1] = -1;
            visit_refuse(f, v, KNOCK_BUSY, 0);
            continue;
        }
        f->busy = true;
        f->turn = (uint32_t)(v - f->places);
        f->turn_asker = v->asker;
        f->session = (tls_ticket){.kind = TICKET_JOIN};
        memcpy(f->session.id, v->ticket.id, TICKET_ID);
        f->served[v->asker] = ++f->n_turns;
        v->stage = VISIT_TURN;
        v->limit_us = party_now_us() + 1000 * (int64_t)f->options->timeout_ms;
        visit_tell(f, v, &(knock_message){.kind = KNOCK_TURN});
    }
}

bool tls_front_asker_left(const tls_front *f)
{
    return f->running && f->places[f->turn].stage != VISIT_SESSION;
}

void tls_front_end_turn(tls_front *f)
{
    ASSERT(f->running);
    if (f->places[f->turn].stage == VISIT_SESSION)
        visit_close(&f->places[f->turn]);
    tls_front_close_pipe(f);
    f->busy = f->running = false;
}

/* --- places --- */

static bool is_unknown(const visit *v)
{
    return v->stage == VISIT_TICKET || v->stage == VISIT_HANDSHAKE || v->stage == VISIT_LEAVING;
}

/* A place for a new connection, or NULL. An asker's connections have places of their own, so one of
 * all places is free if fewer than UNKNOWN_PLACES are unknown. */
static visit *find_place(tls_front *f, int64_t now)
{
    visit *free_place = NULL, *oldest = NULL;
    uint32_t n_unknown = 0;
    for (uint32_t i = 0; i < f->n_places; i++) {
        visit *v = &f->places[i];
        n_unknown += is_unknown(v);
        if (v->stage == VISIT_NONE)
            free_place = v;
        /* May another connection take its place? */
        const bool idle =
            v->stage == VISIT_TICKET || (is_unknown(v) && now > v->since_us + SLOW_US);
        if (idle && (oldest == NULL || v->since_us < oldest->since_us))
            oldest = v;
    }
    return n_unknown < UNKNOWN_PLACES ? free_place : oldest;
}

static void accept_some(tls_front *f)
{
    for (int n = 0; n < ACCEPT_AT_ONCE; n++) {
        const int64_t now = party_now_us();
        visit *v = find_place(f, now);
        if (v == NULL)
            return;
        int descriptor = accept4(f->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor < 0)
            return;
        visit_close(v);
        *v = (visit){.stage = VISIT_TICKET,
                     .socket.descriptor = descriptor,
                     .since_us = now,
                     .limit_us = now + VISIT_UNKNOWN_US};
        visit_advance(f, v); /* an asker sends its ticket at once */
    }
}

/* --- the loop --- */

bool tls_front_serve(tls_front *f, int wait_ms, int wake, tls_turn *turn)
{
    for (uint32_t i = 0; i < f->n_places; i++) {
        const visit *v = &f->places[i];
        const short events = v->wants_write || v->out_left > 0 ? POLLIN | POLLOUT : POLLIN;
        f->polled[i] = (struct pollfd){.fd = v->socket.descriptor, .events = events};
    }
    struct pollfd *last = f->polled + f->n_places;
    last[0] = (struct pollfd){.fd = find_place(f, party_now_us()) == NULL ? -1 : f->listener,
                              .events = POLLIN};
    last[1] = (struct pollfd){.fd = wake, .events = POLLIN};
    if (poll(f->polled, f->n_places + 2, wait_ms) > 0) {
        for (uint32_t i = 0; i < f->n_places; i++)
            if (f->polled[i].revents != 0)
                visit_advance(f, &f->places[i]);
        if (last[0].revents != 0)
            accept_some(f);
    }
    const int64_t now = party_now_us();
    for (uint32_t i = 0; i < f->n_places; i++) {
        visit *v = &f->places[i];
        if (v->stage == VISIT_NONE || v->limit_us == 0 || now < v->limit_us)
            continue;
        if (v->stage == VISIT_TURN)
            visit_refuse(f, v, KNOCK_LATE, 0);
        else
            visit_drop(f, v);
    }
    give_turn(f);
    if (!f->begins)
        return false;
    f->begins = false;
    *turn = (tls_turn){f->turn_asker, f->session, f->handed[0]};
    return true;
}

void tls_front_close(tls_front *f)
{
    for (uint32_t i = 0; i < f->n_places; i++)
        if (f->places[i].stage >= VISIT_KNOWN)
            visit_refuse(f, &f->places[i], KNOCK_CLOSING, 0);
}

/* Runs when the arena is freed. */
static void close_front(void *object)
{
    tls_front *f = object;
    for (uint32_t i = 0; i < f->n_places; i++)
        visit_close(&f->places[i]);
    tls_front_close_pipe(f);
    if (f->listener >= 0)
        close(f->listener);
    SSL_CTX_free(f->context);
}

kith_status tls_front_open(tls_front **out, arena *memory, const tls_front_options *options,
                           kith_error *error)
{
    tls_front *f = TRY_ZEROS(f, memory, 1, error);
    tls_front_options *kept = TRY_ALLOC(arena_alloc(memory, sizeof *kept), error);
    const uint32_t n = UNKNOWN_PLACES + KNOCK_PER_ASKER * options->n_askers;
    *kept = *options;
    f->options = kept;
    f->listener = f->handed[0] = f->handed[1] = -1;
    f->places = TRY_ZEROS(f->places, memory, n, error);
    f->polled = TRY_ARRAY(f->polled, memory, (size_t)n + 2, error);
    f->served = TRY_ZEROS(f->served, memory, options->n_askers, error);
    for (uint32_t i = 0; i < n; i++)
        f->places[i].socket.descriptor = -1;
    TRY_ALLOC(arena_defer(memory, close_front, f), error);
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
        f->listener = tls_dial_bind(at);
    const int failed = errno;
    tls_lookup_free(l);
    if (at == NULL)
        return error_set(error, KITH_INVALID, "cannot listen at %s: %s", address, why);
    if (f->listener < 0)
        return error_set(error, KITH_IO, "cannot listen at %s: %s", address, strerror(failed));
    *out = f;
    return KITH_OK;
}

#include "wire/tls_front.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <openssl/err.h>

#include "core/check.h"
#include "core/error.h"
#include "core/openssl.h"
#include "wire/tls_context.h"
#include "wire/tls_internal.h"

enum {
    UNKNOWN_PLACES = 64, /* for connections whose certificate is not known */
    ACCEPT_AT_ONCE = 64,
    UNKNOWN_US = 10000000, /* time to show a certificate and to ask */
    SLOW_US = 3000000,     /* a handshake that takes longer may lose its place */
    LEAVING_US = 1000000   /* time to take a refusal */
};

typedef enum visit_stage {
    VISIT_NONE,
    VISIT_TICKET,    /* its ticket is awaited */
    VISIT_HANDSHAKE, /* TLS */
    VISIT_LEAVING,   /* a refusal is being sent */
    VISIT_KNOWN,     /* its ASK is awaited; from here on it has an asker */
    VISIT_WAITING,   /* for its turn */
    VISIT_TURN,      /* its GO is awaited */
    VISIT_SESSION    /* its session runs */
} visit_stage;

typedef struct visit {
    visit_stage stage;
    tls_socket socket; /* descriptor -1: none */
    SSL *ssl;
    bool wants_write;
    uint32_t asker;
    tls_ticket ticket;
    int64_t since_us, limit_us; /* limit 0: none */
    unsigned char in[KNOCK_BYTES], out[KNOCK_BYTES];
    size_t in_got, out_left;
} visit;

struct tls_front {
    const tls_front_options *options;
    SSL_CTX *context;
    int listener;
    uint32_t n_places;
    visit *places;         /* [n_places] */
    struct pollfd *polled; /* [n_places + 2] */
    uint64_t *served;      /* [n_askers] number of the last turn of each */
    uint64_t n_turns;
    bool busy;          /* somebody has its turn */
    bool running;       /* and its session has begun */
    bool begins;        /* its GO has come, and the caller does not know yet */
    uint32_t turn;      /* its place, unless it has left */
    tls_ticket session; /* its ticket */
    uint32_t turn_asker;
    int handed[2]; /* pipe of the turn */
};

/* --- connections --- */

static void close_visit(visit *v)
{
    if (v->ssl != NULL) {
        (void)SSL_shutdown(v->ssl);
        SSL_free(v->ssl);
    }
    if (v->socket.descriptor >= 0)
        close(v->socket.descriptor);
    *v = (visit){.socket.descriptor = -1};
}

/* Also empties the pipe: what nobody took is closed. */
static void close_pipe(tls_front *f)
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

/* A visitor that has its turn and leaves before its session gives the turn back. */
static void drop(tls_front *f, visit *v)
{
    if (v->stage == VISIT_TURN) {
        f->busy = false;
        close_pipe(f);
    }
    close_visit(v);
}

/* False if the connection ended. */
static bool flush(visit *v)
{
    v->wants_write = false;
    while (v->out_left > 0) {
        ERR_clear_error();
        int wrote = SSL_write(v->ssl, v->out + KNOCK_BYTES - v->out_left, (int)v->out_left);
        if (wrote > 0) {
            v->out_left -= (size_t)wrote;
            continue;
        }
        int why = SSL_get_error(v->ssl, wrote);
        v->wants_write = true;
        return why == SSL_ERROR_WANT_WRITE || why == SSL_ERROR_WANT_READ;
    }
    return true;
}

/* A visitor that has not taken the message before this one is no use. */
static void tell(tls_front *f, visit *v, const knock_message *m)
{
    if (v->out_left > 0) {
        drop(f, v);
        return;
    }
    knock_message_write(v->out, m);
    v->out_left = KNOCK_BYTES;
    if (!flush(v))
        drop(f, v);
}

static void refuse(tls_front *f, visit *v, knock_refusal why, int64_t until)
{
    const knock_message m = {.kind = KNOCK_REFUSE, .code = (unsigned char)why, .value = until};
    if (v->stage == VISIT_TURN) {
        f->busy = false;
        close_pipe(f);
    }
    v->stage = VISIT_LEAVING;
    v->limit_us = party_now_us() + LEAVING_US;
    tell(f, v, &m);
    if (v->stage == VISIT_LEAVING && v->out_left == 0)
        close_visit(v);
}

/* --- turns --- */

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
            refuse(f, v, why, until);
            continue;
        }
        if (pipe2(f->handed, O_NONBLOCK | O_CLOEXEC) != 0) {
            f->handed[0] = f->handed[1] = -1;
            refuse(f, v, KNOCK_BUSY, 0);
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
        tell(f, v, &(knock_message){.kind = KNOCK_TURN});
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
        close_visit(&f->places[f->turn]);
    close_pipe(f);
    f->busy = f->running = false;
}

/* --- messages --- */

static uint32_t count_of(const tls_front *f, uint32_t asker)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->n_places; i++)
        count += f->places[i].stage >= VISIT_KNOWN && f->places[i].asker == asker;
    return count;
}

static void identify(tls_front *f, visit *v)
{
    const X509 *certificate = SSL_get0_peer_certificate(v->ssl);
    unsigned char pin[IDENTITY_PIN];
    char why[64];
    uint32_t asker = 0;
    if (certificate == NULL || !identity_pin(certificate, pin)) {
        drop(f, v);
        return;
    }
    while (asker < f->options->n_askers &&
           memcmp(f->options->askers[asker].pin, pin, IDENTITY_PIN) != 0)
        asker++;
    if (asker == f->options->n_askers)
        refuse(f, v, KNOCK_UNKNOWN, 0);
    else if (identity_stale(certificate, why, sizeof why) != NULL)
        refuse(f, v, KNOCK_STALE, 0);
    else if (count_of(f, asker) >= KNOCK_PER_ASKER)
        refuse(f, v, KNOCK_BUSY, 0);
    else {
        v->stage = VISIT_KNOWN;
        v->asker = asker;
        v->limit_us = party_now_us() + UNKNOWN_US;
    }
}

static void hear(tls_front *f, visit *v)
{
    knock_message m;
    int64_t until = 0;
    v->in_got = 0;
    if (!knock_message_read(&m, v->in)) {
        drop(f, v);
    } else if (v->stage == VISIT_KNOWN && m.kind == KNOCK_ASK) {
        const knock_refusal why = f->options->may_ask(f->options->user, v->asker, &until);
        if (memcmp(m.digest, f->options->digest, sizeof m.digest) != 0) {
            refuse(f, v, KNOCK_STUDY, 0);
        } else if (why != KNOCK_WELCOME) {
            refuse(f, v, why, until);
        } else {
            v->stage = VISIT_WAITING;
            v->since_us = party_now_us();
            v->limit_us = 0;
        }
    } else if (v->stage == VISIT_TURN && m.kind == KNOCK_GO) {
        v->stage = VISIT_SESSION;
        v->limit_us = 0;
        f->running = f->begins = true;
    } else {
        drop(f, v);
    }
}

/* Reads what has come; whoever leaves is dropped. */
static void listen_to(tls_front *f, visit *v)
{
    while (v->stage >= VISIT_KNOWN) {
        ERR_clear_error();
        int got = SSL_read(v->ssl, v->in + v->in_got, (int)(KNOCK_BYTES - v->in_got));
        if (got <= 0) {
            int why = SSL_get_error(v->ssl, got);
            if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE)
                drop(f, v);
            return;
        }
        v->in_got += (size_t)got;
        if (v->in_got == KNOCK_BYTES)
            hear(f, v);
    }
}

/* --- those who come --- */

static void hand_over(tls_front *f, visit *v)
{
    const int descriptor = v->socket.descriptor;
    const bool wanted = f->busy && memcmp(v->ticket.id, f->session.id, TICKET_ID) == 0;
    if (wanted && write(f->handed[1], &descriptor, sizeof descriptor) == (ssize_t)sizeof descriptor)
        v->socket.descriptor = -1; /* it is the session's now */
    close_visit(v);
}

static void begin_tls(tls_front *f, visit *v)
{
    tls_dial_set_options(v->socket.descriptor, 1000 * (int64_t)f->options->timeout_ms);
    v->ssl = SSL_new(f->context);
    BIO *bio = v->ssl == NULL ? NULL : tls_bio_new(&v->socket);
    if (bio == NULL) {
        drop(f, v);
        return;
    }
    SSL_set_bio(v->ssl, bio, bio);
    SSL_set_accept_state(v->ssl);
    v->stage = VISIT_HANDSHAKE;
}

/* TLS must not lose its first bytes: no more than the ticket is read. */
static void read_ticket(tls_front *f, visit *v)
{
    ssize_t got = recv(v->socket.descriptor, v->in + v->in_got, TICKET_BYTES - v->in_got, 0);
    if (got <= 0) {
        if (got == 0 || (errno != EAGAIN && errno != EINTR))
            drop(f, v);
        return;
    }
    v->in_got += (size_t)got;
    if (v->in_got < TICKET_BYTES)
        return;
    v->in_got = 0;
    if (!tls_ticket_read(&v->ticket, v->in))
        drop(f, v);
    else if (v->ticket.kind == TICKET_JOIN)
        hand_over(f, v);
    else
        begin_tls(f, v);
}

static void shake_hands(tls_front *f, visit *v)
{
    ERR_clear_error();
    int done = SSL_do_handshake(v->ssl);
    if (done == 1) {
        v->wants_write = false;
        identify(f, v);
        return;
    }
    int why = SSL_get_error(v->ssl, done);
    v->wants_write = why == SSL_ERROR_WANT_WRITE;
    if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE)
        drop(f, v);
}

static void advance(tls_front *f, visit *v)
{
    if (v->stage == VISIT_TICKET)
        read_ticket(f, v);
    if (v->stage == VISIT_HANDSHAKE)
        shake_hands(f, v);
    if (v->stage >= VISIT_LEAVING && v->out_left > 0 && !flush(v))
        drop(f, v);
    if (v->stage == VISIT_LEAVING && v->out_left == 0)
        close_visit(v);
    listen_to(f, v);
}

static bool is_unknown(const visit *v)
{
    return v->stage == VISIT_TICKET || v->stage == VISIT_HANDSHAKE || v->stage == VISIT_LEAVING;
}

/* May another connection take its place? */
static bool is_idle(const visit *v, int64_t now)
{
    return v->stage == VISIT_TICKET || (is_unknown(v) && now > v->since_us + SLOW_US);
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
        else if (is_idle(v, now) && (oldest == NULL || v->since_us < oldest->since_us))
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
        close_visit(v);
        *v = (visit){.stage = VISIT_TICKET,
                     .socket.descriptor = descriptor,
                     .since_us = now,
                     .limit_us = now + UNKNOWN_US};
        advance(f, v); /* an asker sends its ticket at once */
    }
}

/* --- the loop --- */

static void drop_late(tls_front *f)
{
    const int64_t now = party_now_us();
    for (uint32_t i = 0; i < f->n_places; i++) {
        visit *v = &f->places[i];
        if (v->stage == VISIT_NONE || v->limit_us == 0 || now < v->limit_us)
            continue;
        if (v->stage == VISIT_TURN)
            refuse(f, v, KNOCK_LATE, 0);
        else
            drop(f, v);
    }
}

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
                advance(f, &f->places[i]);
        if (last[0].revents != 0)
            accept_some(f);
    }
    drop_late(f);
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
            refuse(f, &f->places[i], KNOCK_CLOSING, 0);
}

/* Runs when the arena is freed. */
static void close_front(void *object)
{
    tls_front *f = object;
    for (uint32_t i = 0; i < f->n_places; i++)
        close_visit(&f->places[i]);
    close_pipe(f);
    if (f->listener >= 0)
        close(f->listener);
    SSL_CTX_free(f->context);
}

static kith_status start_listening(tls_front *f, kith_error *error)
{
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
    return f->listener >= 0
               ? KITH_OK
               : error_set(error, KITH_IO, "cannot listen at %s: %s", address, strerror(failed));
}

kith_status tls_front_open(tls_front **out, arena *memory, const tls_front_options *options,
                           kith_error *error)
{
    tls_front *f = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *f), error);
    tls_front_options *kept = TRY_ALLOC(arena_alloc(memory, sizeof *kept), error);
    const uint32_t n = UNKNOWN_PLACES + KNOCK_PER_ASKER * options->n_askers;
    *kept = *options;
    f->options = kept;
    f->listener = f->handed[0] = f->handed[1] = -1;
    f->places = TRY_ALLOC(arena_zalloc(memory, n, sizeof *f->places), error);
    f->polled = TRY_ALLOC(arena_array(memory, (size_t)n + 2, sizeof *f->polled), error);
    f->served = TRY_ALLOC(arena_zalloc(memory, options->n_askers, sizeof *f->served), error);
    for (uint32_t i = 0; i < n; i++)
        f->places[i].socket.descriptor = -1;
    if (!arena_defer(memory, close_front, f))
        return error_nomem(error);
    f->n_places = n;
    ERR_clear_error();
    f->context = tls_context_new(options->identity);
    if (f->context == NULL)
        return openssl_error(error, "set up TLS 1.3");
    TRY(start_listening(f, error));
    *out = f;
    return KITH_OK;
}

/* One connection to the listener: from its ticket to the end of its session. */
#include "wire/tls/tls_front_internal.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <openssl/err.h>

enum { LEAVING_US = 1000000 }; /* time to take a refusal */

void visit_close(visit *v)
{
    tls_socket_close(&v->socket, v->ssl);
    *v = (visit){.socket.descriptor = -1};
}

void visit_drop(tls_front *f, visit *v)
{
    if (v->stage == VISIT_TURN) {
        f->busy = false;
        tls_front_close_pipe(f);
    }
    visit_close(v);
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

void visit_tell(tls_front *f, visit *v, const knock_message *m)
{
    if (v->out_left > 0) {
        visit_drop(f, v);
        return;
    }
    knock_message_write(v->out, m);
    v->out_left = KNOCK_BYTES;
    if (!flush(v))
        visit_drop(f, v);
}

void visit_refuse(tls_front *f, visit *v, knock_refusal why, int64_t until)
{
    const knock_message m = {.kind = KNOCK_REFUSE, .code = (unsigned char)why, .value = until};
    if (v->stage == VISIT_TURN) {
        f->busy = false;
        tls_front_close_pipe(f);
    }
    v->stage = VISIT_LEAVING;
    v->limit_us = party_now_us() + LEAVING_US;
    visit_tell(f, v, &m);
    if (v->stage == VISIT_LEAVING && v->out_left == 0)
        visit_close(v);
}

/* --- messages --- */

static void identify(tls_front *f, visit *v)
{
    const X509 *certificate = SSL_get0_peer_certificate(v->ssl);
    unsigned char pin[IDENTITY_PIN];
    char why[64];
    uint32_t asker = 0, n_known = 0;
    if (certificate == NULL || !identity_pin(certificate, pin)) {
        visit_drop(f, v);
        return;
    }
    while (asker < f->options->n_askers &&
           memcmp(f->options->askers[asker].pin, pin, IDENTITY_PIN) != 0)
        asker++;
    for (uint32_t i = 0; i < f->n_places; i++)
        n_known += f->places[i].stage >= VISIT_KNOWN && f->places[i].asker == asker;
    if (asker == f->options->n_askers)
        visit_refuse(f, v, KNOCK_UNKNOWN, 0);
    else if (identity_stale(certificate, why, sizeof why) != NULL)
        visit_refuse(f, v, KNOCK_STALE, 0);
    else if (n_known >= KNOCK_PER_ASKER)
        visit_refuse(f, v, KNOCK_BUSY, 0);
    else {
        v->stage = VISIT_KNOWN;
        v->asker = asker;
        v->limit_us = party_now_us() + VISIT_UNKNOWN_US;
    }
}

static void hear(tls_front *f, visit *v)
{
    knock_message m;
    int64_t until = 0;
    v->in_got = 0;
    if (!knock_message_read(&m, v->in)) {
        visit_drop(f, v);
    } else if (v->stage == VISIT_KNOWN && m.kind == KNOCK_ASK) {
        const knock_refusal why = f->options->may_ask(f->options->user, v->asker, &until);
        if (memcmp(m.digest, f->options->digest, sizeof m.digest) != 0) {
            visit_refuse(f, v, KNOCK_STUDY, 0);
        } else if (why != KNOCK_WELCOME) {
            visit_refuse(f, v, why, until);
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
        visit_drop(f, v);
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
                visit_drop(f, v);
            return;
        }
        v->in_got += (size_t)got;
        if (v->in_got == KNOCK_BYTES)
            hear(f, v);
    }
}

/* --- those who come --- */

/* TLS must not lose its first bytes: no more than the ticket is read. */
static void read_ticket(tls_front *f, visit *v)
{
    ssize_t got = recv(v->socket.descriptor, v->in + v->in_got, TICKET_BYTES - v->in_got, 0);
    if (got <= 0) {
        if (got == 0 || (errno != EAGAIN && errno != EINTR))
            visit_drop(f, v);
        return;
    }
    v->in_got += (size_t)got;
    if (v->in_got < TICKET_BYTES)
        return;
    v->in_got = 0;
    if (!tls_ticket_read(&v->ticket, v->in)) {
        visit_drop(f, v);
    } else if (v->ticket.kind == TICKET_JOIN) {
        const int descriptor = v->socket.descriptor;
        const bool wanted = f->busy && memcmp(v->ticket.id, f->session.id, TICKET_ID) == 0;
        if (wanted &&
            write(f->handed[1], &descriptor, sizeof descriptor) == (ssize_t)sizeof descriptor)
            v->socket.descriptor = -1; /* it is the session's now */
        visit_close(v);
    } else {
        tls_dial_set_options(v->socket.descriptor, 1000 * (int64_t)f->options->timeout_ms);
        v->ssl = tls_socket_start(f->context, &v->socket, false);
        v->stage = VISIT_HANDSHAKE;
        if (v->ssl == NULL)
            visit_drop(f, v);
    }
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
        visit_drop(f, v);
}

void visit_advance(tls_front *f, visit *v)
{
    if (v->stage == VISIT_TICKET)
        read_ticket(f, v);
    if (v->stage == VISIT_HANDSHAKE)
        shake_hands(f, v);
    if (v->stage >= VISIT_LEAVING && v->out_left > 0 && !flush(v))
        visit_drop(f, v);
    if (v->stage == VISIT_LEAVING && v->out_left == 0)
        visit_close(v);
    listen_to(f, v);
}

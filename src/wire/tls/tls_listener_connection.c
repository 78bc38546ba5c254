/* One connection to the listener: from its preamble to the end of its session. */
#include "wire/tls/tls_listener_internal.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <openssl/err.h>

enum { LEAVING_US = 1000000 }; /* time to take a refusal */

void connection_close(connection *v)
{
    tls_socket_close(&v->socket, v->ssl);
    *v = (connection){.socket.descriptor = -1};
}

void connection_drop(tls_listener *f, connection *v)
{
    if (v->stage == CONNECTION_GRANTED) {
        f->busy = false;
        tls_listener_close_pipe(f);
    }
    connection_close(v);
}

/* False if the connection ended. */
static bool flush(connection *v)
{
    v->wants_write = false;
    while (v->out_left > 0) {
        ERR_clear_error();
        int wrote =
            SSL_write(v->ssl, v->out + LISTENER_MESSAGE_BYTES - v->out_left, (int)v->out_left);
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

void connection_send(tls_listener *f, connection *v, const listener_message *m)
{
    if (v->out_left > 0) {
        connection_drop(f, v);
        return;
    }
    listener_message_write(v->out, m);
    v->out_left = LISTENER_MESSAGE_BYTES;
    if (!flush(v))
        connection_drop(f, v);
}

void connection_refuse(tls_listener *f, connection *v, listener_refusal why, int64_t until)
{
    const listener_message m = {
        .kind = LISTENER_REFUSE, .code = (unsigned char)why, .value = until};
    if (v->stage == CONNECTION_GRANTED) {
        f->busy = false;
        tls_listener_close_pipe(f);
    }
    v->stage = CONNECTION_LEAVING;
    v->limit_us = party_now_us() + LEAVING_US;
    connection_send(f, v, &m);
    if (v->stage == CONNECTION_LEAVING && v->out_left == 0)
        connection_close(v);
}

/* --- messages --- */

static void identify(tls_listener *f, connection *v)
{
    const X509 *certificate = SSL_get0_peer_certificate(v->ssl);
    unsigned char pin[IDENTITY_PIN];
    char why[64];
    uint32_t client = 0, n_known = 0;
    if (certificate == NULL || !identity_pin(certificate, pin)) {
        connection_drop(f, v);
        return;
    }
    while (client < f->options->n_clients &&
           memcmp(f->options->clients[client].pin, pin, IDENTITY_PIN) != 0)
        client++;
    for (uint32_t i = 0; i < f->n_places; i++)
        n_known += f->places[i].stage >= CONNECTION_KNOWN && f->places[i].client == client;
    if (client == f->options->n_clients)
        connection_refuse(f, v, LISTENER_UNKNOWN, 0);
    else if (identity_stale(certificate, why, sizeof why) != NULL)
        connection_refuse(f, v, LISTENER_STALE, 0);
    else if (n_known >= LISTENER_PER_CLIENT)
        connection_refuse(f, v, LISTENER_BUSY, 0);
    else {
        v->stage = CONNECTION_KNOWN;
        v->client = client;
        v->limit_us = party_now_us() + CONNECTION_UNKNOWN_US;
    }
}

static void hear(tls_listener *f, connection *v)
{
    listener_message m;
    int64_t until = 0;
    v->in_got = 0;
    if (!listener_message_read(&m, v->in)) {
        connection_drop(f, v);
    } else if (v->stage == CONNECTION_KNOWN && m.kind == LISTENER_ASK) {
        const listener_refusal why = f->options->may_ask(f->options->user, v->client, &until);
        if (memcmp(m.digest, f->options->digest, sizeof m.digest) != 0) {
            connection_refuse(f, v, LISTENER_STUDY, 0);
        } else if (why != LISTENER_WELCOME) {
            connection_refuse(f, v, why, until);
        } else {
            v->stage = CONNECTION_WAITING;
            v->since_us = party_now_us();
            v->limit_us = 0;
        }
    } else if (v->stage == CONNECTION_GRANTED && m.kind == LISTENER_START) {
        v->stage = CONNECTION_SESSION;
        v->limit_us = 0;
        f->running = f->begins = true;
    } else {
        connection_drop(f, v);
    }
}

/* Reads what has come. A connection that ended is dropped. */
static void listen_to(tls_listener *f, connection *v)
{
    while (v->stage >= CONNECTION_KNOWN) {
        ERR_clear_error();
        int got = SSL_read(v->ssl, v->in + v->in_got, (int)(LISTENER_MESSAGE_BYTES - v->in_got));
        if (got <= 0) {
            int why = SSL_get_error(v->ssl, got);
            if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE)
                connection_drop(f, v);
            return;
        }
        v->in_got += (size_t)got;
        if (v->in_got == LISTENER_MESSAGE_BYTES)
            hear(f, v);
    }
}

/* --- those who come --- */

/* TLS must not lose its first bytes: no more than the preamble is read. */
static void read_preamble(tls_listener *f, connection *v)
{
    ssize_t got = recv(v->socket.descriptor, v->in + v->in_got, PREAMBLE_BYTES - v->in_got, 0);
    if (got <= 0) {
        if (got == 0 || (errno != EAGAIN && errno != EINTR))
            connection_drop(f, v);
        return;
    }
    v->in_got += (size_t)got;
    if (v->in_got < PREAMBLE_BYTES)
        return;
    v->in_got = 0;
    if (!tls_preamble_read(&v->preamble, v->in)) {
        connection_drop(f, v);
    } else if (v->preamble.kind == PREAMBLE_JOIN) {
        const int descriptor = v->socket.descriptor;
        const bool wanted = f->busy && memcmp(v->preamble.id, f->session.id, SESSION_ID_BYTES) == 0;
        if (wanted &&
            write(f->handed[1], &descriptor, sizeof descriptor) == (ssize_t)sizeof descriptor)
            v->socket.descriptor = -1; /* it is the session's now */
        connection_close(v);
    } else {
        tls_dial_set_options(v->socket.descriptor, 1000 * (int64_t)f->options->timeout_ms);
        v->ssl = tls_socket_start(f->context, &v->socket, false);
        v->stage = CONNECTION_HANDSHAKE;
        if (v->ssl == NULL)
            connection_drop(f, v);
    }
}

static void shake_hands(tls_listener *f, connection *v)
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
        connection_drop(f, v);
}

void connection_advance(tls_listener *f, connection *v)
{
    if (v->stage == CONNECTION_PREAMBLE)
        read_preamble(f, v);
    if (v->stage == CONNECTION_HANDSHAKE)
        shake_hands(f, v);
    if (v->stage >= CONNECTION_LEAVING && v->out_left > 0 && !flush(v))
        connection_drop(f, v);
    if (v->stage == CONNECTION_LEAVING && v->out_left == 0)
        connection_close(v);
    listen_to(f, v);
}

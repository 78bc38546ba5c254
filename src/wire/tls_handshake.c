/* From a connected socket to a peer that has confirmed the run: handshake, certificate, letters. */
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>

#include "wire/tls_internal.h"

static uint32_t find_pin(const tls_options *o, const unsigned char pin[IDENTITY_PIN])
{
    for (uint32_t i = 0; i < o->count; i++)
        if (memcmp(o->peer[i].pin, pin, IDENTITY_PIN) == 0)
            return i;
    return PARTY_NOBODY;
}

/* Moves an accepted connection to its place. */
static tls_link *seat(mesh *m, tls_link *stranger, uint32_t peer)
{
    tls_link *l = &m->link[peer];
    *l = *stranger;
    l->peer = peer;
    BIO_set_data(SSL_get_rbio(l->ssl), &l->socket);
    *stranger = (tls_link){.socket.descriptor = -1, .peer = PARTY_NOBODY};
    return l;
}

static void turn_away(mesh *m, tls_link *l, refusal code)
{
    letter_refuse(m, l, code, PARTY_NOBODY);
    l->stage = LINK_CLOSING;
}

/* Whose certificate is it? The link's place from now on, or NULL if it is refused. */
static tls_link *recognise(mesh *m, tls_link *l)
{
    const tls_options *o = m->options;
    unsigned char pin[IDENTITY_PIN];
    char shown[72], wanted[72];
    const X509 *certificate = SSL_get0_peer_certificate(l->ssl);
    if (certificate == NULL || !identity_pin(certificate, pin)) {
        mesh_fail(m, KITH_BUG, REFUSE_OTHER, PARTY_NOBODY, "OpenSSL shows no certificate");
        return NULL;
    }
    uint32_t peer = find_pin(o, pin);
    identity_format_pin(shown, pin);
    if (l->outgoing && peer != l->peer) {
        identity_format_pin(wanted, o->peer[l->peer].pin);
        l->stage = LINK_TALKING; /* it is told, too */
        mesh_fail(m, KITH_PEER, REFUSE_UNKNOWN, l->peer,
                  "%s at %s shows the certificate %s, but the study expects %s",
                  o->peer[l->peer].name, l->where, shown, wanted);
        return NULL;
    }
    if (!l->outgoing && (peer == PARTY_NOBODY || peer <= o->self)) {
        mesh_note(m, "%s was refused: its certificate %s is not in the study", l->where, shown);
        turn_away(m, l, REFUSE_UNKNOWN);
        return NULL;
    }
    if (!l->outgoing && m->link[peer].stage != LINK_NONE) {
        mesh_note(m, "a second %s at %s was refused", o->peer[peer].name, l->where);
        turn_away(m, l, REFUSE_TWICE);
        return NULL;
    }
    return l->outgoing ? l : seat(m, l, peer);
}

static void greet(mesh *m, tls_link *l)
{
    char why[64];
    l = recognise(m, l);
    if (l == NULL)
        return;
    l->stage = LINK_TALKING;
    l->limit_us = party_now_us() + dial_patience(m);
    letter_hello(m, l);
    const X509 *certificate = SSL_get0_peer_certificate(l->ssl);
    if (identity_stale(certificate, why, sizeof why) != NULL)
        mesh_fail(m, KITH_PEER, REFUSE_STALE, l->peer, "the certificate of %s %s",
                  m->options->peer[l->peer].name, why);
}

static void shake(mesh *m, tls_link *l)
{
    ERR_clear_error();
    int done = SSL_do_handshake(l->ssl);
    if (done == 1) {
        greet(m, l);
        return;
    }
    int why = SSL_get_error(l->ssl, done);
    l->wants_write = why == SSL_ERROR_WANT_WRITE;
    if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE)
        return;
    if (l->outgoing) {
        dial_again(m, l, link_ended(l));
        return;
    }
    mesh_note(m, "%s was refused: %s", l->where, link_ended(l));
    link_reset(l);
}

/* A peer that was there and has gone: the session cannot begin any more. */
void link_gone(mesh *m, tls_link *l)
{
    mesh_fail(m, KITH_PEER, REFUSE_OTHER, l->peer, "lost the connection to %s: %s (step connect)",
              m->options->peer[l->peer].name, link_ended(l));
    l->told = true;
    link_reset(l);
}

static int read_letter(mesh *m, tls_link *l)
{
    if (l->head_got < LETTER_HEAD) {
        int got = link_read(l, l->head + l->head_got, LETTER_HEAD - l->head_got);
        if (got <= 0)
            return got;
        l->head_got += (size_t)got;
        if (l->head_got < LETTER_HEAD)
            return got;
        return letter_begin(m, l) ? got : -1;
    }
    int got = link_read(l, l->body + l->body_got, l->body_length - l->body_got);
    if (got > 0)
        l->body_got += (size_t)got;
    return got;
}

/* What follows the confirmation are frames: nothing more is read here. */
static void listen_to(mesh *m, tls_link *l)
{
    while (!l->confirmed && m->error.status == KITH_OK) {
        int got = read_letter(m, l);
        if (got == 0)
            return;
        if (got < 0 && m->error.status == KITH_OK)
            link_gone(m, l);
        if (got < 0)
            return;
        if (l->head_got == LETTER_HEAD && l->body_got == l->body_length)
            letter_read(m, l);
    }
}

void link_advance(mesh *m, tls_link *l, int64_t now)
{
    if (l->stage == LINK_DIALING)
        dial_finish(m, l, now);
    if (l->stage == LINK_SHAKING)
        shake(m, l);
    if (l->stage == LINK_CLOSING && (!link_speak(l) || l->out_sent == l->out_length))
        link_reset(l);
    if (l->stage == LINK_TALKING) {
        bool heard = link_speak(l);
        listen_to(m, l); /* first: it may have said why it left */
        if (!heard && l->stage == LINK_TALKING)
            link_gone(m, l);
    }
}

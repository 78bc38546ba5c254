/* From a connected socket to a peer that has confirmed the run: TLS handshake, check of the
 * certificate, handshake messages (tls_hello.c). */
#include <string.h>

#include <openssl/err.h>

#include "core/system/openssl.h"
#include "wire/tls/tls_internal.h"

/* Pins are public: the comparison need not take constant time. */
static uint32_t find_pin(const tls_options *o, const unsigned char pin[IDENTITY_PIN])
{
    for (uint32_t i = 0; i < o->count; i++)
        if (memcmp(o->peers[i].pin, pin, IDENTITY_PIN) == 0)
            return i;
    return PARTY_NOBODY;
}

/* Moves an accepted connection, whose peer is now known, to the link of that peer. */
static tls_link *assign_link(tls_mesh *m, tls_link *accepted, uint32_t peer)
{
    tls_link *l = &m->links[peer];
    ASSERT(l->stage == LINK_NONE && !l->outgoing);
    *l = *accepted;
    l->peer = peer;
    /* The BIO points into the old link. */
    BIO_set_data(SSL_get_rbio(l->ssl), &l->socket);
    *accepted = (tls_link){.socket.descriptor = -1, .peer = PARTY_NOBODY};
    return l;
}

/* Refuses a connection without ending the session: any stranger could do that otherwise. */
static void refuse_link(tls_mesh *m, tls_link *l, refusal code)
{
    tls_hello_send_refusal(m, l, code, PARTY_NOBODY);
    l->stage = LINK_CLOSING;
}

/* Compares the peer's certificate with the pins of the study. Returns the link that the connection
 * has from now on, or NULL if the connection is refused. */
static tls_link *identify_peer(tls_mesh *m, tls_link *l)
{
    const tls_options *o = m->options;
    unsigned char pin[IDENTITY_PIN];
    char shown[72], wanted[72];
    ERR_clear_error();
    const X509 *certificate = SSL_get0_peer_certificate(l->ssl);
    if (certificate == NULL || !identity_pin(certificate, pin)) {
        tls_session_fail_openssl(m, "show a certificate");
        return NULL;
    }
    uint32_t peer = find_pin(o, pin);
    identity_format_pin(shown, pin);
    if (l->outgoing && peer != l->peer) {
        identity_format_pin(wanted, o->peers[l->peer].pin);
        l->stage = LINK_HELLO; /* so that send_refusals tells it, too */
        tls_session_fail(m, KITH_PEER, REFUSE_UNKNOWN, l->peer,
                         "%s at %s shows the certificate %s, but the study expects %s",
                         o->peers[l->peer].name, l->where, shown, wanted);
        return NULL;
    }
    /* Parties before this one in the study do not connect to it: this party connects to them. */
    if (!l->outgoing && (peer == PARTY_NOBODY || peer <= o->self)) {
        tls_session_note(m, PARTY_NOBODY, "%s was refused: its certificate %s is not in the study",
                         l->where, shown);
        refuse_link(m, l, REFUSE_UNKNOWN);
        return NULL;
    }
    if (!l->outgoing && m->links[peer].stage != LINK_NONE) {
        tls_session_note(m, peer, "a second %s at %s was refused", o->peers[peer].name, l->where);
        refuse_link(m, l, REFUSE_TWICE);
        return NULL;
    }
    return l->outgoing ? l : assign_link(m, l, peer);
}

/* A certificate is checked before anything is sent but a refusal: an expired one may be held by
 * another party. */
static void finish_tls(tls_mesh *m, tls_link *l)
{
    char why[64];
    l = identify_peer(m, l);
    if (l == NULL)
        return;
    l->stage = LINK_HELLO;
    l->limit_us = party_now_us() + tls_dial_handshake_timeout_us(m);
    const X509 *certificate = SSL_get0_peer_certificate(l->ssl);
    if (identity_stale(certificate, why, sizeof why) != NULL)
        tls_session_fail(m, KITH_PEER, REFUSE_STALE, l->peer, "the certificate of %s %s",
                         m->options->peers[l->peer].name, why);
    else if (!m->declines) /* with its hello the others could begin a run */
        tls_hello_send(m, l);
}

/* A failed handshake does not end the session: another program may listen at the peer's
 * address until the peer starts, and any stranger may connect to this party. What OpenSSL says of
 * itself does not count here: a stranger's message can make it speak of an internal error. */
static void continue_tls(tls_mesh *m, tls_link *l)
{
    ERR_clear_error();
    int done = SSL_do_handshake(l->ssl);
    if (done == 1) {
        finish_tls(m, l);
        return;
    }
    int why = SSL_get_error(l->ssl, done);
    l->wants_write = why == SSL_ERROR_WANT_WRITE;
    if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE)
        return;
    const char *reason = tls_link_end_reason(l);
    if (!openssl_memory_left()) {
        tls_session_fail(m, KITH_NOMEM, REFUSE_OTHER, PARTY_NOBODY, "out of memory");
    } else if (l->outgoing) {
        tls_dial_retry(m, l, reason);
    } else {
        tls_session_note(m, PARTY_NOBODY, "%s was refused: %s", l->where, reason);
        tls_link_reset(l);
    }
}

/* A peer that had shown its certificate has left: the session cannot begin any more. But until its
 * hello comes, a peer that was dialled may not know yet who this is, and would wait: it is dialled
 * again. If it has ended, its address refuses that. */
void tls_handshake_peer_left(tls_mesh *m, tls_link *l)
{
    if (l->outgoing && !l->has_hello && m->error.status == KITH_OK) {
        tls_dial_retry(m, l, tls_link_end_reason(l));
        return;
    }
    tls_session_fail(m, KITH_PEER, REFUSE_LOST, l->peer,
                     "lost the connection to %s: %s (step connect)",
                     m->options->peers[l->peer].name, tls_link_end_reason(l));
    l->informed = true;
    tls_link_reset(l);
}

/* One step of reading a message: bytes read, 0 if it would block, -1 if the connection ended or the
 * message is too long. */
static int read_message(tls_mesh *m, tls_link *l)
{
    if (l->head_got < HELLO_HEADER_BYTES) {
        int got = tls_link_read(l, l->head + l->head_got, HELLO_HEADER_BYTES - l->head_got);
        if (got <= 0)
            return got;
        l->head_got += (size_t)got;
        if (l->head_got < HELLO_HEADER_BYTES)
            return got;
        return tls_hello_begin(m, l) ? got : -1;
    }
    int got = tls_link_read(l, l->body + l->body_got, l->body_length - l->body_got);
    if (got > 0)
        l->body_got += (size_t)got;
    return got;
}

/* Reads messages up to the confirmation. The bytes after it are frames and must stay unread. */
static void read_hello(tls_mesh *m, tls_link *l)
{
    while (!l->confirmed && m->error.status == KITH_OK) {
        int got = read_message(m, l);
        if (got == 0)
            return;
        if (got < 0 && m->error.status == KITH_OK)
            tls_handshake_peer_left(m, l);
        if (got < 0)
            return;
        if (l->head_got == HELLO_HEADER_BYTES && l->body_got == l->body_length)
            tls_hello_receive(m, l);
    }
}

/* A peer that has confirmed the run sends frames, which belong to the run and stay unread here. But
 * if the first one is an ABORT, there will be no run: this party would wait in vain for the others.
 */
static void look_for_abort(tls_mesh *m, tls_link *l)
{
    unsigned char bytes[PARTY_ABORT_FRAME];
    frame f;
    ERR_clear_error();
    int got = SSL_peek(l->ssl, bytes, sizeof bytes);
    if (got <= 0 && SSL_get_error(l->ssl, got) == SSL_ERROR_WANT_READ)
        return;
    if (got <= 0) {
        tls_handshake_peer_left(m, l);
        return;
    }
    size_t length = got < FRAME_HEADER ? FRAME_HEADER : frame_size(bytes);
    bool whole = length <= (size_t)got && frame_parse(&f, bytes, length);
    if (whole && f.kind == FRAME_ABORT && memcmp(f.run, l->run, FRAME_RUN) == 0) {
        party_handle_abort(m->party, l->peer, &f);
        tls_session_fail(m, KITH_PEER, REFUSE_LOST, m->party->blamed, "%s",
                         m->party->failure.message);
        l->informed = true;
    }
    l->runs = whole || length > sizeof bytes;
}

void tls_handshake_advance(tls_mesh *m, tls_link *l)
{
    CHECK(tls_link_check(l));
    if (l->stage == LINK_DIALING)
        tls_dial_finish(m, l);
    if (l->stage == LINK_HANDSHAKE)
        continue_tls(m, l);
    if (l->stage == LINK_CLOSING && (!tls_link_flush(l) || l->out_sent == l->out_length))
        tls_link_reset(l);
    if (l->stage == LINK_HELLO) {
        bool connected = tls_link_flush(l);
        read_hello(m, l); /* before giving up: the peer may have said why it left */
        /* A peer that has confirmed the run says why it left in a frame, which the run reads. */
        if (!connected && l->confirmed)
            l->out_sent = l->out_length;
        else if (!connected && l->stage == LINK_HELLO)
            tls_handshake_peer_left(m, l);
        if (l->confirmed && !l->runs && m->error.status == KITH_OK)
            look_for_abort(m, l);
    }
}

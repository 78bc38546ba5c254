/* Moving bytes over TLS connections, and the transport of an open session. */
#include "wire/tls/tls_internal.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/sockios.h>
#include <openssl/err.h>

#include "core/system/openssl.h"

#if KITH_DEBUG
void tls_link_check(const tls_link *l)
{
    ASSERT(l->out_sent <= l->out_length);
    ASSERT(l->head_got <= FRAME_HEADER && l->body_got <= l->body_length);
    ASSERT(l->body_length <= HELLO_MAX_BYTES || l->body == NULL);
    ASSERT(l->incoming == NULL || l->incoming->used <= l->incoming->length);
    /* A link is open in all stages but the first. */
    ASSERT(l->stage == LINK_NONE || l->socket.descriptor >= 0);
    ASSERT(l->stage < LINK_HANDSHAKE || l->ssl != NULL);
    ASSERT(l->stage != LINK_HELLO || l->peer != PARTY_NOBODY);
    ASSERT(!l->confirmed || l->has_hello || l->informed);
}
#endif

void tls_link_reset(tls_link *l)
{
    tls_socket_close(&l->socket, l->ssl);
    free(l->out);
    free(l->body);
    free(l->incoming);
    /* What describes the peer or counts bytes outlives a connection. */
    tls_link kept = {.outgoing = l->outgoing, .peer = l->peer, .pause_us = l->pause_us};
    kept.informed = l->informed;
    kept.reached = l->reached;
    kept.socket.descriptor = -1;
    kept.socket.sent = l->socket.sent;
    kept.socket.received = l->socket.received;
    memcpy(kept.where, l->where, sizeof kept.where);
    *l = kept;
}

/* Translates the result of SSL_read or SSL_write: bytes moved, 0 if it would block, -1 if the
 * connection ended. Errors stay in OpenSSL's queue for tls_link_end_reason. */
static int io_result(tls_link *l, int result)
{
    if (result > 0)
        return result;
    int why = SSL_get_error(l->ssl, result);
    l->wants_write = l->wants_write || why == SSL_ERROR_WANT_WRITE;
    return why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE ? 0 : -1;
}

/* OpenSSL's error queue belongs to the thread: an old entry would be taken for an error of this
 * call. */
int tls_link_read(tls_link *l, void *bytes, size_t length)
{
    ASSERT(l->ssl != NULL && length > 0);
    ERR_clear_error();
    return io_result(l, SSL_read(l->ssl, bytes, length > 1 << 30 ? 1 << 30 : (int)length));
}

int tls_link_write(tls_link *l, const void *bytes, size_t length)
{
    ASSERT(l->ssl != NULL && length > 0);
    ERR_clear_error();
    int wrote = io_result(l, SSL_write(l->ssl, bytes, length > 1 << 30 ? 1 << 30 : (int)length));
    if (wrote == 0)
        l->wants_write = true;
    return wrote;
}

/* A peer whose process was killed closes without TLS's own goodbye, which OpenSSL reports as an
 * error of its library; for users that is a broken connection. */
const char *tls_link_end_reason(const tls_link *l)
{
    unsigned long code = ERR_peek_error();
    if (code != 0 && ERR_GET_LIB(code) == ERR_LIB_SSL &&
        ERR_GET_REASON(code) != SSL_R_UNEXPECTED_EOF_WHILE_READING) {
        const char *reason = ERR_reason_error_string(code);
        return reason != NULL ? reason : "TLS failed";
    }
    if (l->ssl != NULL && (SSL_get_shutdown(l->ssl) & SSL_RECEIVED_SHUTDOWN) != 0)
        return "it closed the connection";
    return errno == ETIMEDOUT ? "it does not answer" : "the connection broke";
}

/* A connection that ends because OpenSSL lacks memory is no fault of the peer. */
static void note_own_failure(party *p)
{
    kith_error why;
    if (!openssl_failed_itself())
        return;
    openssl_error(&why, "talk to a peer");
    party_fail(p, NULL, why.status, PARTY_NOBODY, "%s", why.message);
}

/* Makes room for the frame whose header has come. Checks its length first: it comes from a peer. */
static bool begin_frame(party *p, uint32_t from, tls_link *l)
{
    size_t length = frame_size(l->head);
    l->incoming = length == 0 ? NULL : party_frame_new(p, length);
    if (length == 0)
        party_protocol_error(p, from, NULL, "sent a damaged frame");
    else if (l->incoming == NULL)
        party_fail(p, NULL, KITH_NOMEM, PARTY_NOBODY, "out of memory");
    if (l->incoming == NULL)
        return false;
    memcpy(l->incoming->bytes, l->head, FRAME_HEADER);
    l->incoming->used = FRAME_HEADER;
    return true;
}

bool tls_link_flush(tls_link *l)
{
    l->wants_write = false;
    while (l->out_sent < l->out_length) {
        int wrote = tls_link_write(l, l->out + l->out_sent, l->out_length - l->out_sent);
        if (wrote <= 0)
            return wrote == 0;
        l->out_sent += (size_t)wrote;
    }
    return true;
}

/* One step of reading a frame: bytes moved, 0 would block, -1 ended. */
static int read_some(party *p, uint32_t from, tls_link *l)
{
    if (l->incoming == NULL) {
        int got = tls_link_read(l, l->head + l->head_got, FRAME_HEADER - l->head_got);
        if (got <= 0)
            return got;
        l->head_got += (size_t)got;
        return l->head_got < FRAME_HEADER || begin_frame(p, from, l) ? got : -1;
    }
    frame_buffer *one = l->incoming;
    int got = tls_link_read(l, one->bytes + one->used, one->length - one->used);
    if (got > 0)
        one->used += (size_t)got;
    return got;
}

/* Reads frames until the connection would block; true if anything moved. Stops while the protocol
 * leaves too many unread: TCP then slows the sender down. Also stops after some frames, since a
 * peer may send faster than this party reads: the caller must look at deadlines and other peers. */
static bool receive_frames(party *p, uint32_t from, tls_link *l)
{
    bool moved = false;
    int n_frames = 0;
    while (n_frames < TLS_FRAMES_AT_ONCE && p->peers[from].in.bytes <= PARTY_QUEUE_IN &&
           l->ended == NULL) {
        int got = read_some(p, from, l);
        if (got == 0)
            break;
        moved = true;
        if (got < 0) {
            l->ended = l->unwritable != NULL ? l->unwritable : tls_link_end_reason(l);
            note_own_failure(p);
            break;
        }
        if (l->incoming != NULL && l->incoming->used == l->incoming->length) {
            frame_buffer *whole = l->incoming;
            l->incoming = NULL;
            l->head_got = 0;
            whole->used = 0;
            n_frames++;
            party_arrived(p, from, whole);
            if (p->peers[from].in.bytes >= FRAME_PAYLOAD)
                break; /* let the protocol work on it while it is in the cache */
        }
    }
    return moved;
}

/* True for a connection that broke; a peer that leaves on purpose closes TLS properly. */
static bool is_broken(const party *p, const tls_mesh *m, uint32_t i)
{
    const tls_link *l = &m->links[i];
    return l->ended != NULL && !p->peers[i].closed && !p->peers[i].bye &&
           (SSL_get_shutdown(l->ssl) & SSL_RECEIVED_SHUTDOWN) == 0;
}

/* Reports connections that have ended, after all have been read: a party that left because another
 * was lost has said so in an ABORT, which counts first. If that did not come through, several
 * connections are broken, and it is not known which was the first: all are named. */
static void report_losses(party *p, const tls_mesh *m)
{
    char names[512] = "";
    uint32_t n_broken = 0, last = PARTY_NOBODY;
    for (uint32_t i = 0; i < p->count; i++)
        if (is_broken(p, m, i)) {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", n_broken == 0 ? "" : " and ",
                     p->names[i]);
            n_broken++;
            last = i;
        }
    if (n_broken > 1)
        party_fail(p, NULL, KITH_PEER, last, "lost the connections to %s (step %s)", names,
                   p->step);
    else if (n_broken == 1)
        party_lost(p, last, m->links[last].ended);
    for (uint32_t i = 0; i < p->count; i++)
        if (m->links[i].ended != NULL)
            party_lost(p, i, m->links[i].ended);
}

/* An ABORT that is still on its way would be lost if the peer wrote to a connection that is closed
 * already: waits until the kernels of all peers have everything. */
void tls_link_settle(const tls_mesh *m)
{
    const party *p = m->party;
    const int64_t start = party_now_us();
    for (uint32_t i = 0; i < p->count; i++) {
        int unacknowledged = 0;
        const int64_t until = start + party_linger_us(p, i);
        /* Where no peer is known yet, nothing is on its way. */
        while (i != p->self && m->links[i].stage == LINK_HELLO && !p->peers[i].closed &&
               m->links[i].unwritable == NULL &&
               ioctl(m->links[i].socket.descriptor, SIOCOUTQ, &unacknowledged) == 0 &&
               unacknowledged > 0 && party_now_us() < until)
            poll(NULL, 0, 2);
    }
}

/* Sends frames that are due; true if anything moved. A frame that is partly sent is always due. If
 * nothing can be sent any more, the frames are dropped, but reading goes on: an ABORT may be there
 * that says why. */
static bool send_frames(party *p, uint32_t to, tls_link *l, int64_t now)
{
    bool moved = false;
    frame_queue *out = &p->peers[to].out;
    if (l->unwritable != NULL)
        frame_queue_clear(out);
    while (out->head != NULL && (out->head->due_us <= now || out->head->used > 0)) {
        frame_buffer *one = out->head;
        int wrote = tls_link_write(l, one->bytes + one->used, one->length - one->used);
        if (wrote < 0) {
            l->unwritable = tls_link_end_reason(l);
            note_own_failure(p);
            shutdown(l->socket.descriptor, SHUT_WR); /* the peer need not wait for more */
            frame_queue_clear(out);
            return true;
        }
        if (wrote == 0)
            break;
        moved = true;
        one->used += (size_t)wrote;
        if (one->used == one->length)
            party_frame_recycle(p, frame_queue_pop(out));
    }
    return moved;
}

/* For poll: rounds up, so that it does not return just before the time and spin. */
static int milliseconds(int64_t now, int64_t until)
{
    if (until <= now)
        return 0;
    int64_t wait = (until - now + 999) / 1000;
    return wait > 60000 ? 60000 : (int)wait;
}

/* Waits for any socket, or until the next frame that is held back becomes due. */
static void sleep_until(party *p, tls_mesh *m, int64_t now, int64_t until)
{
    struct pollfd ready[PARTY_MAX];
    nfds_t count = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const frame_buffer *next = p->peers[i].out.head;
        if (next != NULL && next->due_us > now && next->due_us < until)
            until = next->due_us;
        if (i == p->self || p->peers[i].closed)
            continue;
        short events = p->peers[i].in.bytes <= PARTY_QUEUE_IN ? POLLIN : 0;
        if (m->links[i].wants_write)
            events |= POLLOUT;
        ready[count++] = (struct pollfd){.fd = m->links[i].socket.descriptor, .events = events};
    }
    (void)poll(ready, count, milliseconds(now, until));
}

static void pump(party *p, int64_t until_us)
{
    tls_mesh *m = p->link;
    for (;;) {
        bool moved = false;
        int64_t now = party_now_us();
        for (uint32_t i = 0; i < p->count; i++) {
            if (i == p->self || p->peers[i].closed)
                continue;
            m->links[i].wants_write = false;
            moved = send_frames(p, i, &m->links[i], now) || moved;
            moved = receive_frames(p, i, &m->links[i]) || moved;
        }
        report_losses(p, m);
        if (moved || now >= until_us)
            return;
        sleep_until(p, m, now, until_us);
    }
}

const transport tls_transport = {pump};

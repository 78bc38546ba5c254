/* Opening a session: connect to all, check certificates, compare studies, confirm the run. */
#include "wire/tls/tls_session.h"

#include <openssl/err.h>
#include <poll.h>
#include <sodium.h>
#include <string.h>

#include "core/error.h"
#include "core/system/openssl.h"
#include "core/text.h"
#include "wire/tls/tls_internal.h"

enum {
    SLICE_US = 200000,    /* longest wait before the user is asked again */
    REFUSAL_US = 5000000, /* time for telling connected peers why the session ends, */
    STRANGER_US = 500000, /* connections that are not expected, */
    ABSENT_US = 4000000   /* and peers not connected yet, which dial every 2 s at least */
};

bool tls_session_fail(tls_mesh *m, kith_status status, refusal code, uint32_t blamed,
                      const char *format, ...)
{
    if (m->error.status != KITH_OK)
        return false; /* later failures are usually consequences of the first */
    va_list arguments;
    va_start(arguments, format);
    text_vformat(m->error.message, sizeof m->error.message, format, arguments);
    va_end(arguments);
    m->error.status = status;
    m->code = code;
    m->blamed = blamed;
    return false;
}

bool tls_session_fail_openssl(tls_mesh *m, const char *what)
{
    kith_error why;
    openssl_error(&why, what);
    return tls_session_fail(m, why.status, REFUSE_OTHER, PARTY_NOBODY, "%s", why.message);
}

void tls_session_note(tls_mesh *m, uint32_t peer, const char *format, ...)
{
    va_list arguments;
    m->noted = peer;
    va_start(arguments, format);
    text_vformat(m->note, sizeof m->note, format, arguments);
    va_end(arguments);
}

static bool make_context(tls_mesh *m)
{
    ERR_clear_error();
    m->context = tls_context_new(m->options->identity);
    return m->context != NULL || tls_session_fail_openssl(m, "set up TLS 1.3");
}

/* Runs when the arena is freed. */
static void close_all(void *object)
{
    tls_mesh *m = object;
    for (uint32_t i = 0; i < m->options->count; i++)
        tls_link_reset(&m->links[i]);
    for (int i = 0; i < MAX_PENDING; i++)
        tls_link_reset(&m->pending[i]);
    for (uint32_t i = 0; i < m->options->count; i++)
        tls_lookup_free(m->lookups[i]);
    tls_dial_close_listener(m);
    SSL_CTX_free(m->context);
}

/* Once all hellos have come, derives the run id from the nonces of all parties and sends it to all.
 * Every party contributes, so that no coalition can bring about the id of an earlier run. */
static void derive_run_id(tls_mesh *m)
{
    const tls_options *o = m->options;
    crypto_generichash_state h;
    unsigned char facts[3] = {TLS_PROTOCOL & 0xff, TLS_PROTOCOL >> 8, (unsigned char)o->count};
    for (uint32_t i = 0; i < o->count; i++)
        if (i != o->self && !m->links[i].has_hello)
            return;
    crypto_generichash_init(&h, NULL, 0, RUN_BYTES);
    /* All parties hash the same bytes in the same order: the study's. */
    crypto_generichash_update(&h, (const unsigned char *)"kith run", 8);
    crypto_generichash_update(&h, facts, sizeof facts);
    crypto_generichash_update(&h, o->agreement.digest, 32);
    for (uint32_t i = 0; i < o->count; i++)
        crypto_generichash_update(&h, i == o->self ? m->nonce : m->links[i].nonce, NONCE_BYTES);
    crypto_generichash_final(&h, m->party->run, RUN_BYTES);
    m->run_known = true;
    m->confirm_us = party_now_us() + tls_waiting_confirm_timeout_us(m);
    m->party->opening_us = tls_waiting_confirm_timeout_us(m);
    for (uint32_t i = 0; i < o->count; i++)
        if (i != o->self)
            tls_hello_send_confirm(m, &m->links[i]);
}

/* --- one turn: waits for any socket and advances the links --- */

/* Waits until a socket is ready, at most until `until`, and advances every link that is. */
static void poll_once(tls_mesh *m, int64_t until)
{
    struct pollfd ready[PARTY_MAX + MAX_PENDING + 1];
    tls_link *which[PARTY_MAX + MAX_PENDING];
    int64_t now = party_now_us();
    /* Lists the open links and what each waits for. */
    nfds_t count = 0;
    const bool going_on = m->error.status == KITH_OK; /* otherwise what peers send is irrelevant */
    for (uint32_t i = 0; i < m->options->count + MAX_PENDING; i++) {
        const tls_link *l =
            i < m->options->count ? &m->links[i] : &m->pending[i - m->options->count];
        bool pending = l->out_sent < l->out_length;
        bool reads = l->stage != LINK_DIALING && (!l->confirmed || (going_on && !l->runs));
        if (l->stage == LINK_NONE || (l->confirmed && !pending && !reads))
            continue;
        short events = l->wants_write || pending ? POLLOUT : 0;
        ready[count] = (struct pollfd){.fd = l->socket.descriptor, .events = events};
        if (reads)
            ready[count].events |= POLLIN;
        which[count++] = (tls_link *)l;
    }
    /* When to wake up, at most `until`: for the next attempt to connect (parties before this one
     * are dialled), to see whether an address was found, or when the listener has rested. */
    for (uint32_t i = 0; i < m->options->self; i++) {
        if (m->links[i].stage != LINK_NONE || m->links[i].informed)
            continue;
        int64_t at = m->lookups[i] != NULL ? now + TLS_LOOKUP_TURN_US : m->links[i].retry_us;
        until = at < until ? at : until;
    }
    until = now < m->rest_until_us && m->rest_until_us < until ? m->rest_until_us : until;
    /* A negative descriptor is ignored: a listener whose connections find no place would be ready
     * all the time. */
    ready[count] =
        (struct pollfd){.fd = tls_places_is_full(m, now) ? -1 : m->listener, .events = POLLIN};
    int wait = until <= now ? 0 : (int)((until - now + 999) / 1000);
    if (poll(ready, count + 1, wait) < 0)
        return; /* interrupted by a signal: the caller asks the user */
    now = party_now_us();
    for (nfds_t i = 0; i < count; i++)
        if (ready[i].revents != 0)
            tls_handshake_advance(m, which[i]);
    if (ready[count].revents != 0)
        tls_dial_accept(m, now);
    for (uint32_t i = 0; i < m->options->self; i++)
        if (m->links[i].stage == LINK_NONE && !m->links[i].informed && now >= m->links[i].retry_us)
            tls_dial_start(m, &m->links[i], now);
}

/* --- all turns --- */

/* True if all peers have confirmed the same run and everything is sent. Different ids mean that a
 * peer gave different nonces to two parties, or that two runs of one study got mixed up. */
static bool is_complete(tls_mesh *m)
{
    const tls_options *o = m->options;
    for (uint32_t i = 0; i < o->count; i++) {
        const tls_link *l = &m->links[i];
        if (i == o->self)
            continue;
        if (!m->run_known || !l->confirmed || l->out_sent < l->out_length)
            return false;
        if (memcmp(l->run, m->party->run, RUN_BYTES) != 0)
            return tls_session_fail(m, KITH_PEER, REFUSE_RUN, i,
                                    "%s confirmed a different run (step connect)",
                                    o->peers[i].name);
    }
    return true;
}

/* Runs until all peers have confirmed the run, or the session fails. */
static bool connect_all(tls_mesh *m)
{
    const tls_options *o = m->options;
    unsigned wait_ms = o->wait_ms != 0 ? o->wait_ms : 600000;
    int64_t until = party_now_us() + (int64_t)wait_ms * 1000;
    while (m->error.status == KITH_OK && !is_complete(m)) {
        char why[1024];
        int64_t now = party_now_us(), slice = now + SLICE_US;
        if (now >= until)
            return tls_waiting_fail(m, wait_ms);
        if (o->waiting != NULL && !o->waiting(o->user, tls_waiting_why(m, why, sizeof why)))
            return tls_session_fail(m, KITH_CANCELLED, REFUSE_OTHER, PARTY_NOBODY, "interrupted");
        poll_once(m, slice < until ? slice : until);
        /* Closes connections that have not shown a certificate in time: they take up pending links,
         * and a dialled address may have another program behind it. */
        for (uint32_t i = 0; i < m->options->self; i++)
            if ((m->links[i].stage == LINK_DIALING || m->links[i].stage == LINK_HANDSHAKE) &&
                now > m->links[i].limit_us)
                tls_dial_retry(m, &m->links[i], "it does not answer");
        for (int i = 0; i < MAX_PENDING; i++)
            if (m->pending[i].stage != LINK_NONE && now > m->pending[i].limit_us)
                tls_link_reset(&m->pending[i]);
        tls_waiting_check(m, party_now_us());
        if (m->error.status == KITH_OK && !m->run_known)
            derive_run_id(m);
        if (m->error.status == KITH_OK && !m->run_known)
            tls_waiting_tell(m, party_now_us());
        /* Sends confirmations at once, without waiting for the next poll. */
        for (uint32_t i = 0; i < o->count && m->run_known; i++)
            if (m->links[i].out_sent < m->links[i].out_length)
                tls_handshake_advance(m, &m->links[i]);
    }
    return m->error.status == KITH_OK;
}

/* True if a handshake message is not sent yet, or a connection has not shown its certificate. Those
 * that may be strangers' are not waited for as long as peers. */
static bool has_unsent(const tls_mesh *m, int64_t waited_us)
{
    if (waited_us >= REFUSAL_US)
        return false;
    for (uint32_t i = 0; i < m->options->count; i++)
        if (m->links[i].stage == LINK_HANDSHAKE || m->links[i].out_sent < m->links[i].out_length)
            return true;
    for (int i = 0; i < MAX_PENDING; i++)
        if (m->pending[i].stage != LINK_NONE && (m->pending[i].awaited || waited_us < STRANGER_US))
            return true;
    return false;
}

/* True if some peers do not know yet that there is no session, and would wait for this party for a
 * long time. Not after failures that they notice themselves. */
static bool should_wait_for_others(const tls_mesh *m)
{
    bool evident = m->code == REFUSE_OTHER || m->code == REFUSE_MISSING;
    for (uint32_t i = 0; i < m->options->count; i++)
        if (i != m->options->self && !m->links[i].informed)
            return !evident;
    return false;
}

/* Tells the peers that are connected, or are about to be, why there is no session. */
static void send_refusals(tls_mesh *m)
{
    const int64_t start = party_now_us();
    int64_t waited_us;
    m->party->step = "connect";
    m->party->blamed = m->error.status == KITH_CANCELLED ? PARTY_INTERRUPTED : m->blamed;
    do {
        for (uint32_t i = 0; i < m->options->count; i++) {
            tls_link *l = &m->links[i];
            if (l->stage != LINK_HELLO || l->informed)
                continue;
            if (m->run_known)
                tls_hello_send_abort(m, l);
            else
                tls_hello_send_refusal(m, l, m->code, m->blamed);
            l->informed = l->confirmed = true; /* nothing it sends matters now */
        }
        poll_once(m, party_now_us() + SLICE_US / 4);
        waited_us = party_now_us() - start;
    } while (has_unsent(m, waited_us) || (should_wait_for_others(m) && waited_us < ABSENT_US));
    tls_link_settle(m);
}

/* Exports a seed for every pair from its TLS connection: no message is needed, and no one else
 * knows it. The run id and the pair are the context, so that both ends derive the same. */
static bool make_seeds(tls_mesh *m)
{
    static const char label[] = "EXPORTER-kith-pair-seed";
    party *p = m->party;
    for (uint32_t i = 0; i < p->count; i++) {
        unsigned char about[RUN_BYTES + 2];
        memcpy(about, p->run, RUN_BYTES);
        about[RUN_BYTES] = (unsigned char)(i < p->self ? i : p->self);
        about[RUN_BYTES + 1] = (unsigned char)(i < p->self ? p->self : i);
        ERR_clear_error();
        if (i != p->self &&
            SSL_export_keying_material(m->links[i].ssl, p->peers[i].seed, PARTY_KEY_BYTES, label,
                                       sizeof label - 1, about, sizeof about, 1) != 1)
            return tls_session_fail_openssl(m, "export a key");
    }
    return true;
}

/* Makes the party and a link for every peer; nothing is connected yet. */
static kith_status tls_session_prepare(tls_mesh **out, arena *memory, const tls_options *o,
                                       kith_error *error)
{
    const char *names[PARTY_MAX];
    tls_mesh *m = TRY_ZEROS(m, memory, 1, error);
    tls_options *kept = arena_zalloc(memory, 1, sizeof *kept);
    m->links = arena_zalloc(memory, o->count, sizeof *m->links);
    m->lookups = arena_zalloc(memory, o->count, sizeof(tls_lookup *));
    if (kept == NULL || m->links == NULL || m->lookups == NULL)
        return error_nomem(error);
    *kept = *o; /* the links use the options as long as the party lives */
    m->options = kept;
    m->memory = memory;
    m->listener = -1;
    for (uint32_t i = 0; i < o->count; i++) {
        names[i] = o->peers[i].name;
        m->links[i] = (tls_link){.socket.descriptor = -1, .peer = i, .outgoing = i < o->self};
    }
    for (int i = 0; i < MAX_PENDING; i++)
        m->pending[i] = (tls_link){.socket.descriptor = -1, .peer = PARTY_NOBODY};
    TRY_ALLOC(arena_defer(memory, close_all, m), error);
    const party_times times = {o->deadline_ms, o->limit_ms, o->delay_ms};
    TRY(party_new(&m->party, memory, o->self, o->count, names, &times, o->compress, error));
    m->party->fault = o->fault;
    m->party->record = o->record;
    m->party->waiting = o->waiting;
    m->party->waiting_user = o->user;
    randombytes_buf(m->nonce, sizeof m->nonce);
    *out = m;
    return KITH_OK;
}

/* Equal pins are refused, since a pin must identify one party. */
static kith_status check_options(const tls_options *o, kith_error *error)
{
    if (o->count < 2 || o->count > PARTY_MAX || o->self >= o->count)
        return error_set(error, KITH_INVALID, "a run has 2 to %d parties, not %u", PARTY_MAX,
                         (unsigned)o->count);
    for (uint32_t i = 0; i < o->count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (memcmp(o->peers[i].pin, o->peers[j].pin, IDENTITY_PIN) == 0)
                return error_set(error, KITH_INVALID, "%s and %s have the same key",
                                 o->peers[j].name, o->peers[i].name);
    return KITH_OK;
}

kith_status tls_session_open(party **p, arena *memory, const tls_options *options,
                             kith_error *error)
{
    tls_mesh *m;
    TRY(check_options(options, error));
    TRY(tls_session_prepare(&m, memory, options, error));
    if (!make_context(m) || !tls_dial_listen(m) || !connect_all(m) || !make_seeds(m)) {
        if (m->context != NULL) /* without it, no connection can exist */
            send_refusals(m);
        if (error != NULL)
            *error = m->error;
        return m->error.status;
    }
    tls_dial_close_listener(m); /* all are here: refuse further connections */
    for (int i = 0; i < MAX_PENDING; i++)
        tls_link_reset(&m->pending[i]);
    m->party->transport = &tls_transport;
    m->party->link = m;
    party_begin(m->party);
    *p = m->party;
    return KITH_OK;
}

void tls_session_decline(arena *memory, const tls_options *options)
{
    tls_mesh *m;
    if (check_options(options, NULL) != KITH_OK ||
        tls_session_prepare(&m, memory, options, NULL) != KITH_OK || !make_context(m))
        return;
    m->declines = true;
    (void)tls_dial_listen(m); /* without a listener it can still tell those that it dials */
    m->error = (kith_error){.status = KITH_OK};
    tls_session_fail(m, KITH_INVALID, REFUSE_AGAIN, options->self, "declined");
    send_refusals(m);
}

kith_status tls_session_end(party *p, kith_status status, kith_error *error)
{
    status = party_end(p, status, error);
    if (status != KITH_OK)
        tls_link_settle(p->link);
    return status;
}

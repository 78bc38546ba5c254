/* Opening a session: dial, shake hands, check certificates, greet, confirm. */
#include "wire/tls_session.h"

#include <poll.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/err.h>

#include "core/error.h"
#include "core/text.h"
#include "wire/tls_internal.h"

/* Those who dial do so every 2 s at least: within the long farewell they come by. */
enum { SLICE_US = 200000, FAREWELL_US = 500000, LONG_FAREWELL_US = 2500000 };

bool mesh_fail(mesh *m, kith_status status, refusal code, uint32_t blamed, const char *format, ...)
{
    if (m->error.status != KITH_OK)
        return false;
    va_list arguments;
    va_start(arguments, format);
    text_vformat(m->error.message, sizeof m->error.message, format, arguments);
    va_end(arguments);
    m->error.status = status;
    m->code = code;
    m->blamed = blamed;
    return false;
}

void mesh_note(mesh *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_vformat(m->note, sizeof m->note, format, arguments);
    va_end(arguments);
}

/* Certificates are compared with the pins of the study after the handshake, which has proved that
 * the peer holds the key; who signed them does not matter. */
static int any_certificate(X509_STORE_CTX *store, void *user)
{
    (void)store, (void)user;
    return 1;
}

static bool make_context(mesh *m)
{
    SSL_CTX *c = m->context = SSL_CTX_new(TLS_method());
    const identity *id = m->options->identity;
    if (c == NULL || SSL_CTX_set_min_proto_version(c, TLS1_3_VERSION) != 1 ||
        SSL_CTX_set_max_proto_version(c, TLS1_3_VERSION) != 1 ||
        SSL_CTX_set_num_tickets(c, 0) != 1 || SSL_CTX_set_max_early_data(c, 0) != 1 ||
        SSL_CTX_use_certificate(c, id->certificate) != 1 || SSL_CTX_use_PrivateKey(c, id->key) != 1)
        return mesh_fail(m, KITH_BUG, REFUSE_OTHER, PARTY_NOBODY, "OpenSSL cannot set up TLS 1.3");
    SSL_CTX_set_options(c, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_session_cache_mode(c, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(c, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_verify(c, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    SSL_CTX_set_cert_verify_callback(c, any_certificate, NULL);
    return true;
}

static void close_all(void *object)
{
    mesh *m = object;
    for (uint32_t i = 0; i < m->options->count; i++)
        link_reset(&m->link[i]);
    for (int i = 0; i < STRANGERS; i++)
        link_reset(&m->stranger[i]);
    if (m->listener >= 0)
        close(m->listener);
    SSL_CTX_free(m->context);
}

/* Names of those who are not there yet, "b, c". */
static const char *missing(const mesh *m, char *text, size_t size)
{
    const tls_options *o = m->options;
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < o->count && used + 1 < size; i++)
        if (i != o->self && !m->link[i].greeted) {
            int wrote =
                snprintf(text + used, size - used, "%s%s", used == 0 ? "" : ", ", o->peer[i].name);
            used += wrote > 0 ? (size_t)wrote : 0;
        }
    return text;
}

static void introduce(mesh *m)
{
    const tls_options *o = m->options;
    crypto_generichash_state h;
    unsigned char facts[3] = {TLS_PROTOCOL & 0xff, TLS_PROTOCOL >> 8, (unsigned char)o->count};
    for (uint32_t i = 0; i < o->count; i++)
        if (i != o->self && !m->link[i].greeted)
            return;
    crypto_generichash_init(&h, NULL, 0, RUN_BYTES);
    crypto_generichash_update(&h, (const unsigned char *)"kith run", 8);
    crypto_generichash_update(&h, facts, sizeof facts);
    crypto_generichash_update(&h, o->agreement.digest, 32);
    for (uint32_t i = 0; i < o->count; i++)
        crypto_generichash_update(&h, i == o->self ? m->nonce : m->link[i].nonce, NONCE_BYTES);
    crypto_generichash_final(&h, m->party->run, RUN_BYTES);
    m->introduced = true;
    m->confirm_us = party_now_us() + dial_patience(m);
    for (uint32_t i = 0; i < o->count; i++)
        if (i != o->self)
            letter_confirm(m, &m->link[i]);
}

/* All confirmed the same run, and all is sent. */
static bool complete(mesh *m)
{
    const tls_options *o = m->options;
    for (uint32_t i = 0; i < o->count; i++) {
        const tls_link *l = &m->link[i];
        if (i == o->self)
            continue;
        if (!m->introduced || !l->confirmed || l->out_sent < l->out_length)
            return false;
        if (memcmp(l->run, m->party->run, RUN_BYTES) != 0)
            return mesh_fail(m, KITH_PEER, REFUSE_RUN, i, "%s is in another run (step connect)",
                             o->peer[i].name);
    }
    return true;
}

static nfds_t watch(const mesh *m, struct pollfd *ready, tls_link **which)
{
    nfds_t count = 0;
    for (uint32_t i = 0; i < m->options->count + STRANGERS; i++) {
        const tls_link *l =
            i < m->options->count ? &m->link[i] : &m->stranger[i - m->options->count];
        bool pending = l->out_sent < l->out_length;
        if (l->stage == LINK_NONE || (l->confirmed && !pending))
            continue;
        short events = l->wants_write || pending ? POLLOUT : 0;
        ready[count] = (struct pollfd){.fd = l->socket.descriptor, .events = events};
        if (l->stage != LINK_DIALING && !l->confirmed)
            ready[count].events |= POLLIN;
        which[count++] = (tls_link *)l;
    }
    return count;
}

/* Waits for a slice of time at most, then moves whatever is ready. */
static void turn(mesh *m, int64_t until)
{
    struct pollfd ready[PARTY_MOST + STRANGERS + 1];
    tls_link *which[PARTY_MOST + STRANGERS];
    int64_t now = party_now_us();
    nfds_t count = watch(m, ready, which);
    for (uint32_t i = 0; i < m->options->self; i++)
        if (m->link[i].stage == LINK_NONE && !m->link[i].told && m->link[i].retry_us < until)
            until = m->link[i].retry_us;
    ready[count] = (struct pollfd){.fd = m->listener, .events = POLLIN};
    int wait = until <= now ? 0 : (int)((until - now + 999) / 1000);
    if (poll(ready, count + 1, wait) < 0)
        return;
    now = party_now_us();
    for (nfds_t i = 0; i < count; i++)
        if (ready[i].revents != 0)
            link_advance(m, which[i], now);
    if (ready[count].revents != 0)
        dial_accept(m, now);
    for (uint32_t i = 0; i < m->options->self; i++)
        if (m->link[i].stage == LINK_NONE && !m->link[i].told && now >= m->link[i].retry_us)
            dial_start(m, &m->link[i], now);
}

/* Nobody may hold a place for long without having shown a certificate. */
static void drop_late(mesh *m, int64_t now)
{
    for (uint32_t i = 0; i < m->options->self; i++)
        if ((m->link[i].stage == LINK_DIALING || m->link[i].stage == LINK_SHAKING) &&
            now > m->link[i].limit_us)
            dial_again(m, &m->link[i], "it does not answer");
    for (int i = 0; i < STRANGERS; i++)
        if (m->stranger[i].stage != LINK_NONE && now > m->stranger[i].limit_us)
            link_reset(&m->stranger[i]);
}

static bool give_up(mesh *m, unsigned wait_ms)
{
    char names[512];
    uint32_t first = 0;
    missing(m, names, sizeof names);
    while (first == m->options->self || (names[0] != '\0' && m->link[first].greeted))
        first++;
    return mesh_fail(m, KITH_PEER, REFUSE_MISSING, first,
                     "no session with %s within %g s (step connect)%s%s",
                     names[0] != '\0' ? names : "the others", wait_ms / 1e3,
                     m->note[0] != '\0' ? "; last: " : "", m->note);
}

/* Who was there once must go on. */
static void check_patience(mesh *m, int64_t now)
{
    const tls_options *o = m->options;
    double patience = (double)dial_patience(m) / 1e6;
    for (uint32_t i = 0; i < o->count; i++) {
        const tls_link *l = &m->link[i];
        if (i == o->self || l->confirmed)
            continue;
        if (l->stage == LINK_TALKING && !l->greeted && now > l->limit_us)
            mesh_fail(m, KITH_PEER, REFUSE_MISSING, i,
                      "%s does not greet within %g s (step connect)", o->peer[i].name, patience);
        if (m->introduced && now > m->confirm_us)
            mesh_fail(m, KITH_PEER, REFUSE_MISSING, i,
                      "%s did not confirm the run within %g s (step connect)", o->peer[i].name,
                      patience);
    }
}

static bool meet(mesh *m)
{
    const tls_options *o = m->options;
    unsigned wait_ms = o->wait_ms != 0 ? o->wait_ms : 600000;
    int64_t until = party_now_us() + (int64_t)wait_ms * 1000;
    while (m->error.status == KITH_OK && !complete(m)) {
        char names[512];
        int64_t now = party_now_us(), slice = now + SLICE_US;
        if (now >= until)
            return give_up(m, wait_ms);
        if (o->waiting != NULL && !o->waiting(o->user, missing(m, names, sizeof names)))
            return mesh_fail(m, KITH_CANCELLED, REFUSE_OTHER, PARTY_NOBODY, "interrupted");
        turn(m, slice < until ? slice : until);
        drop_late(m, now);
        check_patience(m, party_now_us());
        if (m->error.status == KITH_OK && !m->introduced)
            introduce(m);
        for (uint32_t i = 0; i < o->count && m->introduced; i++)
            if (i != o->self && !link_speak(&m->link[i]))
                link_gone(m, &m->link[i]);
    }
    return m->error.status == KITH_OK;
}

/* Is a letter still on its way, or somebody about to show who it is? */
static bool unfinished(const mesh *m)
{
    for (uint32_t i = 0; i < m->options->count; i++)
        if (m->link[i].stage == LINK_SHAKING || m->link[i].out_sent < m->link[i].out_length)
            return true;
    for (int i = 0; i < STRANGERS; i++)
        if (m->stranger[i].stage != LINK_NONE)
            return true;
    return false;
}

/* Parties that disagree wait a while for those who do not know of it yet, and would wait long. */
static bool worth_waiting(const mesh *m)
{
    bool agreed = m->code == REFUSE_OTHER || m->code == REFUSE_MISSING;
    for (uint32_t i = 0; i < m->options->count; i++)
        if (i != m->options->self && !m->link[i].told)
            return !agreed;
    return false;
}

/* Lets those who are connected, or about to be, know why there is no session. */
static void explain(mesh *m)
{
    int64_t start = party_now_us(), now;
    do {
        for (uint32_t i = 0; i < m->options->count; i++) {
            tls_link *l = &m->link[i];
            if (l->stage != LINK_TALKING || l->told)
                continue;
            letter_refuse(m, l, m->code, m->blamed);
            l->told = l->confirmed = true; /* read no more */
        }
        turn(m, party_now_us() + SLICE_US / 4);
        now = party_now_us();
    } while ((unfinished(m) && now < start + FAREWELL_US) ||
             (worth_waiting(m) && now < start + LONG_FAREWELL_US));
}

static bool make_seeds(mesh *m)
{
    static const char label[] = "EXPORTER-kith-pair-seed";
    party *p = m->party;
    for (uint32_t i = 0; i < p->count; i++) {
        unsigned char about[RUN_BYTES + 2];
        memcpy(about, p->run, RUN_BYTES);
        about[RUN_BYTES] = (unsigned char)(i < p->self ? i : p->self);
        about[RUN_BYTES + 1] = (unsigned char)(i < p->self ? p->self : i);
        if (i != p->self &&
            SSL_export_keying_material(m->link[i].ssl, p->peer[i].seed, PARTY_KEY_BYTES, label,
                                       sizeof label - 1, about, sizeof about, 1) != 1)
            return mesh_fail(m, KITH_BUG, REFUSE_OTHER, PARTY_NOBODY,
                             "OpenSSL cannot export a key");
    }
    return true;
}

static kith_status prepare(mesh **out, arena *memory, const tls_options *o, kith_error *error)
{
    const char *names[PARTY_MOST];
    mesh *m = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *m), error);
    tls_options *kept = arena_zalloc(memory, 1, sizeof *kept);
    m->link = arena_zalloc(memory, o->count, sizeof *m->link);
    if (kept == NULL || m->link == NULL)
        return error_nomem(error);
    *kept = *o;
    m->options = kept;
    m->memory = memory;
    m->listener = -1;
    for (uint32_t i = 0; i < o->count; i++) {
        names[i] = o->peer[i].name;
        m->link[i] = (tls_link){.socket.descriptor = -1, .peer = i, .outgoing = i < o->self};
    }
    for (int i = 0; i < STRANGERS; i++)
        m->stranger[i] = (tls_link){.socket.descriptor = -1, .peer = PARTY_NOBODY};
    if (!arena_defer(memory, close_all, m))
        return error_nomem(error);
    TRY(party_new(&m->party, memory, o->self, o->count, names, o->deadline_ms, o->delay_ms,
                  o->compress, error));
    m->party->fault = o->fault;
    m->party->record = o->record;
    m->party->waiting = o->waiting;
    m->party->waiting_user = o->user;
    randombytes_buf(m->nonce, sizeof m->nonce);
    *out = m;
    return KITH_OK;
}

static kith_status check_options(const tls_options *o, kith_error *error)
{
    if (o->count < 2 || o->count > PARTY_MOST || o->self >= o->count)
        return error_set(error, KITH_INVALID, "a run has 2 to %d parties, not %u", PARTY_MOST,
                         (unsigned)o->count);
    for (uint32_t i = 0; i < o->count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (memcmp(o->peer[i].pin, o->peer[j].pin, IDENTITY_PIN) == 0)
                return error_set(error, KITH_INVALID, "%s and %s have the same key",
                                 o->peer[j].name, o->peer[i].name);
    return KITH_OK;
}

kith_status tls_session_open(party **p, arena *memory, const tls_options *options,
                             kith_error *error)
{
    mesh *m;
    TRY(check_options(options, error));
    TRY(prepare(&m, memory, options, error));
    if (!make_context(m) || !dial_listen(m) || !meet(m) || !make_seeds(m)) {
        if (m->context != NULL)
            explain(m);
        if (error != NULL)
            *error = m->error;
        return m->error.status;
    }
    if (m->listener >= 0)
        close(m->listener);
    m->listener = -1;
    for (int i = 0; i < STRANGERS; i++)
        link_reset(&m->stranger[i]);
    m->party->transport = &tls_transport;
    m->party->link = m;
    *p = m->party;
    return KITH_OK;
}

kith_status tls_session_end(party *p, kith_status status, kith_error *error)
{
    return party_end(p, status, error);
}

const unsigned char *tls_session_run(const party *p)
{
    return p->run;
}

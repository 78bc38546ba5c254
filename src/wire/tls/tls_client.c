#include "wire/tls/tls_client.h"

#include <errno.h>
#include <poll.h>
#include <sodium.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include <openssl/err.h>

#include "core/error.h"
#include "core/system/openssl.h"
#include "wire/tls/tls_internal.h"

enum { SLICE_MS = 200, ANSWER_US = 10000000 /* for a site to finish the handshake */ };

typedef struct site_connection {
    tls_socket socket; /* descriptor -1: none */
    SSL *ssl;
} site_connection;

struct tls_client {
    const tls_client_options *options;
    SSL_CTX *context;
    tls_preamble preamble;
    site_connection *connections; /* [n_sites] */
    int64_t until_us;
};

static void close_client(void *object)
{
    tls_client *k = object;
    for (uint32_t i = 0; i < k->options->n_sites; i++)
        tls_socket_close(&k->connections[i].socket, k->connections[i].ssl);
    SSL_CTX_free(k->context);
}

static kith_status no_answer(const tls_client *k, uint32_t site, const char *why, kith_error *error)
{
    const tls_peer *s = &k->options->sites[site];
    return error_set(error, KITH_PEER, "%s at %s does not answer: %s", s->name, s->address, why);
}

/* Waits for the socket, at most until the time given. */
static kith_status wait_for(const tls_client *k, uint32_t site, short events, int64_t until,
                            kith_error *error)
{
    const tls_client_options *o = k->options;
    struct pollfd p = {.fd = k->connections[site].socket.descriptor, .events = events};
    for (;;) {
        if (o->waiting != NULL && !o->waiting(o->user, o->sites[site].name))
            return error_set(error, KITH_CANCELLED, "interrupted");
        if (party_now_us() >= until)
            return no_answer(k, site, "it takes too long", error);
        if (poll(&p, 1, SLICE_MS) > 0)
            return KITH_OK;
    }
}

static kith_status look_up(const struct addrinfo **at, tls_lookup **l, const tls_client *k,
                           uint32_t site, kith_error *error)
{
    const tls_client_options *o = k->options;
    const char *why = NULL;
    *l = TRY_ALLOC(tls_lookup_start(o->sites[site].address), error);
    while (!tls_lookup_is_done(*l)) {
        poll(NULL, 0, TLS_LOOKUP_TURN_US / 1000);
        if (o->waiting != NULL && !o->waiting(o->user, o->sites[site].name))
            return error_set(error, KITH_CANCELLED, "interrupted");
    }
    *at = tls_lookup_result(*l, &why);
    return *at != NULL ? KITH_OK : no_answer(k, site, why, error);
}

static kith_status dial(const tls_client *k, uint32_t site, const struct addrinfo *at,
                        int64_t until, kith_error *error)
{
    int failed = 0;
    socklen_t size = sizeof failed;
    const int s = socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    k->connections[site].socket.descriptor = s;
    if (s < 0)
        return error_set(error, KITH_IO, "cannot open a connection: %s", strerror(errno));
    tls_dial_set_options(s, ANSWER_US);
    if (connect(s, at->ai_addr, at->ai_addrlen) != 0 && errno != EINPROGRESS)
        return no_answer(k, site, strerror(errno), error);
    TRY(wait_for(k, site, POLLOUT, until, error));
    if (getsockopt(s, SOL_SOCKET, SO_ERROR, &failed, &size) != 0)
        failed = errno;
    if (failed == 0)
        failed = tls_preamble_send(s, &k->preamble);
    return failed == 0 ? KITH_OK : no_answer(k, site, strerror(failed), error);
}

/* Repeats an SSL call that would block. */
static kith_status retry(const tls_client *k, uint32_t site, int result, int64_t until,
                         kith_error *error)
{
    const int why = SSL_get_error(k->connections[site].ssl, result);
    if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE)
        return wait_for(k, site, why == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, until, error);
    if (openssl_failed_itself())
        return openssl_error(error, "talk to a site");
    return error_set(error, KITH_PEER, "%s closed the connection", k->options->sites[site].name);
}

static kith_status shake_hands(const tls_client *k, uint32_t site, int64_t until, kith_error *error)
{
    site_connection *d = &k->connections[site];
    const tls_peer *s = &k->options->sites[site];
    unsigned char pin[IDENTITY_PIN];
    char shown[72], wanted[72], why[64];
    d->ssl = TRY_ALLOC(tls_socket_start(k->context, &d->socket, true), error);
    for (int done; ERR_clear_error(), (done = SSL_do_handshake(d->ssl)) != 1;)
        TRY(retry(k, site, done, until, error));
    ERR_clear_error();
    const X509 *certificate = SSL_get0_peer_certificate(d->ssl);
    if (certificate == NULL || !identity_pin(certificate, pin))
        return openssl_error(error, "show a certificate");
    identity_format_pin(shown, pin);
    identity_format_pin(wanted, s->pin);
    if (memcmp(pin, s->pin, sizeof pin) != 0)
        return error_set(error, KITH_PEER,
                         "%s at %s shows the certificate %s, but the study expects %s", s->name,
                         s->address, shown, wanted);
    if (identity_stale(certificate, why, sizeof why) != NULL)
        return error_set(error, KITH_PEER, "the certificate of %s %s", s->name, why);
    return KITH_OK;
}

static kith_status send_message(const tls_client *k, uint32_t site, const listener_message *m,
                                kith_error *error)
{
    unsigned char bytes[LISTENER_MESSAGE_BYTES];
    size_t sent = 0;
    listener_message_write(bytes, m);
    while (sent < sizeof bytes) {
        ERR_clear_error();
        int wrote = SSL_write(k->connections[site].ssl, bytes + sent, (int)(sizeof bytes - sent));
        if (wrote <= 0)
            TRY(retry(k, site, wrote, k->until_us, error));
        else
            sent += (size_t)wrote;
    }
    return KITH_OK;
}

static kith_status refused(const tls_client *k, uint32_t site, const listener_message *m,
                           kith_error *error)
{
    const char *name = k->options->sites[site].name;
    char when[40] = "later";
    struct tm t;
    const time_t until = (time_t)m->value;
    switch (m->code) {
    case LISTENER_UNKNOWN:
        return error_set(error, KITH_PEER,
                         "%s does not know this certificate: its study has "
                         "another key, or no such client",
                         name);
    case LISTENER_STALE:
        return error_set(error, KITH_PEER,
                         "%s refuses this certificate: it has expired, or is not valid yet", name);
    case LISTENER_STUDY: return error_set(error, KITH_PEER, "%s has another study", name);
    case LISTENER_BUSY:
        return error_set(error, KITH_PEER, "%s has too much to do: %d of your queries wait already",
                         name, LISTENER_PER_CLIENT);
    case LISTENER_LIMIT:
        if (gmtime_r(&until, &t) != NULL)
            strftime(when, sizeof when, "at %Y-%m-%d %H:%M:%S UTC", &t);
        return error_set(error, KITH_PEER,
                         "%s has answered as many of your queries as it does in a day; the next is "
                         "allowed %s",
                         name, when);
    case LISTENER_LATE:
        return error_set(error, KITH_PEER, "%s gave its turn to others: a site took too long",
                         name);
    case LISTENER_CLOSING: return error_set(error, KITH_PEER, "%s is ending", name);
    default: return error_set(error, KITH_PEER, "%s refuses", name);
    }
}

static kith_status request_lock(const tls_client *k, uint32_t site, kith_error *error)
{
    const struct addrinfo *at = NULL;
    tls_lookup *l = NULL;
    const int64_t answer = party_now_us() + ANSWER_US;
    const int64_t until = answer < k->until_us ? answer : k->until_us;
    listener_message ask = {.kind = LISTENER_ASK};
    kith_status status = look_up(&at, &l, k, site, error);
    if (status == KITH_OK)
        status = dial(k, site, at, until, error);
    tls_lookup_free(l);
    TRY(status);
    TRY(shake_hands(k, site, until, error));
    memcpy(ask.digest, k->options->digest, sizeof ask.digest);
    TRY(send_message(k, site, &ask, error));
    unsigned char bytes[LISTENER_MESSAGE_BYTES];
    size_t received = 0;
    listener_message m;
    while (received < sizeof bytes) {
        ERR_clear_error();
        int got =
            SSL_read(k->connections[site].ssl, bytes + received, (int)(sizeof bytes - received));
        if (got <= 0)
            TRY(retry(k, site, got, k->until_us, error));
        else
            received += (size_t)got;
    }
    if (listener_message_read(&m, bytes) && m.kind == LISTENER_GRANT)
        return KITH_OK;
    if (m.kind == LISTENER_REFUSE)
        return refused(k, site, &m, error);
    return error_set(error, KITH_PEER, "%s sent an invalid answer", k->options->sites[site].name);
}

kith_status tls_client_open(tls_client **out, tls_preamble *preamble, arena *memory,
                            const tls_client_options *options, kith_error *error)
{
    tls_client *k = TRY_ZEROS(k, memory, 1, error);
    tls_client_options *kept = TRY_ALLOC(arena_alloc(memory, sizeof *kept), error);
    *kept = *options;
    k->options = kept;
    k->until_us = party_now_us() + 1000 * (int64_t)options->wait_ms;
    k->connections = TRY_ZEROS(k->connections, memory, options->n_sites, error);
    for (uint32_t i = 0; i < options->n_sites; i++)
        k->connections[i].socket.descriptor = -1;
    TRY_ALLOC(arena_defer(memory, close_client, k), error);
    ERR_clear_error();
    k->context = tls_context_new(options->identity);
    if (k->context == NULL)
        return openssl_error(error, "set up TLS 1.3");
    k->preamble.kind = PREAMBLE_ASK;
    randombytes_buf(k->preamble.id, sizeof k->preamble.id);
    for (uint32_t i = 0; i < options->n_sites; i++)
        TRY(request_lock(k, i, error));
    *preamble = k->preamble;
    preamble->kind = PREAMBLE_JOIN;
    *out = k;
    return KITH_OK;
}

kith_status tls_client_start(tls_client *k, kith_error *error)
{
    for (uint32_t i = 0; i < k->options->n_sites; i++)
        TRY(send_message(k, i, &(listener_message){.kind = LISTENER_START}, error));
    return KITH_OK;
}

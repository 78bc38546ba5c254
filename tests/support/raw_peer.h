/* A peer made by hand, for tests: a TLS connection and handshake messages with any content, which
 * the real code would never send. Blocks; ten minutes without an answer count as the end. */
#ifndef SUPPORT_RAW_PEER_H
#define SUPPORT_RAW_PEER_H

#include <sodium.h>

#include "support/loopback.h"
#include "wire/tls/tls_internal.h"

enum { RAW_HELLO_BYTES = 76 }; /* without entries */

typedef struct raw_peer {
    int socket;
    SSL_CTX *context;
    SSL *ssl;
} raw_peer;

static inline int raw_connect(const char *address)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                             .sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1))};
    for (;;) {
        int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (s < 0)
            abort();
        if (connect(s, (struct sockaddr *)&at, sizeof at) == 0)
            return s;
        close(s); /* nobody listens there yet */
        usleep(5000);
    }
}

static inline bool raw_open(raw_peer *r, const char *address, const identity *id)
{
    struct timeval patience = {.tv_sec = 600};
    r->socket = raw_connect(address);
    setsockopt(r->socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    r->context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_use_certificate(r->context, id->certificate);
    SSL_CTX_use_PrivateKey(r->context, id->key);
    r->ssl = SSL_new(r->context);
    SSL_set_fd(r->ssl, r->socket);
    return SSL_connect(r->ssl) == 1;
}

/* As a process that is killed: without goodbye. */
static inline void raw_close(raw_peer *r)
{
    SSL_free(r->ssl);
    SSL_CTX_free(r->context);
    close(r->socket);
}

static inline bool raw_read_bytes(raw_peer *r, unsigned char *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        int got = SSL_read(r->ssl, bytes + done, (int)(length - done));
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

/* Reads the next handshake message, of at most 4 KB, that does not just say that the peer waits;
 * returns its kind, or 0 at the end. */
static inline int raw_read(raw_peer *r, unsigned char body[4096])
{
    unsigned char head[HELLO_HEADER_BYTES] = {0};
    do {
        if (!raw_read_bytes(r, head, sizeof head))
            return 0;
        const size_t length = (size_t)head[1] | (size_t)head[2] << 8;
        if (length > 4096 || !raw_read_bytes(r, body, length))
            return 0;
    } while (head[0] == HELLO_WAITING);
    return head[0];
}

/* `announced`: the length in the header. */
static inline bool raw_write(raw_peer *r, int kind, uint32_t announced, const void *body,
                             size_t length)
{
    unsigned char bytes[HELLO_HEADER_BYTES + 4096] = {
        (unsigned char)kind, (unsigned char)announced, (unsigned char)(announced >> 8),
        (unsigned char)(announced >> 16), (unsigned char)(announced >> 24)};
    memcpy(bytes + HELLO_HEADER_BYTES, body, length);
    int all = (int)(HELLO_HEADER_BYTES + length);
    return SSL_write(r->ssl, bytes, all) == all;
}

/* A hello without entries, which are only looked at if the digests differ. */
static inline void raw_hello(unsigned char body[RAW_HELLO_BYTES], const loopback *b, uint32_t self,
                             const unsigned char nonce[NONCE_BYTES])
{
    memset(body, 0, RAW_HELLO_BYTES);
    memcpy(body, "KITH", 4); /* NOLINT(bugprone-not-null-terminated-result): four bytes, no text */
    body[4] = TLS_PROTOCOL;
    body[6] = (unsigned char)b->site[0].options.count;
    body[7] = (unsigned char)self;
    memcpy(body + 8, nonce, NONCE_BYTES);
    memcpy(body + 8 + NONCE_BYTES, b->site[0].options.agreement.digest, 32);
}

/* The run id that follows from the nonces of `count` parties. */
static inline void raw_run_id(unsigned char run[RUN_BYTES], const loopback *b, uint32_t count,
                              const unsigned char (*nonces)[NONCE_BYTES])
{
    crypto_generichash_state h;
    unsigned char facts[3] = {TLS_PROTOCOL, 0, (unsigned char)count};
    crypto_generichash_init(&h, NULL, 0, RUN_BYTES);
    crypto_generichash_update(&h, (const unsigned char *)"kith run", 8);
    crypto_generichash_update(&h, facts, sizeof facts);
    crypto_generichash_update(&h, b->site[0].options.agreement.digest, 32);
    for (uint32_t i = 0; i < count; i++)
        crypto_generichash_update(&h, nonces[i], NONCE_BYTES);
    crypto_generichash_final(&h, run, RUN_BYTES);
}

#endif

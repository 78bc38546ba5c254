/* How TLS is used between parties. */
#ifndef WIRE_TLS_TLS_CONTEXT_H
#define WIRE_TLS_TLS_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include <openssl/ssl.h>

#include "wire/identity.h"

/* TLS 1.3 only, without tickets, resumption or early data: every connection is fresh, and its
 * exported keys are, too. Both ends show a certificate, and any is accepted during the handshake,
 * which proves that the peer has the key: the caller compares the certificate with the pins of the
 * study. NULL if OpenSSL fails. */
SSL_CTX *tls_context_new(const identity *id);

/* A socket as OpenSSL sees it. OpenSSL's own would raise SIGPIPE, which a library must not do; this
 * one does not, and it counts the bytes that go over the network. */
typedef struct tls_socket {
    int descriptor;
    uint64_t sent, received; /* bytes */
} tls_socket;

/* TLS on a connected socket, which must outlive it; this end connects or accepts. NULL if out of
 * memory. */
SSL *tls_socket_start(SSL_CTX *context, tls_socket *socket, bool connects);
/* Says goodbye and closes the socket. `ssl` may be NULL, and the socket not open. */
void tls_socket_close(tls_socket *socket, SSL *ssl);

#endif

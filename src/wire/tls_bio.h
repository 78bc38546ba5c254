/* A socket as OpenSSL sees it. OpenSSL's own would raise SIGPIPE, which a library must not do; this
 * one does not, and it counts the bytes that go over the network. */
#ifndef WIRE_TLS_BIO_H
#define WIRE_TLS_BIO_H

#include <stdint.h>

#include <openssl/bio.h>

typedef struct tls_socket {
    int descriptor;
    uint64_t sent, received; /* bytes */
} tls_socket;

/* Uses `socket`, which must outlive it, and does not close it. NULL if out of memory. */
BIO *tls_bio_new(tls_socket *socket);

#endif

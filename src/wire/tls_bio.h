/* A socket under TLS: never raises SIGPIPE, and counts what really goes over the wire. */
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

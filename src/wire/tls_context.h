/* How TLS is used between parties. */
#ifndef WIRE_TLS_CONTEXT_H
#define WIRE_TLS_CONTEXT_H

#include <openssl/ssl.h>

#include "wire/identity.h"

/* TLS 1.3 only, without tickets, resumption or early data: every connection is fresh, and its
 * exported keys are, too. Both ends show a certificate, and any is accepted during the handshake,
 * which proves that the peer has the key: the caller compares the certificate with the pins of the
 * study. NULL if OpenSSL fails. */
SSL_CTX *tls_context_new(const identity *id);

#endif

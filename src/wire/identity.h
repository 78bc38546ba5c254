/* A party's key and self-signed certificate, in one PEM file that only its owner can read.
 *
 * There is no certificate authority: the study contains a pin, the hash of each party's
 * certificate, and the parties exchange pins over a channel that they trust. */
#ifndef WIRE_IDENTITY_H
#define WIRE_IDENTITY_H

#include <stdbool.h>
#include <time.h>

#include <openssl/x509.h>

#include <kith/status.h>

#include "core/arena.h"
#include "core/fingerprint.h"

enum { IDENTITY_PIN = FINGERPRINT_BYTES };

typedef struct identity {
    EVP_PKEY *key;
    X509 *certificate;
    unsigned char pin[IDENTITY_PIN]; /* SHA-256 of the DER certificate */
} identity;

/* Makes an Ed25519 key and a certificate for `name` and writes them with mode 0600. An existing
 * file is refused unless `overwrite`. */
kith_status identity_create(const char *path, const char *name, time_t not_before, time_t not_after,
                            bool overwrite, kith_error *error) KITH_MUST_USE;
/* Reads such a file; refuses one that others can read. Freed with the arena. */
kith_status identity_load(identity **id, arena *memory, const char *path,
                          kith_error *error) KITH_MUST_USE;

/* SHA-256 of the DER form; false if OpenSSL fails. */
bool identity_pin(const X509 *certificate, unsigned char pin[IDENTITY_PIN]);
/* "sha256:" and 64 hexadecimal digits; fingerprint_parse reads it. */
void identity_format_pin(char text[72], const unsigned char pin[IDENTITY_PIN]);

/* NULL if the certificate is valid now; otherwise "expired on 2026-01-31" or "is valid only from
 * …", in `text`. */
const char *identity_stale(const X509 *certificate, char *text, size_t size);
/* "2026-01-31" of the first and last day. */
void identity_days(const X509 *certificate, char first[32], char last[32]);
/* The name in the certificate, printable and cut to fit. */
void identity_name(const X509 *certificate, char *text, size_t size);

#endif

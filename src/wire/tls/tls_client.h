/* The client of tls_listener.h: asks one party after the other for its lock. */
#ifndef WIRE_TLS_TLS_CLIENT_H
#define WIRE_TLS_TLS_CLIENT_H

#include "wire/tls/tls_listener.h"

typedef struct tls_client_options {
    const identity *identity;
    uint32_t n_sites;
    const tls_peer *sites;    /* in the order of the study */
    unsigned char digest[32]; /* of the study */
    unsigned wait_ms;         /* for all locks together */
    /* As in tls_options. */
    bool (*waiting)(void *user, const char *for_whom);
    void *user;
} tls_client_options;

typedef struct tls_client tls_client;

/* Returns once this client has the locks of all sites. KITH_PEER names a site that does not answer
 * or refuses. The connections close with the arena; until then the client keeps the locks.
 * `preamble` receives that of the session. */
kith_status tls_client_open(tls_client **k, tls_preamble *preamble, arena *memory,
                            const tls_client_options *options, kith_error *error) KITH_MUST_USE;
/* Tells all sites to begin with the session. */
kith_status tls_client_start(tls_client *k, kith_error *error) KITH_MUST_USE;

#endif

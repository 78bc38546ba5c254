/* The other end of tls_front.h: asks one party after the other for a turn. */
#ifndef WIRE_TLS_TLS_KNOCK_H
#define WIRE_TLS_TLS_KNOCK_H

#include "wire/tls/tls_front.h"

typedef struct tls_knock_options {
    const identity *identity;
    uint32_t n_sites;
    const tls_peer *sites;    /* in the order of the study */
    unsigned char digest[32]; /* of the study */
    unsigned wait_ms;         /* for all turns together */
    /* As in tls_options. */
    bool (*waiting)(void *user, const char *for_whom);
    void *user;
} tls_knock_options;

typedef struct tls_knock tls_knock;

/* Returns once all sites have given their turn. KITH_PEER names a site that does not answer or
 * refuses. The connections close with the arena; until then the turns are this asker's. `ticket`
 * receives that of the session. */
kith_status tls_knock_open(tls_knock **k, tls_ticket *ticket, arena *memory,
                           const tls_knock_options *options, kith_error *error) KITH_MUST_USE;
/* Tells all sites to begin with the session. */
kith_status tls_knock_go(tls_knock *k, kith_error *error) KITH_MUST_USE;

#endif

/* Sessions between processes: TLS 1.3 over TCP, a full mesh.
 *
 * The certificate of every peer must be the one that the study pins. Of two parties the one that
 * stands later in the study connects to the other, again and again until it is there: parties may
 * start in any order. Then all pairs compare versions and studies and confirm the run id, a hash of
 * every party's nonce. A connection that is lost ends the run. */
#ifndef WIRE_TLS_SESSION_H
#define WIRE_TLS_SESSION_H

#include "wire/agreement.h"
#include "wire/test_hooks.h"
#include "wire/identity.h"
#include "wire/ledger.h"
#include "wire/party.h"

enum { TLS_PROTOCOL = 1 };

typedef struct tls_peer {
    const char *name;
    const char *address; /* host:port, [v6]:port */
    unsigned char pin[IDENTITY_PIN];
} tls_peer;

typedef struct tls_options {
    uint32_t count, self;
    const tls_peer *peers; /* [count], this party included */
    const identity *identity;
    const char *listen; /* where to listen instead of this party's address; NULL: there */
    agreement agreement;
    unsigned wait_ms;     /* for all peers to appear; 0: 600,000 */
    unsigned deadline_ms; /* of every receive; 0: 30,000 */
    unsigned delay_ms;
    bool compress;
    unsigned version; /* for tests; 0: TLS_PROTOCOL */
    fault_hook fault;
    record_hook record;
    /* Called now and then while peers are missing (their names), or do not send (NULL); false: give
     * up (KITH_CANCELLED). May be NULL. */
    bool (*waiting)(void *user, const char *for_whom);
    void *user;
} tls_options;

/* Connects to all others. The party lives in `memory`, and so do its connections; end the run with
 * party_end (party_inside.h), then free the arena. */
kith_status tls_session_open(party **p, arena *memory, const tls_options *options,
                             kith_error *error) KITH_MUST_USE;

/* Says goodbye, as party_end. */
kith_status tls_session_end(party *p, kith_status status, kith_error *error) KITH_MUST_USE;

/* The run id. */
const unsigned char *tls_session_run(const party *p);

#endif

/* Sessions between processes: TLS 1.3 over TCP, a full mesh.
 *
 * The certificate of every peer must be the one that the study pins. Of two parties, the one that
 * stands later in the study connects to the other and retries until it answers, so that parties may
 * start in any order. Then all pairs compare versions and studies and confirm the run id, a hash of
 * every party's nonce: it is new in every run as long as one party is honest. There is no
 * reconnecting: a lost connection ends the run, since masks must not be used twice. */
#ifndef WIRE_TLS_TLS_SESSION_H
#define WIRE_TLS_TLS_SESSION_H

#include "wire/agreement.h"
#include "wire/test_hooks.h"
#include "wire/identity.h"
#include "wire/ledger.h"
#include "wire/party.h"

enum { TLS_PROTOCOL = 2 };

/* What a connection to a listener of many sessions is for: PREAMBLE_ASK, or PREAMBLE_JOIN, and the
 * session's id. It is not secret, and nothing follows from it: the sessions check certificates, and
 * compare the id as well. */
enum { SESSION_ID_BYTES = 32, PREAMBLE_BYTES = 8 + SESSION_ID_BYTES };
enum { PREAMBLE_ASK = 'A', PREAMBLE_JOIN = 'J' };

typedef struct tls_preamble {
    char kind;
    unsigned char id[SESSION_ID_BYTES];
} tls_preamble;

void tls_preamble_write(unsigned char bytes[PREAMBLE_BYTES], const tls_preamble *preamble);
bool tls_preamble_read(tls_preamble *preamble, const unsigned char bytes[PREAMBLE_BYTES]);
/* Sends it on a new connection, which has room for so few bytes. Returns 0 or an errno. */
int tls_preamble_send(int descriptor, const tls_preamble *preamble);

typedef struct tls_peer {
    const char *name;
    const char *address; /* host:port, [v6]:port; NULL: the last party, to which none connects */
    unsigned char pin[IDENTITY_PIN];
} tls_peer;

typedef struct tls_options {
    uint32_t count, self;
    const tls_peer *peers; /* [count], this party included */
    const identity *identity;
    const char *listen; /* where to listen; NULL: at this party's address */
    /* A party that has a listener of its own (tls_listener.h): connections come as descriptors
     * through this pipe. */
    const int *handed;
    /* Sent at the beginning of every connection that this party opens, before TLS: says which
     * session it is for. NULL: nothing. */
    const tls_preamble *preamble;
    agreement agreement;
    unsigned wait_ms;     /* for all peers to appear; 0: 600,000 */
    unsigned deadline_ms; /* of every receive; 0: 30,000 */
    unsigned limit_ms;    /* of the whole run, once all are connected; 0: a day */
    unsigned delay_ms;    /* holds back every frame, for simulations */
    bool compress;
    unsigned version; /* for tests; 0: TLS_PROTOCOL */
    fault_hook fault;
    record_hook record;
    /* Called several times per second while this party waits: with the names of the peers that are
     * not connected yet, "b, c", and what the last attempt to connect met, if that is known, ": b
     * at host:7001: Connection refused"; later with NULL. False: stop (KITH_CANCELLED). May be
     * NULL. */
    bool (*waiting)(void *user, const char *for_whom);
    void *user;
} tls_options;

/* Connects to all others. The party and its connections live in `memory`: end the run with
 * tls_session_end, then free the arena. */
kith_status tls_session_open(party **p, arena *memory, const tls_options *options,
                             kith_error *error) KITH_MUST_USE;

/* Tells all others that are waiting that this party will not come, because a run before forbids it
 * to take part: they stop waiting for it. It connects as tls_session_open does, for some seconds at
 * most, in which every party that waits has dialled or can be dialled. What fails is not reported:
 * this party has an error of its own. */
void tls_session_decline(arena *memory, const tls_options *options);

/* Ends the session with the status of the protocol; returns that of the run (see party_end). */
kith_status tls_session_end(party *p, kith_status status, kith_error *error) KITH_MUST_USE;

#endif

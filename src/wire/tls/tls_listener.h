/* A listener of many sessions, one after the other: how a long-lived party answers queries.
 *
 * The listener has one lock, which is held by one client at a time. A client connects to one party
 * after the other, in the order of the study, and waits for the lock of each (tls_client.h); since
 * all clients take the locks in the same order, no two wait for each other. Once a client has all
 * locks, it says so, and all parties and the client open a session (tls_session.h) under the id
 * that the client has chosen. The connections of the session come to the same listener, are told
 * by their preamble, and are handed to the session.
 *
 * Messages between a client and a listener, inside TLS, all of LISTENER_MESSAGE_BYTES: kind
 * (1 byte), code (1), zeros (6), value (8), digest of the study (32).
 *
 *     ASK     client     the digest; wants the lock
 *     GRANT   listener   the client has the lock
 *     START   client     has the locks of all parties: the session begins
 *     REFUSE  listener   a code of listener_refusal, and until when
 *
 * Anyone can connect and say nothing, or a thousand times at once: connections whose
 * certificate is not known have few places, and lose them while they have not sent their preamble.
 * A client has few places, too. Of the clients that wait, the one that had the lock longest ago is
 * next. */
#ifndef WIRE_TLS_TLS_LISTENER_H
#define WIRE_TLS_TLS_LISTENER_H

#include "wire/tls/tls_session.h"

enum { LISTENER_MESSAGE_BYTES = 48, LISTENER_PER_CLIENT = 4 };
enum { LISTENER_ASK = 'A', LISTENER_GRANT = 'T', LISTENER_START = 'G', LISTENER_REFUSE = 'R' };

/* Why a client is refused. Peers read it: do not renumber. */
typedef enum listener_refusal {
    LISTENER_WELCOME,
    LISTENER_UNKNOWN, /* certificate */
    LISTENER_STALE,   /* certificate */
    LISTENER_STUDY,   /* another study */
    LISTENER_BUSY,    /* the client has as many queries waiting as it may */
    LISTENER_LIMIT,   /* of its queries per day; the value says when the next is allowed */
    LISTENER_LATE,    /* had the lock, and did not start */
    LISTENER_CLOSING  /* the party ends */
} listener_refusal;

typedef struct listener_message {
    unsigned char kind, code;
    int64_t value; /* seconds since 1970 */
    unsigned char digest[32];
} listener_message;

void listener_message_write(unsigned char bytes[LISTENER_MESSAGE_BYTES], const listener_message *m);
bool listener_message_read(listener_message *m, const unsigned char bytes[LISTENER_MESSAGE_BYTES]);

typedef struct tls_listener_options {
    const char *address; /* where to listen */
    const identity *identity;
    uint32_t n_clients;
    const tls_peer *clients;  /* names and pins */
    unsigned char digest[32]; /* of the study */
    unsigned timeout_ms;      /* for a client that has the lock to start */
    /* May it ask now? With LISTENER_LIMIT, *until says when. */
    listener_refusal (*may_ask)(void *user, uint32_t client, int64_t *until);
    void *user;
} tls_listener_options;

typedef struct tls_listener tls_listener;

/* A client that has the locks of all parties. */
typedef struct tls_grant {
    uint32_t client;
    tls_preamble preamble; /* of the session: PREAMBLE_JOIN */
    int handed;            /* for tls_options.handed, until tls_listener_release */
} tls_grant;

/* Listens. Freed with the arena. */
kith_status tls_listener_open(tls_listener **f, arena *memory, const tls_listener_options *options,
                              kith_error *error) KITH_MUST_USE;
/* Serves clients for at most wait_ms, or until `wake` (a descriptor) can be read. True: a
 * session is to begin; there is at most one at a time. */
bool tls_listener_serve(tls_listener *f, int wait_ms, int wake, tls_grant *grant);
/* Has the client of the present session closed its connection? */
bool tls_listener_client_left(const tls_listener *f);
/* The session is over: the next client gets the lock. */
void tls_listener_release(tls_listener *f);
/* Tells all clients that wait that the listener ends. */
void tls_listener_close(tls_listener *f);

#endif

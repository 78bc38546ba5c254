/* A listener of many sessions, one after the other: how a long-lived party answers those who ask.
 *
 * Whoever asks connects to one party after the other, in the order of the study, and waits for its
 * turn at each (tls_knock.h). A party gives its turn to one asker at a time; since all take turns
 * in the same order, no two askers wait for each other. Once an asker has its turn everywhere, it
 * says so, and all parties and the asker open a session (tls_session.h) under the id that the asker
 * has chosen. Their connections come to the same listener with a ticket and are handed to the
 * session.
 *
 * Messages between an asker and a listener, inside TLS, all of KNOCK_BYTES: kind (1 byte), code
 * (1), zeros (6), value (8), digest of the study (32).
 *
 *     ASK     asker      the digest; wants a turn
 *     TURN    listener   it is the asker's turn
 *     GO      asker      has its turn everywhere: the session begins
 *     REFUSE  listener   a code of knock_refusal, and until when
 *
 * Anyone can connect and say nothing, or a thousand times at once: places for those whose
 * certificate is not known are few, and are taken from those that have not sent their ticket. An
 * asker has few places, too. Of those who wait, the one whose last turn is longest ago is next. */
#ifndef WIRE_TLS_TLS_FRONT_H
#define WIRE_TLS_TLS_FRONT_H

#include "wire/tls/tls_session.h"

enum { KNOCK_BYTES = 48, KNOCK_PER_ASKER = 4 };
enum { KNOCK_ASK = 'A', KNOCK_TURN = 'T', KNOCK_GO = 'G', KNOCK_REFUSE = 'R' };

/* Why an asker is sent away. Peers read it: do not renumber. */
typedef enum knock_refusal {
    KNOCK_WELCOME,
    KNOCK_UNKNOWN, /* certificate */
    KNOCK_STALE,   /* certificate */
    KNOCK_STUDY,   /* another study */
    KNOCK_BUSY,    /* as many queries of this asker wait as may */
    KNOCK_LIMIT,   /* of its queries per day; the value says when the next is allowed */
    KNOCK_LATE,    /* had its turn, and did not begin */
    KNOCK_CLOSING  /* the party ends */
} knock_refusal;

typedef struct knock_message {
    unsigned char kind, code;
    int64_t value; /* seconds since 1970 */
    unsigned char digest[32];
} knock_message;

void knock_message_write(unsigned char bytes[KNOCK_BYTES], const knock_message *m);
bool knock_message_read(knock_message *m, const unsigned char bytes[KNOCK_BYTES]);

typedef struct tls_front_options {
    const char *address; /* where to listen */
    const identity *identity;
    uint32_t n_askers;
    const tls_peer *askers;   /* names and pins */
    unsigned char digest[32]; /* of the study */
    unsigned timeout_ms;      /* for an asker that has its turn to begin */
    /* May it ask now? With KNOCK_LIMIT, *until says when. */
    knock_refusal (*may_ask)(void *user, uint32_t asker, int64_t *until);
    void *user;
} tls_front_options;

typedef struct tls_front tls_front;

/* An asker that has its turn everywhere. */
typedef struct tls_turn {
    uint32_t asker;
    tls_ticket ticket; /* of the session: TICKET_JOIN */
    int handed;        /* for tls_options.handed, until tls_front_end_turn */
} tls_turn;

/* Listens. Freed with the arena. */
kith_status tls_front_open(tls_front **f, arena *memory, const tls_front_options *options,
                           kith_error *error) KITH_MUST_USE;
/* Serves those who knock, for at most wait_ms, or until `wake` (a descriptor) can be read. True: a
 * session is to begin; there is at most one at a time. */
bool tls_front_serve(tls_front *f, int wait_ms, int wake, tls_turn *turn);
/* Has the asker of the present session closed its connection? */
bool tls_front_asker_left(const tls_front *f);
/* The session is over: the next one has its turn. */
void tls_front_end_turn(tls_front *f);
/* Tells all who wait that there will be no more turns. */
void tls_front_close(tls_front *f);

#endif

/* What the files of the listener share: connections (tls_front_visit.c), turns and places
 * (tls_front.c). */
#ifndef WIRE_TLS_TLS_FRONT_INTERNAL_H
#define WIRE_TLS_TLS_FRONT_INTERNAL_H

#include <poll.h>

#include <openssl/ssl.h>

#include "wire/tls/tls_front.h"
#include "wire/tls/tls_internal.h"

enum { VISIT_UNKNOWN_US = 10000000 }; /* time to show a certificate and to ask */

typedef enum visit_stage {
    VISIT_NONE,
    VISIT_TICKET,    /* its ticket is awaited */
    VISIT_HANDSHAKE, /* TLS */
    VISIT_LEAVING,   /* a refusal is being sent */
    VISIT_KNOWN,     /* its ASK is awaited; from here on it has an asker */
    VISIT_WAITING,   /* for its turn */
    VISIT_TURN,      /* its GO is awaited */
    VISIT_SESSION    /* its session runs */
} visit_stage;

typedef struct visit {
    visit_stage stage;
    tls_socket socket; /* descriptor -1: none */
    SSL *ssl;
    bool wants_write;
    uint32_t asker;
    tls_ticket ticket;
    int64_t since_us, limit_us; /* limit 0: none */
    unsigned char in[KNOCK_BYTES], out[KNOCK_BYTES];
    size_t in_got, out_left;
} visit;

struct tls_front {
    const tls_front_options *options;
    SSL_CTX *context;
    int listener;
    uint32_t n_places;
    visit *places;         /* [n_places] */
    struct pollfd *polled; /* [n_places + 2] */
    uint64_t *served;      /* [n_askers] number of the last turn of each */
    uint64_t n_turns;
    bool busy;          /* somebody has its turn */
    bool running;       /* and its session has begun */
    bool begins;        /* its GO has come, and the caller does not know yet */
    uint32_t turn;      /* its place, unless it has left */
    tls_ticket session; /* its ticket */
    uint32_t turn_asker;
    int handed[2]; /* pipe of the turn */
};

void visit_close(visit *v);
/* A visitor that has its turn and leaves before its session gives the turn back. */
void visit_drop(tls_front *f, visit *v);
/* A visitor that has not taken the message before this one is dropped. */
void visit_tell(tls_front *f, visit *v, const knock_message *m);
void visit_refuse(tls_front *f, visit *v, knock_refusal why, int64_t until);
/* The socket is ready. */
void visit_advance(tls_front *f, visit *v);

/* Closes the pipe of the turn, and what nobody took from it. */
void tls_front_close_pipe(tls_front *f);

#endif

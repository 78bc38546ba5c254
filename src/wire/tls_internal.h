/* What the files of the TLS transport share. */
#ifndef WIRE_TLS_INTERNAL_H
#define WIRE_TLS_INTERNAL_H

#include <stdbool.h>

#include <openssl/ssl.h>

#include "wire/party_internal.h"
#include "wire/tls_bio.h"
#include "wire/tls_session.h"

/* Before frames flow, a connection carries letters: a kind, a length (4 bytes), a body. */
enum { HELLO_HEADER_BYTES = 5, HELLO_MAX_BYTES = 4 << 20, NONCE_BYTES = 32, RUN_BYTES = 32 };
enum { HELLO_GREETING = 'H', HELLO_CONFIRM = 'C', HELLO_REFUSE = 'R' };

/* Why a session ends before it begins; the byte of a refusal. */
typedef enum refusal {
    REFUSE_OTHER,
    REFUSE_UNKNOWN, /* certificate */
    REFUSE_STALE,   /* certificate */
    REFUSE_TWICE,   /* this peer is connected already */
    REFUSE_VERSION,
    REFUSE_STUDY,
    REFUSE_RUN,
    REFUSE_MISSING /* somebody did not come */
} refusal;

typedef enum link_stage {
    LINK_NONE,      /* no socket; outgoing ones are dialled at retry_us */
    LINK_DIALING,   /* TCP */
    LINK_HANDSHAKE, /* TLS */
    LINK_HELLO,     /* letters */
    LINK_CLOSING    /* a refusal is on its way to a stranger */
} link_stage;

typedef struct tls_link {
    tls_socket socket; /* descriptor -1: none */
    SSL *ssl;
    link_stage stage;
    bool outgoing;
    bool wants_write;   /* what OpenSSL waits for, besides reading */
    uint32_t peer;      /* PARTY_NOBODY: not known yet */
    char where[128];    /* address of the other end, for messages */
    int64_t retry_us;   /* when to dial again */
    int64_t pause_us;   /* how long the last pause was */
    int64_t limit_us;   /* strangers must have shown a certificate by then */
    unsigned char *out; /* letters to send */
    size_t out_length, out_sent;
    unsigned char head[FRAME_HEADER]; /* of the letter or frame that comes in */
    size_t head_got;
    unsigned char *body; /* of the letter */
    size_t body_length, body_got;
    frame_buffer *incoming; /* the frame */
    bool greeted, confirmed;
    bool told;    /* it knows that there will be no session: needs no more letters */
    bool reached; /* somebody answered at its address once */
    unsigned char nonce[NONCE_BYTES], run[RUN_BYTES]; /* as the peer says */
} tls_link;

enum { MAX_PENDING = 32 };

typedef struct tls_mesh {
    const tls_options *options;
    arena *memory;
    party *party;
    SSL_CTX *context;
    int listener;    /* -1: none */
    tls_link *links; /* [count], by peer */
    tls_link pending[MAX_PENDING];
    unsigned char nonce[NONCE_BYTES];
    bool introduced;    /* all have greeted: the run id is known, and sent */
    int64_t confirm_us; /* until when they must have confirmed it */
    kith_error error;
    refusal code; /* of the error */
    uint32_t blamed;
    char note[400]; /* the last remarkable failure of a connection, for time-outs */
} tls_mesh;

/* Sets the first error of the session; later ones are ignored. Returns false. */
bool tls_session_fail(tls_mesh *m, kith_status status, refusal code, uint32_t blamed,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));
void tls_session_note(tls_mesh *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* tls_dial.c: sockets. */
bool tls_dial_listen(tls_mesh *m);                           /* false after tls_session_fail */
void tls_dial_start(tls_mesh *m, tls_link *l, int64_t now);  /* begins to connect */
void tls_dial_finish(tls_mesh *m, tls_link *l, int64_t now); /* the socket became writable */
void tls_dial_retry(tls_mesh *m, tls_link *l,
                    const char *why); /* drops the socket, tries again later */
int64_t tls_dial_handshake_timeout_us(
    const tls_mesh *m);                         /* with somebody who is there but does not go on */
void tls_dial_accept(tls_mesh *m, int64_t now); /* takes a stranger in */
void tls_dial_start_tls(tls_mesh *m, tls_link *l); /* TLS on a connected socket */

/* tls_letters.c: what is said before frames flow. */
void tls_hello_send(tls_mesh *m, tls_link *l);
void tls_hello_send_confirm(tls_mesh *m, tls_link *l);
void tls_hello_send_refusal(tls_mesh *m, tls_link *l, refusal code, uint32_t blamed);
bool tls_hello_begin(tls_mesh *m,
                     tls_link *l); /* its head has come: makes room; false after tls_session_fail */
void tls_hello_receive(tls_mesh *m, tls_link *l); /* a whole letter has come */

/* tls_meet.c: from a connected socket to a confirmed run. */
void tls_handshake_advance(tls_mesh *m, tls_link *l, int64_t now); /* the socket is ready */
void tls_handshake_peer_left(tls_mesh *m,
                             tls_link *l); /* a peer that was there has left: no session any more */

/* tls_link.c: moving bytes. Results of link_io: bytes moved, 0 would block, -1 ended. */
void tls_link_reset(tls_link *l); /* closes; keeps what describes the peer */
int tls_link_read(tls_link *l, void *bytes, size_t length);
int tls_link_write(tls_link *l, const void *bytes, size_t length);
bool tls_link_flush(tls_link *l); /* sends letters; false if the connection ended */
const char *tls_link_end_reason(const tls_link *l); /* why, in a few words */
extern const transport tls_transport;               /* party->link is the mesh */

#endif

/* What the files of the TLS transport share.
 *
 * A connection passes through the stages of link_stage. Of every pair, the party that stands later
 * in the study dials. A connection that was accepted is `pending` until its certificate shows which
 * peer it is; then it becomes the link of that peer. All links are non-blocking and advance
 * together in one loop (connect_all in tls_session.c), so that a slow peer delays no other. */
#ifndef WIRE_TLS_TLS_INTERNAL_H
#define WIRE_TLS_TLS_INTERNAL_H

#include <stdbool.h>

#include <openssl/ssl.h>

#include "wire/party_internal.h"
#include "wire/tls/tls_context.h"
#include "wire/tls/tls_lookup.h"
#include "wire/tls/tls_session.h"

enum { TLS_HOST_BYTES = 16 }; /* of an address without its port */

/* A handshake message has a kind (1 byte), a length (4 bytes) and a body. */
enum { HELLO_HEADER_BYTES = 5, HELLO_MAX_BYTES = 4 << 20, NONCE_BYTES = 32, RUN_BYTES = 32 };
enum { HELLO_GREETING = 'H', HELLO_WAITING = 'W', HELLO_CONFIRM = 'C', HELLO_REFUSE = 'R' };

/* Why a session cannot begin; the code byte of a refusal. Peers read it: do not renumber. */
typedef enum refusal {
    REFUSE_OTHER,
    REFUSE_UNKNOWN, /* certificate */
    REFUSE_STALE,   /* certificate */
    REFUSE_TWICE,   /* this peer is connected already */
    REFUSE_VERSION,
    REFUSE_STUDY,
    REFUSE_RUN,
    REFUSE_MISSING, /* a party did not connect or answer in time */
    REFUSE_LOST,    /* a party has left, or its connection broke */
    REFUSE_AGAIN    /* a party will not come: an earlier run of its forbids it */
} refusal;

typedef enum link_stage {
    LINK_NONE,      /* no socket; outgoing links are dialled at retry_us */
    LINK_DIALING,   /* TCP is connecting */
    LINK_HANDSHAKE, /* TLS handshake */
    LINK_HELLO,     /* the peer is known: handshake messages, then frames */
    LINK_CLOSING    /* a refusal is being sent to an unknown peer */
} link_stage;

/* Invariants (tls_link_check): an open link has a socket; from LINK_HANDSHAKE on it has an SSL
 * object, from LINK_HELLO on a peer. What is sent or received never exceeds its buffer. A peer
 * confirms a run only after its hello. */
typedef struct tls_link {
    tls_socket socket; /* descriptor -1: none */
    SSL *ssl;
    link_stage stage;
    bool outgoing;
    bool wants_write;                   /* OpenSSL waits until the socket is writable */
    uint32_t peer;                      /* PARTY_NOBODY: not known yet */
    char where[128];                    /* address of the other end, for messages */
    int64_t retry_us;                   /* when to dial again */
    int64_t pause_us;                   /* length of the last pause between attempts */
    int64_t limit_us;                   /* time-out of the present stage */
    int64_t since_us;                   /* pending: when it was accepted */
    bool awaited;                       /* pending: it comes from an address of the study */
    unsigned char host[TLS_HOST_BYTES]; /* pending: whence it comes */
    unsigned char *out;                 /* handshake messages to send */
    size_t out_length, out_sent;
    unsigned char head[FRAME_HEADER]; /* of the message or frame being received */
    size_t head_got;
    unsigned char *body; /* of the handshake message */
    size_t body_length, body_got;
    frame_buffer *incoming; /* the frame being received */
    bool has_hello;         /* its hello has come */
    uint32_t waits_for;     /* whose hello it misses, as it said at told_us */
    int64_t told_us;        /* 0: it has not said so */
    bool confirmed;         /* it has confirmed a run, `run` */
    bool runs;              /* it has begun with the run: a frame has come */
    bool informed;          /* it knows that there will be no session */
    bool reached;           /* its address has accepted a connection before */
    const char *unwritable; /* why nothing can be sent any more; NULL: it can */
    const char *ended;      /* why nothing more can come; NULL: it can */
    unsigned char nonce[NONCE_BYTES], run[RUN_BYTES]; /* from the peer */
} tls_link;

#if KITH_DEBUG
void tls_link_check(const tls_link *l);
#endif

enum { MAX_PENDING = 32 }; /* connections whose peer is not known yet */

typedef struct tls_mesh {
    const tls_options *options;
    arena *memory;
    party *party;
    SSL_CTX *context;
    int listener;    /* -1: none */
    tls_link *links; /* [count], by peer */
    tls_link pending[MAX_PENDING];
    tls_lookup **lookups;  /* [count], by peer: of those to be dialled next, and of those that will
                            * connect to this party; or NULL */
    int64_t rest_until_us; /* the listener is not polled before */
    unsigned char nonce[NONCE_BYTES];
    bool run_known;     /* all hellos have come: the run id is derived and sent */
    int64_t confirm_us; /* by when all must have confirmed it */
    int64_t tell_us;    /* when to tell the others for whom this party waits; 0: not set */
    bool declines;      /* this party only tells the others that it will not come */
    kith_error error;
    refusal code; /* of the error */
    uint32_t blamed;
    char note[400]; /* the last failed connection, as a detail for the message of a time-out */
    uint32_t noted; /* the peer that it was about; PARTY_NOBODY: a stranger */
} tls_mesh;

/* Sets the first error of the session; later ones are ignored. Returns false. */
bool tls_session_fail(tls_mesh *m, kith_status status, refusal code, uint32_t blamed,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The same after a call of OpenSSL, with openssl_error. */
bool tls_session_fail_openssl(tls_mesh *m, const char *what);
/* Remembers a failed connection with a peer, or with a stranger; it alone does not end the session.
 */
void tls_session_note(tls_mesh *m, uint32_t peer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* tls_dial.c: sockets. */
enum { TLS_LOOKUP_TURN_US = 20000 }; /* how often a party looks whether an address was found */
bool tls_dial_listen(tls_mesh *m);   /* false after tls_session_fail */
void tls_dial_close_listener(tls_mesh *m);
/* Listens at an address that was looked up; -1 and errno if that fails. */
int tls_dial_bind(const struct addrinfo *at);
void tls_dial_set_options(int descriptor, int64_t deadline_us);
/* Begins to connect; tls_dial_finish is called when the socket becomes writable. The address is
 * looked up first: until that is done, call it again. */
void tls_dial_start(tls_mesh *m, tls_link *l, int64_t now);
void tls_dial_finish(tls_mesh *m, tls_link *l);
/* Closes the socket and schedules another attempt. */
void tls_dial_retry(tls_mesh *m, tls_link *l, const char *why);
/* How long a connected peer may take for its next handshake message. */
int64_t tls_dial_handshake_timeout_us(const tls_mesh *m);
/* Accepts a connection, as a pending link. */
void tls_dial_accept(tls_mesh *m, int64_t now);
/* Starts TLS on a connected socket. */
void tls_dial_start_tls(tls_mesh *m, tls_link *l);

/* tls_places.c: places for accepted connections. */
/* True if no connection could get a place now, or the listener rests. */
bool tls_places_is_full(tls_mesh *m, int64_t now);
/* A place for a connection from this address; another one may be dropped for it. NULL: none. */
tls_link *tls_places_take(tls_mesh *m, const struct sockaddr *from, int64_t now);
void tls_places_set_host(unsigned char host[TLS_HOST_BYTES], const struct sockaddr *from);

/* tls_hello.c: handshake messages. */
void tls_hello_send(tls_mesh *m, tls_link *l);
/* Tells a peer whose hello has come that another one's has not. */
void tls_hello_send_waiting(tls_mesh *m, tls_link *l, uint32_t missing);
void tls_hello_send_confirm(tls_mesh *m, tls_link *l);
void tls_hello_send_refusal(tls_mesh *m, tls_link *l, refusal code, uint32_t blamed);
/* Tells a peer that has the confirmation, and may be in the run already, that there is no run. */
void tls_hello_send_abort(tls_mesh *m, tls_link *l);
/* A header has come: makes room for the body. False after tls_session_fail. */
bool tls_hello_begin(tls_mesh *m, tls_link *l);
/* A whole message has come. */
void tls_hello_receive(tls_mesh *m, tls_link *l);

/* tls_waiting.c: for hellos and confirmations. */
/* How long peers may take to confirm the run. */
int64_t tls_waiting_confirm_timeout_us(const tls_mesh *m);
/* The names of the peers whose hello has not come, "b, c"; if all have, of those that have not
 * confirmed the run. Returns `text`. */
const char *tls_waiting_list(const tls_mesh *m, char *text, size_t size);
/* The same, and behind a colon what the last attempt to connect met, if it was about one of them.
 */
const char *tls_waiting_why(const tls_mesh *m, char *text, size_t size);
/* Now and then tells connected peers that this party misses a hello. */
void tls_waiting_tell(tls_mesh *m, int64_t now);
/* A peer says that it misses a hello. */
void tls_waiting_hear(const tls_mesh *m, tls_link *l, uint32_t missing);
/* Fails if a connected peer stops in the middle of the handshake. A peer that has not connected yet
 * may take longer, until `wait_ms`; one that waits for another gets a little more time. */
void tls_waiting_check(tls_mesh *m, int64_t now);
/* Fails after `wait_ms`. The note tells users what the last attempt to connect met, unless it was
 * about a peer that has come since then. Returns false. */
bool tls_waiting_fail(tls_mesh *m, unsigned wait_ms);

/* tls_handshake.c: from a connected socket to a confirmed run. */
/* The socket is ready. */
void tls_handshake_advance(tls_mesh *m, tls_link *l);
/* A connected peer has left: ends the session. */
void tls_handshake_peer_left(tls_mesh *m, tls_link *l);

/* tls_link.c: moving bytes. */
enum { TLS_FRAMES_AT_ONCE = 64 }; /* that are read from one peer before others are looked at */
/* Closes the connection and keeps what describes the peer. */
void tls_link_reset(tls_link *l);
/* Both return the number of bytes moved, 0 if the call would block, -1 if the connection ended. */
int tls_link_read(tls_link *l, void *bytes, size_t length);
int tls_link_write(tls_link *l, const void *bytes, size_t length);
/* Sends queued handshake messages; false if the connection ended. */
bool tls_link_flush(tls_link *l);
/* Why the connection ended, in a few words. */
const char *tls_link_end_reason(const tls_link *l);
/* After an ABORT or a refusal: waits until all peers have it, as far as their kernels are
 * concerned.
 */
void tls_link_settle(const tls_mesh *m);
extern const transport tls_transport; /* party->link is the mesh */

#endif

/* What the files of the listener share: connections (tls_listener_connection.c), the lock and
 * places (tls_listener.c). */
#ifndef WIRE_TLS_TLS_LISTENER_INTERNAL_H
#define WIRE_TLS_TLS_LISTENER_INTERNAL_H

#include <poll.h>

#include <openssl/ssl.h>

#include "wire/tls/tls_listener.h"
#include "wire/tls/tls_internal.h"

enum { CONNECTION_UNKNOWN_US = 10000000 }; /* time to show a certificate and to ask */

typedef enum connection_stage {
    CONNECTION_NONE,
    CONNECTION_PREAMBLE,  /* its preamble is awaited */
    CONNECTION_HANDSHAKE, /* TLS */
    CONNECTION_LEAVING,   /* a refusal is being sent */
    CONNECTION_KNOWN,     /* its ASK is awaited; from here on it has a client */
    CONNECTION_WAITING,   /* for the lock */
    CONNECTION_GRANTED,   /* its GO is awaited */
    CONNECTION_SESSION    /* its session runs */
} connection_stage;

typedef struct connection {
    connection_stage stage;
    tls_socket socket; /* descriptor -1: none */
    SSL *ssl;
    bool wants_write;
    uint32_t client;
    tls_preamble preamble;
    int64_t since_us, limit_us; /* limit 0: none */
    unsigned char in[LISTENER_MESSAGE_BYTES], out[LISTENER_MESSAGE_BYTES];
    size_t in_got, out_left;
} connection;

struct tls_listener {
    const tls_listener_options *options;
    SSL_CTX *context;
    int descriptor;
    uint32_t n_places;
    connection *places;    /* [n_places] */
    struct pollfd *polled; /* [n_places + 2] */
    uint64_t *served;      /* [n_clients] number of the last lock of each */
    uint64_t n_granted;
    bool busy;            /* a client has the lock */
    bool running;         /* and its session has begun */
    bool begins;          /* its GO has come, and the caller does not know yet */
    uint32_t granted;     /* its place, unless it has left */
    tls_preamble session; /* its preamble */
    uint32_t granted_client;
    int handed[2]; /* pipe for the session of the lock */
};

void connection_close(connection *v);
/* A connection that has the lock and ends before its session gives the lock back. */
void connection_drop(tls_listener *f, connection *v);
/* A connection that has not taken the message before this one is dropped. */
void connection_send(tls_listener *f, connection *v, const listener_message *m);
void connection_refuse(tls_listener *f, connection *v, listener_refusal why, int64_t until);
/* The socket is ready. */
void connection_advance(tls_listener *f, connection *v);

/* Closes the pipe of the lock, and the connections that are still in it. */
void tls_listener_close_pipe(tls_listener *f);

#endif

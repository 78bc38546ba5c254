/* Connections, and which of them have shown that they belong to the user. When there are too many,
 * the oldest that have not are ended, so that nobody else can keep the user out. */
#ifndef CONSOLE_SERVER_CONNECTIONS_H
#define CONSOLE_SERVER_CONNECTIONS_H

#include <pthread.h>
#include <stddef.h>

#include <microhttpd.h>

typedef struct console_client console_client;

typedef struct connections {
    pthread_mutex_t lock;
    console_client *oldest, *newest; /* of those without a token */
    size_t n_clients;                /* all connections */
    size_t room;                     /* from so many on a new one ends the oldest without a token */
} connections;

void connections_begin(connections *c, size_t room);
void connections_end(connections *c);

/* The callback MHD_OPTION_NOTIFY_CONNECTION, with the connections as its user. */
void connections_notify(void *user, struct MHD_Connection *connection, void **context,
                        enum MHD_ConnectionNotificationCode code);
/* The connection has sent a token or a link that is right. */
void connections_trust(connections *c, struct MHD_Connection *connection);

#endif

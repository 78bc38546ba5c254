/* Connections, and which of them have shown that they belong to the user. When there are too many,
 * the oldest that have not are ended, so that nobody else can keep the user out. */
#ifndef CONSOLE_SERVER_CROWD_H
#define CONSOLE_SERVER_CROWD_H

#include <pthread.h>
#include <stddef.h>

#include <microhttpd.h>

typedef struct guest guest;

typedef struct crowd {
    pthread_mutex_t lock;
    guest *oldest, *newest; /* of those without a token */
    size_t n_guests;        /* all connections */
    size_t room;            /* from so many on a new one ends the oldest without a token */
} crowd;

void crowd_begin(crowd *c, size_t room);
void crowd_end(crowd *c);

/* The callback MHD_OPTION_NOTIFY_CONNECTION, with the crowd as its user. */
void crowd_notify(void *user, struct MHD_Connection *connection, void **context,
                  enum MHD_ConnectionNotificationCode code);
/* The connection has sent a token or a ticket that is right. */
void crowd_trust(crowd *c, struct MHD_Connection *connection);

#endif

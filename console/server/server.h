/* The server: HTTP on the loopback interface, from connections to routes. */
#ifndef CONSOLE_SERVER_SERVER_H
#define CONSOLE_SERVER_SERVER_H

#include "console/server/route.h"

typedef struct server server;

typedef struct server_options {
    unsigned port; /* 0: any that is free */
    bool read_only;
    const route *const *tables;  /* of the pages, ended by NULL */
    struct workspace *workspace; /* for them; outlives the server */
    void (*tell)(void *user, const char *address);
    void *user;
} server_options;

/* Listens on 127.0.0.1 and answers in threads of its own. Bodies of JSON are bounded to 1 MiB each
 * and 32 MiB together, uploads to 1 GiB - 1, connections to 512, silence to 15 seconds. Without a
 * token there is /api/start alone, with 256 bytes; connections without one give way to others. */
kith_status server_start(server **made, const server_options *options, kith_error *error);
/* Stops all jobs and ends all connections. */
void server_stop(server *s);

#endif

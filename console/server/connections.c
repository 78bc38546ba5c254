/* Connections, and which of them give way. */
#include "console/server/connections.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>

struct console_client {
    int socket;
    bool listed; /* among those without a token */
    console_client *older, *newer;
};

void connections_begin(connections *c, size_t room)
{
    *c = (connections){.room = room};
    pthread_mutex_init(&c->lock, NULL);
}

void connections_end(connections *c)
{
    pthread_mutex_destroy(&c->lock);
}

/* The lock is held. */
static void unlist(connections *c, console_client *g)
{
    if (!g->listed)
        return;
    if (g->older != NULL)
        g->older->newer = g->newer;
    else
        c->oldest = g->newer;
    if (g->newer != NULL)
        g->newer->older = g->older;
    else
        c->newest = g->older;
    g->listed = false;
}

static void enter(connections *c, console_client *g)
{
    pthread_mutex_lock(&c->lock);
    if (c->n_clients >= c->room && c->oldest != NULL) {
        console_client *leaves = c->oldest;
        unlist(c, leaves);
        /* Its thread sees the end and closes it; until then the number stays its own. */
        shutdown(leaves->socket, SHUT_RDWR);
    }
    c->n_clients++;
    g->listed = true;
    g->older = c->newest;
    if (c->newest != NULL)
        c->newest->newer = g;
    else
        c->oldest = g;
    c->newest = g;
    pthread_mutex_unlock(&c->lock);
}

static void leave(connections *c, console_client *g)
{
    pthread_mutex_lock(&c->lock);
    unlist(c, g);
    c->n_clients--;
    pthread_mutex_unlock(&c->lock);
    free(g);
}

void connections_notify(void *user, struct MHD_Connection *connection, void **context,
                        enum MHD_ConnectionNotificationCode code)
{
    connections *c = user;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (*context != NULL)
            leave(c, *context);
        *context = NULL;
        return;
    }
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    console_client *g = info == NULL ? NULL : calloc(1, sizeof *g);
    *context = g;
    if (g == NULL)
        return; /* not in the list; the time limit ends it */
    g->socket = info->connect_fd;
    enter(c, g);
}

void connections_trust(connections *c, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    if (info == NULL || info->socket_context == NULL)
        return;
    pthread_mutex_lock(&c->lock);
    unlist(c, info->socket_context);
    pthread_mutex_unlock(&c->lock);
}

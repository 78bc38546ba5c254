/* Connections, and which of them give way. */
#include "console/server/crowd.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>

struct guest {
    int socket;
    bool listed; /* among those without a token */
    guest *older, *newer;
};

void crowd_begin(crowd *c, size_t room)
{
    *c = (crowd){.room = room};
    pthread_mutex_init(&c->lock, NULL);
}

void crowd_end(crowd *c)
{
    pthread_mutex_destroy(&c->lock);
}

/* The lock is held. */
static void unlist(crowd *c, guest *g)
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

static void enter(crowd *c, guest *g)
{
    pthread_mutex_lock(&c->lock);
    if (c->n_guests >= c->room && c->oldest != NULL) {
        guest *leaves = c->oldest;
        unlist(c, leaves);
        /* Its thread sees the end and closes it; until then the number stays its own. */
        shutdown(leaves->socket, SHUT_RDWR);
    }
    c->n_guests++;
    g->listed = true;
    g->older = c->newest;
    if (c->newest != NULL)
        c->newest->newer = g;
    else
        c->oldest = g;
    c->newest = g;
    pthread_mutex_unlock(&c->lock);
}

static void leave(crowd *c, guest *g)
{
    pthread_mutex_lock(&c->lock);
    unlist(c, g);
    c->n_guests--;
    pthread_mutex_unlock(&c->lock);
    free(g);
}

void crowd_notify(void *user, struct MHD_Connection *connection, void **context,
                  enum MHD_ConnectionNotificationCode code)
{
    crowd *c = user;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (*context != NULL)
            leave(c, *context);
        *context = NULL;
        return;
    }
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    guest *g = info == NULL ? NULL : calloc(1, sizeof *g);
    *context = g;
    if (g == NULL)
        return; /* not in the list; the time limit ends it */
    g->socket = info->connect_fd;
    enter(c, g);
}

void crowd_trust(crowd *c, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    if (info == NULL || info->socket_context == NULL)
        return;
    pthread_mutex_lock(&c->lock);
    unlist(c, info->socket_context);
    pthread_mutex_unlock(&c->lock);
}

/* Sockets of a session: listening, connecting with retries, accepting connections. */
#include "wire/tls/tls_internal.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    FIRST_PAUSE_US = 50000,    /* between attempts to connect; doubles */
    LAST_PAUSE_US = 2000000,   /* up to this */
    UNIDENTIFIED_US = 10000000 /* time to show a certificate */
};

/* Small messages go out at once (TCP_NODELAY), since most rounds wait for one. The kernel probes a
 * quiet connection, and gives up one that does not acknowledge for the length of the deadline: a
 * machine that has lost power sends no goodbye. */
void tls_dial_set_options(int descriptor, int64_t deadline_us)
{
    int yes = 1, idle = 10, interval = 5, count = 3, timeout = (int)(deadline_us / 1000);
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
    setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof timeout);
}

/* SO_REUSEADDR lets a run begin right after another one ended at the same port. */
static bool bind_and_listen(int descriptor, const struct addrinfo *at)
{
    int yes = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(descriptor, at->ai_addr, at->ai_addrlen) == 0)
        return listen(descriptor, SOMAXCONN) == 0;
    if (errno != EADDRNOTAVAIL)
        return false;
    /* The address in the study is that of a router in front of this machine: listen everywhere. */
    struct sockaddr_storage any;
    memcpy(&any, at->ai_addr, at->ai_addrlen);
    if (any.ss_family == AF_INET)
        ((struct sockaddr_in *)&any)->sin_addr.s_addr = htonl(INADDR_ANY);
    else
        ((struct sockaddr_in6 *)&any)->sin6_addr = in6addr_any;
    return bind(descriptor, (struct sockaddr *)&any, at->ai_addrlen) == 0 &&
           listen(descriptor, SOMAXCONN) == 0;
}

int tls_dial_bind(const struct addrinfo *at)
{
    int descriptor = socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || bind_and_listen(descriptor, at))
        return descriptor;
    const int failed = errno;
    close(descriptor);
    errno = failed;
    return -1;
}

/* What is handed over comes from a listener that is not this session's. */
void tls_dial_close_listener(tls_mesh *m)
{
    if (m->listener >= 0 && m->options->handed == NULL)
        close(m->listener);
    m->listener = -1;
}

/* Looks up this party's own address; no peer can connect before that, so it waits for the result.
 * NULL and *why if there is none, or after tls_session_fail. */
static const struct addrinfo *look_up_own(tls_mesh *m, const char *address, const char **why)
{
    const tls_options *o = m->options;
    tls_lookup *l = m->lookups[o->self] = tls_lookup_start(address);
    if (l == NULL) {
        tls_session_fail(m, KITH_NOMEM, REFUSE_OTHER, PARTY_NOBODY, "out of memory");
        return NULL;
    }
    while (!tls_lookup_is_done(l)) {
        nanosleep(&(struct timespec){.tv_nsec = 1000L * TLS_LOOKUP_TURN_US}, NULL);
        if (o->waiting != NULL && !o->waiting(o->user, o->peers[o->self].name)) {
            tls_session_fail(m, KITH_CANCELLED, REFUSE_OTHER, PARTY_NOBODY, "interrupted");
            return NULL;
        }
    }
    return tls_lookup_result(l, why);
}

/* Also begins to look up the addresses of those who will connect: see tls_places.c. */
bool tls_dial_listen(tls_mesh *m)
{
    const tls_options *o = m->options;
    const char *why = NULL;
    const char *address = o->listen != NULL ? o->listen : o->peers[o->self].address;
    if (o->self + 1 == o->count)
        return true; /* the last party connects to all others, none connects to it */
    for (uint32_t i = o->self + 1; i < o->count; i++)
        if (o->peers[i].address != NULL)
            m->lookups[i] = tls_lookup_start(o->peers[i].address);
    if (o->handed != NULL) {
        m->listener = *o->handed;
        return true;
    }
    const struct addrinfo *at = look_up_own(m, address, &why);
    if (at == NULL)
        return tls_session_fail(m, KITH_INVALID, REFUSE_OTHER, PARTY_NOBODY,
                                "cannot listen at %s: %s", address, why);
    m->listener = tls_dial_bind(at);
    int failed = errno;
    return m->listener >= 0 ||
           tls_session_fail(m, KITH_IO, REFUSE_OTHER, PARTY_NOBODY, "cannot listen at %s: %s",
                            address, strerror(failed));
}

/* Pauses grow, so that a party that waits for hours does not flood the network. */
void tls_dial_retry(tls_mesh *m, tls_link *l, const char *why)
{
    tls_session_note(m, l->peer, "%s at %s: %s", m->options->peers[l->peer].name, l->where, why);
    tls_link_reset(l);
    l->pause_us = l->pause_us == 0 ? FIRST_PAUSE_US : l->pause_us * 2;
    if (l->pause_us > LAST_PAUSE_US)
        l->pause_us = LAST_PAUSE_US;
    l->retry_us = party_now_us() + l->pause_us;
}

/* A refused connection means that the peer has not started yet, so try again; but if it answered
 * before, its process has ended and will not come back. */
static void dial_failed(tls_mesh *m, tls_link *l, int why)
{
    if (why == ECONNREFUSED && l->reached) {
        tls_session_fail(m, KITH_PEER, REFUSE_LOST, l->peer,
                         "%s at %s answered before, but now refuses connections (step connect)",
                         m->options->peers[l->peer].name, l->where);
        l->informed = true; /* no peer is there to be told */
    }
    tls_dial_retry(m, l, strerror(why));
}

/* How much longer a peer may take because it connects to many others, too. */
static int64_t many_peers_us(const tls_mesh *m)
{
    enum { FEW = 8, EACH_US = 1000000 };
    return m->options->count > FEW ? (int64_t)(m->options->count - FEW) * EACH_US : 0;
}

/* At least UNIDENTIFIED_US: a deadline for messages may be too short for a peer that just starts.
 */
int64_t tls_dial_handshake_timeout_us(const tls_mesh *m)
{
    const int64_t deadline = m->party->deadline_us;
    return (deadline > UNIDENTIFIED_US ? deadline : UNIDENTIFIED_US) + many_peers_us(m);
}

/* The address is looked up again for every attempt, since a peer's machine may not be in the DNS
 * yet. */
void tls_dial_start(tls_mesh *m, tls_link *l, int64_t now)
{
    const char *why = "out of memory";
    tls_lookup **lookup = &m->lookups[l->peer];
    snprintf(l->where, sizeof l->where, "%s", m->options->peers[l->peer].address);
    if (*lookup == NULL)
        *lookup = tls_lookup_start(m->options->peers[l->peer].address);
    if (*lookup != NULL && !tls_lookup_is_done(*lookup))
        return;
    const struct addrinfo *at = *lookup == NULL ? NULL : tls_lookup_result(*lookup, &why);
    if (at == NULL) {
        tls_dial_retry(m, l, why);
    } else {
        l->socket.descriptor = socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        int failed = l->socket.descriptor < 0 ? errno : 0;
        if (failed == 0 && connect(l->socket.descriptor, at->ai_addr, at->ai_addrlen) != 0)
            failed = errno;
        /* Non-blocking: the socket becomes writable when it is connected or has failed. */
        l->stage = LINK_DIALING;
        l->wants_write = true;
        l->limit_us = now + UNIDENTIFIED_US + many_peers_us(m);
        if (failed != 0 && failed != EINPROGRESS)
            dial_failed(m, l, failed);
        else if (failed == 0)
            tls_dial_finish(m, l);
    }
    tls_lookup_free(*lookup);
    *lookup = NULL;
}

void tls_dial_finish(tls_mesh *m, tls_link *l)
{
    int failed = 0;
    socklen_t size = sizeof failed;
    if (getsockopt(l->socket.descriptor, SOL_SOCKET, SO_ERROR, &failed, &size) != 0)
        failed = errno;
    if (failed == 0 && m->options->preamble != NULL)
        failed = tls_preamble_send(l->socket.descriptor, m->options->preamble);
    if (failed != 0)
        dial_failed(m, l, failed);
    else
        tls_dial_start_tls(m, l);
}

void tls_dial_start_tls(tls_mesh *m, tls_link *l)
{
    tls_dial_set_options(l->socket.descriptor, m->party->deadline_us);
    l->ssl = tls_socket_start(m->context, &l->socket, l->outgoing);
    if (l->ssl == NULL) {
        tls_session_fail(m, KITH_NOMEM, REFUSE_OTHER, PARTY_NOBODY, "out of memory");
        return;
    }
    l->stage = LINK_HANDSHAKE;
    l->reached = true;
    l->wants_write = false;
}

/* The next connection, or -1. */
static int take_connection(const tls_mesh *m, struct sockaddr_storage *from, socklen_t *size)
{
    int descriptor;
    if (m->options->handed == NULL)
        return accept4(m->listener, (struct sockaddr *)from, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (read(m->listener, &descriptor, sizeof descriptor) != (ssize_t)sizeof descriptor)
        return -1;
    if (getpeername(descriptor, (struct sockaddr *)from, size) == 0)
        return descriptor;
    close(descriptor); /* it has gone already */
    return -1;
}

void tls_dial_accept(tls_mesh *m, int64_t now)
{
    struct sockaddr_storage from = {0};
    socklen_t size = sizeof from;
    int descriptor = take_connection(m, &from, &size);
    if (descriptor < 0)
        return;
    tls_link *l = tls_places_take(m, (const struct sockaddr *)&from, now);
    if (l == NULL) {
        close(descriptor);
        return;
    }
    l->socket.descriptor = descriptor;
    l->limit_us = now + UNIDENTIFIED_US + many_peers_us(m);
    char host[64] = "?", port[16] = "?";
    (void)getnameinfo((struct sockaddr *)&from, size, host, sizeof host, port, sizeof port,
                      NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(l->where, sizeof l->where, "%s:%s", host, port);
    tls_dial_start_tls(m, l);
}

/* Places for connections whose peer is not known yet. Anyone can connect to an open port and say
 * nothing, so that places are few and the parties of the study must always find one:
 *
 * - A connection that comes when there is no place for it takes that of another, the oldest that
 *   has not sent its part: a party sends its first message at once. If there is none, it waits in
 *   the system's queue, and the listener is not polled meanwhile.
 * - Connections from one address have few places together, strangers only half of all. Addresses
 *   that the study names, from which parties may come, have no such limit.
 * - After every connection that was dropped the listener rests for a moment, so that strangers who
 *   return at once do not keep this party busy. */
#include "wire/tls/tls_internal.h"

#include <netinet/in.h>
#include <string.h>

enum {
    PLACES_PER_ADDRESS = 8,
    STRANGERS_PLACES = MAX_PENDING / 2,
    SLOW_US = 3000000, /* one that takes longer for its handshake may lose its place, too */
    REST_US = 10000    /* after a connection was dropped */
};

/* An address without its port; IPv4 in the form that IPv6 has for it. */
void tls_places_set_host(unsigned char host[TLS_HOST_BYTES], const struct sockaddr *from)
{
    memset(host, 0, TLS_HOST_BYTES);
    if (from->sa_family == AF_INET6) {
        memcpy(host, &((const struct sockaddr_in6 *)from)->sin6_addr, TLS_HOST_BYTES);
    } else if (from->sa_family == AF_INET) {
        host[10] = host[11] = 0xff;
        memcpy(host + 12, &((const struct sockaddr_in *)from)->sin_addr, 4);
    }
}

/* Does the study name this address for a party that connects to this one? Those stand later in the
 * study. */
static bool is_awaited(const tls_mesh *m, const unsigned char host[TLS_HOST_BYTES])
{
    for (uint32_t i = m->options->self + 1; i < m->options->count; i++) {
        const char *why;
        const tls_lookup *l = m->lookups[i];
        if (l == NULL || !tls_lookup_is_done(l))
            continue;
        for (const struct addrinfo *at = tls_lookup_result(l, &why); at != NULL; at = at->ai_next) {
            unsigned char known[TLS_HOST_BYTES];
            tls_places_set_host(known, at->ai_addr);
            if (memcmp(known, host, TLS_HOST_BYTES) == 0)
                return true;
        }
    }
    return false;
}

/* Which of the connections counts: all, those of strangers, or those from one address. */
typedef struct group {
    bool strangers;
    const unsigned char *host; /* or NULL */
} group;

static bool is_in(const tls_link *l, const group *g)
{
    return l->stage != LINK_NONE && !(g->strangers && l->awaited) &&
           (g->host == NULL || memcmp(l->host, g->host, TLS_HOST_BYTES) == 0);
}

static int count_group(const tls_mesh *m, const group *g)
{
    int count = 0;
    for (int i = 0; i < MAX_PENDING; i++)
        count += is_in(&m->pending[i], g);
    return count;
}

/* The oldest connection of the group that may be dropped, or NULL. */
static tls_link *find_oldest(tls_mesh *m, const group *g, int64_t now)
{
    tls_link *oldest = NULL;
    for (int i = 0; i < MAX_PENDING; i++) {
        tls_link *l = &m->pending[i];
        /* A server sends nothing before it has a whole ClientHello. */
        if (is_in(l, g) && (l->socket.sent == 0 || now > l->since_us + SLOW_US) &&
            (oldest == NULL || l->since_us < oldest->since_us))
            oldest = l;
    }
    return oldest;
}

bool tls_places_is_full(tls_mesh *m, int64_t now)
{
    const group all = {0};
    return now < m->rest_until_us ||
           (count_group(m, &all) == MAX_PENDING && find_oldest(m, &all, now) == NULL);
}

tls_link *tls_places_take(tls_mesh *m, const struct sockaddr *from, int64_t now)
{
    unsigned char host[TLS_HOST_BYTES];
    tls_places_set_host(host, from);
    const group all = {0}, strangers = {.strangers = true}, same = {true, host};
    const bool awaited = is_awaited(m, host);
    tls_link *place = NULL;
    if (!awaited && count_group(m, &same) >= PLACES_PER_ADDRESS)
        place = find_oldest(m, &same, now);
    else if (!awaited && count_group(m, &strangers) >= STRANGERS_PLACES)
        place = find_oldest(m, &strangers, now);
    else if (count_group(m, &all) == MAX_PENDING) {
        place = find_oldest(m, &strangers, now);
        place = place != NULL ? place : find_oldest(m, &all, now);
    } else {
        for (int i = 0; place == NULL && i < MAX_PENDING; i++)
            if (m->pending[i].stage == LINK_NONE)
                place = &m->pending[i];
    }
    if (place == NULL || place->stage != LINK_NONE)
        m->rest_until_us = now + REST_US;
    if (place == NULL)
        return NULL;
    tls_link_reset(place);
    *place = (tls_link){
        .socket.descriptor = -1, .peer = PARTY_NOBODY, .since_us = now, .awaited = awaited};
    memcpy(place->host, host, TLS_HOST_BYTES);
    return place;
}

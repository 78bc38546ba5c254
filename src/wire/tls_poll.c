/* One turn of the loop in which a session opens: waits for any socket and advances the links. */
#include <poll.h>

#include "wire/tls_internal.h"

/* Lists the open links and what each waits for. */
static nfds_t fill_pollfds(const tls_mesh *m, struct pollfd *ready, tls_link **which)
{
    nfds_t count = 0;
    const bool going_on = m->error.status == KITH_OK; /* otherwise what peers send is irrelevant */
    for (uint32_t i = 0; i < m->options->count + MAX_PENDING; i++) {
        const tls_link *l =
            i < m->options->count ? &m->links[i] : &m->pending[i - m->options->count];
        bool pending = l->out_sent < l->out_length;
        bool reads = l->stage != LINK_DIALING && (!l->confirmed || (going_on && !l->runs));
        if (l->stage == LINK_NONE || (l->confirmed && !pending && !reads))
            continue;
        short events = l->wants_write || pending ? POLLOUT : 0;
        ready[count] = (struct pollfd){.fd = l->socket.descriptor, .events = events};
        if (reads)
            ready[count].events |= POLLIN;
        which[count++] = (tls_link *)l;
    }
    return count;
}

/* When to wake up, at most `until`: for the next attempt to connect (parties before this one are
 * dialled), to see whether an address was found, or when the listener has rested. */
static int64_t wake_at(const tls_mesh *m, int64_t now, int64_t until)
{
    for (uint32_t i = 0; i < m->options->self; i++) {
        if (m->links[i].stage != LINK_NONE || m->links[i].informed)
            continue;
        int64_t at = m->lookups[i] != NULL ? now + TLS_LOOKUP_TURN_US : m->links[i].retry_us;
        until = at < until ? at : until;
    }
    return now < m->rest_until_us && m->rest_until_us < until ? m->rest_until_us : until;
}

/* Waits until a socket is ready, at most until `until`, and advances every link that is. */
void tls_poll_once(tls_mesh *m, int64_t until)
{
    struct pollfd ready[PARTY_MAX + MAX_PENDING + 1];
    tls_link *which[PARTY_MAX + MAX_PENDING];
    int64_t now = party_now_us();
    nfds_t count = fill_pollfds(m, ready, which);
    until = wake_at(m, now, until);
    /* A negative descriptor is ignored: a listener whose connections find no place would be ready
     * all the time. */
    ready[count] =
        (struct pollfd){.fd = tls_places_is_full(m, now) ? -1 : m->listener, .events = POLLIN};
    int wait = until <= now ? 0 : (int)((until - now + 999) / 1000);
    if (poll(ready, count + 1, wait) < 0)
        return; /* interrupted by a signal: the caller asks the user */
    now = party_now_us();
    for (nfds_t i = 0; i < count; i++)
        if (ready[i].revents != 0)
            tls_handshake_advance(m, which[i]);
    if (ready[count].revents != 0)
        tls_dial_accept(m, now);
    for (uint32_t i = 0; i < m->options->self; i++)
        if (m->links[i].stage == LINK_NONE && !m->links[i].informed && now >= m->links[i].retry_us)
            tls_dial_start(m, &m->links[i], now);
}

/* Closes connections that have not shown a certificate in time: they take up pending links, and a
 * dialled address may have another program behind it. */
void tls_poll_drop_timed_out(tls_mesh *m, int64_t now)
{
    for (uint32_t i = 0; i < m->options->self; i++)
        if ((m->links[i].stage == LINK_DIALING || m->links[i].stage == LINK_HANDSHAKE) &&
            now > m->links[i].limit_us)
            tls_dial_retry(m, &m->links[i], "it does not answer");
    for (int i = 0; i < MAX_PENDING; i++)
        if (m->pending[i].stage != LINK_NONE && now > m->pending[i].limit_us)
            tls_link_reset(&m->pending[i]);
}

/* Waiting: asks the user whether to go on, tells the other parties, and finds out who is to blame.
 *
 * If c hangs, b times out waiting for c, and a times out waiting for b. Without further knowledge a
 * would blame b. Therefore a party that waits tells all others for whom it waits, after a second
 * and then regularly, and a party that works sends signs of life (WAITING with PARTY_NOBODY). A
 * party that waits for a waiting party gives it more time and follows the chain to its end: the
 * party for which all others wait. As long as that one shows that it works, no party gives up; and
 * when a party of the chain goes from one wait to the next, something moves there. A message on its
 * way to a busy party can make the chain end at one that waits for this party, for a while.
 *
 * Deadlines start anew whenever something moves, so that a peer could make a run last for ever with
 * a byte or a sign of life now and then. The limit of the whole run never starts anew. */
#include "wire/party_internal.h"

#include <stdio.h>

#include "core/error.h"

enum {
    ASK_US = 200000,          /* how often the user is asked whether to go on */
    POLL_US = 20000,          /* how often a party at work looks at the network */
    FIRST_NOTICE_US = 1000000 /* tell the others of waits that take longer: most are short */
};

/* Calls the user's function, but not in every turn of a loop: it may print or read signals. */
static kith_status ask_user(party *p, int64_t now, kith_error *error)
{
    if (p->waiting == NULL || now < p->asked_us + ASK_US)
        return KITH_OK;
    p->asked_us = now;
    if (p->waiting(p->waiting_user, NULL))
        return KITH_OK;
    return party_fail(p, error, KITH_CANCELLED, PARTY_INTERRUPTED, "interrupted");
}

/* Tells for whom this party waits (PARTY_NOBODY: it works), except to peers to whom something was
 * sent after `since`. All peers need to know, since any of them may wait for this party through a
 * chain; but not after BYE, when no party waits, and peers may leave at any time. A frame that
 * cannot be queued is a failure of the party, which the next call returns. */
static void send_waiting(party *p, uint32_t peer, int64_t since)
{
    unsigned char index = (unsigned char)peer;
    outgoing o = {FRAME_WAITING, &party_waiting, &index, 1, 1, true};
    for (uint32_t i = 0; i < p->count && !p->done; i++)
        if (i != p->self && !p->peers[i].closed && p->peers[i].spoke_us <= since)
            (void)!party_queue(p, i, &o, NULL);
}

/* Fails if the run has reached its limit. `peer`: for whom this party waits, or PARTY_NOBODY. */
static kith_status check_limit(party *p, uint32_t peer, int64_t now, kith_error *error)
{
    static const struct {
        const char *name;
        int64_t us;
    } units[] = {{"h", 3600000000}, {"min", 60000000}};
    char limit[32]; /* "24 h", "90 min", "2.5 s" */
    if (now < p->end_us)
        return KITH_OK;
    snprintf(limit, sizeof limit, "%g s", (double)p->limit_us / 1e6);
    for (size_t i = 0; i < 2; i++)
        if (p->limit_us % units[i].us == 0) {
            snprintf(limit, sizeof limit, "%lld %s", (long long)(p->limit_us / units[i].us),
                     units[i].name);
            break;
        }
    if (peer == PARTY_NOBODY)
        return party_fail(p, error, KITH_PEER, PARTY_NOBODY,
                          "the run reached its limit of %s (step %s)", limit, p->step);
    uint32_t culprit = party_wait_culprit(p, peer);
    return party_fail(p, error, KITH_PEER, culprit,
                      "the run reached its limit of %s while %s waited for %s (step %s)", limit,
                      p->names[p->self], p->names[culprit], p->step);
}

kith_status party_poll(party *p, kith_error *error)
{
    TRY(party_state(p, error));
    int64_t now = party_now_us();
    if (now < p->polled_us + POLL_US)
        return KITH_OK;
    p->polled_us = now;
    TRY(check_limit(p, PARTY_NOBODY, now, error));
    TRY(ask_user(p, now, error));
    /* A sign of life in every quarter of the deadline: a few may be late before a peer gives up. */
    send_waiting(p, PARTY_NOBODY, now - p->deadline_us / 4);
    p->transport->pump(p, 0);
    return party_state(p, error);
}

wait_state party_wait_begin(uint32_t peer)
{
    return (wait_state){.peer = peer, .start_us = party_now_us()};
}

kith_status party_wait_step(party *p, wait_state *w, int64_t until_us, kith_error *error)
{
    int64_t now = party_now_us(), pause = p->deadline_us / 4;
    int64_t first = pause < FIRST_NOTICE_US ? pause : FIRST_NOTICE_US;
    TRY(party_state(p, error));
    TRY(check_limit(p, w->peer, now, error));
    TRY(ask_user(p, now, error));
    int64_t say = w->said_us == 0 ? w->start_us + first : w->said_us + pause;
    if (now >= say) {
        send_waiting(p, w->peer, now);
        w->said_us = now;
        say = now + pause;
    }
    /* The pump must return in time for the next notice and the next question to the user. */
    if (say < until_us)
        until_us = say;
    if (p->end_us < until_us)
        until_us = p->end_us;
    if (p->waiting != NULL && now + ASK_US < until_us)
        until_us = now + ASK_US;
    p->transport->pump(p, until_us);
    return KITH_OK;
}

/* True if the peer says that it waits for a third party. A peer that says it waits for this party
 * is not excused: this party has sent its part, so the next message is the peer's to send. */
static bool is_excused(const party *p, uint32_t peer)
{
    ASSERT(peer < p->count);
    uint32_t other = p->peers[peer].waits_for;
    return other < p->count && other != p->self && other != peer;
}

int64_t party_wait_patience(const party *p, uint32_t peer)
{
    return p->deadline_us + (p->peers[peer].next_in == 0 ? p->opening_us : 0);
}

int64_t party_wait_since(const party *p, const wait_state *w)
{
    ASSERT(w->peer < p->count && w->peer != p->self);
    const peer_state *end = &p->peers[w->peer];
    int64_t since = w->start_us;
    for (uint32_t steps = 0; steps < p->count && is_excused(p, (uint32_t)(end - p->peers));
         steps++) {
        end = &p->peers[end->waits_for];
        if (end->changed_us > since)
            since = end->changed_us;
    }
    return end->waits_for == PARTY_NOBODY && end->heard_us > since ? end->heard_us : since;
}

/* An excuse counts from the moment when it was first heard, once per message, so that a peer cannot
 * delay the run for ever by repeating it. Work has no such limit but that of the run. Of a third
 * party whose signs of life cannot be read the party between hears: it gives up, or no party does.
 */
int64_t party_wait_deadline(const party *p, const wait_state *w)
{
    int64_t from = party_wait_since(p, w), excused = p->peers[w->peer].excused_us;
    /* If this party leaves so much of the culprit unread that the transport has stopped reading,
     * what the culprit says of itself waits behind it. */
    if (p->peers[party_wait_culprit(p, w->peer)].in.bytes > PARTY_QUEUE_IN)
        from = party_now_us();
    if (excused == 0)
        return from + party_wait_patience(p, w->peer);
    return (excused > from ? excused : from) + p->deadline_us + p->deadline_us / 4;
}

/* What peers say may form a cycle; after `count` steps any of them is as good as another. */
uint32_t party_wait_culprit(const party *p, uint32_t peer)
{
    for (uint32_t steps = 0; steps < p->count && is_excused(p, peer); steps++)
        peer = p->peers[peer].waits_for;
    return peer;
}

const char *party_timeout_detail(const party *p, uint32_t peer, char *text, size_t size)
{
    text[0] = '\0';
    if (is_excused(p, peer))
        snprintf(text, size, "; %s says it waits for %s", p->names[peer],
                 p->names[p->peers[peer].waits_for]);
    return text;
}

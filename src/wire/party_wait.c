/* Waiting, in one place: who is asked meanwhile, who is told, and whom to blame in the end.
 *
 * A party that waits says so to all, soon and then again and again; one that works says at least
 * that it is alive. So whoever waits for a party that waits itself can be patient, and the blame
 * finds the one for whom all wait. */
#include "wire/party_internal.h"

#include <stdio.h>

#include "core/error.h"

enum {
    ASK_US = 200000,        /* how often the user is asked whether to go on */
    POLL_US = 20000,        /* how often a party that works looks at the network */
    FIRST_WORD_US = 1000000 /* a wait that takes longer is told, if the deadline does not hurry */
};

static kith_status ask_user(party *p, int64_t now, kith_error *error)
{
    if (p->waiting == NULL || now < p->asked_us + ASK_US)
        return KITH_OK;
    p->asked_us = now;
    if (p->waiting(p->waiting_user, NULL))
        return KITH_OK;
    return party_fail(p, error, KITH_CANCELLED, PARTY_INTERRUPTED, "interrupted");
}

/* Not any more if both have said goodbye: it may have left. */
static bool is_reachable(const party *p, uint32_t i)
{
    return i != p->self && !p->peers[i].closed && !(p->done && p->peers[i].bye);
}

/* To those who have not heard anything for a while. */
static void keep_alive(party *p, int64_t now)
{
    unsigned char index = PARTY_NOBODY;
    outgoing o = {FRAME_WAITING, &party_waiting, &index, 1, 1, true};
    for (uint32_t i = 0; i < p->count; i++)
        if (is_reachable(p, i) && now >= p->peers[i].spoke_us + p->deadline_us / 4)
            (void)!party_queue(p, i, &o, NULL);
}

kith_status party_poll(party *p, kith_error *error)
{
    TRY(party_state(p, error));
    int64_t now = party_now_us();
    if (now < p->polled_us + POLL_US)
        return KITH_OK;
    p->polled_us = now;
    TRY(ask_user(p, now, error));
    keep_alive(p, now);
    p->transport->pump(p, 0);
    return party_state(p, error);
}

static void send_waiting(party *p, uint32_t peer)
{
    unsigned char index = (unsigned char)peer;
    outgoing o = {FRAME_WAITING, &party_waiting, &index, 1, 1, true};
    for (uint32_t i = 0; i < p->count; i++)
        if (is_reachable(p, i))
            (void)!party_queue(p, i, &o, NULL);
}

wait_state party_wait_begin(uint32_t peer)
{
    return (wait_state){.peer = peer, .start_us = party_now_us()};
}

kith_status party_wait_step(party *p, wait_state *v, int64_t until_us, kith_error *error)
{
    int64_t now = party_now_us(), pause = p->deadline_us / 4;
    int64_t first = pause < FIRST_WORD_US ? pause : FIRST_WORD_US;
    TRY(party_state(p, error));
    TRY(ask_user(p, now, error));
    int64_t say = v->said_us == 0 ? v->start_us + first : v->said_us + pause;
    if (now >= say) {
        send_waiting(p, v->peer);
        v->said_us = now;
        say = now + pause;
    }
    if (say < until_us)
        until_us = say;
    if (p->waiting != NULL && now + ASK_US < until_us)
        until_us = now + ASK_US;
    p->transport->pump(p, until_us);
    return KITH_OK;
}

static bool is_excused(const party *p, uint32_t peer)
{
    uint32_t other = p->peers[peer].waits_for;
    return other < p->count && other != p->self && other != peer;
}

bool party_allow_slow_peers(party *p, bool patient)
{
    bool before = p->allows_slow_peers;
    p->allows_slow_peers = patient;
    return before;
}

/* An excuse counts once per message, from when it was first heard: it cannot be used for ever. Work
 * can, by those who asked for patience: the one for whom all wait must say so itself. */
int64_t party_wait_deadline(const party *p, const wait_state *v)
{
    int64_t from = v->start_us, excused = p->peers[v->peer].excused_us;
    const peer_state *end = &p->peers[party_wait_culprit(p, v->peer)];
    if (p->allows_slow_peers && end->waits_for == PARTY_NOBODY && end->heard_us > from)
        from = end->heard_us;
    if (excused == 0)
        return from + p->deadline_us;
    return (excused > from ? excused : from) + p->deadline_us + p->deadline_us / 4;
}

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

/* The end of a run: all parties send BYE, or one sends ABORT.
 *
 * BYE says "I have received everything": a party that has sent and received BYE may leave. It is
 * the last frame of a party, so that the ledgers of both ends count the same frames. ABORT contains
 * no text of the sender's own, since an error message could quote data, but three things: who ended
 * the run and who is to blame (one byte each; 0xff: an error of the sender's own, 0xfe: its user,
 * 0xfd: some party, of which a sum or a union does not tell which), then the name of the step. Each
 * party forwards the first ABORT that it receives unchanged before it leaves, so that all parties
 * report the same cause. */
#include "wire/party_internal.h"

#include <string.h>

#include "core/error.h"

enum { TURN_US = 100000 /* how often a failed party looks who has not been told yet */ };

void party_handle_abort(party *p, uint32_t from, const frame *f)
{
    char step[PARTY_ABORT] = "";
    size_t length = f->payload_length;
    if (length < 2 || !frame_is_plain((const char *)f->payload + 2, length - 2)) {
        party_fail(p, NULL, KITH_PEER, from, "%s ended the run (step %s)", p->names[from], p->step);
        return;
    }
    /* The sender may forward the ABORT of another party. */
    uint32_t who = f->payload[0] < p->count ? f->payload[0] : from, blamed = f->payload[1];
    memcpy(step, f->payload + 2, length - 2);
    if (p->abort_length == 0) {
        memcpy(p->abort, f->payload, length);
        p->abort_length = length;
    }
    /* Blames the party that failed, not the one that noticed it. */
    if (blamed == p->self)
        party_fail(p, NULL, KITH_PEER, who, "%s ended the run: it blames %s (step %s)",
                   p->names[who], p->names[p->self], step);
    else if (blamed < p->count)
        party_fail(p, NULL, KITH_PEER, blamed, "%s ended the run: %s failed (step %s)",
                   p->names[who], p->names[blamed], step);
    else if (blamed == PARTY_INTERRUPTED)
        party_fail(p, NULL, KITH_PEER, who, "%s ended the run: it was interrupted (step %s)",
                   p->names[who], step);
    else if (blamed == PARTY_SOMEBODY)
        party_fail(p, NULL, KITH_PEER, PARTY_SOMEBODY,
                   "%s ended the run: a party sent wrong values, it cannot tell which (step %s)",
                   p->names[who], step);
    else
        party_fail(p, NULL, KITH_PEER, who,
                   "%s ended the run because of an error of its own (step %s)", p->names[who],
                   step);
}

/* Another party's ABORT is forwarded as it is; without one, this party is the first to end. */
static void make_abort(party *p)
{
    if (p->abort_length > 0)
        return;
    size_t step = strnlen(p->step, PARTY_ABORT - 2);
    p->abort[0] = (unsigned char)p->self;
    p->abort[1] = (unsigned char)p->blamed;
    memcpy(p->abort + 2, p->step, step);
    p->abort_length = 2 + step;
}

size_t party_write_abort(party *p, uint32_t to, unsigned char bytes[PARTY_ABORT_FRAME])
{
    make_abort(p);
    frame f = {.kind = FRAME_ABORT,
               .disclosure = party_abort.disclosure,
               .sequence = p->peers[to].next_out,
               .message_bytes = p->abort_length,
               .name = party_abort.name,
               .name_length = strlen(party_abort.name),
               .payload_length = p->abort_length};
    memcpy(f.run, p->run, FRAME_RUN);
    memcpy(bytes + FRAME_HEADER + f.name_length, p->abort, p->abort_length);
    return frame_seal(bytes, &f);
}

int64_t party_linger_us(const party *p, uint32_t peer)
{
    static const int64_t for_blamed_us = 500000, for_others_us = 5000000;
    int64_t longest = peer == p->blamed ? for_blamed_us : for_others_us;
    return longest < p->deadline_us ? longest : p->deadline_us;
}

/* True if a peer has not got the ABORT, and may still get it. */
static bool is_awaited(const party *p, int64_t start, int64_t now)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->peers[i].out.head != NULL && now < start + party_linger_us(p, i) + p->delay_us)
            return true;
    return false;
}

/* Sends an ABORT to all connected peers. */
static void send_abort(party *p)
{
    make_abort(p);
    outgoing o = {FRAME_ABORT, &party_abort, p->abort, p->abort_length, p->abort_length, true};
    for (uint32_t i = 0; i < p->count; i++) {
        /* Unsent frames would delay the ABORT. A frame that is partly sent stays: the receiver
         * would take the ABORT for the rest of it. */
        frame_queue *q = &p->peers[i].out;
        frame_buffer *begun = q->head != NULL && q->head->used > 0 ? frame_queue_pop(q) : NULL;
        frame_queue_clear(q);
        if (begun != NULL)
            frame_queue_push(q, begun);
        if (i != p->self && !p->peers[i].closed)
            (void)!party_queue(p, i, &o, NULL);
    }
    int64_t start = party_now_us();
    for (int64_t now = start; is_awaited(p, start, now); now = party_now_us())
        p->transport->pump(p, now + TURN_US);
    /* A busy machine may have stopped this party for longer than it wanted to wait. */
    p->transport->pump(p, 0);
}

/* A message that was not received means that the parties did not run the same protocol. */
static kith_status check_empty(party *p, kith_error *error)
{
    for (uint32_t i = 0; i < p->count; i++) {
        frame f;
        const frame_buffer *one = p->peers[i].in.head;
        if (one == NULL)
            continue;
        frame_open(&f, one->bytes, one->length);
        return party_protocol_error(p, i, error, "sent an unexpected message %.*s",
                                    (int)f.name_length, f.name);
    }
    return KITH_OK;
}

/* The first peer that has not sent BYE. */
static uint32_t first_busy(const party *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (i != p->self && !p->peers[i].bye)
            return i;
    return PARTY_NOBODY;
}

/* The first peer that has neither sent BYE nor any sign of life for `timeout`. A peer that still
 * has work to do may take longer, up to the limit of the run. */
static uint32_t first_silent(const party *p, int64_t start, int64_t timeout, int64_t now)
{
    for (uint32_t i = 0; i < p->count; i++) {
        int64_t heard = p->peers[i].heard_us > start ? p->peers[i].heard_us : start;
        if (i != p->self && !p->peers[i].bye && now >= heard + timeout)
            return i;
    }
    return PARTY_NOBODY;
}

/* Sends BYE to all and waits until all have sent theirs. A party that left earlier would look like
 * one that failed to those who still need it. */
static kith_status exchange_bye(party *p, kith_error *error)
{
    outgoing o = {FRAME_BYE, &party_bye, NULL, 0, 0, true};
    const int64_t timeout = p->deadline_us + p->deadline_us / 4;
    for (uint32_t i = 0; i < p->count; i++)
        if (i != p->self && !p->peers[i].closed) /* who has sent BYE may be gone */
            TRY(party_queue(p, i, &o, error));
    p->done = true;
    wait_state w = party_wait_begin(first_busy(p));
    for (; w.peer != PARTY_NOBODY || party_first_unsent(p) != PARTY_NOBODY;
         w.peer = first_busy(p)) {
        TRY(party_state(p, error));
        TRY(check_empty(p, error));
        int64_t now = party_now_us();
        if (w.peer == PARTY_NOBODY && now >= w.start_us + timeout)
            return KITH_OK; /* this party has received everything; a peer that has not will fail */
        uint32_t silent = first_silent(p, w.start_us, timeout, now);
        if (silent != PARTY_NOBODY)
            return party_fail(p, error, KITH_PEER, silent,
                              "%s did not end its run within %g s (step end)", p->names[silent],
                              (double)p->deadline_us / 1e6);
        TRY(party_wait_step(p, &w, now + p->deadline_us / 4, error));
    }
    TRY(check_empty(p, error));
    return party_state(p, error);
}

kith_status party_end(party *p, kith_status status, kith_error *error)
{
    const char *step = p->step;
    CHECK(party_check(p));
    if (status == KITH_OK)
        status = party_state(p, error);
    if (status == KITH_OK) {
        p->step = "end";
        status = exchange_bye(p, error);
    }
    if (status != KITH_OK) {
        if (p->failure.status == KITH_OK)
            p->step = step; /* the function failed without the channel: name its last step */
        if (status == KITH_CANCELLED)
            p->blamed = PARTY_INTERRUPTED;
        if (status == KITH_PEER && p->failure.status == KITH_OK) {
            /* The protocol found that what all parties sent together is impossible, and blamed
             * nobody. The others must not take this party for the one that failed. */
            static const char cause[] = ": a party sent wrong values, and nobody can tell which";
            p->blamed = PARTY_SOMEBODY;
            size_t length = error == NULL ? 0 : strlen(error->message);
            if (error != NULL && length + sizeof cause <= sizeof error->message)
                memcpy(error->message + length, cause, sizeof cause);
        }
        send_abort(p);
    }
    return status;
}

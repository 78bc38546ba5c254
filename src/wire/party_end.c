/* How a run ends: everybody says BYE, or somebody says ABORT.
 *
 * ABORT carries no text of the sender's own, since an error message could quote data: who ended the
 * run, who is to blame (0xff: an error of its own, 0xfe: its user), one byte each, then the name of
 * the step. Those who hear it pass it on as it is before they leave, so that all can say the same.
 */
#include "wire/party_internal.h"

#include <string.h>

#include "core/error.h"
#include "core/text.h"

enum { LINGER_US = 500000 };

void party_handle_abort(party *p, uint32_t from, const frame *f)
{
    char step[4 * PARTY_ABORT] = "";
    size_t length = f->payload_length;
    if (length < 2 || length > PARTY_ABORT) {
        party_fail(p, NULL, KITH_PEER, from, "%s ended the run (step %s)", p->names[from], p->step);
        return;
    }
    uint32_t who = f->payload[0] < p->count ? f->payload[0] : from, blamed = f->payload[1];
    text_quote(step, sizeof step, (const char *)f->payload + 2, length - 2);
    if (p->abort_length == 0) {
        memcpy(p->abort, f->payload, length);
        p->abort_length = length;
    }
    if (blamed == p->self)
        party_fail(p, NULL, KITH_PEER, who, "%s ended the run: it found fault with %s (step %s)",
                   p->names[who], p->names[p->self], step);
    else if (blamed < p->count)
        party_fail(p, NULL, KITH_PEER, blamed, "%s ended the run: %s failed (step %s)",
                   p->names[who], p->names[blamed], step);
    else if (blamed == PARTY_INTERRUPTED)
        party_fail(p, NULL, KITH_PEER, who, "%s ended the run: it was interrupted (step %s)",
                   p->names[who], step);
    else
        party_fail(p, NULL, KITH_PEER, who,
                   "%s ended the run because of an error of its own (step %s)", p->names[who],
                   step);
}

/* What still waits to be sent would only delay the news; a frame of which a part is out must be
 * finished. */
static void drop_unsent(frame_queue *q)
{
    frame_buffer *begun = q->head != NULL && q->head->used > 0 ? frame_queue_pop(q) : NULL;
    frame_queue_clear(q);
    if (begun != NULL)
        frame_queue_push(q, begun);
}

static bool anything_unsent(const party *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->peers[i].out.head != NULL)
            return true;
    return false;
}

/* Tells everybody who still listens, as far as that can be done in a moment. */
static void send_abort(party *p)
{
    if (p->abort_length == 0) {
        size_t step = strnlen(p->step, PARTY_ABORT - 2);
        p->abort[0] = (unsigned char)p->self;
        p->abort[1] = (unsigned char)p->blamed;
        memcpy(p->abort + 2, p->step, step);
        p->abort_length = 2 + step;
    }
    outgoing o = {FRAME_ABORT, &party_abort, p->abort, p->abort_length, p->abort_length, true};
    for (uint32_t i = 0; i < p->count; i++) {
        drop_unsent(&p->peers[i].out);
        if (i != p->self && !p->peers[i].closed)
            (void)!party_queue(p, i, &o, NULL);
    }
    int64_t max_wait_us = p->deadline_us < LINGER_US ? p->deadline_us : LINGER_US;
    int64_t until = party_now_us() + max_wait_us + p->delay_us;
    while (anything_unsent(p) && party_now_us() < until)
        p->transport->pump(p, until);
}

/* A message that nobody asked for means that the parties did not run the same protocol. */
static kith_status check_empty(party *p, kith_error *error)
{
    for (uint32_t i = 0; i < p->count; i++) {
        frame f;
        const frame_buffer *one = p->peers[i].in.head;
        if (one == NULL)
            continue;
        frame_open(&f, one->bytes, one->length);
        return party_fail(p, error, KITH_PEER, i, "%s sent %.*s, which nobody asked for (step %s)",
                          p->names[i], (int)f.name_length, f.name, p->step);
    }
    return KITH_OK;
}

static uint32_t first_busy(const party *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (i != p->self && !p->peers[i].bye)
            return i;
    return PARTY_NOBODY;
}

/* Others may have more to do; as long as they give signs of life they may take their time. */
static uint32_t first_silent(const party *p, int64_t start, int64_t patience, int64_t now)
{
    for (uint32_t i = 0; i < p->count; i++) {
        int64_t heard = p->peers[i].heard_us > start ? p->peers[i].heard_us : start;
        if (i != p->self && !p->peers[i].bye && now >= heard + patience)
            return i;
    }
    return PARTY_NOBODY;
}

static kith_status send_bye(party *p, kith_error *error)
{
    outgoing o = {FRAME_BYE, &party_bye, NULL, 0, 0, true};
    const int64_t patience = p->deadline_us + p->deadline_us / 4;
    for (uint32_t i = 0; i < p->count; i++)
        if (i != p->self)
            TRY(party_queue(p, i, &o, error));
    p->done = true;
    wait_state v = party_wait_begin(first_busy(p));
    for (; v.peer != PARTY_NOBODY || anything_unsent(p); v.peer = first_busy(p)) {
        TRY(party_state(p, error));
        TRY(check_empty(p, error));
        int64_t now = party_now_us();
        if (v.peer == PARTY_NOBODY && now >= v.start_us + patience)
            return KITH_OK; /* all is received; what they still lack they will say */
        uint32_t silent = first_silent(p, v.start_us, patience, now);
        if (silent != PARTY_NOBODY)
            return party_fail(p, error, KITH_PEER, silent,
                              "%s did not end its run within %g s (step end)", p->names[silent],
                              (double)p->deadline_us / 1e6);
        TRY(party_wait_step(p, &v, now + p->deadline_us / 4, error));
    }
    TRY(check_empty(p, error));
    return party_state(p, error);
}

kith_status party_end(party *p, kith_status status, kith_error *error)
{
    const char *step = p->step;
    if (status == KITH_OK)
        status = party_state(p, error);
    if (status == KITH_OK) {
        p->step = "end";
        status = send_bye(p, error);
    }
    if (status != KITH_OK) {
        if (p->failure.status == KITH_OK)
            p->step = step;
        if (status == KITH_CANCELLED)
            p->blamed = PARTY_INTERRUPTED;
        send_abort(p);
    }
    return status;
}

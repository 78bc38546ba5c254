/* The functions that protocols call: messages, which are made of frames; keys; steps. */
#include "wire/party_internal.h"

#include <sodium.h>
#include <string.h>

#include "core/error.h"

const char *party_disclosure_name(disclosure kind)
{
    static const char *const names[] = {"control", "masked",    "blinded",
                                        "choice",  "aggregate", "release"};
    return kind < DISCLOSURES ? names[kind] : "unknown";
}

uint32_t party_self(const party *p)
{
    return p->self;
}

uint32_t party_count(const party *p)
{
    return p->count;
}

const unsigned char *party_run_id(const party *p)
{
    return p->run;
}

const char *party_name(const party *p, uint32_t index)
{
    ASSERT(index < p->count);
    return p->names[index];
}

arena *party_memory(party *p)
{
    return p->memory;
}

/* A list, since a run has a handful of them. */
void **party_local_storage(party *p, const char *name)
{
    for (party_storage *s = p->storage; s != NULL; s = s->next)
        if (strcmp(s->name, name) == 0)
            return &s->value;
    party_storage *s = arena_alloc(p->memory, sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (party_storage){name, NULL, p->storage};
    p->storage = s;
    return &s->value;
}

const ledger *party_ledger(const party *p)
{
    return &p->ledger;
}

/* A keyed hash of the purpose, so that a key of one purpose says nothing about another. */
void party_key(party *p, uint32_t peer, const char *purpose, unsigned char key[PARTY_KEY_BYTES])
{
    ASSERT(peer < p->count);
    crypto_generichash(key, PARTY_KEY_BYTES, (const unsigned char *)purpose, strlen(purpose),
                       p->peers[peer].seed, PARTY_KEY_BYTES);
}

uint64_t party_next_call(party *p, const char *primitive)
{
    ledger_called(&p->ledger, primitive);
    return p->n_calls++;
}

const char *party_step(party *p, const char *step)
{
    /* An ABORT carries the name, and receivers refuse what is not plain. */
    ASSERT(step != NULL && frame_is_plain(step, strlen(step)));
    const char *before = p->step;
    p->step = step;
    return before;
}

const char *party_current_step(const party *p)
{
    return p->step;
}

uint32_t party_culprit(const party *p)
{
    return p->failure.status != KITH_OK && p->blamed < p->count ? p->blamed : p->count;
}

/* Returns nothing, so that it can stand anywhere in a protocol: the next call that sends or
 * receives reports a failure. */
void party_learns(party *p, disclosure kind, const char *what, uint64_t count)
{
    ASSERT(kind < DISCLOSURES);
    if (!ledger_learns(&p->ledger, p->step, kind, what, count))
        party_fail(p, NULL, KITH_NOMEM, PARTY_NOBODY, "out of memory");
}

static kith_status fail_not_read(party *p, uint32_t to, kith_error *error)
{
    return party_fail(p, error, KITH_PEER, to,
                      "%s did not read what was sent to it for %g s (step %s)", p->names[to],
                      (double)p->deadline_us / 1e6, p->step);
}

/* Moves bytes until the queue to a peer has room. Every byte that leaves starts the deadline anew,
 * since a slow network is not a dead peer, and so does a sign of life: a peer at work reads no more
 * than it has room for. */
static kith_status party_make_room(party *p, uint32_t to, kith_error *error)
{
    wait_state w = party_wait_begin(to);
    size_t before = p->peers[to].out.bytes;
    while (p->peers[to].out.bytes > PARTY_QUEUE_OUT) {
        int64_t until = party_wait_since(p, &w) + p->deadline_us;
        TRY(party_state(p, error));
        if (party_now_us() >= until)
            return fail_not_read(p, to, error);
        TRY(party_wait_step(p, &w, until, error));
        if (p->peers[to].out.bytes < before) {
            before = p->peers[to].out.bytes;
            w = party_wait_begin(to);
        }
    }
    return KITH_OK;
}

kith_status party_send(party *p, uint32_t to, const message_type *type, const void *bytes,
                       size_t length, kith_error *error)
{
    CHECK(party_check(p));
    TRY(party_poll(p, error));
    if (to >= p->count || to == p->self || strlen(type->name) > FRAME_NAME)
        return party_fail(p, error, KITH_BUG, PARTY_NOBODY, "message %.63s has an invalid receiver",
                          type->name);
    ASSERT(length == 0 || bytes != NULL);
    size_t done = 0;
    do { /* at least one frame: the receiver of an empty message waits for it */
        size_t part = length - done < FRAME_PAYLOAD ? length - done : FRAME_PAYLOAD;
        const unsigned char *from = part == 0 ? NULL : (const unsigned char *)bytes + done;
        TRY(party_make_room(p, to, error));
        outgoing o = {FRAME_DATA, type, from, part, length, done == 0};
        TRY(party_queue(p, to, &o, error));
        done += part;
        /* Lets the peer begin to work on a large message while the rest of it is being made. */
        if (p->peers[to].out.bytes >= PARTY_MOVE)
            p->transport->pump(p, 0);
    } while (done < length);
    return KITH_OK;
}

/* Waits for the next data frame of a peer. `type` is for messages only. */
static kith_status wait_for_frame(party *p, uint32_t from, const message_type *type,
                                  kith_error *error)
{
    p->transport->pump(p, 0);
    wait_state w = party_wait_begin(from);
    while (p->peers[from].in.head == NULL) {
        TRY(party_state(p, error));
        int64_t until = party_wait_deadline(p, &w);
        if (party_now_us() >= until) {
            char detail[256];
            return party_fail(p, error, KITH_PEER, party_wait_culprit(p, from),
                              "no message %s from %s within %g s (step %s)%s", type->name,
                              p->names[from], (double)party_wait_patience(p, from) / 1e6, p->step,
                              party_timeout_detail(p, from, detail, sizeof detail));
        }
        if (p->peers[from].bye)
            return party_fail(p, error, KITH_PEER, from,
                              "%s ended its run, but %s expects %s (step %s)", p->names[from],
                              p->names[p->self], type->name, p->step);
        TRY(party_wait_step(p, &w, until, error));
    }
    return party_state(p, error);
}

/* A frame carries the number of messages that had to come before it, one after the other. The
 * longest such chain is the number of rounds: what a run would take if only latency counted. */
static void note_depth(party *p, uint32_t depth)
{
    if (depth < p->depth || depth == UINT32_MAX)
        return;
    (void)ledger_rounds(&p->ledger, p->step, depth + 1 - p->depth);
    p->depth = depth + 1;
}

/* Takes the next frame of a message of `length` bytes, of which `done` are there; *took becomes the
 * number of bytes in it. */
static kith_status take_frame(party *p, uint32_t from, const message_type *type, size_t length,
                              size_t done, unsigned char *bytes, size_t *took, kith_error *error)
{
    frame f;
    frame_buffer *one = p->peers[from].in.head;
    frame_open(&f, one->bytes, one->length); /* was checked when it arrived */
    const void *payload = f.payload;
    size_t size = f.payload_length;
    if (!(f.name_length == strlen(type->name) && memcmp(f.name, type->name, f.name_length) == 0 &&
          f.disclosure == type->disclosure) ||
        f.message_bytes != length)
        return party_fail(p, error, KITH_PEER, from,
                          "expected %s (%zu bytes) from %s, got %.*s (%llu bytes) (step %s)",
                          type->name, length, p->names[from], (int)f.name_length, f.name,
                          (unsigned long long)f.message_bytes, p->step);
    if ((f.flags & FRAME_PACKED) != 0)
        payload = compress_open(&p->compressor, f.payload, &size);
    /* An empty frame of a longer message would let a peer keep this party in the loop for ever. */
    if (payload == NULL || size > length - done || (size == 0 && length > 0))
        return party_protocol_error(p, from, error, "sent an invalid part of %s", type->name);
    if (size > 0)
        memcpy(bytes + done, payload, size);
    if (p->record.saw != NULL)
        p->record.saw(p->record.user, p->self, from, type->name, payload, size);
    note_depth(p, f.depth);
    if (!ledger_received(&p->ledger, p->step, type, from, done == 0, one->length))
        return party_fail(p, error, KITH_NOMEM, PARTY_NOBODY, "out of memory");
    *took = size;
    party_frame_recycle(p, frame_queue_pop(&p->peers[from].in));
    return KITH_OK;
}

kith_status party_recv(party *p, uint32_t from, const message_type *type, void *bytes,
                       size_t length, kith_error *error)
{
    size_t done = 0;
    CHECK(party_check(p));
    TRY(party_poll(p, error));
    if (from >= p->count || from == p->self)
        return party_fail(p, error, KITH_BUG, PARTY_NOBODY, "message %.63s has an invalid sender",
                          type->name);
    ASSERT(length == 0 || bytes != NULL);
    do {
        size_t took = 0;
        TRY(wait_for_frame(p, from, type, error));
        TRY(take_frame(p, from, type, length, done, bytes, &took, error));
        done += took;
    } while (done < length);
    return KITH_OK;
}

kith_status party_broadcast(party *p, const message_type *type, const void *bytes, size_t length,
                            kith_error *error)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (i != p->self)
            TRY(party_send(p, i, type, bytes, length, error));
    return KITH_OK;
}

kith_status party_gather(party *p, const message_type *type, void *const *bytes, size_t length,
                         kith_error *error)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (i != p->self)
            TRY(party_recv(p, i, type, bytes[i], length, error));
    return KITH_OK;
}

kith_status party_exchange(party *p, const message_type *type, const void *mine,
                           void *const *theirs, size_t length, kith_error *error)
{
    /* Sending first cannot deadlock: party_send reads, too, if it must wait for room. */
    TRY(party_broadcast(p, type, mine, length, error));
    return party_gather(p, type, theirs, length, error);
}

uint32_t party_first_unsent(const party *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->peers[i].out.head != NULL)
            return i;
    return PARTY_NOBODY;
}

kith_status party_flush(party *p, kith_error *error)
{
    uint32_t to = party_first_unsent(p);
    wait_state w = party_wait_begin(to);
    for (; to != PARTY_NOBODY; to = party_first_unsent(p)) {
        w.peer = to;
        int64_t until = party_wait_since(p, &w) + p->deadline_us + p->delay_us;
        TRY(party_state(p, error));
        if (party_now_us() >= until)
            return fail_not_read(p, to, error);
        TRY(party_wait_step(p, &w, until, error));
    }
    return party_state(p, error);
}

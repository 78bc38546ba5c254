/* The channel below the messages: frames in and out, failures. */
#include "wire/party_internal.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/error.h"
#include "core/text.h"

const message_type party_waiting = {"session.waiting", DISCLOSE_CONTROL};
const message_type party_bye = {"session.bye", DISCLOSE_CONTROL};
const message_type party_abort = {"session.abort", DISCLOSE_CONTROL};

/* Monotonic, so that deadlines survive a change of the system's clock. */
int64_t party_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

#if KITH_DEBUG
void party_check(const party *p)
{
    ASSERT(p->count >= 2 && p->count <= PARTY_MAX && p->self < p->count);
    ASSERT(p->transport != NULL && p->step != NULL && p->deadline_us > 0);
    ASSERT(p->n_spares >= 0 && p->n_spares <= PARTY_SPARES);
    ASSERT(p->abort_length <= PARTY_ABORT);
    ASSERT(p->blamed < p->count || p->blamed >= PARTY_SOMEBODY);
    for (uint32_t i = 0; i < p->count; i++) {
        const peer_state *peer = &p->peers[i];
        const frame_buffer *first = peer->in.head;
        CHECK(frame_queue_check(&peer->out));
        CHECK(frame_queue_check(&peer->in));
        ASSERT(i != p->self || (peer->out.head == NULL && peer->in.head == NULL));
        ASSERT(first == NULL || frame_size(first->bytes) == first->length);
    }
}
#endif

/* Runs when the arena is freed: frames are allocated outside of it. */
static void wipe(void *object)
{
    party *p = object;
    for (uint32_t i = 0; i < p->count; i++) {
        frame_queue_clear(&p->peers[i].out);
        frame_queue_clear(&p->peers[i].in);
    }
    while (p->n_spares > 0)
        free(p->spares[--p->n_spares]);
}

enum { LARGE = FRAME_PAYLOAD / 2 }; /* buffers of at least this length are used again */

frame_buffer *party_frame_new(party *p, size_t length)
{
    if (length < LARGE || length > FRAME_MAX)
        return frame_buffer_new(length);
    frame_buffer *one = p->n_spares > 0 ? p->spares[--p->n_spares] : frame_buffer_new(FRAME_MAX);
    if (one == NULL)
        return NULL;
    one->next = NULL;
    one->due_us = 0;
    one->used = 0;
    one->length = length;
    return one;
}

/* Every large buffer has room for the largest frame, since only party_frame_new makes them. */
void party_frame_recycle(party *p, frame_buffer *one)
{
    if (one->length >= LARGE && p->n_spares < PARTY_SPARES)
        p->spares[p->n_spares++] = one;
    else
        free(one);
}

kith_status party_new(party **out, arena *memory, uint32_t self, uint32_t count,
                      const char *const *names, const party_times *times, bool compress,
                      kith_error *error)
{
    const unsigned deadline_ms = times->deadline_ms != 0 ? times->deadline_ms : 30000;
    const unsigned limit_ms = times->limit_ms != 0 ? times->limit_ms : 24 * 3600 * 1000;
    ASSERT(self < count && count <= PARTY_MAX);
    if (sodium_init() < 0)
        return error_set(error, KITH_BUG, "libsodium cannot be initialised");
    party *p = TRY_ZEROS(p, memory, 1, error);
    p->peers = arena_zalloc(memory, count, sizeof *p->peers);
    p->names = arena_zalloc(memory, count, sizeof *p->names);
    if (p->peers == NULL || p->names == NULL)
        return error_nomem(error);
    p->memory = memory;
    p->self = self;
    p->count = count;
    p->deadline_us = (int64_t)deadline_ms * 1000;
    p->limit_us = (int64_t)limit_ms * 1000;
    p->delay_us = (int64_t)times->delay_ms * 1000;
    party_begin(p);
    p->step = "start";
    p->blamed = PARTY_NOBODY;
    ledger_init(&p->ledger, memory);
    for (uint32_t i = 0; i < count; i++) {
        p->names[i] = TRY_ALLOC(arena_strdup(memory, names[i]), error);
        p->peers[i].waits_for = PARTY_NOBODY;
        p->peers[i].spoke_us = p->peers[i].heard_us = party_now_us();
    }
    /* One locked block for all seeds: from them follow the masks and keys of the whole run. */
    unsigned char *seeds = sodium_malloc((size_t)p->count * PARTY_KEY_BYTES);
    if (seeds == NULL || !arena_defer(p->memory, sodium_free, seeds)) /* which wipes, too */
        return error_nomem(error);
    for (uint32_t i = 0; i < p->count; i++)
        p->peers[i].seed = seeds + (size_t)i * PARTY_KEY_BYTES;
    /* With its own seed, a party derives keys that no other party can know. */
    randombytes_buf(p->peers[p->self].seed, PARTY_KEY_BYTES);
    if (!compress_init(&p->compressor, memory, compress) || !arena_defer(memory, wipe, p))
        return error_nomem(error);
    *out = p;
    return KITH_OK;
}

void party_begin(party *p)
{
    p->end_us = party_now_us() + p->limit_us;
}

kith_status party_state(const party *p, kith_error *error)
{
    if (p->failure.status != KITH_OK && error != NULL)
        *error = p->failure;
    return p->failure.status;
}

kith_status party_fail(party *p, kith_error *error, kith_status status, uint32_t blamed,
                       const char *format, ...)
{
    /* Later failures are usually consequences of the first. */
    if (p->failure.status == KITH_OK) {
        va_list arguments;
        va_start(arguments, format);
        text_vformat(p->failure.message, sizeof p->failure.message, format, arguments);
        va_end(arguments);
        p->failure.status = status;
        p->blamed = blamed;
    }
    return party_state(p, error);
}

kith_status party_protocol_error(party *p, uint32_t peer, kith_error *error, const char *what, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, what);
    text_vformat(text, sizeof text, what, arguments);
    va_end(arguments);
    return party_fail(p, error, KITH_PEER, peer, "%s %s (step %s)", p->names[peer], text, p->step);
}

/* Does to an outgoing frame what the fault hook of a test asks for; true if the frame is lost. */
static bool inject_fault(party *p, uint32_t to, const message_type *type, uint64_t sequence,
                         frame_buffer *one)
{
    frame_fault fault = FAULT_NONE;
    if (p->fault.choose != NULL)
        fault = p->fault.choose(p->fault.user, p->self, to, sequence, type->name);
    if (fault == FAULT_LOSE) {
        free(one);
        return true;
    }
    if (fault == FAULT_DUPLICATE) {
        /* Before the original: the receiver must refuse the second one. */
        frame_buffer *twin = party_frame_new(p, one->length);
        if (twin == NULL)
            return false;
        memcpy(twin->bytes, one->bytes, one->length);
        frame_queue_push(&p->peers[to].out, twin);
    }
    if (fault == FAULT_DELAY)
        one->due_us = party_now_us() + 50 * p->deadline_us; /* long after all have given up */
    if (fault == FAULT_CORRUPT)
        one->bytes[one->length / 2] ^= 4;
    if (fault == FAULT_TRUNCATE)
        one->length--;
    return false;
}

/* Lets the payload hook of a test change a copy of the payload; false if out of memory. */
static bool change_payload(party *p, uint32_t to, outgoing *o)
{
    if (p->payload.change == NULL || o->kind != FRAME_DATA)
        return true;
    if (p->changed == NULL)
        p->changed = arena_alloc(p->memory, FRAME_PAYLOAD);
    if (p->changed == NULL)
        return false;
    if (o->length > 0)
        memcpy(p->changed, o->payload, o->length);
    payload_copy copy = {p->changed, o->length, o->message_bytes};
    p->payload.change(p->payload.user, p->self, to, o->type->name, &copy);
    o->payload = copy.bytes;
    o->length = copy.length;
    o->message_bytes = copy.message_bytes;
    return true;
}

/* Makes the next frame for a peer, with header, name and payload. The checksum covers the payload
 * as it travels, that is, after compression. */
static frame_buffer *make_frame(party *p, uint32_t to, const outgoing *o)
{
    frame f = {.kind = o->kind,
               .disclosure = o->type->disclosure,
               .sequence = p->peers[to].next_out,
               .depth = p->depth,
               .message_bytes = o->message_bytes,
               .name = o->type->name,
               .name_length = strlen(o->type->name),
               .payload_length = o->length};
    const void *payload = compress_payload(&p->compressor, o->type->disclosure, o->payload,
                                           &f.payload_length, &f.flags);
    frame_buffer *one = party_frame_new(p, FRAME_HEADER + f.name_length + f.payload_length);
    if (one == NULL)
        return NULL;
    memcpy(f.run, p->run, FRAME_RUN);
    if (f.payload_length > 0)
        memcpy(one->bytes + FRAME_HEADER + f.name_length, payload, f.payload_length);
    frame_seal(one->bytes, &f);
    one->due_us = p->delay_us > 0 ? party_now_us() + p->delay_us : 0;
    return one;
}

kith_status party_queue(party *p, uint32_t to, const outgoing *o, kith_error *error)
{
    ASSERT(to < p->count && to != p->self);
    ASSERT(o->length <= FRAME_PAYLOAD && o->length <= o->message_bytes);
    outgoing said = *o;
    frame_buffer *one = change_payload(p, to, &said) ? make_frame(p, to, &said) : NULL;
    /* Frames of the session come at random moments; they must not blur the figures of a step. */
    const char *step = o->kind == FRAME_DATA ? p->step : "session";
    /* The ledger comes first: nothing may leave this party that it does not list. */
    if (one == NULL || !ledger_sent(&p->ledger, step, o->type, to, o->first, one->length)) {
        free(one);
        return party_fail(p, error, KITH_NOMEM, PARTY_NOBODY, "out of memory");
    }
    /* A lost frame has a number, too: that is how the receiver notices. */
    uint64_t sequence = p->peers[to].next_out++;
    p->peers[to].spoke_us = party_now_us();
    if (!inject_fault(p, to, o->type, sequence, one))
        frame_queue_push(&p->peers[to].out, one);
    return KITH_OK;
}

/* Handles WAITING, BYE and ABORT. Their payloads come from a peer and may hold anything. */
static void handle_control_frame(party *p, uint32_t from, const frame *f, size_t bytes)
{
    peer_state *sender = &p->peers[from];
    const message_type *type = &party_waiting;
    if (f->kind == FRAME_WAITING) {
        const uint32_t waits_for = f->payload_length == 1 ? f->payload[0] : PARTY_NOBODY;
        if (waits_for != sender->waits_for)
            sender->changed_us = party_now_us();
        sender->waits_for = waits_for;
        /* Only the first excuse since its last message counts: see party_wait_deadline. */
        if (sender->excused_us == 0 && sender->waits_for < p->count && sender->waits_for != p->self)
            sender->excused_us = party_now_us();
    }
    if (f->kind == FRAME_BYE) {
        sender->bye = true;
        type = &party_bye;
    }
    if (f->kind == FRAME_ABORT) {
        party_handle_abort(p, from, f);
        type = &party_abort;
    }
    if (!ledger_received(&p->ledger, "session", type, from, 1, bytes))
        party_fail(p, NULL, KITH_NOMEM, PARTY_NOBODY, "out of memory");
}

/* Checks everything about a frame once, so that party_recv need not. A failure is only recorded
 * here: the transport goes on with other peers, and the next call of the protocol returns it. */
void party_arrived(party *p, uint32_t from, frame_buffer *one)
{
    frame f;
    ASSERT(from < p->count && from != p->self);
    peer_state *sender = &p->peers[from];
    sender->heard_us = party_now_us();
    if (!frame_parse(&f, one->bytes, one->length)) {
        party_protocol_error(p, from, NULL, "sent a damaged frame");
    } else if (memcmp(f.run, p->run, FRAME_RUN) != 0) {
        party_protocol_error(p, from, NULL, "sent a frame of another run");
    } else if (f.sequence != sender->next_in && f.kind != FRAME_ABORT) { /* lost or repeated */
        party_protocol_error(p, from, NULL, "sent frame %llu where frame %llu was expected",
                             (unsigned long long)f.sequence, (unsigned long long)sender->next_in);
    } else if (f.kind != FRAME_DATA) {
        sender->next_in++;
        handle_control_frame(p, from, &f, one->length);
    } else {
        sender->next_in++;
        sender->waits_for = PARTY_NOBODY; /* a message is progress: excuses begin anew */
        sender->excused_us = 0;
        frame_queue_push(&sender->in, one);
        return;
    }
    free(one);
}

void party_lost(party *p, uint32_t from, const char *why)
{
    peer_state *sender = &p->peers[from];
    if (sender->closed)
        return;
    sender->closed = true;
    frame_queue_clear(&sender->out);
    /* After BYE the peer has received all that it needs and may leave at any time. */
    if (!sender->bye)
        party_fail(p, NULL, KITH_PEER, from, "lost the connection to %s: %s (step %s)",
                   p->names[from], why, p->step);
}

#include "support/script_change.h"

#include <stdlib.h>
#include <string.h>

#include "support/extremes.h"

enum { MAX_FRAMES = 1 << 16, HEADER = 6 };

/* One mutation. */
typedef struct order {
    script_mutation kind;
    size_t frame, place;
    uint8_t value;
    const uint8_t *more; /* `value` bytes, or what is left of them */
    size_t n_more;
} order;

static void *copy_of(const void *bytes, size_t length)
{
    void *copy = malloc(length + 1);
    if (copy == NULL)
        abort();
    if (length > 0)
        memcpy(copy, bytes, length);
    return copy;
}

/* Makes room for a frame at a place; its payload is copied. */
static void insert(script_change *c, size_t at, const script_frame *one)
{
    if (c->n_frames == c->room) {
        c->room = c->room == 0 ? 64 : 2 * c->room;
        c->frames = realloc(c->frames, c->room * sizeof *c->frames);
        if (c->frames == NULL)
            abort();
    }
    script_frame added = *one;
    added.payload = copy_of(one->payload, one->length);
    memmove(c->frames + at + 1, c->frames + at, (c->n_frames - at) * sizeof *c->frames);
    c->frames[at] = added;
    c->n_frames++;
}

static void drop(script_change *c, size_t at)
{
    free(c->frames[at].payload);
    c->n_frames--;
    memmove(c->frames + at, c->frames + at + 1, (c->n_frames - at) * sizeof *c->frames);
}

static void set_payload(script_frame *f, const void *bytes, size_t length)
{
    unsigned char *payload = copy_of(bytes, length);
    free(f->payload);
    f->payload = payload;
    f->message_bytes += length - f->length;
    f->length = length;
}

static void resize(script_frame *f, size_t length, uint8_t filler)
{
    if (length > FRAME_PAYLOAD)
        length = FRAME_PAYLOAD;
    unsigned char *payload = malloc(length + 1);
    if (payload == NULL)
        abort();
    memset(payload, filler, length);
    memcpy(payload, f->payload, length < f->length ? length : f->length);
    set_payload(f, payload, length);
    free(payload);
}

/* Overwrites what lies within the payload. */
static void put(script_frame *f, size_t at, const void *bytes, size_t length)
{
    if (at < f->length)
        memcpy(f->payload + at, bytes, f->length - at < length ? f->length - at : length);
}

static void add(script_frame *f, size_t place, uint8_t value)
{
    const size_t at = f->length < 4 ? 0 : place % (f->length / 4) * 4;
    uint32_t number = 0;
    memcpy(&number, f->payload + at, f->length - at < 4 ? f->length - at : 4);
    number += (uint32_t)(int32_t)(int8_t)value;
    put(f, at, &number, sizeof number);
}

static void change_payload(script_frame *f, const order *o)
{
    const uint64_t extreme = extremes[o->value % EXTREMES];
    const size_t at = f->length == 0 ? 0 : o->place % f->length;
    uint8_t byte = o->value;
    switch (o->kind) {
    case SCRIPT_FLIP: byte ^= f->length == 0 ? 0 : f->payload[at]; /* fall through */
    case SCRIPT_SET: put(f, at, &byte, 1); break;
    case SCRIPT_WRITE: put(f, at, o->more, o->n_more); break;
    case SCRIPT_TRUNCATE: {
        const uint64_t said = f->message_bytes;
        resize(f, f->length - o->place % (f->length + 1), 0);
        if (o->value % 2 == 1)
            f->message_bytes = said;
        break;
    }
    case SCRIPT_EXTEND: resize(f, f->length + o->place, o->value); break;
    case SCRIPT_FILL: memset(f->payload, o->value, f->length); break;
    case SCRIPT_ZERO: memset(f->payload, 0, f->length); break;
    case SCRIPT_INTEGER32: put(f, o->place * 4 % (f->length + 1), &extreme, 4); break;
    case SCRIPT_INTEGER64: put(f, o->place * 8 % (f->length + 1), &extreme, 8); break;
    case SCRIPT_ADD: add(f, o->place, o->value); break;
    default: f->message_bytes = extreme; break; /* SCRIPT_CLAIM */
    }
}

/* A frame of the session: a sign of life, the end, or why it ends. */
static void insert_control(script_change *c, const order *o)
{
    static const frame_kind kinds[] = {FRAME_WAITING, FRAME_ABORT, FRAME_BYE};
    static const char *const names[] = {"session.waiting", "session.abort", "session.bye"};
    script_frame one = {.from = c->frames[o->frame].from,
                        .kind = kinds[o->place % 3],
                        .message_bytes = o->n_more,
                        .length = o->n_more < FRAME_CONTROL ? o->n_more : FRAME_CONTROL,
                        .payload = (unsigned char *)(uintptr_t)o->more};
    strcpy(one.name, names[o->place % 3]);
    insert(c, o->frame, &one);
}

/* All frames of the sender from here on. */
static void cut(script_change *c, size_t at)
{
    const uint32_t from = c->frames[at].from;
    while (at < c->n_frames && c->frames[at].from == from)
        drop(c, at);
}

static void carry_out(script_change *c, const order *o)
{
    script_frame *f = &c->frames[o->frame];
    const script_frame *other = &c->frames[o->place % c->n_frames];
    script_frame one = *f;
    switch (o->kind) {
    case SCRIPT_DROP: drop(c, o->frame); break;
    case SCRIPT_DUPLICATE:
        if (c->n_frames < MAX_FRAMES)
            insert(c, o->frame, &one);
        break;
    case SCRIPT_SWAP:
        if (o->frame + 1 < c->n_frames && f[1].from == f->from) {
            f[0] = f[1];
            f[1] = one;
        }
        break;
    case SCRIPT_PAYLOAD: set_payload(f, other->payload, other->length); break;
    case SCRIPT_INSERT:
        one.payload = (unsigned char *)(uintptr_t)o->more;
        one.length = o->n_more;
        one.message_bytes = o->n_more;
        insert(c, o->frame, &one);
        break;
    case SCRIPT_RENAME:
        memcpy(f->name, other->name, sizeof f->name);
        f->disclosure = other->disclosure;
        break;
    case SCRIPT_CONTROL: insert_control(c, o); break;
    case SCRIPT_CUT: cut(c, o->frame); break;
    default: change_payload(f, o); break;
    }
}

/* Reads the next mutation; false at the end. */
static bool next_order(order *o, const uint8_t **bytes, size_t *size, size_t n_frames)
{
    const uint8_t *b = *bytes;
    if (*size < HEADER)
        return false;
    *o = (order){.kind = (script_mutation)(b[0] % SCRIPT_MUTATIONS),
                 .frame = (b[1] | (size_t)b[2] << 8) % n_frames,
                 .place = b[3] | (size_t)b[4] << 8,
                 .value = b[5]};
    *bytes += HEADER;
    *size -= HEADER;
    if (o->kind == SCRIPT_WRITE || o->kind == SCRIPT_INSERT || o->kind == SCRIPT_CONTROL) {
        o->more = *bytes;
        o->n_more = *size < o->value ? *size : o->value;
        *bytes += o->n_more;
        *size -= o->n_more;
    }
    return true;
}

/* Every peer says goodbye after its last frame. */
static void add_ends(script_change *c, uint32_t n_parties, uint32_t self)
{
    for (uint32_t i = 0; i < n_parties; i++) {
        script_frame bye = {.from = i, .kind = FRAME_BYE, .name = "session.bye"};
        if (i != self)
            insert(c, c->n_frames, &bye);
    }
}

void script_change_make(script_change *c, const script *s, uint32_t self, const uint8_t *bytes,
                        size_t size)
{
    order o;
    *c = (script_change){0};
    for (size_t i = 0; i < s->parts[self].n_frames; i++)
        insert(c, i, &s->parts[self].frames[i]);
    while (c->n_frames > 0 && next_order(&o, &bytes, &size, c->n_frames))
        carry_out(c, &o);
    add_ends(c, s->n_parties, self);
}

void script_change_free(script_change *c)
{
    while (c->n_frames > 0)
        free(c->frames[--c->n_frames].payload);
    free(c->frames);
}

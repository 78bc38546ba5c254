#include "support/liar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/extremes.h"
#include "wire/frame.h"

const char *lie_name(lie_kind kind)
{
    static const char *const names[] = {"flip",       "integer32", "integer64", "double",
                                        "off by one", "truncate",  "extend",    "empty",
                                        "fill",       "random",    "repeat",    "swap"};
    return names[kind];
}

/* Overwrites the number of `size` bytes around a random place; the last one may be cut short. */
static void put(liar *l, payload_copy *p, const void *number, size_t size)
{
    size_t at = rng_below(&l->choices, (uint32_t)p->length);
    at -= at % size;
    memcpy(p->bytes + at, number, p->length - at < size ? p->length - at : size);
}

static void put_double(liar *l, payload_copy *p)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, -1, 1e-300, -0.0};
    put(l, p, &odd[rng_below(&l->choices, 8)], sizeof(double));
}

static void off_by_one(liar *l, payload_copy *p)
{
    const size_t size = rng_below(&l->choices, 2) == 0 ? 4 : 8, places = p->length / size;
    const size_t at =
        places < 2 || rng_below(&l->choices, 2) == 0 ? 0 : rng_below(&l->choices, (uint32_t)places);
    uint64_t number = 0;
    memcpy(&number, p->bytes + at * size, p->length < size ? p->length : size);
    number += rng_below(&l->choices, 2) == 0 ? 1 : UINT64_MAX;
    memcpy(p->bytes + at * size, &number, p->length < size ? p->length : size);
}

/* The frame gets another length; the message does, too, or is left incomplete. */
static void resize(liar *l, payload_copy *p, size_t length)
{
    if (length > FRAME_PAYLOAD)
        length = FRAME_PAYLOAD;
    for (size_t i = p->length; i < length; i++)
        p->bytes[i] = (unsigned char)rng_below(&l->choices, 256);
    if (rng_below(&l->choices, 4) != 0)
        p->message_bytes += length - p->length;
    p->length = length;
}

static void fill(liar *l, payload_copy *p)
{
    static const int bytes[] = {0, 1, 0x7f, 0x80, 0xff};
    memset(p->bytes, bytes[rng_below(&l->choices, 5)], p->length);
}

static void randomize(liar *l, payload_copy *p)
{
    for (size_t i = rng_below(&l->choices, (uint32_t)p->length); i < p->length; i++)
        p->bytes[i] = (unsigned char)rng_below(&l->choices, 256);
}

static void replace(payload_copy *p, const unsigned char *bytes, size_t length)
{
    memcpy(p->bytes, bytes, length);
    p->message_bytes += length - p->length;
    p->length = length;
}

/* Sends the previous payload now, and this one instead of the next. */
static void swap(liar *l, payload_copy *p)
{
    if (l->held_length > 0) {
        replace(p, l->held, l->held_length);
        l->held_length = 0;
        return;
    }
    memcpy(l->held, p->bytes, p->length);
    l->held_length = p->length;
    replace(p, l->before, l->before_length);
}

static void change(liar *l, payload_copy *p)
{
    const uint64_t extreme = extremes[rng_below(&l->choices, EXTREMES)];
    const uint32_t some = 1 + rng_below(&l->choices, rng_below(&l->choices, 2) == 0 ? 8 : 4096);
    if (p->length == 0 && l->lie.kind < LIE_REPEAT) {
        resize(l, p, some); /* an empty message can only grow */
        return;
    }
    switch (l->lie.kind) {
    case LIE_FLIP:
        p->bytes[rng_below(&l->choices, (uint32_t)p->length)] ^=
            (unsigned char)(1u << rng_below(&l->choices, 8));
        break;
    case LIE_INTEGER32: put(l, p, &extreme, 4); break;
    case LIE_INTEGER64: put(l, p, &extreme, 8); break;
    case LIE_DOUBLE: put_double(l, p); break;
    case LIE_OFF_BY_ONE: off_by_one(l, p); break;
    case LIE_TRUNCATE: resize(l, p, p->length - (some < p->length ? some : p->length)); break;
    case LIE_EXTEND: resize(l, p, p->length + some); break;
    case LIE_EMPTY: resize(l, p, 0); break;
    case LIE_FILL: fill(l, p); break;
    case LIE_RANDOM: randomize(l, p); break;
    case LIE_REPEAT: replace(p, l->before, l->before_length); break;
    default: swap(l, p); break;
    }
}

/* Counts the frame; returns its number among those of its type and sender. */
static size_t count(liar *l, uint32_t from, const char *type)
{
    size_t at = 0;
    while (at < l->n_types && strcmp(l->types[at].name, type) != 0)
        at++;
    if (at == LIAR_TYPES)
        abort();
    if (at == l->n_types)
        strncpy(l->types[l->n_types++].name, type, LIAR_NAME - 1);
    l->n_frames++;
    return l->types[at].n_frames[from]++;
}

static void lie_about(liar *l, payload_copy *p, size_t number)
{
    unsigned char *said = malloc(p->length + 1);
    const size_t length = p->length;
    if (said == NULL)
        abort();
    memcpy(said, p->bytes, length);
    const bool pending = l->held_length > 0; /* the second half of a swap */
    if (number == l->lie.first || (number > l->lie.first && (l->lie.goes_on || pending))) {
        change(l, p);
        l->n_told += p->length != length || memcmp(p->bytes, said, length) != 0;
    }
    memcpy(l->before, said, length);
    l->before_length = length;
    free(said);
}

static void hook(void *user, uint32_t from, uint32_t to, const char *type, payload_copy *payload)
{
    liar *l = user;
    (void)to;
    pthread_mutex_lock(&l->lock);
    const size_t number = count(l, from, type);
    if (l->max_frames > 0 && l->n_frames > l->max_frames)
        payload->message_bytes = UINT64_MAX; /* no receiver expects that: the run ends */
    else if (from == l->lie.liar && strcmp(type, l->lie.type) == 0)
        lie_about(l, payload, number);
    pthread_mutex_unlock(&l->lock);
}

void liar_open(liar *l, const lie *told, size_t max_frames)
{
    memset(l, 0, sizeof *l);
    l->lie = *told;
    l->max_frames = max_frames;
    pthread_mutex_init(&l->lock, NULL);
    rng_init(&l->choices, told->seed, 1);
    l->before = calloc(1, FRAME_PAYLOAD);
    l->held = calloc(1, FRAME_PAYLOAD);
    if (l->before == NULL || l->held == NULL)
        abort();
}

void liar_close(liar *l)
{
    pthread_mutex_destroy(&l->lock);
    free(l->before);
    free(l->held);
}

payload_hook liar_hook(liar *l)
{
    return (payload_hook){hook, l};
}

/* A party that lies: it changes payloads before they are sealed, so that its frames are well formed
 * and come in the right order. Works as the payload hook of a run (wire/test_hooks.h). */
#ifndef SUPPORT_LIAR_H
#define SUPPORT_LIAR_H

#include <pthread.h>
#include <stdbool.h>

#include "core/rng.h"
#include "wire/party.h"
#include "wire/test_hooks.h"

typedef enum lie_kind {
    LIE_FLIP,      /* one bit */
    LIE_INTEGER32, /* one aligned integer becomes an extreme one */
    LIE_INTEGER64,
    LIE_DOUBLE,     /* NaN, infinity, … */
    LIE_OFF_BY_ONE, /* an aligned integer of 32 or 64 bits, usually the first: a count */
    LIE_TRUNCATE,
    LIE_EXTEND,
    LIE_EMPTY,
    LIE_FILL,   /* all bytes alike */
    LIE_RANDOM, /* all bytes from some place on */
    LIE_REPEAT, /* what was said before under the same type */
    LIE_SWAP,   /* two payloads in the wrong order */
    LIE_KINDS
} lie_kind;

const char *lie_name(lie_kind kind);

typedef struct lie {
    uint32_t liar;    /* PARTY_MAX: nobody */
    const char *type; /* of the messages that are changed */
    size_t first;     /* number of the first frame of this type, at the liar, that is changed */
    bool goes_on;     /* so are all later ones */
    lie_kind kind;
    uint64_t seed;
} lie;

enum { LIAR_TYPES = 128, LIAR_NAME = 64 };

/* How many frames of a type each party has sent. */
typedef struct liar_type {
    char name[LIAR_NAME];
    size_t n_frames[PARTY_MAX];
} liar_type;

/* One run, which all parties' threads share. */
typedef struct liar {
    lie lie;
    size_t max_frames; /* of all parties together; after that every frame is spoilt: 0: no limit */
    pthread_mutex_t lock;
    liar_type types[LIAR_TYPES];
    size_t n_types, n_frames;
    size_t n_told; /* payloads that were changed */
    rng choices;
    unsigned char *before, *held; /* the liar's last payload of the type, and one held back */
    size_t before_length, held_length;
} liar;

void liar_open(liar *l, const lie *told, size_t max_frames);
void liar_close(liar *l);
payload_hook liar_hook(liar *l);

#endif

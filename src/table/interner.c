#include "table/interner.h"

#include <string.h>
#include <xxhash.h>

#include "core/error.h"
#include "core/rng.h"

typedef struct entry {
    const char *text;
    uint32_t length;
    uint32_t hash;
} entry;

/* Invariants: slot[] has slots entries, a power of two and at least twice count; each is 0 or one
 * more than an id; an id stands in the first free slot after its hash. */
struct interner {
    arena *memory;
    arena *texts;
    entry *entries;
    uint32_t count, capacity;
    uint32_t *slots;
    uint32_t n_slots;
    uint64_t seed; /* random: texts cannot be chosen to collide */
};

enum { FIRST_SLOTS = 64 };

kith_status interner_new(interner **in, arena *memory, arena *texts, kith_error *error)
{
    interner *fresh = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *fresh), error);
    fresh->memory = memory;
    fresh->texts = texts;
    fresh->seed = rng_fresh_seed();
    fresh->n_slots = FIRST_SLOTS;
    fresh->slots = TRY_ALLOC(arena_zalloc(memory, FIRST_SLOTS, sizeof *fresh->slots), error);
    *in = fresh;
    return KITH_OK;
}

/* The slot of a text, or the free one where it belongs. */
static uint32_t *place(const interner *in, const char *text, size_t length, uint32_t hash)
{
    uint32_t mask = in->n_slots - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        uint32_t *slot = &in->slots[i];
        if (*slot == 0)
            return slot;
        const entry *e = &in->entries[*slot - 1];
        if (e->hash == hash && e->length == length && memcmp(e->text, text, length) == 0)
            return slot;
    }
}

static kith_status grow_slots(interner *in, kith_error *error)
{
    uint32_t n_slots = 2 * in->n_slots;
    uint32_t *slots =
        TRY_ALLOC(n_slots == 0 ? NULL : arena_zalloc(in->memory, n_slots, sizeof *slots), error);
    for (uint32_t id = 0; id < in->count; id++) {
        uint32_t i = in->entries[id].hash & (n_slots - 1);
        while (slots[i] != 0)
            i = (i + 1) & (n_slots - 1);
        slots[i] = id + 1;
    }
    arena_release(in->memory, in->slots, (size_t)in->n_slots * sizeof *slots);
    in->slots = slots;
    in->n_slots = n_slots;
    return KITH_OK;
}

kith_status interner_add(interner *in, const char *text, size_t length, uint32_t *id,
                         kith_error *error)
{
    uint32_t hash = (uint32_t)XXH3_64bits_withSeed(text, length, in->seed);
    uint32_t *slot = place(in, text, length, hash);
    if (*slot != 0) {
        *id = *slot - 1;
        return KITH_OK;
    }
    if (length >= UINT32_MAX)
        return error_nomem(error);
    TRY_GROW(in->entries, in->capacity, in->count + (size_t)1, in->memory, error);
    char *copy = TRY_ALLOC(arena_strndup(in->texts, text, length), error);
    in->entries[in->count] = (entry){.text = copy, .length = (uint32_t)length, .hash = hash};
    *id = in->count++;
    *slot = in->count;
    if (in->count > in->n_slots / 2)
        TRY(grow_slots(in, error));
    return KITH_OK;
}

uint32_t interner_find(const interner *in, const char *text, size_t length)
{
    uint32_t slot =
        *place(in, text, length, (uint32_t)XXH3_64bits_withSeed(text, length, in->seed));
    return slot == 0 ? INTERNER_NONE : slot - 1;
}

uint32_t interner_count(const interner *in)
{
    return in->count;
}

const char *interner_text(const interner *in, uint32_t id)
{
    return in->entries[id].text;
}

uint32_t interner_length(const interner *in, uint32_t id)
{
    return in->entries[id].length;
}

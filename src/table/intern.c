#include "table/intern.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/error.h"

enum { FIRST_SLOTS = 64, FIRST_ELEMENTS = 64 };

kith_status intern_grow(arena *memory, room *budget, void *array, size_t *capacity, size_t need,
                        size_t size, kith_error *error)
{
    if (need <= *capacity)
        return KITH_OK;
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < need)
        wanted = need;
    if (wanted < FIRST_ELEMENTS)
        wanted = FIRST_ELEMENTS;
    size_t bytes;
    if (__builtin_mul_overflow(wanted, size, &bytes))
        return room_refuse(budget, SIZE_MAX, error);
    TRY(room_ask(budget, bytes - *capacity * size, error));
    void *grown;
    memcpy(&grown, array, sizeof grown); /* a pointer of any type */
    grown = arena_resize(memory, grown, *capacity * size, bytes);
    if (grown == NULL)
        return room_refuse(budget, bytes, error);
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return KITH_OK;
}

kith_status intern_init(intern *t, arena *memory, room *budget, uint64_t seed, kith_error *error)
{
    *t = (intern){.memory = memory, .room = budget, .seed = seed, .mask = FIRST_SLOTS - 1};
    t->slots = arena_zalloc(memory, FIRST_SLOTS, sizeof *t->slots);
    TRY_ALLOC(t->slots, error);
    TRY(intern_grow(memory, budget, &t->offsets, &t->offsets_room, 1, sizeof *t->offsets, error));
    t->offsets[0] = 0;
    return KITH_OK;
}

uint64_t intern_hash(const intern *t, const char *text, size_t length)
{
    return XXH3_64bits_withSeed(text, length, t->seed);
}

/* Most texts are short: comparing them here is quicker than a call. */
static inline bool same(const char *a, const char *b, size_t length)
{
    if (length >= 8) {
        uint64_t x, y;
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        return x == y && memcmp(a + 8, b + 8, length - 8) == 0;
    }
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

bool intern_find(const intern *t, const char *text, size_t length, uint64_t hash, uint32_t *code)
{
    uint64_t tag = hash >> 32;
    for (size_t i = tag & t->mask;; i = (i + 1) & t->mask) {
        uint64_t slot = t->slots[i];
        if (slot == 0)
            return false;
        if (slot >> 32 != tag)
            continue;
        uint32_t found = (uint32_t)slot - 1;
        if (intern_length(t, found) == length && same(intern_text(t, found), text, length)) {
            *code = found;
            return true;
        }
    }
}

static void place(uint64_t *slots, size_t mask, uint64_t slot)
{
    size_t i = (slot >> 32) & mask;
    while (slots[i] != 0)
        i = (i + 1) & mask;
    slots[i] = slot;
}

static kith_status widen(intern *t, kith_error *error)
{
    size_t old = t->mask + 1, wider = old * 2;
    if (wider > UINT32_MAX)
        return error_set(error, KITH_DATA, "a column has too many distinct values");
    TRY(room_ask(t->room, wider * sizeof *t->slots, error));
    uint64_t *slots = arena_zalloc(t->memory, wider, sizeof *slots);
    if (slots == NULL)
        return room_refuse(t->room, wider * sizeof *slots, error);
    for (size_t i = 0; i < old; i++)
        if (t->slots[i] != 0)
            place(slots, wider - 1, t->slots[i]);
    arena_release(t->memory, t->slots, old * sizeof *slots);
    room_give(t->room, old * sizeof *slots);
    t->slots = slots;
    t->mask = wider - 1;
    return KITH_OK;
}

kith_status intern_add(intern *t, const char *text, size_t length, uint64_t hash, kith_error *error)
{
    size_t need;
    if (length >= UINT32_MAX || __builtin_add_overflow(t->used, length + 1, &need))
        return error_set(error, KITH_DATA, "a cell of %zu bytes is too long", length);
    if (t->count >= (t->mask + 1) / 8 * 5)
        TRY(widen(t, error));
    TRY(intern_grow(t->memory, t->room, &t->bytes, &t->bytes_room, need, 1, error));
    TRY(intern_grow(t->memory, t->room, &t->offsets, &t->offsets_room, (size_t)t->count + 2,
                    sizeof *t->offsets, error));
    memcpy(t->bytes + t->used, text, length);
    t->bytes[t->used + length] = '\0';
    t->used = need;
    t->offsets[t->count + 1] = need;
    place(t->slots, t->mask, (hash >> 32) << 32 | ((uint64_t)t->count + 1));
    t->count++;
    return KITH_OK;
}

void intern_forget(intern *t)
{
    size_t bytes = (t->mask + 1) * sizeof *t->slots;
    arena_release(t->memory, t->slots, bytes);
    room_give(t->room, bytes);
    t->slots = NULL;
}

void intern_release(intern *t)
{
    if (t->slots != NULL)
        intern_forget(t);
    arena_release(t->memory, t->bytes, t->bytes_room);
    arena_release(t->memory, t->offsets, t->offsets_room * sizeof *t->offsets);
    room_give(t->room, t->bytes_room + t->offsets_room * sizeof *t->offsets);
    t->bytes = NULL;
    t->offsets = NULL;
}

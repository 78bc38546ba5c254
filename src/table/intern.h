/* The texts of one column while it is read: each distinct text gets the next code at first sight.
 *
 * Invariants: text i is bytes + offsets[i] and ends with a NUL; a slot is 0 if empty, else the
 * upper half of the text's hash beside its code + 1; slots are probed one after the other from
 * (upper half & mask), and at most five eighths of them are taken. */
#ifndef TABLE_INTERN_H
#define TABLE_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <kith/status.h>

#include "core/arena.h"
#include "table/room.h"

typedef struct intern {
    arena *memory;
    room *room;
    uint64_t seed; /* random: texts cannot be chosen to collide */
    uint64_t *slots;
    size_t mask; /* number of slots - 1 */
    uint32_t count;
    char *bytes;
    size_t used, bytes_room;
    uint64_t *offsets; /* [count + 1] */
    size_t offsets_room;
} intern;

kith_status intern_init(intern *t, arena *memory, room *budget, uint64_t seed, kith_error *error);

uint64_t intern_hash(const intern *t, const char *text, size_t length);

/* The code of a text that is there, or false. */
bool intern_find(const intern *t, const char *text, size_t length, uint64_t hash, uint32_t *code);

/* Adds a text that is not there; its code is the former count. */
kith_status intern_add(intern *t, const char *text, size_t length, uint64_t hash,
                       kith_error *error);

/* Gives back what only finding needs, or everything. */
void intern_forget(intern *t);
void intern_release(intern *t);

static inline const char *intern_text(const intern *t, uint32_t code)
{
    return t->bytes + t->offsets[code];
}

static inline size_t intern_length(const intern *t, uint32_t code)
{
    return (size_t)(t->offsets[code + 1] - t->offsets[code] - 1);
}

/* Grows the array whose pointer is at `array` to hold `need` elements, half as many again; asks the
 * budget first. */
kith_status intern_grow(arena *memory, room *budget, void *array, size_t *capacity, size_t need,
                        size_t size, kith_error *error);

#endif

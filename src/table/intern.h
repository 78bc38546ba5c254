/* Texts as small numbers: equal texts get the same code, and codes count from 0 in order of first
 * sight. Columns of tables and labels of hierarchies are kept this way.
 *
 * Invariants: text i is bytes + offsets[i] and ends with a NUL; offsets[0] is 0 and offsets[count]
 * is `used`. Texts of at most eight bytes stand in their slot as well, padded with zeros, so that
 * most cells are found without following a pointer; for longer ones the slot holds the hash. Slots
 * are probed one after the other from (hash & mask), and at most half of them are taken.
 *
 * There are two ways in. intern_find and intern_add take one text and are for everybody. Readers of
 * large tables first compute the keys of many cells and then look all of them up, because the
 * processor fetches the slots of later cells while it compares earlier ones. */
#ifndef TABLE_INTERN_H
#define TABLE_INTERN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <kith/status.h>

#include "core/arena.h"
#include "core/check.h"
#include "table/memory_budget.h"

#define INTERN_NONE UINT32_MAX

/* What a text is found by. */
typedef struct intern_key {
    uint64_t key;   /* the text itself, or its hash if it is longer than eight bytes */
    uint64_t hash;  /* where to look for it */
    uint32_t check; /* upper bits of the hash, and its length up to 255 in the lowest eight */
} intern_key;

typedef struct intern_slot {
    uint64_t key;
    uint32_t check;
    uint32_t next; /* code + 1; 0 if empty */
} intern_slot;

typedef struct intern {
    arena *memory;
    memory_budget *budget;
    uint64_t seed; /* random, so that an attacker cannot choose texts that collide */
    intern_slot *slots;
    size_t mask; /* number of slots - 1 */
    uint32_t count;
    char *bytes;
    size_t used, bytes_room;
    uint64_t *offsets; /* [count + 1] */
    size_t offsets_room;
} intern;

/* Everything lives in `memory`. `budget` may be NULL: labels are few. */
kith_status intern_init(intern *t, arena *memory, memory_budget *budget, kith_error *error);

/* The code of a text, INTERN_NONE if it has not been added. */
uint32_t intern_find(const intern *t, const char *text, size_t length);
/* Finds a text, or adds it: then its code is the former count. */
kith_status intern_add(intern *t, const char *text, size_t length, uint32_t *code,
                       kith_error *error);

/* The same in steps, for a caller that checks a text before it adds it. */
void intern_prepare(const intern *t, const char *text, size_t length, intern_key *key);
uint32_t intern_find_key(const intern *t, const char *text, size_t length, const intern_key *key);
/* Adds a text that has not been found; its code is the former count. */
kith_status intern_add_key(intern *t, const char *text, size_t length, const intern_key *key,
                           kith_error *error);

/* The same for many texts: keys first, then codes from `first` on. Returns the first text that is
 * not there, or `count`. A NULL text gets the code INTERN_NONE. Eight bytes must be readable at
 * every text, whatever its length. */
void intern_prepare_many(const intern *t, const char *const *texts, const size_t *lengths,
                         size_t count, intern_key *keys);
size_t intern_find_many(const intern *t, const char *const *texts, const size_t *lengths,
                        const intern_key *keys, size_t first, size_t count, uint32_t *codes);

/* Gives back what only finding needs, or everything. */
void intern_forget(intern *t);
void intern_release(intern *t);

#if KITH_DEBUG
/* Checks the invariants above; the cost is linear in slots and texts. */
void intern_check(const intern *t);
#endif

/* Valid until the next text is added. */
static inline const char *intern_text(const intern *t, uint32_t code)
{
    ASSERT(code < t->count);
    return t->bytes + t->offsets[code];
}

static inline size_t intern_length(const intern *t, uint32_t code)
{
    ASSERT(code < t->count);
    return (size_t)(t->offsets[code + 1] - t->offsets[code] - 1);
}

/* Grows the array whose pointer is at `array` to hold `need` elements, half as many again; asks the
 * budget first. */
kith_status intern_grow(arena *memory, memory_budget *budget, void *array, size_t *capacity,
                        size_t need, size_t size, kith_error *error);

#endif

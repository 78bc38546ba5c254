#include "search/lattice/groups_coarsen.h"

#include <string.h>

#include "core/error.h"
#include "search/lattice/lattice.h"

/* Words of the longest key: that of the bottom node. */
static uint32_t count_words(const tuples *t)
{
    uint32_t words = 1, used = 0;
    for (uint32_t j = 0; j < t->attributes; j++) {
        uint32_t bits = t->attribute[j].bits[0];
        if (used + bits > 64) {
            words++;
            used = 0;
        }
        used += bits;
    }
    return words;
}

kith_status regroup_init(regrouping *r, const tuples *t, arena *memory, kith_error *error)
{
    *r = (regrouping){.tuples = t, .words = count_words(t)};
    size_t n = t->count, room = 16;
    while (room < 2 * n)
        room *= 2;
    r->key = TRY_ALLOC(arena_array(memory, n * r->words, sizeof *r->key), error);
    r->own = TRY_ALLOC(arena_array(memory, n * r->words, sizeof *r->own), error);
    r->table = TRY_ALLOC(arena_array(memory, room, sizeof *r->table), error);
    r->target = TRY_ALLOC(arena_array(memory, n, sizeof *r->target), error);
    r->representative = TRY_ALLOC(arena_array(memory, n, sizeof *r->representative), error);
    r->size = TRY_ALLOC(arena_array(memory, n, sizeof *r->size), error);
    r->start = TRY_ALLOC(arena_array(memory, n + 2, sizeof *r->start), error);
    r->member = TRY_ALLOC(arena_array(memory, n, sizeof *r->member), error);
    return KITH_OK;
}

/* One attribute's part of a key: its code, `shift` bits up in word `word`. */
typedef struct key_part {
    const uint32_t *code;
    uint32_t axis;
    uint32_t word;
    uint32_t shift;
} key_part;

static uint32_t key_parts(const tuples *t, const uint8_t *levels, key_part *part)
{
    uint32_t parts = 0, word = 0, shift = 0;
    for (uint32_t j = 0; j < t->attributes; j++) {
        uint32_t bits = t->attribute[j].bits[levels[j]];
        if (bits == 0)
            continue;
        if (shift + bits > 64) {
            word++;
            shift = 0;
        }
        part[parts++] = (key_part){t->attribute[j].code[levels[j]], j, word, shift};
        shift += bits;
    }
    return parts;
}

static void make_keys(regrouping *r, const groups *from, const uint8_t *levels)
{
    key_part part[LATTICE_MAX_ATTRIBUTES];
    uint32_t parts = key_parts(r->tuples, levels, part), attributes = r->tuples->attributes;
    uint64_t *key = r->key;
    memset(key, 0, (size_t)from->count * r->words * sizeof *key);
    for (uint32_t g = 0; g < from->count; g++, key += r->words) {
        uint32_t tuple = from->representative == NULL ? g : from->representative[g];
        const uint32_t *leaf = r->tuples->leaf + (size_t)tuple * attributes;
        for (uint32_t i = 0; i < parts; i++)
            key[part[i].word] |= (uint64_t)part[i].code[leaf[part[i].axis]] << part[i].shift;
    }
}

static uint32_t hash_key(const uint64_t *key, uint32_t words)
{
    uint64_t hash = key[0] * 0x9e3779b97f4a7c15U;
    for (uint32_t w = 1; w < words; w++)
        hash = (hash ^ (hash >> 29) ^ key[w]) * 0x9e3779b97f4a7c15U;
    return (uint32_t)(hash >> 32);
}

static bool equal_keys(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        if (a[w] != b[w])
            return false;
    return true;
}

/* Place in the table of the group with this key, or where it would be. */
static inline uint32_t find_place(const regrouping *r, const uint64_t *key, uint32_t words,
                                  uint32_t shift)
{
    uint32_t mask = (uint32_t)((1ULL << (32 - shift)) - 1);
    uint32_t place = hash_key(key, words) >> shift;
    while (r->table[place] != UINT32_MAX &&
           !equal_keys(r->own + (size_t)r->table[place] * words, key, words))
        place = (place + 1) & mask;
    return place;
}

/* Inlined for keys of one word, the usual case. */
static inline uint32_t run_words(regrouping *r, const groups *from, uint32_t words)
{
    uint32_t shift = 28, made = 0; /* a table of 2^(32 - shift) places */
    while (shift > 0 && (uint64_t)1 << (32 - shift) < 2 * (uint64_t)from->count)
        shift--;
    memset(r->table, 0xff, ((size_t)1 << (32 - shift)) * sizeof *r->table);
    for (uint32_t g = 0; g < from->count; g++) {
        const uint64_t *key = r->key + (size_t)g * words;
        uint32_t place = find_place(r, key, words, shift);
        if (r->table[place] == UINT32_MAX) {
            memcpy(r->own + (size_t)made * words, key, words * sizeof *key);
            r->representative[made] = from->representative == NULL ? g : from->representative[g];
            r->size[made] = 0;
            r->table[place] = made++;
        }
        uint32_t target = r->table[place];
        r->target[g] = target;
        r->size[target] += from->size[g];
    }
    return made;
}

uint32_t regroup_run(regrouping *r, const groups *from, const uint8_t *levels)
{
    make_keys(r, from, levels);
    return r->words == 1 ? run_words(r, from, 1) : run_words(r, from, r->words);
}

void regroup_sort(regrouping *r, uint32_t read, uint32_t made)
{
    memset(r->start, 0, ((size_t)made + 2) * sizeof *r->start);
    for (uint32_t g = 0; g < read; g++)
        r->start[r->target[g] + 2]++;
    for (uint32_t t = 0; t < made; t++)
        r->start[t + 2] += r->start[t + 1];
    for (uint32_t g = 0; g < read; g++)
        r->member[r->start[r->target[g] + 1]++] = g;
}

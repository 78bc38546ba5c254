#include "search/lattice/groups_coarsen.h"

#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/group_by_part.h"
#include "search/lattice/lattice.h"

/* Words of the longest key: that of the bottom node. */
static uint32_t count_words(const tuples *t)
{
    uint32_t n_words = 1, used = 0;
    for (uint32_t j = 0; j < t->n_attributes; j++) {
        uint32_t bits = t->attributes[j].bits[0];
        if (used + bits > 64) {
            n_words++;
            used = 0;
        }
        used += bits;
    }
    return n_words;
}

kith_status groups_coarsen_init(groups_coarsen *r, const tuples *t, uint32_t room, arena *memory,
                                kith_error *error)
{
    *r = (groups_coarsen){.tuples = t, .n_words = count_words(t)};
    size_t n = room, places = 16;
    while (places < 2 * n)
        places *= 2;
    r->key = TRY_ALLOC(arena_array(memory, n * r->n_words, sizeof *r->key), error);
    r->own = TRY_ALLOC(arena_array(memory, n * r->n_words, sizeof *r->own), error);
    r->table = TRY_ALLOC(arena_array(memory, places, sizeof *r->table), error);
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

static uint32_t key_parts(const tuples *t, const uint8_t *levels, key_part *parts)
{
    uint32_t n_parts = 0, word = 0, shift = 0;
    for (uint32_t j = 0; j < t->n_attributes; j++) {
        uint32_t bits = t->attributes[j].bits[levels[j]];
        if (bits == 0)
            continue;
        if (shift + bits > 64) {
            word++;
            shift = 0;
        }
        parts[n_parts++] = (key_part){t->attributes[j].code[levels[j]], j, word, shift};
        shift += bits;
    }
    return n_parts;
}

static uint32_t hash_key(const uint64_t *key, uint32_t n_words)
{
    uint64_t hash = key[0] * 0x9e3779b97f4a7c15U;
    for (uint32_t w = 1; w < n_words; w++)
        hash = (hash ^ (hash >> 29) ^ key[w]) * 0x9e3779b97f4a7c15U;
    return (uint32_t)(hash >> 32);
}

static bool equal_keys(const uint64_t *a, const uint64_t *b, uint32_t n_words)
{
    for (uint32_t w = 0; w < n_words; w++)
        if (a[w] != b[w])
            return false;
    return true;
}

/* Place in the table of the group with this key, or where it would be. */
static inline uint32_t groups_coarsen_find_place(const groups_coarsen *r, const uint64_t *key,
                                                 uint32_t n_words, uint32_t shift)
{
    uint32_t mask = (uint32_t)((1ULL << (32 - shift)) - 1);
    uint32_t place = hash_key(key, n_words) >> shift;
    while (r->table[place] != UINT32_MAX &&
           !equal_keys(r->own + (size_t)r->table[place] * n_words, key, n_words))
        place = (place + 1) & mask;
    return place;
}

/* Numbers the keys in the order in which they first occur. The compiler makes a copy for keys of
 * one word, the usual case. */
static inline uint32_t run_words(groups_coarsen *r, const groups *from, uint32_t n_words)
{
    uint32_t shift = 28, made = 0; /* a table of 2^(32 - shift) places */
    while (shift > 0 && (uint64_t)1 << (32 - shift) < 2 * (uint64_t)from->count)
        shift--;
    r->shift = shift;
    memset(r->table, 0xff, ((size_t)1 << (32 - shift)) * sizeof *r->table);
    for (uint32_t g = 0; g < from->count; g++) {
        const uint64_t *key = r->key + (size_t)g * n_words;
        uint32_t place = groups_coarsen_find_place(r, key, n_words, shift);
        if (r->table[place] == UINT32_MAX) {
            memcpy(r->own + (size_t)made * n_words, key, n_words * sizeof *key);
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

uint32_t groups_coarsen_run(groups_coarsen *r, const groups *from, const uint8_t *levels)
{
    ASSERT(from->count <= r->tuples->count);
    key_part parts[LATTICE_MAX_ATTRIBUTES];
    uint32_t n_parts = key_parts(r->tuples, levels, parts), n_attributes = r->tuples->n_attributes;
    uint64_t *key = r->key;
    memset(key, 0, (size_t)from->count * r->n_words * sizeof *key);
    for (uint32_t g = 0; g < from->count; g++, key += r->n_words) {
        uint32_t tuple = from->representative == NULL ? g : from->representative[g];
        const uint32_t *leaf = r->tuples->leaf + (size_t)tuple * n_attributes;
        for (uint32_t i = 0; i < n_parts; i++)
            key[parts[i].word] |= (uint64_t)parts[i].code[leaf[parts[i].axis]] << parts[i].shift;
    }
    return r->n_words == 1 ? run_words(r, from, 1) : run_words(r, from, r->n_words);
}

uint32_t groups_coarsen_find(const groups_coarsen *r, const uint8_t *levels, const uint32_t *row)
{
    key_part parts[LATTICE_MAX_ATTRIBUTES];
    uint64_t key[LATTICE_MAX_ATTRIBUTES] = {0};
    uint32_t n_parts = key_parts(r->tuples, levels, parts);
    for (uint32_t i = 0; i < n_parts; i++)
        key[parts[i].word] |= (uint64_t)parts[i].code[row[parts[i].axis]] << parts[i].shift;
    return r->table[groups_coarsen_find_place(r, key, r->n_words, r->shift)];
}

void groups_coarsen_sort(groups_coarsen *r, uint32_t read, uint32_t made)
{
    group_by_part(r->member, r->start, r->target, made, NULL, read);
}

#include "table/intern.h"

#include <sys/mman.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/error.h"
#include "core/rng.h"

enum { FIRST_SLOTS = 64, FIRST_ELEMENTS = 64, SHORT = 8 };

kith_status intern_grow(arena *memory, memory_budget *budget, void *array, size_t *capacity,
                        size_t need, size_t size, kith_error *error)
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
        return memory_budget_refuse(budget, SIZE_MAX, error);
    TRY(memory_budget_take(budget, bytes - *capacity * size, error));
    void *grown;
    memcpy(&grown, array, sizeof grown); /* a pointer of any type */
    grown = arena_resize(memory, grown, *capacity * size, bytes);
    if (grown == NULL)
        return memory_budget_refuse(budget, bytes, error);
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return KITH_OK;
}

kith_status intern_init(intern *t, arena *memory, memory_budget *budget, kith_error *error)
{
    *t = (intern){
        .memory = memory, .budget = budget, .seed = rng_fresh_seed(), .mask = FIRST_SLOTS - 1};
    t->slots = TRY_ZEROS(t->slots, memory, FIRST_SLOTS, error);
    TRY(intern_grow(memory, budget, &t->offsets, &t->offsets_room, 1, sizeof *t->offsets, error));
    t->offsets[0] = 0;
    return KITH_OK;
}

/* Seeded by the length, because padding alone would not tell a final NUL. */
static uint64_t hash_short(const intern *t, uint64_t padded, uint64_t length)
{
    return XXH3_64bits_withSeed(&padded, sizeof padded, t->seed + length);
}

/* The first `length` bytes of a word in the order of memory; the others become zero. */
static uint64_t first_bytes(uint64_t word, size_t length)
{
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return length == SHORT ? word : word & (((uint64_t)1 << (8 * length)) - 1);
}

/* Eight bytes must be readable at `text`: one load is faster than a copy of `length` bytes. The
 * prefetch asks the memory for the slot, so that it has arrived when the key is looked up. */
static inline void intern_prepare_key(const intern *t, const char *text, size_t length,
                                      intern_key *k)
{
    /* `check` has 24 bits of the hash and the length up to 255. Together with the key it decides
     * for short texts, and spares most comparisons of long ones. */
    uint64_t key, hash;
    if (length <= SHORT) {
        memcpy(&key, text, sizeof key);
        key = first_bytes(key, length);
        hash = hash_short(t, key, length);
    } else {
        key = hash = XXH3_64bits_withSeed(text, length, t->seed);
    }
    k->key = key;
    k->hash = hash;
    k->check = ((uint32_t)(hash >> 32) & ~UINT32_C(255)) | (length < 255 ? (uint32_t)length : 255);
    __builtin_prefetch(&t->slots[hash & t->mask]);
}

/* Keys of long texts are hashes, so that the bytes must be compared as well. */
static bool same(const intern *t, uint32_t code, const char *text, size_t length)
{
    return intern_length(t, code) == length && memcmp(intern_text(t, code), text, length) == 0;
}

/* Probes slots from the place of the hash on. An empty slot ends the search, and there is always
 * one, because at most half of the slots are taken. */
static inline uint32_t intern_find_slot(const intern *t, const char *text, size_t length,
                                        const intern_key *key)
{
    intern_key k = *key;
    for (size_t i = k.hash & t->mask;; i = (i + 1) & t->mask) {
        const intern_slot *slot = &t->slots[i];
        if (slot->next == 0)
            return INTERN_NONE;
        if (slot->key == k.key && slot->check == k.check &&
            (length <= SHORT || same(t, slot->next - 1, text, length)))
            return slot->next - 1;
    }
}

void intern_prepare(const intern *t, const char *text, size_t length, intern_key *key)
{
    char padded[SHORT] = {0};
    if (length < SHORT)
        text = memcpy(padded, text, length);
    intern_prepare_key(t, text, length, key);
}

uint32_t intern_find_key(const intern *t, const char *text, size_t length, const intern_key *key)
{
    return intern_find_slot(t, text, length, key);
}

uint32_t intern_find(const intern *t, const char *text, size_t length)
{
    intern_key key;
    intern_prepare(t, text, length, &key);
    return intern_find_slot(t, text, length, &key);
}

void intern_prepare_many(const intern *t, const char *const *texts, const size_t *lengths,
                         size_t count, intern_key *keys)
{
    for (size_t i = 0; i < count; i++)
        if (texts[i] != NULL)
            intern_prepare_key(t, texts[i], lengths[i], &keys[i]);
}

size_t intern_find_many(const intern *t, const char *const *texts, const size_t *lengths,
                        const intern_key *keys, size_t first, size_t count, uint32_t *codes)
{
    for (; first < count; first++) {
        if (texts[first] == NULL)
            codes[first] = INTERN_NONE;
        else if ((codes[first] = intern_find_slot(t, texts[first], lengths[first], &keys[first])) ==
                 INTERN_NONE)
            break;
    }
    return first;
}

/* Puts a slot into the first free place from its hash on. */
static void intern_place(intern_slot *slots, size_t mask, uint64_t hash, intern_slot slot)
{
    size_t i = hash & mask;
    while (slots[i].next != 0)
        i = (i + 1) & mask;
    slots[i] = slot;
}

/* Slots do not keep their hash: that of a short text is computed again, a long text's is its
 * key. */
static uint64_t slot_hash(const intern *t, const intern_slot *slot)
{
    uint32_t length = slot->check & 255;
    return length <= SHORT ? hash_short(t, slot->key, length) : slot->key;
}

/* Slots are visited at random: with pages of 2 MB the processor knows where they are. Only advice,
 * and only where no more than a part of the last page could be wasted. */
static void large_pages(void *block, size_t bytes)
{
    const uintptr_t page = 2 << 20;
    uintptr_t first = ((uintptr_t)block + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)block + bytes) & ~(page - 1);
    if (end > first)
        (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
}

/* Doubles the slots and places all texts again; codes and texts stay. */
static kith_status widen(intern *t, kith_error *error)
{
    size_t old = t->mask + 1, wider = old * 2;
    if (old > UINT32_MAX)
        return error_set(error, KITH_DATA, "a column has too many distinct values");
    TRY(memory_budget_take(t->budget, wider * sizeof *t->slots, error));
    intern_slot *slots = arena_zalloc(t->memory, wider, sizeof *slots);
    if (slots == NULL)
        return memory_budget_refuse(t->budget, wider * sizeof *slots, error);
    large_pages(slots, wider * sizeof *slots);
    for (size_t i = 0; i < old; i++)
        if (t->slots[i].next != 0)
            intern_place(slots, wider - 1, slot_hash(t, &t->slots[i]), t->slots[i]);
    arena_release(t->memory, t->slots, old * sizeof *slots);
    memory_budget_give_back(t->budget, old * sizeof *slots);
    t->slots = slots;
    t->mask = wider - 1;
    return KITH_OK;
}

kith_status intern_add_key(intern *t, const char *text, size_t length, const intern_key *key,
                           kith_error *error)
{
    size_t need;
    ASSERT(intern_find_slot(t, text, length, key) == INTERN_NONE);
    if (length >= UINT32_MAX || __builtin_add_overflow(t->used, length + 1, &need))
        return error_set(error, KITH_DATA, "a cell of %zu bytes is too long", length);
    if (t->count >= (t->mask + 1) / 2)
        TRY(widen(t, error));
    TRY(intern_grow(t->memory, t->budget, &t->bytes, &t->bytes_room, need, 1, error));
    TRY(intern_grow(t->memory, t->budget, &t->offsets, &t->offsets_room, (size_t)t->count + 2,
                    sizeof *t->offsets, error));
    memcpy(t->bytes + t->used, text, length);
    t->bytes[t->used + length] = '\0';
    t->used = need;
    t->offsets[t->count + 1] = need;
    t->count++;
    intern_place(t->slots, t->mask, key->hash,
                 (intern_slot){.key = key->key, .check = key->check, .next = t->count});
    return KITH_OK;
}

kith_status intern_add(intern *t, const char *text, size_t length, uint32_t *code,
                       kith_error *error)
{
    intern_key key;
    intern_prepare(t, text, length, &key);
    *code = intern_find_slot(t, text, length, &key);
    if (*code != INTERN_NONE)
        return KITH_OK;
    *code = t->count;
    return intern_add_key(t, text, length, &key, error);
}

#if KITH_DEBUG
void intern_check(const intern *t)
{
    ASSERT((t->mask & (t->mask + 1)) == 0);
    ASSERT(t->count <= (t->mask + 1) / 2);
    ASSERT(t->offsets[0] == 0 && t->offsets[t->count] == t->used);
    ASSERT(t->used <= t->bytes_room && t->count < t->offsets_room);
    for (uint32_t code = 0; code < t->count; code++) {
        const uint64_t end = t->offsets[code + 1];
        ASSERT(t->offsets[code] < end && t->bytes[end - 1] == '\0');
        ASSERT(t->slots == NULL ||
               intern_find(t, intern_text(t, code), intern_length(t, code)) == code);
    }
    size_t taken = 0;
    for (size_t i = 0; t->slots != NULL && i <= t->mask; i++)
        taken += t->slots[i].next != 0;
    ASSERT(t->slots == NULL || taken == t->count);
}
#endif

void intern_forget(intern *t)
{
    CHECK(intern_check(t));
    size_t bytes = (t->mask + 1) * sizeof *t->slots;
    arena_release(t->memory, t->slots, bytes);
    memory_budget_give_back(t->budget, bytes);
    t->slots = NULL;
}

void intern_release(intern *t)
{
    if (t->slots != NULL)
        intern_forget(t);
    arena_release(t->memory, t->bytes, t->bytes_room);
    arena_release(t->memory, t->offsets, t->offsets_room * sizeof *t->offsets);
    memory_budget_give_back(t->budget, t->bytes_room + t->offsets_room * sizeof *t->offsets);
    t->bytes = NULL;
    t->offsets = NULL;
}

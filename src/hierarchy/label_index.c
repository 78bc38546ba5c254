/* Finding nodes by their label. Labels are not copied, because a hierarchy may have millions. */
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/error.h"
#include "core/rng.h"
#include "hierarchy/hierarchy.h"

/* Slots are probed one after the other from the hash on; a third of them at least is empty.
 * Invariant: of several nodes with one label the lowest is here. */
struct label_index {
    const char *const *label; /* of the hierarchy */
    uint64_t seed;            /* random, so that nobody can choose labels that collide */
    size_t mask;              /* number of slots - 1 */
    uint32_t *slots;          /* node + 1; 0: empty */
};

/* The slot of a label, or the empty one where it would be. */
static size_t label_index_find_slot(const label_index *index, const char *label, size_t length)
{
    size_t at = XXH3_64bits_withSeed(label, length, index->seed) & index->mask;
    while (index->slots[at] != 0 && strcmp(index->label[index->slots[at] - 1], label) != 0)
        at = (at + 1) & index->mask;
    return at;
}

static size_t slots_for(uint32_t n_labels)
{
    size_t n_slots = 16;
    while (n_slots / 3 * 2 < n_labels)
        n_slots *= 2;
    return n_slots;
}

kith_status label_index_new(label_index **index, arena *memory, const kith_hierarchy *hierarchy,
                            kith_error *error)
{
    label_index *fresh = TRY_ALLOC(arena_alloc(memory, sizeof *fresh), error);
    const uint32_t n_nodes = hierarchy->tree.n_nodes;
    const size_t n_slots = slots_for(n_nodes);
    *fresh =
        (label_index){.label = hierarchy->label, .seed = rng_fresh_seed(), .mask = n_slots - 1};
    fresh->slots = TRY_ZEROS(fresh->slots, memory, n_slots, error);
    for (uint32_t node = 0; node < n_nodes; node++) {
        const char *label = hierarchy->label[node];
        const size_t at = label_index_find_slot(fresh, label, strlen(label));
        if (fresh->slots[at] == 0)
            fresh->slots[at] = node + 1;
    }
    *index = fresh;
    return KITH_OK;
}

uint32_t label_index_find(const label_index *index, const char *label)
{
    return index->slots[label_index_find_slot(index, label, strlen(label))] -
           1; /* UINT32_MAX if it is empty */
}

typedef struct text_slot {
    uint32_t check; /* of the hash, so that hardly any other text is compared */
    uint32_t next;  /* code + 1; 0: empty */
} text_slot;

/* The texts of a dictionary, found by their hash. */
typedef struct text_slots {
    const dictionary *values;
    uint64_t seed;
    size_t mask;
    text_slot *slots;
} text_slots;

/* The slot of a text, or the empty one where it would be. */
static size_t find_text(const text_slots *t, const char *text, size_t length, uint32_t *check)
{
    const uint64_t hash = XXH3_64bits_withSeed(text, length, t->seed);
    size_t at = hash & t->mask;
    *check = (uint32_t)(hash >> 32);
    while (t->slots[at].next != 0 &&
           (t->slots[at].check != *check ||
            strcmp(dictionary_text(t->values, t->slots[at].next - 1), text) != 0))
        at = (at + 1) & t->mask;
    return at;
}

kith_status label_index_nodes(uint32_t *node_of, const kith_hierarchy *hierarchy, uint32_t n_nodes,
                              const dictionary *values, arena *memory, kith_error *error)
{
    const size_t n_slots = slots_for(values->count);
    text_slots t = {.values = values, .seed = rng_fresh_seed(), .mask = n_slots - 1};
    uint32_t n_left = values->count, check;
    t.slots = TRY_ZEROS(t.slots, memory, n_slots, error);
    for (uint32_t code = 0; code < values->count; code++) {
        const size_t at =
            find_text(&t, dictionary_text(values, code), dictionary_length(values, code), &check);
        t.slots[at] = (text_slot){check, code + 1};
        node_of[code] = UINT32_MAX;
    }
    /* Lower nodes come first, and the first one counts. */
    for (uint32_t node = 0; node < n_nodes && n_left > 0; node++) {
        const char *label = hierarchy->label[node];
        const uint32_t next = t.slots[find_text(&t, label, strlen(label), &check)].next;
        if (next == 0 || node_of[next - 1] != UINT32_MAX)
            continue;
        node_of[next - 1] = node;
        n_left--;
    }
    arena_release(memory, t.slots, n_slots * sizeof *t.slots);
    return KITH_OK;
}

uint32_t label_index_empty(const kith_hierarchy *hierarchy)
{
    for (uint32_t leaf = 0; leaf < hierarchy->tree.n_leaves; leaf++)
        if (hierarchy->label[leaf][0] == '\0')
            return leaf;
    return UINT32_MAX;
}

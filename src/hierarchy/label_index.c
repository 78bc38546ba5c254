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
static size_t find(const label_index *index, const char *label, size_t length)
{
    size_t at = XXH3_64bits_withSeed(label, length, index->seed) & index->mask;
    while (index->slots[at] != 0 && strcmp(index->label[index->slots[at] - 1], label) != 0)
        at = (at + 1) & index->mask;
    return at;
}

static kith_status make(label_index **index, arena *memory, const kith_hierarchy *hierarchy,
                        uint32_t n_nodes, kith_error *error)
{
    label_index *fresh = TRY_ALLOC(arena_alloc(memory, sizeof *fresh), error);
    size_t n_slots = 16;
    while (n_slots / 3 * 2 < n_nodes)
        n_slots *= 2;
    *fresh =
        (label_index){.label = hierarchy->label, .seed = rng_fresh_seed(), .mask = n_slots - 1};
    fresh->slots = TRY_ALLOC(arena_zalloc(memory, n_slots, sizeof *fresh->slots), error);
    for (uint32_t node = 0; node < n_nodes; node++) {
        const char *label = hierarchy->label[node];
        const size_t at = find(fresh, label, strlen(label));
        if (fresh->slots[at] == 0)
            fresh->slots[at] = node + 1;
    }
    *index = fresh;
    return KITH_OK;
}

kith_status label_index_new(label_index **index, arena *memory, const kith_hierarchy *hierarchy,
                            kith_error *error)
{
    return make(index, memory, hierarchy, hierarchy->tree.n_nodes, error);
}

kith_status label_index_leaves(label_index **index, arena *memory, const kith_hierarchy *hierarchy,
                               kith_error *error)
{
    return make(index, memory, hierarchy, hierarchy->tree.n_leaves, error);
}

uint32_t label_index_find(const label_index *index, const char *label)
{
    return index->slots[find(index, label, strlen(label))] - 1; /* UINT32_MAX if it is empty */
}

/* Finding nodes by their label. */
#include "core/error.h"
#include "hierarchy/hierarchy.h"
#include "table/intern.h"

#include <string.h>

/* Invariant: node[id] is the lowest node with the label of that id. */
struct label_index {
    intern labels;
    uint32_t *node;
};

kith_status label_index_new(label_index **index, arena *memory, const kith_hierarchy *hierarchy,
                            kith_error *error)
{
    label_index *fresh = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *fresh), error);
    fresh->node =
        TRY_ALLOC(arena_array(memory, hierarchy->tree.n_nodes, sizeof *fresh->node), error);
    TRY(intern_init(&fresh->labels, memory, NULL, error));
    for (uint32_t node = 0; node < hierarchy->tree.n_nodes; node++) {
        const char *label = hierarchy->label[node];
        uint32_t known = fresh->labels.count, id;
        TRY(intern_add(&fresh->labels, label, strlen(label), &id, error));
        if (id == known)
            fresh->node[id] = node;
    }
    *index = fresh;
    return KITH_OK;
}

uint32_t label_index_find(const label_index *index, const char *label)
{
    uint32_t id = intern_find(&index->labels, label, strlen(label));
    return id == INTERN_NONE ? UINT32_MAX : index->node[id];
}

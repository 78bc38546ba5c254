#include "search/search_keep.h"

#include <string.h>

#include "core/error.h"

/* An array of the arena of the search, for longer. */
static kith_status keep(void *list, size_t count, size_t size, arena *memory, kith_error *error)
{
    void *from, *kept;
    memcpy(&from, list, sizeof from);
    if (from == NULL)
        return KITH_OK;
    kept = TRY_ALLOC(arena_array(memory, count, size), error);
    memcpy(kept, from, count * size);
    memcpy(list, &kept, sizeof kept);
    return KITH_OK;
}

static kith_status keep_lattice(searched_lattice **lattice, arena *memory, kith_error *error)
{
    TRY(keep(lattice, 1, sizeof **lattice, memory, error));
    searched_lattice *l = *lattice;
    if (l == NULL)
        return KITH_OK;
    TRY(keep(&l->low, l->n_attributes, sizeof *l->low, memory, error));
    TRY(keep(&l->height, l->n_attributes, sizeof *l->height, memory, error));
    TRY(keep(&l->stride, l->n_attributes, sizeof *l->stride, memory, error));
    TRY(keep(&l->answer, l->n_nodes, sizeof *l->answer, memory, error));
    TRY(keep(&l->loss, l->n_nodes, sizeof *l->loss, memory, error));
    return keep(&l->smallest, l->n_nodes, sizeof *l->smallest, memory, error);
}

kith_status search_keep(search_result *r, uint32_t n_records, uint32_t n_attributes, arena *memory,
                        kith_error *error)
{
    const size_t n_nodes = (size_t)r->partition.n_classes * n_attributes, size = sizeof(uint32_t);
    TRY(keep(&r->partition.class_of, n_records, size, memory, error));
    TRY(keep(&r->partition.closure, n_nodes, size, memory, error));
    TRY(keep(&r->low, n_nodes, size, memory, error));
    TRY(keep(&r->high, n_nodes, size, memory, error));
    TRY(keep(&r->levels, n_attributes, size, memory, error));
    r->recoded = NULL;
    return keep_lattice(&r->lattice, memory, error);
}

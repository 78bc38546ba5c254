#include "search/whole_closure.h"

#include <string.h>

#include "core/error.h"

static void whole_closure_unite(uint32_t *closures, const uint32_t *others, size_t n_sets,
                                const problem *p)
{
    for (size_t s = 0; s < n_sets; s++)
        for (uint32_t a = 0; a < p->n_attributes; a++) {
            uint32_t *own = &closures[s * p->n_attributes + a];
            const uint32_t other = others[s * p->n_attributes + a];
            if (*own == WHOLE_CLOSURE_EMPTY)
                *own = other;
            else if (other != WHOLE_CLOSURE_EMPTY)
                *own = tree_lca(p->attributes[a].tree, *own, other);
        }
}

kith_status whole_closure(uint32_t *closures, uint32_t n_sets, const problem *p, kith_ranks *ranks,
                          arena *memory, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(ranks);
    if (n_ranks == 1)
        return KITH_OK;
    const size_t n = (size_t)n_sets * p->n_attributes;
    uint32_t *own = TRY_ARRAY(own, memory, n, error);
    ranks_bytes *all = TRY_ARRAY(all, memory, n_ranks, error);
    memcpy(own, closures, n * sizeof *own);
    TRY(ranks_gather(ranks, own, n * sizeof *own, all, memory, error));
    for (uint32_t r = 0; r < n_ranks; r++)
        whole_closure_unite(closures, all[r].bytes, n_sets, p);
    return KITH_OK;
}

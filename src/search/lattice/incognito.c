/* Incognito (LeFevre et al. 2005; EGV 2.1): looks at subsets of the attributes first, because
 * what violates the models on some attributes violates them on all.
 *
 * A subset at some levels is the node of the full lattice in which the other attributes stand at
 * the root: so the sub-lattices are parts of the one lattice, and the a-priori step is a look at
 * the nodes with one attribute more at its root. */
#include "search/algorithms.h"
#include "search/lattice/lattice_search.h"

#include "core/error.h"

/* Does a node with one further attribute at the root violate the models? Then this one does too. */
static bool pruned(const lattice_search *s, uint32_t node)
{
    const lattice *l = &s->lattice;
    for (uint32_t j = 0; j < l->n_attributes; j++) {
        uint32_t missing = l->height[j] - lattice_level(l, node, j);
        if (missing > 0 && l->tag[node + missing * l->stride[j]] == TAG_VIOLATED)
            return true;
    }
    return false;
}

/* How many attributes of a node are below their roots. */
static uint32_t support(const lattice *l, uint32_t node)
{
    uint32_t count = 0;
    for (uint32_t j = 0; j < l->n_attributes; j++)
        count += lattice_level(l, node, j) < l->height[j];
    return count;
}

kith_status incognito_run(search_result *result, const problem *p, const search_spec *spec,
                          context *c, kith_error *error)
{
    lattice_search s;
    TRY(lattice_search_init(&s, p, spec, c, error));
    uint32_t *order, *start;
    TRY(lattice_by_sum(&s.lattice, &order, &start, c->memory, error));
    for (uint32_t size = 0; size <= p->n_attributes; size++)
        for (uint32_t i = 0; i < s.lattice.n_nodes && !s.stopped; i++) {
            uint32_t node = order[i];
            if (s.lattice.tag[node] != TAG_UNKNOWN || support(&s.lattice, node) != size)
                continue;
            if (pruned(&s, node))
                lattice_tag_down(&s.lattice, node);
            else
                (void)lattice_search_possible(&s, node);
        }
    TRY(lattice_search_finish(&s, error));
    return lattice_search_result(&s, result, error);
}

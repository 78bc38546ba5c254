/* Optimal Lattice Anonymization (El Emam et al. 2009; EGV 2.1): finds the minimal satisfying nodes
 * by bisecting sub-lattices, then proves the optimum. As with Flash, where suppression makes a
 * model not monotone the nodes found are those of the monotone part. */
#include "search/algorithms.h"
#include "search/lattice/lattice_search.h"

#include "core/error.h"

/* The nodes below `top` that a slice visits. */
typedef struct slice {
    lattice_search *search;
    uint32_t top;
} slice;

static void bisect(lattice_search *s, uint32_t bottom, uint32_t top);

/* Visits the nodes between `bottom` and the top that are `rise` levels above `bottom`, and bisects
 * on: downwards from a node that is possible, upwards from one that is not. `node` has its levels
 * chosen in the attributes before `axis`, and `rise` is what remains for the others. */
static void visit_slice(const slice *at, uint32_t bottom, uint32_t node, uint32_t axis,
                        uint32_t rise)
{
    lattice_search *s = at->search;
    const lattice *l = &s->lattice;
    if (s->stopped || l->decided == l->n_nodes)
        return;
    if (axis == l->n_attributes) {
        if (rise > 0)
            return;
        if (lattice_search_possible(s, node))
            bisect(s, bottom, node);
        else
            bisect(s, node, at->top);
        return;
    }
    uint32_t room = lattice_level(l, at->top, axis) - lattice_level(l, bottom, axis);
    for (uint32_t up = 0; up <= room && up <= rise; up++)
        visit_slice(at, bottom, node + up * l->stride[axis], axis + 1, rise - up);
}

/* Tags every node between `bottom`, which may violate, and `top`, which is possible. */
static void bisect(lattice_search *s, uint32_t bottom, uint32_t top)
{
    const lattice *l = &s->lattice;
    uint32_t height = lattice_sum(l, top) - lattice_sum(l, bottom);
    if (s->stopped || l->tag[bottom] == TAG_SATISFIED || l->tag[top] == TAG_VIOLATED)
        return;
    if (height <= 1) {
        (void)lattice_search_possible(s, bottom);
        return;
    }
    slice at = {s, top};
    visit_slice(&at, bottom, bottom, 0, height / 2);
}

kith_status ola_run(search_result *result, const problem *p, const search_spec *spec, context *c,
                    kith_error *error)
{
    lattice_search s;
    TRY(lattice_search_init(&s, p, spec, c, error));
    if (lattice_search_possible(&s, s.lattice.n_nodes - 1))
        bisect(&s, 0, s.lattice.n_nodes - 1);
    TRY(lattice_search_finish(&s, error));
    return lattice_search_result(&s, result, error);
}

/* Datafly (Sweeney 1997; EGV 2.1), a heuristic: generalizes the attribute with the most distinct
 * values by one level, again and again, until few enough records remain in violating classes; these
 * are then suppressed. */
#include "search/algorithms.h"
#include "search/lattice/lattice_search.h"

#include "core/error.h"

/* The attribute below its root with the most distinct values; UINT32_MAX if all stand at the root.
 * Of equals the one of the lowest turn: the order of columns in the data, or at the sites, must not
 * matter. */
static uint32_t widest(const lattice *l, const problem *p, const checker *c, uint32_t node)
{
    uint32_t best = UINT32_MAX, max_values = 0;
    for (uint32_t j = 0; j < l->n_attributes; j++) {
        uint32_t level = lattice_level(l, node, j);
        if (level == l->height[j])
            continue;
        uint32_t n_values = checker_n_values(c, j, l->low[j] + level);
        if (best == UINT32_MAX || n_values > max_values ||
            (n_values == max_values && p->attributes[j].turn < p->attributes[best].turn)) {
            best = j;
            max_values = n_values;
        }
    }
    return best;
}

kith_status datafly_run(search_result *result, const problem *p, const search_spec *spec,
                        context *c, kith_error *error)
{
    lattice_search s;
    TRY(lattice_search_init(&s, p, spec, c, error));
    uint32_t node = 0;
    while (!lattice_search_satisfied(&s, node) && !s.stopped) {
        uint32_t j = widest(&s.lattice, p, s.checker, node);
        if (j == UINT32_MAX)
            break;
        node += s.lattice.stride[j];
    }
    bool greedy = s.found;
    /* With suppression even the top may violate a model that a node below it meets. */
    if (!greedy)
        TRY(lattice_search_finish(&s, error));
    TRY(lattice_search_result(&s, result, error));
    if (greedy)
        result->stopped = "few enough violate";
    return KITH_OK;
}

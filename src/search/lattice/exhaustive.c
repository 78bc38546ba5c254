/* The plainest searches of the lattice, as references: they check every node and predict none,
 * breadth-first from the bottom up, depth-first along the first way up before the next. They also
 * give the loss of every node that satisfies the models. */
#include "search/algorithms.h"
#include "search/lattice/lattice_search.h"

#include "core/error.h"

kith_status exhaustive_breadth_first_run(search_result *result, const problem *p,
                                         const search_spec *spec, context *c, kith_error *error)
{
    lattice_search s;
    TRY(lattice_search_init(&s, p, spec, c, error));
    uint32_t *order, *start;
    TRY(lattice_by_sum(&s.lattice, &order, &start, c->memory, error));
    TRY(lattice_search_all(&s, order, s.lattice.n_nodes, error));
    return lattice_search_result(&s, result, error);
}

kith_status exhaustive_depth_first_run(search_result *result, const problem *p,
                                       const search_spec *spec, context *c, kith_error *error)
{
    lattice_search s;
    TRY(lattice_search_init(&s, p, spec, c, error));
    uint32_t *stack = TRY_ALLOC(arena_array(c->memory, s.lattice.n_nodes, sizeof *stack), error);
    uint32_t *order = TRY_ALLOC(arena_array(c->memory, s.lattice.n_nodes, sizeof *order), error);
    uint8_t *seen = TRY_ALLOC(arena_zalloc(c->memory, s.lattice.n_nodes, 1), error);
    uint32_t depth = 0, visited = 0;
    stack[depth++] = 0;
    seen[0] = 1;
    while (depth > 0) {
        uint32_t node = stack[--depth];
        order[visited++] = node;
        for (uint32_t j = 0; j < s.lattice.n_attributes; j++) {
            uint32_t up = lattice_up(&s.lattice, node, j);
            if (up != UINT32_MAX && !seen[up]) {
                seen[up] = 1;
                stack[depth++] = up;
            }
        }
    }
    TRY(lattice_search_all(&s, order, visited, error));
    return lattice_search_result(&s, result, error);
}

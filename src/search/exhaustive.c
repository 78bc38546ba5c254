/* The plainest searches of the lattice, as references: breadth-first checks every node whose tag is
 * unknown from the bottom up, depth-first follows the first way up before the next. */
#include "search/algorithms.h"
#include "search/lattice_search.h"

#include "core/error.h"

kith_status breadth_first_run(search_result *result, const problem *p, const search_spec *spec,
                              context *c, kith_error *error)
{
    (void)spec;
    lattice_search s;
    TRY(lattice_search_init(&s, p, c, error));
    uint32_t *order, *start;
    TRY(lattice_by_sum(&s.lattice, &order, &start, c->memory, error));
    for (uint32_t i = 0; i < s.lattice.nodes && !s.stopped; i++)
        (void)lattice_search_satisfied(&s, order[i]);
    TRY(lattice_search_finish(&s, error));
    return lattice_search_result(&s, result, error);
}

kith_status depth_first_run(search_result *result, const problem *p, const search_spec *spec,
                            context *c, kith_error *error)
{
    (void)spec;
    lattice_search s;
    TRY(lattice_search_init(&s, p, c, error));
    uint32_t *stack = arena_array(c->memory, s.lattice.nodes, sizeof *stack);
    uint8_t *seen = arena_zalloc(c->memory, s.lattice.nodes, 1);
    TRY_ALLOC(stack, error);
    TRY_ALLOC(seen, error);
    uint32_t depth = 0;
    stack[depth++] = 0;
    seen[0] = 1;
    while (depth > 0 && !s.stopped) {
        uint32_t node = stack[--depth];
        (void)lattice_search_satisfied(&s, node);
        for (uint32_t j = 0; j < s.lattice.attributes; j++) {
            uint32_t up = lattice_up(&s.lattice, node, j);
            if (up != UINT32_MAX && !seen[up]) {
                seen[up] = 1;
                stack[depth++] = up;
            }
        }
    }
    TRY(lattice_search_finish(&s, error));
    return lattice_search_result(&s, result, error);
}

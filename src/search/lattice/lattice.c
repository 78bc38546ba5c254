#include "search/lattice/lattice.h"

#include "core/error.h"

kith_status lattice_init(lattice *l, const problem *p, arena *memory, kith_error *error)
{
    *l = (lattice){.n_attributes = p->n_attributes};
    if (p->n_attributes > LATTICE_MAX_ATTRIBUTES)
        return error_set(error, KITH_INVALID,
                         "%u quasi-identifiers; a lattice search takes at most %d", p->n_attributes,
                         LATTICE_MAX_ATTRIBUTES);
    l->low = TRY_ALLOC(arena_array(memory, p->n_attributes, sizeof *l->low), error);
    l->height = TRY_ALLOC(arena_array(memory, p->n_attributes, sizeof *l->height), error);
    l->stride = TRY_ALLOC(arena_array(memory, p->n_attributes, sizeof *l->stride), error);
    uint64_t n_nodes = 1;
    for (uint32_t j = p->n_attributes; j-- > 0;) {
        const attribute *a = &p->attributes[j];
        ASSERT(a->min_level + a->n_forbidden < a->tree->n_levels);
        l->low[j] = a->min_level;
        l->height[j] = a->tree->n_levels - 1 - a->n_forbidden - a->min_level;
        l->stride[j] = (uint32_t)n_nodes;
        l->top += l->height[j];
        n_nodes *= l->height[j] + 1;
        if (n_nodes > LATTICE_MAX_NODES) {
            error_set(error, KITH_INVALID, "the lattice of generalizations has more than %d nodes",
                      LATTICE_MAX_NODES);
            return error_hint(error, KITH_INVALID,
                              "use hierarchies with fewer levels, or a clustering algorithm");
        }
    }
    l->n_nodes = (uint32_t)n_nodes;
    /* A walk pushes a node when it is tagged, so at most once. */
    l->tag = TRY_ALLOC(arena_zalloc(memory, l->n_nodes, sizeof *l->tag), error);
    l->stack = TRY_ALLOC(arena_array(memory, l->n_nodes, sizeof *l->stack), error);
    return KITH_OK;
}

uint32_t lattice_sum(const lattice *l, uint32_t node)
{
    uint32_t sum = 0;
    for (uint32_t j = 0; j < l->n_attributes; j++)
        sum += lattice_level(l, node, j);
    return sum;
}

void lattice_levels(const lattice *l, uint32_t node, uint8_t *levels)
{
    ASSERT(node < l->n_nodes);
    for (uint32_t j = 0; j < l->n_attributes; j++)
        levels[j] = (uint8_t)(l->low[j] + lattice_level(l, node, j));
}

void lattice_tag_one(lattice *l, uint32_t node, lattice_tag tag)
{
    ASSERT(node < l->n_nodes && tag != TAG_UNKNOWN);
    if (l->tag[node] == TAG_UNKNOWN) {
        l->tag[node] = (uint8_t)tag;
        l->decided++;
    }
}

/* Tags a node and all untagged nodes that `next` leads to. Stops at tagged nodes: the
 * walk that tagged them has gone on from there. */
static void tag_walk(lattice *l, uint32_t node, lattice_tag tag,
                     uint32_t (*next)(const lattice *l, uint32_t node, uint32_t axis))
{
    if (l->tag[node] != TAG_UNKNOWN)
        return;
    uint32_t depth = 0;
    lattice_tag_one(l, node, tag);
    l->stack[depth++] = node;
    while (depth > 0) {
        uint32_t from = l->stack[--depth];
        for (uint32_t j = 0; j < l->n_attributes; j++) {
            uint32_t to = next(l, from, j);
            if (to == UINT32_MAX || l->tag[to] != TAG_UNKNOWN)
                continue;
            lattice_tag_one(l, to, tag);
            l->stack[depth++] = to;
        }
    }
}

void lattice_tag_up(lattice *l, uint32_t node)
{
    tag_walk(l, node, TAG_SATISFIED, lattice_up);
}

void lattice_tag_down(lattice *l, uint32_t node)
{
    tag_walk(l, node, TAG_VIOLATED, lattice_down);
}

kith_status lattice_by_sum(const lattice *l, uint32_t **order, uint32_t **start, arena *memory,
                           kith_error *error)
{
    CHECK(lattice_check(l));
    uint32_t *first = TRY_ALLOC(arena_zalloc(memory, (size_t)l->top + 2, sizeof *first), error);
    uint32_t *sorted = TRY_ALLOC(arena_array(memory, l->n_nodes, sizeof *sorted), error);
    uint32_t *next = TRY_ALLOC(arena_array(memory, (size_t)l->top + 1, sizeof *next), error);
    for (uint32_t node = 0; node < l->n_nodes; node++)
        first[lattice_sum(l, node) + 1]++;
    for (uint32_t s = 0; s <= l->top; s++)
        first[s + 1] += first[s];
    for (uint32_t s = 0; s <= l->top; s++)
        next[s] = first[s];
    for (uint32_t node = 0; node < l->n_nodes; node++)
        sorted[next[lattice_sum(l, node)]++] = node;
    *order = sorted;
    *start = first;
    return KITH_OK;
}

#if KITH_DEBUG
void lattice_check(const lattice *l)
{
    uint32_t stride = 1, top = 0, n_decided = 0;
    for (uint32_t j = l->n_attributes; j-- > 0;) {
        ASSERT(l->stride[j] == stride);
        stride *= l->height[j] + 1;
        top += l->height[j];
    }
    ASSERT(l->n_nodes == stride && l->top == top);
    for (uint32_t node = 0; node < l->n_nodes; node++)
        n_decided += l->tag[node] != TAG_UNKNOWN;
    ASSERT(l->decided == n_decided);
}
#endif

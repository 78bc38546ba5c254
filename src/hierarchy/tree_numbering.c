#include "hierarchy/tree_numbering.h"

#include <string.h>

#include "core/check.h"
#include "core/error.h"

/* What is being numbered. */
typedef struct work {
    const uint32_t *ids; /* [n_leaves][n_levels] */
    uint32_t n_leaves, n_levels;
    uint32_t *order;   /* [n_leaves] the caller's, at the beginning and in the end */
    uint32_t *next;    /* [n_leaves] order after a pass */
    uint32_t *rank;    /* [n_ids] first row with an id at the level of the pass */
    uint32_t *buckets; /* [n_leaves + 1] */
} work;

/* The node of a row at a level, as an id. */
static uint32_t id_at(const work *w, uint32_t row, uint32_t level)
{
    return w->ids[(uint64_t)row * w->n_levels + level];
}

/* Depth-first order: sorted by the topmost level, then by the one below, …; done from below, since
 * the sort is stable. */
static kith_status sort_rows(work *w, arena *scratch, uint32_t n_ids, kith_error *error)
{
    uint32_t *order = w->order;
    uint32_t *second = TRY_ARRAY(second, scratch, w->n_leaves, error);
    w->rank = TRY_ARRAY(w->rank, scratch, n_ids, error);
    w->buckets = TRY_ARRAY(w->buckets, scratch, (size_t)w->n_leaves + 1, error);
    w->next = second;
    for (uint32_t level = 1; level + 1 < w->n_levels; level++) {
        /* Stable counting sort of the rows by the first row of their node at a level. */
        for (uint32_t row = w->n_leaves; row-- > 0;)
            w->rank[id_at(w, row, level)] = row;
        memset(w->buckets, 0, ((size_t)w->n_leaves + 1) * sizeof *w->buckets);
        for (uint32_t row = 0; row < w->n_leaves; row++)
            w->buckets[w->rank[id_at(w, row, level)] + 1]++;
        for (uint32_t i = 0; i < w->n_leaves; i++)
            w->buckets[i + 1] += w->buckets[i];
        for (uint32_t i = 0; i < w->n_leaves; i++)
            w->next[w->buckets[w->rank[id_at(w, w->order[i], level)]]++] = w->order[i];
        uint32_t *swap = w->order;
        w->order = w->next;
        w->next = swap;
    }
    if (w->order != order)
        memcpy(order, w->order, w->n_leaves * sizeof *order);
    w->order = order;
    return KITH_OK;
}

/* Does a new node of this level begin at leaf i? */
static bool begins(const work *w, uint32_t i, uint32_t level)
{
    return i == 0 || level == 0 || id_at(w, w->order[i], level) != id_at(w, w->order[i - 1], level);
}

/* Fills in where the nodes of each level begin; returns how many there are. Rows are read once for
 * all levels, since they may be larger than caches. */
static uint64_t count_nodes(const work *w, uint32_t *level_start)
{
    uint64_t n_nodes = 0;
    memset(level_start, 0, ((size_t)w->n_levels + 1) * sizeof *level_start);
    for (uint32_t i = 0; i < w->n_leaves; i++)
        for (uint32_t level = 0; level < w->n_levels; level++)
            level_start[level + 1] += begins(w, i, level);
    for (uint32_t level = 1; level <= w->n_levels; level++) {
        n_nodes += level_start[level];
        level_start[level] = (uint32_t)n_nodes;
    }
    return n_nodes;
}

/* The arrays of a tree while they can be written. */
typedef struct arrays {
    uint32_t *first, *end, *parent, *up;
    uint8_t *level;
} arrays;

static kith_status fill(const work *w, tree *t, arena *memory, arena *scratch, kith_error *error)
{
    uint32_t *at = TRY_ARRAY(at, scratch, w->n_levels, error);
    uint32_t *level_start = TRY_ARRAY(level_start, memory, (size_t)w->n_levels + 1, error);
    uint64_t n_nodes = count_nodes(w, level_start);
    if (n_nodes >= UINT32_MAX)
        return error_nomem(error);
    arrays a;
    a.first = TRY_ARRAY(a.first, memory, n_nodes, error);
    a.end = TRY_ARRAY(a.end, memory, n_nodes, error);
    a.parent = TRY_ARRAY(a.parent, memory, n_nodes, error);
    a.level = TRY_ARRAY(a.level, memory, n_nodes, error);
    a.up = TRY_ARRAY(a.up, memory, (size_t)w->n_leaves * w->n_levels, error);
    memcpy(at, level_start, w->n_levels * sizeof *at);
    /* Leaves are sorted, so that the leaves of a node are neighbours: a new node begins where the
     * id changes. at[]: the first node of each level. */
    for (uint32_t i = 0; i < w->n_leaves; i++)
        for (uint32_t level = 0; level < w->n_levels; level++) {
            if (begins(w, i, level)) {
                at[level] += i > 0;
                a.first[at[level]] = i;
                a.level[at[level]] = (uint8_t)level;
            }
            a.end[at[level]] = i + 1;
            a.up[(uint64_t)level * w->n_leaves + i] = at[level];
        }
    /* Only the root has no parent: with several roots there is no row of `up` above them. */
    if (level_start[w->n_levels] - level_start[w->n_levels - 1] != 1)
        return error_set(error, KITH_BUG, "a hierarchy without a single root was not refused");
    /* The parent of a node is the ancestor of its first leaf one level up. */
    for (uint32_t node = 0; node + 1 < n_nodes; node++)
        a.parent[node] = a.up[(uint64_t)(a.level[node] + 1) * w->n_leaves + a.first[node]];
    a.parent[n_nodes - 1] = (uint32_t)n_nodes - 1;
    *t = (tree){.n_leaves = w->n_leaves,
                .n_nodes = (uint32_t)n_nodes,
                .n_levels = w->n_levels,
                .level_start = level_start,
                .first = a.first,
                .end = a.end,
                .parent = a.parent,
                .level = a.level,
                .up = a.up};
    return KITH_OK;
}

kith_status tree_numbering_make(tree *t, uint32_t *order, const tree_paths *paths, arena *memory,
                                arena *scratch, kith_error *error)
{
    ASSERT(paths->n_leaves > 0 && paths->n_levels > 0);
    work w = {.ids = paths->ids, .n_leaves = paths->n_leaves, .n_levels = paths->n_levels};
    w.order = order;
    for (uint32_t i = 0; i < w.n_leaves; i++)
        order[i] = i;
    if (!paths->in_order)
        TRY(sort_rows(&w, scratch, paths->n_ids, error));
    TRY(fill(&w, t, memory, scratch, error));
    CHECK(tree_check(t));
    return KITH_OK;
}

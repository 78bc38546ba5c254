#include "protocol/joint_tree/joint_tree_steps.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"
#include "protocol/joint_tree/joint_tree_votes.h"

/* Can the closure of a class lie at or below this node? Not if too few records have its value, as
 * the first root has told, nor if it is forbidden. Nodes that are ruled out get no vote. */
static bool may_close(const joint_tree *j, uint32_t a, uint32_t node)
{
    const tree *t = j->problem->attributes[a].tree;
    if (j->forbidden[a] != NULL && j->forbidden[a][node])
        return false;
    if (!j->rules->monotone || j->rules->slack > 0 || j->worth[a][tree_root(t)] < 0)
        return true;
    uint32_t top = tree_up(t, t->first[node], t->n_levels - 2);
    return j->n_live_values[a] > 0 &&
           bsearch(&top, j->live_values[a], j->n_live_values[a], sizeof top, sort_uint32) != NULL;
}

/* First node of a level below a node; *last gets the last one. */
static uint32_t first_below(const tree *t, uint32_t node, uint32_t level, uint32_t *last)
{
    *last = tree_up(t, t->end[node] - 1, level);
    return tree_up(t, t->first[node], level);
}

/* The question: a vote about each candidate below a bound, level by level downwards, whether it
 * covers all my records of the leaf: `mine`, or JOINT_TREE_NONE if I have none. */
static kith_status ask_below(joint_tree_votes *v, const joint_tree *j, uint32_t a, uint32_t bound,
                             uint32_t mine, kith_error *error)
{
    const tree *t = j->problem->attributes[a].tree;
    ASSERT(mine == JOINT_TREE_NONE || tree_covers(t, bound, mine));
    for (uint32_t level = t->level[bound]; level-- > 0;) {
        uint32_t last, node = first_below(t, bound, level, &last);
        for (; node <= last; node++)
            if (may_close(j, a, node))
                TRY(joint_tree_votes_add(v, mine == JOINT_TREE_NONE || tree_covers(t, node, mine),
                                         error));
    }
    return KITH_OK;
}

/* The answer: the lowest candidate that covers the records of all parties, or the bound. */
static uint32_t read_below(joint_tree_votes *v, const joint_tree *j, uint32_t a, uint32_t bound)
{
    const tree *t = j->problem->attributes[a].tree;
    uint32_t lowest = bound;
    for (uint32_t level = t->level[bound]; level-- > 0;) {
        uint32_t last, node = first_below(t, bound, level, &last);
        for (; node <= last; node++)
            if (may_close(j, a, node) && joint_tree_votes_next(v))
                lowest = node;
    }
    return lowest;
}

kith_status joint_tree_close_loose(joint_tree *j, kith_error *error)
{
    if (j->leaves.loose_from >= j->leaves.count)
        return KITH_OK;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    joint_tree_votes v = {.memory = memory};
    const joint_tree_leaves *l = &j->leaves;
    const uint32_t n = j->problem->n_attributes;
    const size_t n_closures = (size_t)(l->count - l->loose_from) * n;
    uint32_t *mine = TRY_ALLOC(arena_array(v.memory, n_closures, sizeof *mine), error);
    uint32_t *closure = joint_tree_closure(j, l->loose_from);
    memset(mine, 0xFF, n_closures * sizeof *mine); /* JOINT_TREE_NONE: no own record in the leaf */
    for (uint32_t i = 0; i < j->problem->n_records; i++) {
        if (l->class_of[i] == JOINT_TREE_NONE || l->class_of[i] < l->loose_from)
            continue;
        uint32_t *own = mine + (size_t)(l->class_of[i] - l->loose_from) * n;
        for (uint32_t a = 0; a < n; a++)
            own[a] = own[a] == JOINT_TREE_NONE
                         ? j->cells[a][i]
                         : tree_lca(j->problem->attributes[a].tree, own[a], j->cells[a][i]);
    }
    for (size_t i = 0; i < n_closures; i++)
        TRY(ask_below(&v, j, (uint32_t)(i % n), closure[i], mine[i], error));
    TRY(joint_tree_votes_join(&v, j->party, error));
    for (size_t i = 0; i < n_closures; i++)
        closure[i] = read_below(&v, j, (uint32_t)(i % n), closure[i]);
    party_learns(j->party, DISCLOSE_AGGREGATE, "closures", n_closures);
    CHECK(joint_tree_check(j));
    return KITH_OK;
}

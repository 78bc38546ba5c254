/* Splitting a set of a growing tree into its parts, and making it a leaf. */
#include <string.h>

#include "core/error.h"
#include "protocol/joint_tree/joint_tree_internal.h"

void joint_tree_split_eject(joint_tree_growth *g, uint32_t first, uint32_t end)
{
    joint_tree_pool *pool = &g->tree->pool;
    ASSERT(first <= end && end <= g->roots.n_rows);
    ASSERT(end - first <= g->tree->problem->n_records - pool->count);
    ASSERT(!g->roots.last); /* the pools are known to be empty after the last tree */
    memcpy(pool->rows + pool->count, g->roots.rows + first, (end - first) * sizeof *pool->rows);
    pool->count += end - first;
}

kith_status joint_tree_split_leaf(joint_tree_growth *g, const joint_tree_set *set,
                                  kith_error *error)
{
    const uint32_t n_attributes = g->tree->problem->n_attributes;
    joint_tree_result_node *leaf = &g->result.nodes[set->id];
    leaf->first = set->first;
    leaf->size = set->size;
    leaf->name = set->name;
    leaf->closure = TRY_ALLOC(arena_array(g->memory, n_attributes, sizeof *leaf->closure), error);
    for (uint32_t a = 0; a < n_attributes; a++)
        leaf->closure[a] = set->slots[a].bound;
    return KITH_OK;
}

kith_status joint_tree_split_later(joint_tree_growth *g, const joint_tree_set *set,
                                   kith_error *error)
{
    TRY_GROW(g->next.sets, g->next.room, g->next.count + 1, g->memory, error);
    g->next.sets[g->next.count++] = *set;
    return KITH_OK;
}

kith_status joint_tree_split_begin(joint_tree_growth *g, joint_tree_set *set, kith_error *error)
{
    bool any = false;
    if (g->tree->quiet && !g->at_first_root)
        set->phase = JOINT_TREE_PHASE_CHOICE;
    for (uint32_t a = 0; a < g->tree->problem->n_attributes; a++) {
        joint_tree_slot *slot = &set->slots[a];
        slot->closed = slot->closed || slot->n_values == 0;
        any = any || joint_tree_has_slot(g, set, a);
    }
    return any ? joint_tree_split_later(g, set, error) : joint_tree_split_leaf(g, set, error);
}

kith_status joint_tree_split_ask_children(joint_tree_growth *g, joint_tree_slot *slot, uint32_t a,
                                          kith_error *error)
{
    const tree *t = g->tree->problem->attributes[a].tree;
    const uint8_t *forbidden = g->tree->forbidden[a];
    uint32_t end, first = joint_tree_score_children(t, slot->node, &end);
    uint32_t *values = TRY_ALLOC(arena_array(g->memory, end - first, sizeof *values), error);
    slot->n_values = 0;
    for (uint32_t child = first; child < end; child++)
        if (forbidden == NULL || !forbidden[child])
            values[slot->n_values++] = child;
    slot->values = values;
    return KITH_OK;
}

kith_status joint_tree_split_add_children(joint_tree_growth *g, const joint_tree_set *set,
                                          uint32_t n, kith_error *error)
{
    joint_tree_result *r = &g->result;
    TRY_GROW(r->nodes, r->room, (size_t)r->count + n, g->memory, error);
    memset(r->nodes + r->count, 0, n * sizeof *r->nodes);
    r->nodes[set->id].child = r->count;
    r->nodes[set->id].children = n;
    r->count += n;
    return KITH_OK;
}

kith_status joint_tree_split_part(joint_tree_growth *g, joint_tree_set *part,
                                  const joint_tree_set *set, uint32_t id, kith_error *error)
{
    const uint32_t n_attributes = g->tree->problem->n_attributes;
    *part = (joint_tree_set){.id = id, .name = set->name};
    part->slots = TRY_ALLOC(arena_array(g->memory, n_attributes, sizeof *part->slots), error);
    memcpy(part->slots, set->slots, n_attributes * sizeof *part->slots);
    for (uint32_t a = 0; a < n_attributes; a++)
        part->slots[a].big = part->slots[a].known = part->slots[a].narrow = part->slots[a].lent =
            false;
    return KITH_OK;
}

kith_status joint_tree_split_descend(joint_tree_growth *g, joint_tree_set *part, uint32_t a,
                                     uint32_t value, kith_error *error)
{
    joint_tree_slot *slot = &part->slots[a];
    ASSERT(g->tree->problem->attributes[a].tree->parent[value] == slot->node);
    /* If a rest has joined above, the bound stays where it is: it covers the rest, too. */
    if (slot->bound == slot->node)
        slot->bound = value;
    slot->node = value;
    part->name = joint_tree_score_part_name(part->name, a, value);
    if (g->tree->worth[a][value] < 0)
        return KITH_OK;
    return joint_tree_split_ask_children(g, slot, a, error);
}

void joint_tree_split_sort(joint_tree_growth *g, const joint_tree_set *set, uint32_t *start,
                           uint32_t n_buckets)
{
    uint32_t *rows = g->roots.rows;
    memset(start, 0, (n_buckets + 1) * sizeof *start);
    for (uint32_t i = 0; i < set->size; i++) {
        ASSERT(g->buckets[i] < n_buckets);
        start[g->buckets[i] + 1]++;
    }
    start[0] = set->first;
    for (uint32_t b = 1; b <= n_buckets; b++)
        start[b] += start[b - 1];
    for (uint32_t i = 0; i < set->size; i++)
        g->sorted[start[g->buckets[i]]++] = rows[set->first + i];
    memcpy(rows + set->first, g->sorted + set->first, set->size * sizeof *rows);
    for (uint32_t b = n_buckets; b > 0; b--) /* start[b] is the end of bucket b now */
        start[b] = start[b - 1];
    start[0] = set->first;
}

/* Sorts the rows of a set by live value of one slot; those without one, and those that are lent, go
 * to the bucket `others`. */
static void sort_by_value(joint_tree_growth *g, const joint_tree_set *set, uint32_t best,
                          uint32_t others, uint32_t *start)
{
    const joint_tree_slot *slot = &set->slots[best];
    const tree *t = g->tree->problem->attributes[best].tree;
    const uint32_t *cells = g->tree->cells[best];
    for (uint32_t v = 0; v < slot->n_values; v++)
        g->positions[slot->values[v]] = v + 1;
    for (uint32_t i = 0; i < set->size; i++) {
        const uint32_t row = g->roots.rows[set->first + i];
        uint32_t child = joint_tree_child(t, slot->node, cells[row]);
        uint32_t position = child == JOINT_TREE_NONE ? 0 : g->positions[child];
        if (position > 0 && slot->lent &&
            joint_tree_score_is_lent(joint_tree_loans_draw(g, set, best, row), slot->loan))
            position = 0;
        g->buckets[i] = position == 0 ? others : position - 1;
    }
    for (uint32_t v = 0; v < slot->n_values; v++)
        g->positions[slot->values[v]] = 0;
    joint_tree_split_sort(g, set, start, slot->n_values + 1);
}

/* A child for every live value, then one for a big rest. A small rest is ejected; in the last tree
 * it joins the live value that a public coin chooses, the host. */
kith_status joint_tree_split(joint_tree_growth *g, const joint_tree_set *set, uint32_t best,
                             kith_error *error)
{
    const joint_tree_slot *slot = &set->slots[best];
    const uint32_t n_live = slot->n_values, children = n_live + slot->big;
    const bool joins = g->roots.last && !slot->big;
    ASSERT(n_live > 0);
    const uint32_t host = joins ? joint_tree_score_coin(g->tree->coins, set->name, n_live) : n_live;
    uint32_t *start = TRY_ALLOC(arena_array(g->memory, n_live + 2, sizeof *start), error);
    TRY(joint_tree_split_add_children(g, set, children, error));
    sort_by_value(g, set, best, host, start);
    for (uint32_t v = 0; v < children; v++) {
        joint_tree_set part;
        TRY(joint_tree_split_part(g, &part, set, g->result.nodes[set->id].child + v, error));
        part.first = start[v];
        part.size = start[v + 1] - start[v];
        if (v < n_live) {
            TRY(joint_tree_split_descend(g, &part, best, slot->values[v], error));
        } else {
            part.slots[best].closed = true;
            part.name = joint_tree_score_part_name(set->name, best, JOINT_TREE_REST);
        }
        if (joins && v == host) {
            part.slots[best].bound = slot->bound;
            part.name = joint_tree_score_part_name(part.name, best, JOINT_TREE_JOINED);
            joint_tree_record(g->tree, (joint_tree_opened){.event = JOINT_TREE_JOIN,
                                                           .set = part.name,
                                                           .of = set->name,
                                                           .a = best,
                                                           .node = part.slots[best].node,
                                                           .bit = true,
                                                           .rows = g->roots.rows + part.first,
                                                           .n_rows = part.size});
        }
        TRY(joint_tree_split_begin(g, &part, error));
    }
    if (!slot->big && !joins)
        joint_tree_split_eject(g, start[n_live], start[n_live + 1]);
    return KITH_OK;
}

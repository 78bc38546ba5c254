#include <string.h>

#include "core/error.h"
#include "protocol/joint_tree/joint_tree_internal.h"

static kith_status reserve_result_nodes(joint_tree_growth *g, uint32_t more, kith_error *error)
{
    TRY_GROW(g->result_nodes, g->result_node_room, (size_t)g->n_result_nodes + more, g->memory,
             error);
    memset(g->result_nodes + g->n_result_nodes, 0, more * sizeof *g->result_nodes);
    return KITH_OK;
}

static kith_status add_children(joint_tree_growth *g, const joint_tree_node *n, uint32_t children,
                                kith_error *error)
{
    TRY(reserve_result_nodes(g, children, error));
    g->result_nodes[n->id].child = g->n_result_nodes;
    g->result_nodes[n->id].children = children;
    g->n_result_nodes += children;
    return KITH_OK;
}

static void eject(joint_tree_growth *g, uint32_t first, uint32_t end)
{
    joint_tree *f = g->tree;
    memcpy(f->pool + f->pooled, g->rows + first, (end - first) * sizeof *f->pool);
    f->pooled += end - first;
}

/* A root that may not be a class goes to the pool as a whole. */
kith_status joint_tree_split_leaf(joint_tree_growth *g, joint_tree_node *n, kith_error *error)
{
    const uint32_t n_attributes = g->tree->problem->n_attributes;
    joint_tree_result_node *b = &g->result_nodes[n->id];
    if (n->id < g->root_set.n_roots && g->root_set.roots[n->id].unfit) {
        eject(g, n->first, n->first + n->size);
        return KITH_OK;
    }
    b->first = n->first;
    b->size = n->size;
    b->name = n->name;
    b->closure = TRY_ALLOC(arena_array(g->memory, n_attributes, sizeof *b->closure), error);
    for (uint32_t a = 0; a < n_attributes; a++)
        b->closure[a] = n->axis[a].bound;
    return KITH_OK;
}

kith_status joint_tree_split_open(joint_tree_growth *g, const joint_tree_node *n, kith_error *error)
{
    TRY_GROW(g->next, g->next_room, g->n_next + 1, g->memory, error);
    g->next[g->n_next++] = *n;
    return KITH_OK;
}

/* All children of a node but the forbidden ones, as the values to be asked about. */
static kith_status ask_children(joint_tree_growth *g, joint_tree_axis *axis, uint32_t a,
                                kith_error *error)
{
    const tree *t = g->tree->problem->attributes[a].tree;
    const uint8_t *forbidden = g->tree->forbidden[a];
    uint32_t end, first = joint_tree_score_children(t, axis->node, &end);
    uint32_t *value = TRY_ALLOC(arena_array(g->memory, end - first, sizeof *value), error);
    axis->n_values = 0;
    for (uint32_t child = first; child < end; child++)
        if (forbidden == NULL || !forbidden[child])
            value[axis->n_values++] = child;
    axis->values = value;
    return KITH_OK;
}

/* A part of a set, so far with the same axes; the caller changes those of one or more slots. */
static kith_status part_of(joint_tree_growth *g, joint_tree_node *part, const joint_tree_node *n,
                           uint32_t id, kith_error *error)
{
    const uint32_t n_attributes = g->tree->problem->n_attributes;
    *part = (joint_tree_node){.id = id, .name = n->name};
    part->axis = TRY_ALLOC(arena_array(g->memory, n_attributes, sizeof *part->axis), error);
    memcpy(part->axis, n->axis, n_attributes * sizeof *part->axis);
    for (uint32_t a = 0; a < n_attributes; a++)
        part->axis[a].big = false;
    return KITH_OK;
}

static kith_status descend(joint_tree_growth *g, joint_tree_node *part, uint32_t a, uint32_t child,
                           kith_error *error)
{
    joint_tree_axis *axis = &part->axis[a];
    if (axis->bound == axis->node)
        axis->bound = child;
    axis->node = child;
    part->name = joint_tree_score_part_name(part->name, a, child);
    if (g->tree->worth[a][child] < 0)
        return KITH_OK;
    return ask_children(g, axis, a, error);
}

/* A set with nothing to ask is a leaf at once. */
static kith_status open_or_close(joint_tree_growth *g, joint_tree_node *part, kith_error *error)
{
    bool any = false;
    for (uint32_t a = 0; a < g->tree->problem->n_attributes; a++) {
        joint_tree_axis *axis = &part->axis[a];
        axis->dead = axis->dead || axis->n_values == 0;
        any = any || joint_tree_axis_has_slot(g, part, a);
    }
    return any ? joint_tree_split_open(g, part, error) : joint_tree_split_leaf(g, part, error);
}

/* Sorts the records of a set by bucket, keeping their order; start[b] is where each begins. */
static void sort_rows(joint_tree_growth *g, const joint_tree_node *n, uint32_t *start,
                      uint32_t n_buckets)
{
    memset(start, 0, (n_buckets + 1) * sizeof *start);
    for (uint32_t i = 0; i < n->size; i++)
        start[g->bucket[i] + 1]++;
    start[0] = n->first;
    for (uint32_t b = 1; b <= n_buckets; b++)
        start[b] += start[b - 1];
    for (uint32_t i = 0; i < n->size; i++)
        g->spare[start[g->bucket[i]]++] = g->rows[n->first + i];
    memcpy(g->rows + n->first, g->spare + n->first, n->size * sizeof *g->rows);
    for (uint32_t b = n_buckets; b > 0; b--)
        start[b] = start[b - 1];
    start[0] = n->first;
}

/* Which live value each record has; those with none go to the bucket `others`. */
static void sort_values(joint_tree_growth *g, const joint_tree_node *n, uint32_t best,
                        uint32_t others, uint32_t *start)
{
    const joint_tree_axis *axis = &n->axis[best];
    const tree *t = g->tree->problem->attributes[best].tree;
    const uint32_t *cells = g->tree->cells[best];
    for (uint32_t v = 0; v < axis->n_values; v++)
        g->where[axis->values[v]] = v + 1;
    for (uint32_t i = 0; i < n->size; i++) {
        uint32_t child = joint_tree_child(t, axis->node, cells[g->rows[n->first + i]]);
        uint32_t v = child == UINT32_MAX ? 0 : g->where[child];
        g->bucket[i] = v == 0 ? others : v - 1;
    }
    for (uint32_t v = 0; v < axis->n_values; v++)
        g->where[axis->values[v]] = 0;
    sort_rows(g, n, start, axis->n_values + 1);
}

/* A small rest of the last tree joins a value. */
static void join_rest(joint_tree_growth *g, joint_tree_node *part, const joint_tree_node *n,
                      uint32_t best)
{
    const joint_tree_recorder *r = g->tree->recorder;
    part->axis[best].bound = n->axis[best].bound;
    part->name = joint_tree_score_part_name(part->name, best, JOINT_TREE_JOINED);
    if (r != NULL)
        r->opened(r->user, JOINT_TREE_JOIN, part->name, n->name, best, part->axis[best].node, 0,
                  true);
}

kith_status joint_tree_split_values(joint_tree_growth *g, joint_tree_node *n, uint32_t best,
                                    kith_error *error)
{
    const joint_tree_axis *axis = &n->axis[best];
    const uint32_t live = axis->n_values, children = live + axis->big;
    const bool joins = g->root_set.last && !axis->big;
    const uint32_t host = joins ? joint_tree_score_coin(g->tree->coins, n->name, live) : live;
    uint32_t *start = TRY_ALLOC(arena_array(g->memory, live + 2, sizeof *start), error);
    TRY(add_children(g, n, children, error));
    sort_values(g, n, best, host, start);
    for (uint32_t v = 0; v < children; v++) {
        joint_tree_node part;
        TRY(part_of(g, &part, n, g->result_nodes[n->id].child + v, error));
        part.first = start[v];
        part.size = start[v + 1] - start[v];
        if (v < live) {
            TRY(descend(g, &part, best, axis->values[v], error));
            if (joins && v == host)
                join_rest(g, &part, n, best);
        } else {
            part.axis[best].dead = true;
            part.name = joint_tree_score_part_name(n->name, best, JOINT_TREE_REST);
        }
        TRY(open_or_close(g, &part, error));
    }
    if (!axis->big && !joins)
        eject(g, start[live], start[live + 1]);
    return KITH_OK;
}

kith_status joint_tree_split_singles(joint_tree_growth *g, joint_tree_node *n, kith_error *error)
{
    const joint_tree *f = g->tree;
    uint32_t start[3];
    joint_tree_node part;
    TRY(add_children(g, n, 1, error));
    TRY(part_of(g, &part, n, g->result_nodes[n->id].child, error));
    memset(g->bucket, 0, n->size * sizeof *g->bucket);
    for (uint32_t a = 0; a < f->problem->n_attributes; a++) {
        if (!joint_tree_axis_has_slot(g, n, a) || !joint_tree_axis_is_single(&n->axis[a]))
            continue;
        const uint32_t value = n->axis[a].values[0];
        for (uint32_t i = 0; i < n->size; i++)
            g->bucket[i] |= !tree_covers(f->problem->attributes[a].tree, value,
                                         f->cells[a][g->rows[n->first + i]]);
        TRY(descend(g, &part, a, value, error));
    }
    sort_rows(g, n, start, 2);
    part.first = start[0];
    part.size = start[1] - start[0];
    eject(g, start[1], start[2]);
    return open_or_close(g, &part, error);
}

/* The first root of all asks about all values, later ones about those that live there. */
static kith_status add_root(joint_tree_growth *g, uint32_t id, kith_error *error)
{
    const joint_tree *f = g->tree;
    const joint_tree_root *origin = &g->root_set.roots[id];
    joint_tree_node root = {
        .id = id, .name = origin->name, .first = origin->first, .size = origin->size};
    root.axis =
        TRY_ALLOC(arena_zalloc(g->memory, f->problem->n_attributes, sizeof *root.axis), error);
    for (uint32_t a = 0; a < f->problem->n_attributes; a++) {
        joint_tree_axis *axis = &root.axis[a];
        axis->node = axis->bound = tree_root(f->problem->attributes[a].tree);
        axis->values = f->alive[a];
        axis->n_values = f->n_alive[a];
        if (origin->shown != NULL && axis->n_values > JOINT_TREE_WIDE_VALUES) {
            axis->values = origin->shown[a];
            axis->n_values = origin->n_shown[a];
        }
        if (g->first_root)
            TRY(ask_children(g, axis, a, error));
    }
    return open_or_close(g, &root, error);
}

kith_status joint_tree_split_roots(joint_tree_growth *g, kith_error *error)
{
    TRY(reserve_result_nodes(g, g->root_set.n_roots, error));
    g->n_result_nodes = g->root_set.n_roots;
    for (uint32_t id = 0; id < g->root_set.n_roots; id++)
        TRY(add_root(g, id, error));
    joint_tree_split_advance(g);
    return KITH_OK;
}

void joint_tree_split_advance(joint_tree_growth *g)
{
    joint_tree_node *open = g->open;
    size_t room = g->open_room;
    g->open = g->next;
    g->n_open = g->n_next;
    g->open_room = g->next_room;
    g->next = open;
    g->next_room = room;
    g->n_next = 0;
}

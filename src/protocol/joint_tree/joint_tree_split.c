#include <string.h>

#include "core/error.h"
#include "protocol/joint_tree/joint_tree_internal.h"

static kith_status reserve_bones(tree_growth *g, uint32_t more, kith_error *error)
{
    TRY_GROW(g->bone, g->bone_room, (size_t)g->bones + more, g->memory, error);
    memset(g->bone + g->bones, 0, more * sizeof *g->bone);
    return KITH_OK;
}

static kith_status add_children(tree_growth *g, const tree_node *n, uint32_t children,
                                kith_error *error)
{
    TRY(reserve_bones(g, children, error));
    g->bone[n->id].child = g->bones;
    g->bone[n->id].children = children;
    g->bones += children;
    return KITH_OK;
}

static void eject(tree_growth *g, uint32_t first, uint32_t end)
{
    tree_forest *f = g->forest;
    memcpy(f->pool + f->pooled, g->rows + first, (end - first) * sizeof *f->pool);
    f->pooled += end - first;
}

/* A root that may not be a class goes to the pool as a whole. */
kith_status tree_split_leaf(tree_growth *g, tree_node *n, kith_error *error)
{
    const uint32_t attributes = g->forest->problem->attributes;
    tree_bone *b = &g->bone[n->id];
    if (n->id < g->seed.roots && g->seed.root[n->id].unfit) {
        eject(g, n->first, n->first + n->size);
        return KITH_OK;
    }
    b->first = n->first;
    b->size = n->size;
    b->name = n->name;
    b->closure = TRY_ALLOC(arena_array(g->memory, attributes, sizeof *b->closure), error);
    for (uint32_t a = 0; a < attributes; a++)
        b->closure[a] = n->axis[a].bound;
    return KITH_OK;
}

kith_status tree_split_open(tree_growth *g, const tree_node *n, kith_error *error)
{
    TRY_GROW(g->next, g->next_room, g->nexts + 1, g->memory, error);
    g->next[g->nexts++] = *n;
    return KITH_OK;
}

/* All children of a node but the forbidden ones, as the values to be asked about. */
static kith_status ask_children(tree_growth *g, tree_axis *axis, uint32_t a, kith_error *error)
{
    const tree *t = g->forest->problem->attribute[a].tree;
    const uint8_t *forbidden = g->forest->forbidden[a];
    uint32_t end, first = weave_bits_children(t, axis->node, &end);
    uint32_t *value = TRY_ALLOC(arena_array(g->memory, end - first, sizeof *value), error);
    axis->values = 0;
    for (uint32_t child = first; child < end; child++)
        if (forbidden == NULL || !forbidden[child])
            value[axis->values++] = child;
    axis->value = value;
    return KITH_OK;
}

/* A part of a set, so far with the same axes; the caller changes those of one or more slots. */
static kith_status part_of(tree_growth *g, tree_node *part, const tree_node *n, uint32_t id,
                           kith_error *error)
{
    const uint32_t attributes = g->forest->problem->attributes;
    *part = (tree_node){.id = id, .name = n->name};
    part->axis = TRY_ALLOC(arena_array(g->memory, attributes, sizeof *part->axis), error);
    memcpy(part->axis, n->axis, attributes * sizeof *part->axis);
    for (uint32_t a = 0; a < attributes; a++)
        part->axis[a].big = false;
    return KITH_OK;
}

static kith_status descend(tree_growth *g, tree_node *part, uint32_t a, uint32_t child,
                           kith_error *error)
{
    tree_axis *axis = &part->axis[a];
    if (axis->bound == axis->node)
        axis->bound = child;
    axis->node = child;
    part->name = weave_bits_part_name(part->name, a, child);
    if (g->forest->worth[a][child] < 0)
        return KITH_OK;
    return ask_children(g, axis, a, error);
}

/* A set with nothing to ask is a leaf at once. */
static kith_status settle(tree_growth *g, tree_node *part, kith_error *error)
{
    bool any = false;
    for (uint32_t a = 0; a < g->forest->problem->attributes; a++) {
        tree_axis *axis = &part->axis[a];
        axis->dead = axis->dead || axis->values == 0;
        any = any || tree_axis_offers(g, part, a);
    }
    return any ? tree_split_open(g, part, error) : tree_split_leaf(g, part, error);
}

/* Sorts the records of a set by bucket, keeping their order; start[b] is where each begins. */
static void sort_rows(tree_growth *g, const tree_node *n, uint32_t *start, uint32_t buckets)
{
    memset(start, 0, (buckets + 1) * sizeof *start);
    for (uint32_t i = 0; i < n->size; i++)
        start[g->bucket[i] + 1]++;
    start[0] = n->first;
    for (uint32_t b = 1; b <= buckets; b++)
        start[b] += start[b - 1];
    for (uint32_t i = 0; i < n->size; i++)
        g->spare[start[g->bucket[i]]++] = g->rows[n->first + i];
    memcpy(g->rows + n->first, g->spare + n->first, n->size * sizeof *g->rows);
    for (uint32_t b = buckets; b > 0; b--)
        start[b] = start[b - 1];
    start[0] = n->first;
}

/* Which live value each record has; those with none go to the bucket `others`. */
static void sort_values(tree_growth *g, const tree_node *n, uint32_t best, uint32_t others,
                        uint32_t *start)
{
    const tree_axis *axis = &n->axis[best];
    const tree *t = g->forest->problem->attribute[best].tree;
    const uint32_t *cells = g->forest->cells[best];
    for (uint32_t v = 0; v < axis->values; v++)
        g->where[axis->value[v]] = v + 1;
    for (uint32_t i = 0; i < n->size; i++) {
        uint32_t child = tree_child(t, axis->node, cells[g->rows[n->first + i]]);
        uint32_t v = child == UINT32_MAX ? 0 : g->where[child];
        g->bucket[i] = v == 0 ? others : v - 1;
    }
    for (uint32_t v = 0; v < axis->values; v++)
        g->where[axis->value[v]] = 0;
    sort_rows(g, n, start, axis->values + 1);
}

/* A small rest of the last tree joins a value. */
static void take_in(tree_growth *g, tree_node *part, const tree_node *n, uint32_t best)
{
    const tree_record *r = g->forest->record;
    part->axis[best].bound = n->axis[best].bound;
    part->name = weave_bits_part_name(part->name, best, WEAVE_BITS_JOINED);
    if (r != NULL)
        r->opened(r->user, TREE_JOIN, part->name, n->name, best, part->axis[best].node, 0, true);
}

kith_status tree_split_values(tree_growth *g, tree_node *n, uint32_t best, kith_error *error)
{
    const tree_axis *axis = &n->axis[best];
    const uint32_t live = axis->values, children = live + axis->big;
    const bool joins = g->seed.last && !axis->big;
    const uint32_t host = joins ? weave_bits_coin(g->forest->coins, n->name, live) : live;
    uint32_t *start = TRY_ALLOC(arena_array(g->memory, live + 2, sizeof *start), error);
    TRY(add_children(g, n, children, error));
    sort_values(g, n, best, host, start);
    for (uint32_t v = 0; v < children; v++) {
        tree_node part;
        TRY(part_of(g, &part, n, g->bone[n->id].child + v, error));
        part.first = start[v];
        part.size = start[v + 1] - start[v];
        if (v < live) {
            TRY(descend(g, &part, best, axis->value[v], error));
            if (joins && v == host)
                take_in(g, &part, n, best);
        } else {
            part.axis[best].dead = true;
            part.name = weave_bits_part_name(n->name, best, WEAVE_BITS_REST);
        }
        TRY(settle(g, &part, error));
    }
    if (!axis->big && !joins)
        eject(g, start[live], start[live + 1]);
    return KITH_OK;
}

kith_status tree_split_singles(tree_growth *g, tree_node *n, kith_error *error)
{
    const tree_forest *f = g->forest;
    uint32_t start[3];
    tree_node part;
    TRY(add_children(g, n, 1, error));
    TRY(part_of(g, &part, n, g->bone[n->id].child, error));
    memset(g->bucket, 0, n->size * sizeof *g->bucket);
    for (uint32_t a = 0; a < f->problem->attributes; a++) {
        if (!tree_axis_offers(g, n, a) || !tree_axis_single(&n->axis[a]))
            continue;
        const uint32_t value = n->axis[a].value[0];
        for (uint32_t i = 0; i < n->size; i++)
            g->bucket[i] |= !tree_covers(f->problem->attribute[a].tree, value,
                                         f->cells[a][g->rows[n->first + i]]);
        TRY(descend(g, &part, a, value, error));
    }
    sort_rows(g, n, start, 2);
    part.first = start[0];
    part.size = start[1] - start[0];
    eject(g, start[1], start[2]);
    return settle(g, &part, error);
}

/* The first root of all asks about all values, later ones about those that live there. */
static kith_status plant(tree_growth *g, uint32_t id, kith_error *error)
{
    const tree_forest *f = g->forest;
    const tree_sprout *sprout = &g->seed.root[id];
    tree_node root = {.id = id, .name = sprout->name, .first = sprout->first, .size = sprout->size};
    root.axis =
        TRY_ALLOC(arena_zalloc(g->memory, f->problem->attributes, sizeof *root.axis), error);
    for (uint32_t a = 0; a < f->problem->attributes; a++) {
        tree_axis *axis = &root.axis[a];
        axis->node = axis->bound = tree_root(f->problem->attribute[a].tree);
        axis->value = f->alive[a];
        axis->values = f->alive_count[a];
        if (sprout->shown != NULL && axis->values > WEAVE_BITS_WIDE) {
            axis->value = sprout->shown[a];
            axis->values = sprout->shown_count[a];
        }
        if (g->first_root)
            TRY(ask_children(g, axis, a, error));
    }
    return settle(g, &root, error);
}

kith_status tree_split_roots(tree_growth *g, kith_error *error)
{
    TRY(reserve_bones(g, g->seed.roots, error));
    g->bones = g->seed.roots;
    for (uint32_t id = 0; id < g->seed.roots; id++)
        TRY(plant(g, id, error));
    tree_split_advance(g);
    return KITH_OK;
}

void tree_split_advance(tree_growth *g)
{
    tree_node *open = g->open;
    size_t room = g->open_room;
    g->open = g->next;
    g->opened = g->nexts;
    g->open_room = g->next_room;
    g->next = open;
    g->next_room = room;
    g->nexts = 0;
}

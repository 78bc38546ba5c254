#include <string.h>

#include "core/error.h"
#include "protocol/joint_tree/joint_tree_internal.h"

void tree_count_row(const tree_forest *f, uint32_t *tally, uint32_t row)
{
    tally[0]++;
    for (uint32_t s = 0; f->rules->width > 1 && s < f->problem->secrets; s++)
        if (f->rules->offset[s] != 0)
            tally[f->rules->offset[s] + f->problem->secret[s].values[row]]++;
}

/* Room for `more` questions, whose tallies are zero. */
static kith_status reserve(tree_growth *g, size_t more, kith_error *error)
{
    tree_batch *b = &g->batch;
    const size_t width = g->forest->rules->width;
    if (more > b->room - b->count) {
        size_t room = arena_capacity(b->room, b->count + more);
        TRY_RESIZE(b->tally, g->memory, b->room * width, room * width, error);
        TRY_RESIZE(b->name, g->memory, b->room, room, error);
        b->room = room;
    }
    memset(b->tally + b->count * width, 0, more * width * sizeof *b->tally);
    return KITH_OK;
}

/* A: one question for every value of a slot that is worth one. */
static kith_status count_values(tree_growth *g, const tree_node *n, uint32_t a, kith_error *error)
{
    tree_forest *f = g->forest;
    tree_batch *b = &g->batch;
    const tree *t = f->problem->attribute[a].tree;
    const tree_axis *axis = &n->axis[a];
    const uint32_t *cells = f->cells[a], width = f->rules->width;
    TRY(reserve(g, axis->values, error));
    for (uint32_t v = 0; v < axis->values; v++) {
        g->where[axis->value[v]] = v + 1;
        b->name[b->count + v] = weave_bits_part_name(n->name, a, axis->value[v]);
    }
    uint32_t *tally = b->tally + b->count * width;
    for (uint32_t i = n->first; i < n->first + n->size; i++) {
        uint32_t child = tree_child(t, axis->node, cells[g->rows[i]]);
        uint32_t v = child == UINT32_MAX ? 0 : g->where[child];
        if (v != 0)
            tree_count_row(f, tally + (size_t)(v - 1) * width, g->rows[i]);
    }
    for (uint32_t v = 0; v < axis->values; v++)
        g->where[axis->value[v]] = 0;
    b->count += axis->values;
    return KITH_OK;
}

/* B: the tally has been kept since A. */
static kith_status count_rest(tree_growth *g, const tree_node *n, uint32_t a, kith_error *error)
{
    tree_batch *b = &g->batch;
    const uint32_t width = g->forest->rules->width;
    TRY(reserve(g, 1, error));
    memcpy(b->tally + b->count * width, n->rest + (size_t)a * width, width * sizeof *b->tally);
    b->name[b->count++] = weave_bits_part_name(n->name, a, WEAVE_BITS_REST);
    return KITH_OK;
}

/* The name that the part gets if it is made (tree_split_singles). */
static uint64_t name_singles(const tree_growth *g, const tree_node *n)
{
    uint64_t name = n->name;
    for (uint32_t a = 0; a < g->forest->problem->attributes; a++)
        if (tree_axis_offers(g, n, a) && tree_axis_single(&n->axis[a]))
            name = weave_bits_part_name(name, a, n->axis[a].value[0]);
    return name;
}

static bool has_singles(const tree_growth *g, const tree_node *n, uint32_t row)
{
    const tree_forest *f = g->forest;
    for (uint32_t a = 0; a < f->problem->attributes; a++)
        if (tree_axis_offers(g, n, a) && tree_axis_single(&n->axis[a]) &&
            !tree_covers(f->problem->attribute[a].tree, n->axis[a].value[0], f->cells[a][row]))
            return false;
    return true;
}

/* C. */
static kith_status count_joint(tree_growth *g, const tree_node *n, kith_error *error)
{
    tree_batch *b = &g->batch;
    TRY(reserve(g, 1, error));
    uint32_t *tally = b->tally + b->count * g->forest->rules->width;
    for (uint32_t i = n->first; i < n->first + n->size; i++)
        if (has_singles(g, n, g->rows[i]))
            tree_count_row(g->forest, tally, g->rows[i]);
    b->name[b->count++] = name_singles(g, n);
    return KITH_OK;
}

kith_status tree_count(tree_growth *g, kith_error *error)
{
    g->batch.count = 0;
    for (size_t i = 0; i < g->opened; i++) {
        tree_node *n = &g->open[i];
        n->question = g->batch.count;
        if (n->phase == PHASE_JOINT)
            TRY(count_joint(g, n, error));
        for (uint32_t a = 0; n->phase != PHASE_JOINT && a < g->forest->problem->attributes; a++) {
            if (!tree_axis_offers(g, n, a))
                continue;
            TRY(n->phase == PHASE_VALUES ? count_values(g, n, a, error)
                                         : count_rest(g, n, a, error));
        }
    }
    return KITH_OK;
}

#include <string.h>

#include "core/error.h"
#include "protocol/joint_tree/joint_tree_internal.h"

void joint_tree_count_row(const joint_tree *f, uint32_t *tally, uint32_t row)
{
    tally[0]++;
    for (uint32_t s = 0; f->rules->width > 1 && s < f->problem->n_sensitive; s++)
        if (f->rules->offset[s] != 0)
            tally[f->rules->offset[s] + f->problem->sensitive[s].values[row]]++;
}

/* Room for `more` questions, whose tallies are zero. */
static kith_status reserve(joint_tree_growth *g, size_t more, kith_error *error)
{
    joint_tree_batch *b = &g->batch;
    const size_t width = g->tree->rules->width;
    if (more > b->room - b->count) {
        size_t room = arena_capacity(b->room, b->count + more);
        TRY_RESIZE(b->tallies, g->memory, b->room * width, room * width, error);
        TRY_RESIZE(b->names, g->memory, b->room, room, error);
        b->room = room;
    }
    memset(b->tallies + b->count * width, 0, more * width * sizeof *b->tallies);
    return KITH_OK;
}

/* A: one question for every value of a slot that is worth one. */
static kith_status count_values(joint_tree_growth *g, const joint_tree_node *n, uint32_t a,
                                kith_error *error)
{
    joint_tree *f = g->tree;
    joint_tree_batch *b = &g->batch;
    const tree *t = f->problem->attributes[a].tree;
    const joint_tree_axis *axis = &n->axis[a];
    const uint32_t *cells = f->cells[a], width = f->rules->width;
    TRY(reserve(g, axis->n_values, error));
    for (uint32_t v = 0; v < axis->n_values; v++) {
        g->where[axis->values[v]] = v + 1;
        b->names[b->count + v] = joint_tree_score_part_name(n->name, a, axis->values[v]);
    }
    uint32_t *tally = b->tallies + b->count * width;
    for (uint32_t i = n->first; i < n->first + n->size; i++) {
        uint32_t child = joint_tree_child(t, axis->node, cells[g->rows[i]]);
        uint32_t v = child == UINT32_MAX ? 0 : g->where[child];
        if (v != 0)
            joint_tree_count_row(f, tally + (size_t)(v - 1) * width, g->rows[i]);
    }
    for (uint32_t v = 0; v < axis->n_values; v++)
        g->where[axis->values[v]] = 0;
    b->count += axis->n_values;
    return KITH_OK;
}

/* B: the tally has been kept since A. */
static kith_status count_rest(joint_tree_growth *g, const joint_tree_node *n, uint32_t a,
                              kith_error *error)
{
    joint_tree_batch *b = &g->batch;
    const uint32_t width = g->tree->rules->width;
    TRY(reserve(g, 1, error));
    memcpy(b->tallies + b->count * width, n->rest + (size_t)a * width, width * sizeof *b->tallies);
    b->names[b->count++] = joint_tree_score_part_name(n->name, a, JOINT_TREE_REST);
    return KITH_OK;
}

/* The name that the part gets if it is made (joint_tree_split_singles). */
static uint64_t name_singles(const joint_tree_growth *g, const joint_tree_node *n)
{
    uint64_t name = n->name;
    for (uint32_t a = 0; a < g->tree->problem->n_attributes; a++)
        if (joint_tree_axis_has_slot(g, n, a) && joint_tree_axis_is_single(&n->axis[a]))
            name = joint_tree_score_part_name(name, a, n->axis[a].values[0]);
    return name;
}

static bool has_singles(const joint_tree_growth *g, const joint_tree_node *n, uint32_t row)
{
    const joint_tree *f = g->tree;
    for (uint32_t a = 0; a < f->problem->n_attributes; a++)
        if (joint_tree_axis_has_slot(g, n, a) && joint_tree_axis_is_single(&n->axis[a]) &&
            !tree_covers(f->problem->attributes[a].tree, n->axis[a].values[0], f->cells[a][row]))
            return false;
    return true;
}

/* C. */
static kith_status count_joint(joint_tree_growth *g, const joint_tree_node *n, kith_error *error)
{
    joint_tree_batch *b = &g->batch;
    TRY(reserve(g, 1, error));
    uint32_t *tally = b->tallies + b->count * g->tree->rules->width;
    for (uint32_t i = n->first; i < n->first + n->size; i++)
        if (has_singles(g, n, g->rows[i]))
            joint_tree_count_row(g->tree, tally, g->rows[i]);
    b->names[b->count++] = name_singles(g, n);
    return KITH_OK;
}

kith_status joint_tree_count(joint_tree_growth *g, kith_error *error)
{
    g->batch.count = 0;
    for (size_t i = 0; i < g->n_open; i++) {
        joint_tree_node *n = &g->open[i];
        n->question = g->batch.count;
        if (n->phase == PHASE_JOINT)
            TRY(count_joint(g, n, error));
        for (uint32_t a = 0; n->phase != PHASE_JOINT && a < g->tree->problem->n_attributes; a++) {
            if (!joint_tree_axis_has_slot(g, n, a))
                continue;
            TRY(n->phase == PHASE_VALUES ? count_values(g, n, a, error)
                                         : count_rest(g, n, a, error));
        }
    }
    return KITH_OK;
}

/* Phase A: for every slot of a set and every value of the slot: may the records with this value be
 * a class? */
#include <string.h>

#include "core/error.h"
#include "protocol/joint_tree/joint_tree_internal.h"

void joint_tree_values_count(joint_tree_growth *g, const joint_tree_set *set, uint32_t a,
                             uint32_t *tallies)
{
    const joint_tree *j = g->tree;
    const tree *t = j->problem->attributes[a].tree;
    const joint_tree_slot *slot = &set->slots[a];
    for (uint32_t v = 0; v < slot->n_values; v++)
        g->positions[slot->values[v]] = v + 1;
    for (uint32_t i = set->first; i < set->first + set->size; i++) {
        const uint32_t row = g->roots.rows[i];
        uint32_t child = joint_tree_child(t, slot->node, j->cells[a][row]);
        uint32_t position = child == JOINT_TREE_NONE ? 0 : g->positions[child];
        if (position > 0)
            joint_tree_count_row(j, tallies + (size_t)(position - 1) * j->rules->width, row);
    }
    for (uint32_t v = 0; v < slot->n_values; v++)
        g->positions[slot->values[v]] = 0;
}

/* The tally of the records without a live value, where persons count: those of two sets may be the
 * same, so that nothing can be taken away from a tally. */
static void count_others(joint_tree_growth *g, const joint_tree_set *set, uint32_t a,
                         uint32_t *tally)
{
    const joint_tree *j = g->tree;
    const tree *t = j->problem->attributes[a].tree;
    const joint_tree_slot *slot = &set->slots[a];
    for (uint32_t v = 0; v < slot->n_values; v++)
        g->positions[slot->values[v]] = 1;
    for (uint32_t i = set->first; i < set->first + set->size; i++) {
        const uint32_t row = g->roots.rows[i];
        const uint32_t child = joint_tree_child(t, slot->node, j->cells[a][row]);
        if (child == JOINT_TREE_NONE || g->positions[child] == 0)
            joint_tree_count_row(j, tally, row);
    }
    for (uint32_t v = 0; v < slot->n_values; v++)
        g->positions[slot->values[v]] = 0;
}

kith_status joint_tree_values_ask(joint_tree_growth *g, joint_tree_set *set, kith_error *error)
{
    for (uint32_t a = 0; a < g->tree->problem->n_attributes; a++) {
        const joint_tree_slot *slot = &set->slots[a];
        uint32_t *tallies;
        uint64_t *names;
        if (!joint_tree_has_slot(g, set, a))
            continue;
        TRY(joint_tree_batch_add(g, slot->n_values, &tallies, &names, error));
        joint_tree_values_count(g, set, a, tallies);
        for (uint32_t v = 0; v < slot->n_values; v++)
            names[v] = joint_tree_score_part_name(set->name, a, slot->values[v]);
    }
    return KITH_OK;
}

/* Keeps the live values of one slot, whose answers begin at `from`, and the tally of all other
 * records, `whole` without those of the live values: phase B will ask about it. */
static kith_status keep_live(joint_tree_growth *g, joint_tree_set *set, uint32_t a, size_t from,
                             const uint32_t *whole, kith_error *error)
{
    const joint_tree *j = g->tree;
    const uint32_t width = j->rules->width;
    const uint32_t *tallies = g->batch.tallies + (set->question + from) * width;
    joint_tree_slot *slot = &set->slots[a];
    uint32_t *rest = set->rests + (size_t)a * width, n_live = 0;
    for (uint32_t v = 0; v < slot->n_values; v++)
        n_live += joint_tree_batch_answer(g, set, from + v);
    uint32_t *live = TRY_ARRAY(live, g->memory, n_live, error);
    memcpy(rest, whole, width * sizeof *rest);
    if (j->rules->by_persons)
        memset(rest, 0, width * sizeof *rest);
    n_live = 0;
    for (uint32_t v = 0; v < slot->n_values; v++) {
        const bool is_live = joint_tree_batch_answer(g, set, from + v);
        joint_tree_batch_record(g, set, g->batch.names[set->question + from + v], JOINT_TREE_VALUE,
                                a, slot->values[v], is_live);
        if (!is_live)
            continue;
        live[n_live++] = slot->values[v];
        for (uint32_t i = 0; !j->rules->by_persons && i < width; i++)
            rest[i] -= tallies[v * width + i];
    }
    slot->values = live;
    slot->n_values = n_live;
    slot->known = true;
    slot->closed = n_live == 0;
    if (j->rules->by_persons)
        count_others(g, set, a, rest);
    return KITH_OK;
}

kith_status joint_tree_values_answered(joint_tree_growth *g, joint_tree_set *set, kith_error *error)
{
    joint_tree *j = g->tree;
    const uint32_t width = j->rules->width, n_attributes = j->problem->n_attributes;
    uint32_t *whole = TRY_ZEROS(whole, g->rest_memory, width, error);
    set->rests = TRY_ARRAY(set->rests, g->rest_memory, (size_t)width * n_attributes, error);
    for (uint32_t i = set->first; i < set->first + set->size; i++)
        joint_tree_count_row(j, whole, g->roots.rows[i]);
    size_t from = 0;
    bool any = false;
    for (uint32_t a = 0; a < n_attributes; a++) {
        if (!joint_tree_has_slot(g, set, a))
            continue;
        const uint32_t asked = set->slots[a].n_values;
        TRY(keep_live(g, set, a, from, whole, error));
        from += asked;
        any = any || !set->slots[a].closed;
        if (!g->at_first_root)
            continue;
        /* A value that is not live among all records is never asked about again. */
        const size_t n_live = set->slots[a].n_values;
        uint32_t *copy = TRY_ARRAY(copy, j->memory, n_live, error);
        memcpy(copy, set->slots[a].values, n_live * sizeof *copy);
        j->live_values[a] = copy;
        j->n_live_values[a] = set->slots[a].n_values;
    }
    if (!any)
        return joint_tree_split_leaf(g, set, error);
    set->phase = JOINT_TREE_PHASE_RESTS;
    return joint_tree_split_later(g, set, error);
}

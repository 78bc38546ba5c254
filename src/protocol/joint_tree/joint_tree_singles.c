/* Phase C: where several slots have a single live value and a small rest: may the records that have
 * all these values be a class? Then all of these slots are settled at once. */
#include <string.h>

#include "core/error.h"
#include "protocol/joint_tree/joint_tree_internal.h"

static bool is_single(const joint_tree_growth *g, const joint_tree_set *set, uint32_t a)
{
    return joint_tree_has_slot(g, set, a) && joint_tree_slot_is_single(&set->slots[a]);
}

/* buckets[i] of each record of the set: 0 if it has all single values, otherwise 1. */
static void sort_out(joint_tree_growth *g, const joint_tree_set *set)
{
    const joint_tree *j = g->tree;
    memset(g->buckets, 0, set->size * sizeof *g->buckets);
    for (uint32_t a = 0; a < j->problem->n_attributes; a++) {
        if (!is_single(g, set, a))
            continue;
        const tree *t = j->problem->attributes[a].tree;
        const uint32_t value = set->slots[a].values[0];
        for (uint32_t i = 0; i < set->size; i++)
            g->buckets[i] |= !tree_covers(t, value, j->cells[a][g->roots.rows[set->first + i]]);
    }
}

kith_status joint_tree_singles_ask(joint_tree_growth *g, joint_tree_set *set, kith_error *error)
{
    uint32_t *tally;
    uint64_t *name;
    TRY(joint_tree_batch_add(g, 1, &tally, &name, error));
    sort_out(g, set);
    for (uint32_t i = 0; i < set->size; i++)
        if (g->buckets[i] == 0)
            joint_tree_count_row(g->tree, tally, g->roots.rows[set->first + i]);
    const uint32_t kept = joint_tree_rules_records(g->tree->rules, tally);
    g->batch.losses[g->batch.count - 1] =
        (joint_tree_loss){.kind = JOINT_TREE_LOSS_ALL, .kept = kept, .lost = set->size - kept};
    /* The name that the part gets if it is made: blur depends on it. */
    *name = set->name;
    for (uint32_t a = 0; a < g->tree->problem->n_attributes; a++)
        if (is_single(g, set, a))
            *name = joint_tree_score_part_name(*name, a, set->slots[a].values[0]);
    return KITH_OK;
}

/* One part with all single values; all other records are ejected. */
static kith_status split_singles(joint_tree_growth *g, const joint_tree_set *set, kith_error *error)
{
    uint32_t start[3];
    joint_tree_set part;
    TRY(joint_tree_split_add_children(g, set, 1, error));
    TRY(joint_tree_split_part(g, &part, set, g->result.nodes[set->id].child, error));
    for (uint32_t a = 0; a < g->tree->problem->n_attributes; a++)
        if (is_single(g, set, a))
            TRY(joint_tree_split_descend(g, &part, a, set->slots[a].values[0], error));
    sort_out(g, set);
    joint_tree_split_sort(g, set, start, 2);
    part.first = start[0];
    part.size = start[1] - start[0];
    joint_tree_split_eject(g, start[1], start[2]);
    return joint_tree_split_begin(g, &part, error);
}

kith_status joint_tree_singles_answered(joint_tree_growth *g, joint_tree_set *set,
                                        kith_error *error)
{
    const bool enough = joint_tree_batch_answer(g, set, 0);
    joint_tree_batch_record(g, set, g->batch.names[set->question], JOINT_TREE_SINGLES, UINT32_MAX,
                            0, enough);
    return enough ? split_singles(g, set, error) : joint_tree_split(g, set, set->best, error);
}

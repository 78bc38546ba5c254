/* Phase B: for every slot with a live value: may all other records together be a class? */
#include <string.h>

#include "core/error.h"
#include "protocol/joint_tree/joint_tree_internal.h"

kith_status joint_tree_rests_ask(joint_tree_growth *g, joint_tree_set *set, kith_error *error)
{
    const uint32_t width = g->tree->rules->width;
    for (uint32_t a = 0; a < g->tree->problem->n_attributes; a++) {
        uint32_t *tally;
        uint64_t *name;
        if (!joint_tree_has_slot(g, set, a))
            continue;
        TRY(joint_tree_batch_add(g, 1, &tally, &name, error));
        memcpy(tally, set->rests + (size_t)a * width, width * sizeof *tally);
        *name = joint_tree_score_part_name(set->name, a, JOINT_TREE_REST);
        const uint32_t lost = joint_tree_rules_records(g->tree->rules, tally);
        if (!g->roots.last) /* which loses nothing */
            g->batch.losses[g->batch.count - 1] = (joint_tree_loss){
                .kind = JOINT_TREE_LOSS_REST, .kept = set->size - lost, .lost = lost};
    }
    return KITH_OK;
}

/* With the rests known, every slot has its score. Phase C is worth a question only if the best slot
 * is not the only one with a single live value and a small rest. */
kith_status joint_tree_rests_decide(joint_tree_growth *g, joint_tree_set *set, kith_error *error)
{
    const joint_tree *j = g->tree;
    double highest = -1;
    uint32_t n_singles = 0;
    for (uint32_t a = 0; a < j->problem->n_attributes; a++) {
        const joint_tree_slot *slot = &set->slots[a];
        if (!joint_tree_has_slot(g, set, a) || (slot->narrow && !slot->lent))
            continue;
        n_singles += joint_tree_slot_is_single(slot);
        double score =
            joint_tree_score(j->worth[a][slot->node], slot->n_values, slot->big, g->roots.last);
        score *= slot->lent ? JOINT_TREE_LENT_WORTH : 1;
        if (score > highest) {
            highest = score;
            set->best = a;
        }
    }
    if (highest < 0)
        return joint_tree_split_leaf(g, set, error);
    if (!joint_tree_slot_is_single(&set->slots[set->best]) || n_singles == 1)
        return joint_tree_split(g, set, set->best, error);
    set->phase = JOINT_TREE_PHASE_SINGLES;
    return joint_tree_split_later(g, set, error);
}

kith_status joint_tree_rests_answered(joint_tree_growth *g, joint_tree_set *set, kith_error *error)
{
    const joint_tree *j = g->tree;
    size_t question = 0;
    bool borrows = false;
    for (uint32_t a = 0; a < j->problem->n_attributes; a++) {
        joint_tree_slot *slot = &set->slots[a];
        if (!joint_tree_has_slot(g, set, a))
            continue;
        slot->big = joint_tree_batch_answer(g, set, question);
        joint_tree_batch_record(g, set, g->batch.names[set->question + question],
                                JOINT_TREE_REST_IS_BIG, a, slot->node, slot->big);
        slot->narrow = j->rules->shares && !g->roots.last && !slot->big &&
                       !smc_bit(g->batch.spared, set->question + question);
        question++;
        borrows = borrows || joint_tree_may_borrow(g, set, a);
    }
    set->rests = NULL; /* freed before the next call */
    if (!borrows)
        return joint_tree_rests_decide(g, set, error);
    set->phase = JOINT_TREE_PHASE_LOANS;
    return joint_tree_split_later(g, set, error);
}

/* One secure call of a growing tree: the questions of all open sets, whatever their phases. */
#include <string.h>

#include "core/error.h"
#include "protocol/joint_tree/joint_tree_internal.h"

kith_status joint_tree_batch_add(joint_tree_growth *g, size_t n, uint32_t **tallies,
                                 uint64_t **names, kith_error *error)
{
    joint_tree_batch *b = &g->batch;
    const size_t width = g->tree->rules->width;
    if (n > b->room - b->count) {
        size_t room = arena_capacity(b->room, b->count + n);
        TRY_RESIZE(b->tallies, g->memory, b->room * width, room * width, error);
        TRY_RESIZE(b->names, g->memory, b->room, room, error);
        TRY_RESIZE(b->losses, g->memory, b->room, room, error);
        b->room = room;
    }
    *tallies = b->tallies + b->count * width;
    *names = b->names + b->count;
    memset(*tallies, 0, n * width * sizeof **tallies);
    memset(b->losses + b->count, 0, n * sizeof *b->losses);
    b->count += n;
    return KITH_OK;
}

kith_status joint_tree_batch_open(joint_tree_growth *g, kith_error *error)
{
    joint_tree *j = g->tree;
    joint_tree_batch *b = &g->batch;
    ASSERT(b->count > 0); /* sets without questions are leaves at once */
    if (b->count > b->bit_room) {
        TRY_RESIZE(b->bits, g->memory, smc_words(b->bit_room), smc_words(b->room), error);
        TRY_RESIZE(b->spared, g->memory, smc_words(b->bit_room), smc_words(b->room), error);
        b->bit_room = b->room;
    }
    const joint_tree_questions q = {.count = b->count, .tallies = b->tallies, .names = b->names};
    if (j->rules->shares)
        /* message 4 */
        TRY(joint_tree_possible_ask(j->rules, j->party, b->bits, b->spared, &q, b->losses, error));
    else
        TRY(joint_tree_rules_ask(j->rules, j->party, b->bits, &q, error)); /* message 4 */
    j->n_questions += b->count;
    j->n_batches++;
    return KITH_OK;
}

bool joint_tree_batch_answer(const joint_tree_growth *g, const joint_tree_set *set, size_t i)
{
    ASSERT(set->question + i < g->batch.count);
    return smc_bit(g->batch.bits, set->question + i);
}

void joint_tree_batch_record(const joint_tree_growth *g, const joint_tree_set *set, uint64_t name,
                             joint_tree_event event, uint32_t a, uint32_t node, bool bit)
{
    joint_tree_record(g->tree, (joint_tree_opened){.event = event,
                                                   .set = name,
                                                   .of = set->name,
                                                   .a = a,
                                                   .node = node,
                                                   .min_size = g->tree->rules->k,
                                                   .bit = bit,
                                                   .rows = g->roots.rows + set->first,
                                                   .n_rows = set->size});
}

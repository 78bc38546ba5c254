/* A: what this party offers for a set, from its own columns alone. */
#include <stdlib.h>

#include "core/sort.h"
#include "protocol/column_tree/column_tree_internal.h"

uint32_t column_tree_offer_common(const column_tree *w, const column_tree_side *side,
                                  const column_tree_set *n)
{
    const tree *t = side->attribute->tree;
    const uint32_t *members = w->members + n->first;
    uint32_t first = UINT32_MAX, end = 0, level = 0;
    for (uint32_t i = 0; i < n->size; i++) {
        const uint32_t cell = side->cells[members[i]];
        first = t->first[cell] < first ? t->first[cell] : first;
        end = t->end[cell] > end ? t->end[cell] : end;
        level = t->level[cell] > level ? t->level[cell] : level;
    }
    while (tree_up(t, first, level) != tree_up(t, end - 1, level))
        level++;
    return tree_up(t, first, level);
}

/* Lists the live values of a slot. The counts are zero again afterwards. */
static void list_live(const column_tree *w, column_tree_slot *slot, const column_tree_set *n)
{
    const column_tree_side *side = &w->sides[slot->side];
    const double *cost = side->attribute->cost;
    const tree *t = side->attribute->tree;
    const uint32_t *members = w->members + n->first;
    for (uint32_t i = 0; i < n->size; i++) {
        const uint32_t v = column_tree_score_value(t, side->cells[members[i]], slot->level);
        if (v != COLUMN_TREE_REST)
            side->count[v]++;
    }
    for (uint32_t i = 0; i < n->size; i++) {
        const uint32_t v = column_tree_score_value(t, side->cells[members[i]], slot->level);
        if (v == COLUMN_TREE_REST)
            continue;
        if (column_tree_score_live(side->count[v], n->size, w->k)) {
            ASSERT(slot->n_live < COLUMN_TREE_MAX_LIVE);
            slot->live[slot->n_live++] =
                (column_tree_value){v, side->count[v], cost[slot->common] - cost[v]};
        }
        side->count[v] = 0;
    }
    qsort(slot->live, slot->n_live, sizeof *slot->live, sort_uint32);
}

/* Before records are lent: then no branch is larger, and the rest leaves 2k to two branches. */
static uint32_t largest_part(const column_tree_slot *slot, const column_tree_set *n)
{
    uint32_t largest = 0, rest = n->size;
    for (uint32_t v = 0; v < slot->n_live; v++) {
        largest = slot->live[v].count > largest ? slot->live[v].count : largest;
        rest -= slot->live[v].count;
    }
    return rest > largest ? rest : largest;
}

void column_tree_offer_slot(const column_tree *w, column_tree_slot *slot, const column_tree_set *n)
{
    const column_tree_side *side = &w->sides[slot->side];
    slot->n_live = slot->score = slot->borrow = 0;
    slot->common = column_tree_offer_common(w, side, n);
    slot->level = side->level[slot->common];
    if (slot->level == COLUMN_TREE_NO_SLOT)
        return;
    list_live(w, slot, n);
    slot->score =
        w->task->options->pools
            ? column_tree_score_pools(slot->live, slot->n_live, n->size, w->k, w->task->unit)
            : column_tree_score(&slot->borrow, slot->live, slot->n_live, n->size, w->k,
                                w->task->unit);
    if (w->conditions && !column_tree_score_may_ask(largest_part(slot, n), n->size, w->k))
        slot->score = 0;
}

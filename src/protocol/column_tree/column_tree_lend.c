/* C: who is in which branch? A rest that is too small borrows records from the branches, first
 * those that would be too few in one of the owner's other slots. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "protocol/column_tree/column_tree_internal.h"

enum { REST = COLUMN_TREE_IN_REST };

typedef struct lending {
    column_tree *w;
    const column_tree_set *set;
    const column_tree_slot *slot;
    uint8_t *branch;                      /* [size] index of a live value, or REST */
    uint32_t count[COLUMN_TREE_MAX_LIVE]; /* present records of each live value */
    uint32_t rest;
    uint32_t *rarity; /* [size] in how many other slots of this party it is rare in its branch */
    bool *spoils;     /* [size] */
} lending;

static uint32_t find_live(const column_tree_slot *slot, uint32_t node)
{
    uint32_t low = 0, high = slot->n_live;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (slot->live[middle].node < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < slot->n_live && slot->live[low].node == node ? low : REST;
}

/* The live value of record i of a set. */
static uint32_t live_value(const column_tree *w, const column_tree_set *n,
                           const column_tree_slot *slot, uint32_t i)
{
    const column_tree_side *side = &w->sides[slot->side];
    const uint32_t v = column_tree_score_value(side->attribute->tree,
                                               side->cells[w->members[n->first + i]], slot->level);
    return v == COLUMN_TREE_REST ? REST : find_live(slot, v);
}

/* The records of one branch, in another slot: fewer than k that are rare there spoil it. `order`:
 * places in the set of the records of the branch. */
static void rate_branch(lending *l, const column_tree_side *side, uint32_t level,
                        const uint32_t *order, uint32_t count)
{
    const tree *t = side->attribute->tree;
    const uint32_t *members = l->w->members + l->set->first;
    uint32_t n_rare = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = column_tree_score_value(t, side->cells[members[order[i]]], level);
        if (v != COLUMN_TREE_REST)
            side->count[v]++;
    }
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t v = column_tree_score_value(t, side->cells[members[order[i]]], level);
            const bool rare = v == COLUMN_TREE_REST || side->count[v] < l->w->k;
            if (pass == 0) {
                n_rare += rare;
                l->rarity[order[i]] += rare;
            } else if (rare && n_rare < l->w->k && n_rare < count) {
                l->spoils[order[i]] = true;
            }
        }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = column_tree_score_value(t, side->cells[members[order[i]]], level);
        if (v != COLUMN_TREE_REST)
            side->count[v] = 0;
    }
}

static void lend(lending *l, uint32_t i)
{
    l->count[l->branch[i]]--;
    l->branch[i] = REST;
    l->rest++;
}

typedef struct candidate {
    uint32_t at, rarity;
    uint64_t coin;
} candidate;

static int by_rarity(const void *x, const void *y)
{
    const candidate *a = x, *b = y;
    if (a->rarity != b->rarity)
        return a->rarity > b->rarity ? -1 : 1;
    return (a->coin > b->coin) - (a->coin < b->coin);
}

/* From the largest branch, the records with most rare values; ties by a private coin. */
static kith_status lend_rarest(lending *l, candidate *c, rng *coins, kith_error *error)
{
    const uint32_t k = l->w->k;
    uint32_t largest = 0, n = 0;
    for (uint32_t b = 1; b < l->slot->n_live; b++)
        largest = l->count[b] > l->count[largest] ? b : largest;
    if (l->slot->n_live == 0 || l->count[largest] <= k)
        return error_set(error, KITH_BUG, "a split without an offer: no branch can lend");
    for (uint32_t i = 0; i < l->set->size; i++)
        if (l->branch[i] == largest)
            c[n++] = (candidate){i, l->rarity[i], rng_next(coins)};
    qsort(c, n, sizeof *c, by_rarity);
    for (uint32_t i = 0; l->rest < k && l->count[largest] > k; i++)
        lend(l, c[i].at);
    return KITH_OK;
}

static kith_status borrow(lending *l, const bool *named, arena *scratch, kith_error *error)
{
    const uint32_t size = l->set->size;
    uint32_t *order = TRY_ARRAY(order, scratch, size, error);
    candidate *c = TRY_ARRAY(c, scratch, size, error);
    rng coins;
    l->rarity = TRY_ZEROS(l->rarity, scratch, size, error);
    l->spoils = TRY_ZEROS(l->spoils, scratch, size, error);
    /* All records of branches are rated in all other slots of this party that the set offers. */
    column_tree *w = l->w;
    uint32_t start[COLUMN_TREE_MAX_LIVE + 2] = {0};
    for (uint32_t i = 0; i < l->set->size; i++)
        start[l->branch[i] + 1]++;
    for (uint32_t b = 0; b <= REST; b++)
        start[b + 1] += start[b];
    for (uint32_t i = 0; i < l->set->size; i++)
        order[start[l->branch[i]]++] = i; /* start[b] becomes the end of branch b */
    for (uint32_t s = 0; s < w->n_sides; s++) {
        const column_tree_side *side = &w->sides[s];
        if (s == l->slot->side)
            continue;
        const uint32_t level = side->level[column_tree_offer_common(w, side, l->set)];
        for (uint32_t b = 0; level != COLUMN_TREE_NO_SLOT && b < l->slot->n_live; b++) {
            const uint32_t first = b == 0 ? 0 : start[b - 1];
            rate_branch(l, side, level, order + first, start[b] - first);
        }
    }
    for (uint32_t i = 0; i < size; i++)
        if (l->branch[i] != REST && (l->spoils[i] || (named != NULL && named[i])) &&
            l->count[l->branch[i]] > l->w->k)
            lend(l, i);
    column_tree_lend_coins(l->w, &coins, l->set, l->slot->side, false);
    kith_status status = KITH_OK;
    while (status == KITH_OK && l->rest < l->w->k)
        status = lend_rarest(l, c, &coins, error);
    rng_wipe(&coins);
    return status;
}

kith_status column_tree_lend(column_tree *w, uint8_t *branch, const column_tree_set *n,
                             const column_tree_slot *slot, const bool *named, kith_error *error)
{
    lending l = {.w = w, .set = n, .slot = slot, .branch = branch};
    for (uint32_t i = 0; i < n->size; i++) {
        branch[i] = (uint8_t)live_value(w, n, slot, i);
        l.rest += branch[i] == REST;
    }
    for (uint32_t b = 0; b < slot->n_live; b++)
        l.count[b] = slot->live[b].count;
    if (slot->borrow == 0)
        return KITH_OK;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(w->memory), error);
    return borrow(&l, named, scratch, error);
}

kith_status column_tree_lend_spoils(column_tree *w, bool *spoils, const column_tree_set *n,
                                    kith_error *error)
{
    lending l = {.w = w, .set = n, .spoils = spoils};
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(w->memory), error);
    uint32_t *order = TRY_ARRAY(order, scratch, n->size, error);
    l.rarity = TRY_ZEROS(l.rarity, scratch, n->size, error);
    memset(spoils, 0, n->size * sizeof *spoils);
    for (uint32_t i = 0; i < n->size; i++)
        order[i] = i;
    for (uint32_t s = 0; s < w->n_sides; s++) {
        const uint32_t level = w->sides[s].level[column_tree_offer_common(w, &w->sides[s], n)];
        if (level != COLUMN_TREE_NO_SLOT)
            rate_branch(&l, &w->sides[s], level, order, n->size);
    }
    return KITH_OK;
}

void column_tree_lend_coins(const column_tree *w, rng *coins, const column_tree_set *n,
                            uint32_t side, bool dilutes)
{
    const uint64_t stream = column_tree_score_stream(n->number, w->sides[side].number, dilutes);
    if (w->key == NULL)
        rng_init(coins, w->task->seed, stream);
    else
        rng_init_key(coins, w->key, stream);
}

/* Tells the recorder of the values that got branches. */
static void column_tree_lend_record(const column_tree *w, const column_tree_set *n,
                                    const column_tree_slot *slot, const bool *kept,
                                    const uint8_t *branch)
{
    uint32_t values[COLUMN_TREE_MAX_LIVE], count = 0;
    for (uint32_t v = 0; v < slot->n_live; v++)
        if (kept[v])
            values[count++] = slot->live[v].node;
    for (uint32_t i = 0; i < n->size; i++)
        w->spare[i] = branch[i] == REST ? COLUMN_TREE_REST : slot->live[branch[i]].node;
    w->recorder->split(w->recorder->user,
                       &(column_tree_split){.set = n->number,
                                            .attribute = w->sides[slot->side].number,
                                            .n_values = count,
                                            .size = n->size,
                                            .values = values,
                                            .members = w->members + n->first,
                                            .nodes = w->spare});
}

void column_tree_lend_seal(column_tree *w, uint8_t *branch, const column_tree_set *n,
                           const column_tree_slot *slot)
{
    uint32_t *cells = w->sides[slot->side].cells;
    uint32_t rest = 0;
    bool kept[REST + 1] = {false};
    uint8_t number[REST + 1], used = 0;
    for (uint32_t i = 0; i < n->size; i++) {
        kept[branch[i]] = true;
        rest += branch[i] == REST;
    }
    kept[REST] = false;
    if (w->recorder != NULL)
        column_tree_lend_record(w, n, slot, kept, branch);
    memset(number, UINT8_MAX, sizeof number);
    for (uint32_t i = 0; i < n->size; i++) {
        /* The release must not show a branch's value for a record that all know to be in the rest.
         */
        if (branch[i] == REST && kept[live_value(w, n, slot, i)]) {
            cells[w->members[n->first + i]] = slot->common;
            w->n_lent++;
        }
        if (branch[i] == REST && rest < w->k) { /* with pools, or it would have borrowed */
            branch[i] = COLUMN_TREE_EJECTED;
            continue;
        }
        if (number[branch[i]] == UINT8_MAX)
            number[branch[i]] = used++;
        branch[i] = number[branch[i]];
    }
}

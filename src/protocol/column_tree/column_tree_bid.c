#include "protocol/column_tree/column_tree_bid.h"

#include <string.h>

#include "core/error.h"

enum { REST = COLUMN_TREE_IN_REST };

static bool is_above(const column_tree *w, uint32_t score, uint32_t side, uint32_t than,
                     uint32_t other)
{
    return score > than ||
           (score > 0 && score == than && w->sides[side].number < w->sides[other].number);
}

column_tree_offer column_tree_bid_best(const column_tree *w, const column_tree_bid *b)
{
    column_tree_offer best = {b->side, b->value};
    for (uint32_t s = 0; s < w->n_sides; s++)
        if (is_above(w, b->scores[s], s, best.score, best.side))
            best = (column_tree_offer){s, b->scores[s]};
    return best;
}

/* Counts the branches, and numbers them in the order of their first records. */
static void count_branches(column_tree_proposal *p, const column_tree_set *n)
{
    uint8_t used = 0;
    memset(p->part, UINT8_MAX, sizeof p->part);
    memset(p->count, 0, sizeof p->count);
    p->rest = 0;
    for (uint32_t i = 0; i < n->size; i++) {
        const uint8_t b = p->branch[i];
        if (b == REST) {
            p->rest++;
            continue;
        }
        if (p->part[b] == UINT8_MAX)
            p->part[b] = used++;
        p->count[b]++;
    }
    p->kept = n->size - p->rest;
}

kith_status column_tree_bid_propose(column_tree *w, column_tree_bid *b, const column_tree_set *n,
                                    bool *is_new, arena *round, kith_error *error)
{
    const column_tree_offer best = column_tree_bid_best(w, b);
    *is_new = b->value == 0 || best.side != b->side;
    if (!*is_new)
        return KITH_OK;
    if (best.score == 0)
        return party_protocol_error(w->party, w->task->pivot, error,
                                    "asked for a split that was not offered");
    column_tree_proposal *p = TRY_ZEROS(p, round, 1, error);
    b->proposal = p;
    b->scores[best.side] = 0;
    p->slot.side = best.side;
    p->branch = TRY_ALLOC(arena_array(round, n->size, 1), error);
    column_tree_offer_slot(w, &p->slot, n);
    TRY(column_tree_lend(w, p->branch, n, &p->slot, NULL, error));
    count_branches(p, n);
    w->n_proposed++;
    return KITH_OK;
}

void column_tree_bid_show(const column_tree_bid *b, uint8_t *parts, const column_tree_set *n)
{
    const column_tree_proposal *p = b->proposal;
    for (uint32_t i = 0; i < n->size; i++)
        parts[i] = p->branch[i] == REST ? REST : p->part[p->branch[i]];
}

kith_status column_tree_bid_granted(const column_tree *w, column_tree_bid *b,
                                    const column_tree_set *n, arena *step, kith_error *error)
{
    const column_tree_proposal *p = b->proposal;
    column_tree_value live[COLUMN_TREE_MAX_LIVE];
    uint32_t n_live = 0, borrow;
    for (uint32_t v = 0; v < p->slot.n_live; v++)
        if (p->count[v] > 0) {
            const uint32_t given =
                p->loan == 0 ? 0 : column_tree_score_give(p->loan, p->count[v], p->kept, w->k);
            live[n_live] = p->slot.live[v];
            live[n_live++].count = p->count[v] - given;
        }
    uint32_t value = column_tree_score(&borrow, live, n_live, n->size, w->k, w->task->unit);
    if (p->loan > 0)
        value = column_tree_score_diluted(value);
    if (!is_above(w, value, p->slot.side, b->value, b->side))
        return KITH_OK;
    if (b->branch == NULL)
        b->branch = TRY_ALLOC(arena_array(step, n->size, 1), error);
    memcpy(b->branch, p->branch, n->size);
    b->value = value;
    b->side = p->slot.side;
    return KITH_OK;
}

/* Lends according to the present loan. */
static void lend(const column_tree *w, column_tree_proposal *p)
{
    const uint32_t *at = p->order;
    p->lent = 0;
    for (uint32_t v = 0; v < p->slot.n_live; at += p->count[v++]) {
        if (p->count[v] == 0)
            continue;
        const uint32_t given = column_tree_score_give(p->loan, p->count[v], p->kept, w->k);
        for (uint32_t i = 0; i < given; i++)
            p->branch[at[i]] = REST;
        p->lent += given;
    }
}

/* The smaller branches join the rest as a whole; false if they cannot. */
static bool column_tree_bid_join(const column_tree *w, column_tree_proposal *p,
                                 const column_tree_set *n)
{
    bool joins[COLUMN_TREE_MAX_LIVE];
    if (p->order != NULL || !column_tree_score_join(joins, p->count, p->slot.n_live, w->k))
        return false;
    for (uint32_t i = 0; i < n->size; i++)
        if (p->branch[i] != REST && joins[p->branch[i]])
            p->branch[i] = REST;
    count_branches(p, n);
    return true;
}

/* May the pivot be asked about the split as it is now? */
static bool may_ask(const column_tree *w, const column_tree_proposal *p, const column_tree_set *n)
{
    uint32_t count[REST + 1] = {0}, largest = 0;
    for (uint32_t i = 0; i < n->size; i++)
        count[p->branch[i]]++;
    for (uint32_t b = 0; b <= REST; b++)
        largest = count[b] > largest ? count[b] : largest;
    return column_tree_score_may_ask(largest, n->size, w->k);
}

kith_status column_tree_bid_lend(const column_tree *w, column_tree_bid *b, const column_tree_set *n,
                                 bool *lends, arena *round, kith_error *error)
{
    column_tree_proposal *p = b->proposal;
    *lends = column_tree_bid_join(w, p, n) && may_ask(w, p, n);
    if (*lends)
        return KITH_OK;
    if (p->order == NULL) {
        rng coins; /* shuffle the records of each branch that is kept */
        uint32_t *at = p->order = TRY_ALLOC(arena_array(round, p->kept, sizeof *at), error);
        column_tree_lend_coins(w, &coins, n, p->slot.side, true);
        for (uint32_t v = 0; v < p->slot.n_live; v++) {
            uint32_t *first = at;
            for (uint32_t i = 0; p->count[v] > 0 && i < n->size; i++)
                if (p->branch[i] == v)
                    *at++ = i;
            rng_shuffle(&coins, first, (size_t)(at - first));
        }
        rng_wipe(&coins);
    }
    const uint32_t wanted = p->lent + w->k;
    while (p->lent < wanted) { /* branches keep k, and may give less than the loan */
        p->loan = column_tree_score_loan(p->loan, p->rest, w->k);
        if (!column_tree_score_may_lend(p->loan, p->kept, n->size))
            return KITH_OK;
        lend(w, p);
    }
    *lends = may_ask(w, p, n);
    return KITH_OK;
}

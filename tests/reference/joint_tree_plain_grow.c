#include <string.h>

#include "core/error.h"
#include "reference/joint_tree_plain_internal.h"

/* Records of the set below a node; `others` gets the rest, if not NULL. */
static plain_list below(plain_grower *g, plain_list rows, uint32_t a, uint32_t node,
                        plain_list *others)
{
    const tree *t = g->problem->attributes[a].tree;
    plain_list in = {arena_array(g->memory, rows.count + 1, sizeof *in.items), 0};
    for (uint32_t i = 0; in.items != NULL && i < rows.count; i++) {
        uint32_t record = rows.items[i];
        if (tree_covers(t, node, g->cells[a][record]))
            in.items[in.count++] = record;
        else if (others != NULL)
            others->items[others->count++] = record;
    }
    return in;
}

/* One slot of a set: live values with their records, and all other records. */
typedef struct offer {
    uint32_t a;        /* attribute */
    plain_list live;   /* nodes */
    plain_list *part;  /* [live.count] */
    plain_list others; /* records */
    bool big;
    bool narrow; /* splitting would lose too much */
    double score;
} offer;

/* The child of a node that covers a cell; `none` if the cell lies at the node, above or beside it.
 */
static uint32_t child_of(const tree *t, uint32_t node, uint32_t cell, uint32_t none)
{
    if (cell == node || !tree_covers(t, node, cell))
        return none;
    return tree_up(t, t->first[cell], t->level[node] - 1u);
}

static kith_status sort_rows(plain_grower *g, plain_list rows, uint32_t a, uint32_t node,
                             uint32_t first, uint32_t end, plain_list *part, kith_error *error)
{
    const tree *t = g->problem->attributes[a].tree;
    const uint32_t *cells = g->cells[a];
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < rows.count; i++) {
            plain_list *to = &part[child_of(t, node, cells[rows.items[i]], end) - first];
            if (pass == 1)
                to->items[to->count] = rows.items[i];
            to->count++;
        }
        for (uint32_t c = 0; pass == 0 && c <= end - first; c++) {
            part[c].items =
                TRY_ALLOC(arena_array(g->memory, part[c].count, sizeof *part[c].items), error);
            part[c].count = 0;
        }
    }
    return KITH_OK;
}

static bool is_asked(plain_grower *g, const plain_place *at, uint32_t a, uint32_t child)
{
    const plain_list *asked = &at->asked[a];
    if (g->forbidden[a] != NULL && g->forbidden[a][child])
        return false;
    for (uint32_t i = 0; i < asked->count; i++)
        if (asked->items[i] == child)
            return true;
    return asked->items == NULL;
}

/* A share of the set must stay if k records or more are lost. */
static bool loses_much(const plain_grower *g, plain_list rows, plain_list lost)
{
    return g->shares && lost.count >= g->problem->k &&
           (uint64_t)JOINT_TREE_SHARE_OF * (rows.count - lost.count) <
               (uint64_t)JOINT_TREE_SHARE_KEPT * rows.count;
}

/* Live values lend records to the rest, by the private coins of the sites: the smallest loan with
 * which all of them could be classes. */
static kith_status lend(plain_grower *g, offer *o, const plain_place *at, bool *lent,
                        kith_error *error)
{
    const uint64_t name = joint_tree_score_part_name(at->name, o->a, JOINT_TREE_REST);
    uint32_t total = o->others.count;
    for (uint32_t v = 0; v < o->live.count; v++)
        total += o->part[v].count;
    plain_list *part = TRY_ALLOC(arena_zalloc(g->memory, o->live.count, sizeof *part), error);
    plain_list rest = {arena_array(g->memory, total, sizeof *rest.items), 0};
    TRY_ALLOC(rest.items, error);
    for (uint32_t v = 0; v < o->live.count; v++)
        part[v].items = TRY_ALLOC(arena_array(g->memory, o->part[v].count, 4), error);
    for (uint32_t loan = 0; loan < JOINT_TREE_LOANS && !*lent; loan++) {
        rest.count = o->others.count;
        *lent = true;
        memcpy(rest.items, o->others.items, o->others.count * sizeof *rest.items);
        for (uint32_t v = 0; v < o->live.count; v++) {
            part[v].count = 0;
            for (uint32_t i = 0; i < o->part[v].count; i++) {
                const uint32_t record = o->part[v].items[i];
                plain_list *to =
                    joint_tree_score_is_lent(joint_tree_plain_draw(g, name, record), loan)
                        ? &rest
                        : &part[v];
                to->items[to->count++] = record;
            }
            *lent = *lent && joint_tree_plain_fit(g, part[v], g->problem->k);
        }
        *lent = *lent && joint_tree_plain_fit(g, rest, g->problem->k);
    }
    if (!*lent)
        return KITH_OK;
    o->big = true;
    o->others = rest;
    memcpy(o->part, part, o->live.count * sizeof *part);
    return KITH_OK;
}

static kith_status look(plain_grower *g, offer *o, plain_list rows, const plain_place *at,
                        uint32_t a, kith_error *error)
{
    const tree *t = g->problem->attributes[a].tree;
    uint32_t end, first = joint_tree_score_children(t, at->node[a], &end);
    plain_list *part = arena_zalloc(g->memory, end - first + 1, sizeof *part);
    *o = (offer){.a = a,
                 .live.items = arena_array(g->memory, end - first, sizeof *o->live.items),
                 .part = arena_array(g->memory, end - first, sizeof *o->part),
                 .others.items = arena_array(g->memory, rows.count, sizeof *part->items)};
    TRY_ALLOC(part, error);
    TRY_ALLOC(o->live.items, error);
    TRY_ALLOC(o->part, error);
    TRY_ALLOC(o->others.items, error);
    TRY(sort_rows(g, rows, a, at->node[a], first, end, part, error));
    for (uint32_t child = first; child <= end; child++) {
        plain_list *in = &part[child - first];
        if (child < end && is_asked(g, at, a, child) &&
            joint_tree_plain_fit(g, *in, g->problem->k)) {
            o->part[o->live.count] = *in;
            o->live.items[o->live.count++] = child;
        } else {
            memcpy(o->others.items + o->others.count, in->items, in->count * sizeof *in->items);
            o->others.count += in->count;
        }
    }
    const double worth = joint_tree_score_worth(&g->problem->attributes[a], at->node[a]);
    o->big = joint_tree_plain_fit(g, o->others, g->problem->k);
    o->score = joint_tree_score(worth, o->live.count, o->big, at->last);
    o->narrow = o->live.count > 0 && !o->big && !at->last && loses_much(g, rows, o->others);
    if (!o->narrow)
        return KITH_OK;
    o->score = -1;
    bool lent = false;
    if (g->lends)
        TRY(lend(g, o, at, &lent, error));
    if (lent)
        o->score = JOINT_TREE_LENT_WORTH * joint_tree_score(worth, o->live.count, true, false);
    return KITH_OK;
}

kith_status joint_tree_plain_eject(plain_grower *g, plain_list rows, kith_error *error)
{
    if (rows.count == 0)
        return KITH_OK;
    uint32_t total = g->pool.count + rows.count;
    g->pool.items =
        TRY_ALLOC(arena_resize(g->memory, g->pool.items, g->pool.count * sizeof *rows.items,
                               total * sizeof *rows.items),
                  error);
    memcpy(g->pool.items + g->pool.count, rows.items, rows.count * sizeof *rows.items);
    g->pool.count = total;
    return KITH_OK;
}

static kith_status add_leaf(plain_grower *g, plain_list rows, const plain_place *at,
                            kith_error *error)
{
    if (g->n_leaves == g->leaf_room) {
        uint32_t room = 2 * g->leaf_room + 16;
        g->leaves = TRY_ALLOC(arena_resize(g->memory, g->leaves, g->leaf_room * sizeof *g->leaves,
                                           room * sizeof *g->leaves),
                              error);
        g->leaf_room = room;
    }
    g->leaves[g->n_leaves++] =
        (plain_leaf){rows, at->bound, at->last || g->n_frequencies > 0, at->name};
    return KITH_OK;
}

/* A copy that may change; `open`: with the live values of this set as what is asked below it. */
static kith_status copy_place(plain_grower *g, plain_place *to, const plain_place *from,
                              const offer *offers, kith_error *error)
{
    const uint32_t n = g->problem->n_attributes;
    *to = *from;
    to->node = arena_array(g->memory, n, sizeof *to->node);
    to->bound = TRY_ALLOC(arena_array(g->memory, n, sizeof *to->bound), error);
    to->closed = TRY_ALLOC(arena_array(g->memory, n, sizeof *to->closed), error);
    to->asked = TRY_ALLOC(arena_array(g->memory, n, sizeof *to->asked), error);
    TRY_ALLOC(to->node, error);
    memcpy(to->node, from->node, n * sizeof *to->node);
    memcpy(to->bound, from->bound, n * sizeof *to->bound);
    for (uint32_t a = 0; a < n; a++) {
        to->asked[a] = offers[a].live;
        to->closed[a] = from->closed[a] || offers[a].live.count == 0;
    }
    return KITH_OK;
}

/* The set agrees on a child now: all of its children are worth a question. */
static void descend(plain_place *at, uint32_t a, uint32_t child)
{
    if (at->bound[a] == at->node[a])
        at->bound[a] = child;
    at->node[a] = child;
    at->asked[a] = (plain_list){0};
    at->name = joint_tree_score_part_name(at->name, a, child);
}

static bool single(const offer *o)
{
    return o->live.count == 1 && !o->big && !o->narrow;
}

/* All slots with one live value and a small rest at once, if enough records have them all. */
static kith_status fix_singles(plain_grower *g, bool *fixed, plain_list rows, const plain_place *at,
                               const offer *offers, kith_error *error)
{
    const uint32_t n = g->problem->n_attributes;
    plain_list kept = rows, others = {arena_array(g->memory, rows.count + 1, 4), 0};
    TRY_ALLOC(others.items, error);
    for (uint32_t a = 0; a < n; a++)
        if (single(&offers[a])) {
            kept = below(g, kept, a, offers[a].live.items[0], &others);
            TRY_ALLOC(kept.items, error);
        }
    *fixed = joint_tree_plain_fit(g, kept, g->problem->k) && !loses_much(g, rows, others);
    if (!*fixed)
        return KITH_OK;
    plain_place under;
    TRY(copy_place(g, &under, at, offers, error));
    for (uint32_t a = 0; a < n; a++)
        if (single(&offers[a]))
            descend(&under, a, offers[a].live.items[0]);
    TRY(joint_tree_plain_eject(g, others, error));
    return joint_tree_plain_grow(g, kept, &under, error);
}

static kith_status split(plain_grower *g, const plain_place *at, const offer *offers, uint32_t best,
                         kith_error *error)
{
    const offer *o = &offers[best];
    const bool joins = at->last && !o->big && o->others.count > 0;
    uint32_t host = joint_tree_score_coin(g->coins, at->name, o->live.count);
    for (uint32_t v = 0; v < o->live.count; v++) {
        plain_place under;
        plain_list part = o->part[v];
        TRY(copy_place(g, &under, at, offers, error));
        descend(&under, best, o->live.items[v]);
        if (at->last && !o->big && v == host) {
            under.bound[best] = at->bound[best];
            under.name = joint_tree_score_part_name(under.name, best, JOINT_TREE_JOINED);
        }
        if (joins && v == host) {
            uint32_t *both = TRY_ALLOC(
                arena_array(g->memory, part.count + o->others.count, sizeof *both), error);
            memcpy(both, part.items, part.count * sizeof *both);
            memcpy(both + part.count, o->others.items, o->others.count * sizeof *both);
            part = (plain_list){both, part.count + o->others.count};
        }
        TRY(joint_tree_plain_grow(g, part, &under, error));
    }
    if (!o->big)
        return at->last ? KITH_OK : joint_tree_plain_eject(g, o->others, error);
    plain_place rest;
    TRY(copy_place(g, &rest, at, offers, error));
    rest.closed[best] = true;
    rest.name = joint_tree_score_part_name(at->name, best, JOINT_TREE_REST);
    return joint_tree_plain_grow(g, o->others, &rest, error);
}

kith_status joint_tree_plain_grow(plain_grower *g, plain_list rows, const plain_place *at,
                                  kith_error *error)
{
    const uint32_t n = g->problem->n_attributes;
    offer *offers = arena_zalloc(g->memory, n, sizeof *offers);
    uint32_t best = n;
    TRY_ALLOC(offers, error);
    for (uint32_t a = 0; a < n; a++) {
        if (at->closed[a] || !joint_tree_score_has_slot(&g->problem->attributes[a], at->node[a]))
            continue;
        TRY(look(g, &offers[a], rows, at, a, error));
        if (offers[a].score >= 0 && (best == n || offers[a].score > offers[best].score))
            best = a;
    }
    for (uint32_t a = 0; g->first_root && a < n; a++)
        for (uint32_t v = 0; v < offers[a].live.count; v++)
            g->is_live[a][offers[a].live.items[v]] = 1;
    g->first_root = false;
    if (best == n)
        return add_leaf(g, rows, at, error);
    if (single(&offers[best])) {
        bool fixed = false;
        TRY(fix_singles(g, &fixed, rows, at, offers, error));
        if (fixed)
            return KITH_OK;
    }
    return split(g, at, offers, best, error);
}

#include "reference/column_tree_plain.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "protocol/column_tree/column_tree_score.h"

typedef struct set {
    uint32_t *records, size;
    uint64_t number; /* in the order in which sets arise */
} set;

typedef struct plain {
    const problem *p;
    const column_tree_plain_sites *sites;
    arena *memory;
    uint32_t **cells; /* [n_attributes][n_records] those of lent records are lifted */
    set *sets;        /* [n_sets] also those that are split */
    size_t n_sets, room;
    partition *out;
} plain;

/* One slot of one set. */
typedef struct slot {
    uint32_t attribute, common, level;
    uint32_t *value; /* [size] COLUMN_TREE_REST if it is not live */
    column_tree_value live[COLUMN_TREE_MAX_LIVE];
    uint32_t n_live, score, borrow;
} slot;

static uint32_t common_node(const plain *w, uint32_t a, const set *n)
{
    uint32_t node = w->cells[a][n->records[0]];
    for (uint32_t i = 1; i < n->size; i++)
        node = tree_lca(w->p->attributes[a].tree, node, w->cells[a][n->records[i]]);
    return node;
}

static kith_status count_values(uint32_t **count, const plain *w, uint32_t a, uint32_t level,
                                const set *n, kith_error *error)
{
    const tree *t = w->p->attributes[a].tree;
    *count = TRY_ALLOC(arena_zalloc(w->memory, t->n_nodes, sizeof **count), error);
    for (uint32_t i = 0; i < n->size; i++) {
        const uint32_t v = column_tree_score_value(t, w->cells[a][n->records[i]], level);
        if (v != COLUMN_TREE_REST)
            (*count)[v]++;
    }
    return KITH_OK;
}

static kith_status look_at(slot *s, const plain *w, uint32_t a, const set *n, kith_error *error)
{
    const attribute *of = &w->p->attributes[a];
    uint32_t *count;
    *s = (slot){.attribute = a, .common = common_node(w, a, n)};
    s->level = column_tree_score_level(of, s->common);
    if (s->level == COLUMN_TREE_NO_SLOT)
        return KITH_OK;
    TRY(count_values(&count, w, a, s->level, n, error));
    for (uint32_t v = 0; v < of->tree->n_nodes; v++)
        if (column_tree_score_live(count[v], n->size, w->p->k))
            s->live[s->n_live++] =
                (column_tree_value){v, count[v], of->cost[s->common] - of->cost[v]};
    s->value = TRY_ALLOC(arena_array(w->memory, n->size, sizeof *s->value), error);
    for (uint32_t i = 0; i < n->size; i++) {
        const uint32_t v = column_tree_score_value(of->tree, w->cells[a][n->records[i]], s->level);
        const bool live =
            v != COLUMN_TREE_REST && column_tree_score_live(count[v], n->size, w->p->k);
        s->value[i] = live ? v : COLUMN_TREE_REST;
    }
    s->score = column_tree_score(&s->borrow, s->live, s->n_live, n->size, w->p->k, w->sites->unit);
    return KITH_OK;
}

/* In how many other open slots of the owner a record is rare within its branch, and whether it
 * spoils one of them. */
static kith_status rate(const plain *w, const set *n, const slot *s, uint32_t *rarity, bool *spoils,
                        kith_error *error)
{
    const uint32_t k = w->p->k;
    for (uint32_t a = 0; a < w->p->n_attributes; a++) {
        const attribute *of = &w->p->attributes[a];
        const uint32_t level = column_tree_score_level(of, common_node(w, a, n));
        if (a == s->attribute || w->sites->holder[a] != w->sites->holder[s->attribute] ||
            level == COLUMN_TREE_NO_SLOT)
            continue;
        for (uint32_t b = 0; b < s->n_live; b++) {
            set branch = {TRY_ALLOC(arena_array(w->memory, n->size, 4), error), 0, 0};
            uint32_t *count, n_rare = 0;
            bool shared = false;
            for (uint32_t i = 0; i < n->size; i++)
                if (s->value[i] == s->live[b].node)
                    branch.records[branch.size++] = n->records[i];
            TRY(count_values(&count, w, a, level, &branch, error));
            for (uint32_t pass = 0; pass < 2; pass++)
                for (uint32_t i = 0; i < n->size; i++) {
                    if (s->value[i] != s->live[b].node)
                        continue;
                    const uint32_t v =
                        column_tree_score_value(of->tree, w->cells[a][n->records[i]], level);
                    const bool rare = v == COLUMN_TREE_REST || count[v] < k;
                    shared |= !rare;
                    n_rare += pass == 0 && rare;
                    rarity[i] += pass == 0 && rare;
                    spoils[i] |= pass == 1 && rare && shared && n_rare < k;
                }
        }
    }
    return KITH_OK;
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

static void lend(plain *w, const set *n, slot *s, uint32_t i, uint32_t branch)
{
    s->value[i] = COLUMN_TREE_REST;
    s->live[branch].count--;
    w->cells[s->attribute][n->records[i]] = s->common;
}

static uint32_t find_branch(const slot *s, uint32_t node)
{
    for (uint32_t b = 0; b < s->n_live; b++)
        if (s->live[b].node == node)
            return b;
    return COLUMN_TREE_REST;
}

/* C: spoilers leave; then those with most rare values, from the largest branch. */
static kith_status borrow(plain *w, const set *n, slot *s, kith_error *error)
{
    const uint32_t k = w->p->k;
    uint32_t rest = k - s->borrow;
    uint32_t *rarity = TRY_ALLOC(arena_zalloc(w->memory, n->size, sizeof *rarity), error);
    bool *spoils = TRY_ALLOC(arena_zalloc(w->memory, n->size, sizeof *spoils), error);
    candidate *c = TRY_ALLOC(arena_zalloc(w->memory, n->size, sizeof *c), error);
    rng coins;
    rng_init(&coins, w->sites->seed, n->number);
    TRY(rate(w, n, s, rarity, spoils, error));
    for (uint32_t i = 0; i < n->size; i++) {
        const uint32_t b = find_branch(s, s->value[i]);
        if (b != COLUMN_TREE_REST && spoils[i] && s->live[b].count > k) {
            lend(w, n, s, i, b);
            rest++;
        }
    }
    while (rest < k) {
        uint32_t largest = 0, count = 0;
        for (uint32_t b = 1; b < s->n_live; b++)
            if (s->live[b].count > s->live[largest].count)
                largest = b;
        for (uint32_t i = 0; i < n->size; i++)
            if (s->value[i] == s->live[largest].node)
                c[count++] = (candidate){i, rarity[i], rng_next(&coins)};
        qsort(c, count, sizeof *c, by_rarity);
        for (uint32_t i = 0; rest < k && s->live[largest].count > k; i++, rest++)
            lend(w, n, s, c[i].at, largest);
    }
    return KITH_OK;
}

static kith_status add_set(plain *w, set made, kith_error *error)
{
    if (w->n_sets == w->room) {
        const size_t room = arena_capacity(w->room, w->n_sets + 1);
        w->sets = TRY_ALLOC(arena_resize_array(w->memory, w->sets, w->room, room, sizeof *w->sets),
                            error);
        w->room = room;
    }
    made.number = w->n_sets;
    w->sets[w->n_sets++] = made;
    return KITH_OK;
}

/* D: the parts, in the order of their first records. */
static kith_status divide(plain *w, const set *n, const slot *s, kith_error *error)
{
    bool *done = TRY_ALLOC(arena_zalloc(w->memory, n->size, sizeof *done), error);
    for (uint32_t first = 0; first < n->size; first++) {
        if (done[first])
            continue;
        set part = {TRY_ALLOC(arena_array(w->memory, n->size, 4), error), 0, 0};
        for (uint32_t i = first; i < n->size; i++)
            if (s->value[i] == s->value[first]) {
                part.records[part.size++] = n->records[i];
                done[i] = true;
            }
        TRY(add_set(w, part, error));
    }
    return KITH_OK;
}

static kith_status close_set(plain *w, const set *n, kith_error *error)
{
    const uint32_t d = w->p->n_attributes, class = w->out->n_classes++;
    w->out->closure = TRY_ALLOC(arena_resize_array(w->memory, w->out->closure, (size_t) class * d,
                                                   (size_t)(class + 1) * d, sizeof(uint32_t)),
                                error);
    for (uint32_t a = 0; a < d; a++)
        w->out->closure[(size_t) class * d + a] = common_node(w, a, n);
    for (uint32_t i = 0; i < n->size; i++)
        w->out->class_of[n->records[i]] = class;
    return KITH_OK;
}

static kith_status grow(plain *w, size_t at, kith_error *error)
{
    const set n = w->sets[at];
    slot best = {0};
    for (uint32_t a = 0; n.size >= 2 * w->p->k && a < w->p->n_attributes; a++) {
        slot s;
        TRY(look_at(&s, w, a, &n, error));
        if (s.score > best.score)
            best = s;
    }
    if (best.score == 0)
        return close_set(w, &n, error);
    if (best.borrow > 0)
        TRY(borrow(w, &n, &best, error));
    return divide(w, &n, &best, error);
}

kith_status column_tree_plain(partition *result, const problem *p,
                              const column_tree_plain_sites *sites, arena *memory,
                              kith_error *error)
{
    plain w = {.p = p, .sites = sites, .memory = memory, .out = result};
    set all = {TRY_ALLOC(arena_array(memory, p->n_records, sizeof(uint32_t)), error), 0, 0};
    *result = (partition){0};
    result->class_of = TRY_ALLOC(arena_array(memory, p->n_records, sizeof(uint32_t)), error);
    w.cells = TRY_ALLOC(arena_array(memory, p->n_attributes + 1, sizeof *w.cells), error);
    for (uint32_t a = 0; a < p->n_attributes; a++) {
        w.cells[a] = TRY_ALLOC(arena_array(memory, p->n_records, sizeof(uint32_t)), error);
        memcpy(w.cells[a], p->attributes[a].cells, p->n_records * sizeof(uint32_t));
    }
    if (p->n_records < p->k)
        return error_set(error, KITH_INFEASIBLE, "fewer than k records");
    while (all.size < p->n_records) {
        all.records[all.size] = all.size;
        all.size++;
    }
    TRY(add_set(&w, all, error));
    for (size_t at = 0; at < w.n_sets; at++)
        TRY(grow(&w, at, error));
    return KITH_OK;
}

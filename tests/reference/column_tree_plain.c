/* needs: weave */
#include "reference/column_tree_plain.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "protocol/column_tree/column_tree_score.h"
#include "search/class_rules.h"
#include "search/search.h"

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
    uint32_t k;
    bool conditions; /* models look at sensitive values */
    class_rules rules;
} plain;

/* One slot of one set. */
typedef struct slot {
    uint32_t attribute, common, level;
    uint32_t *value; /* [size] COLUMN_TREE_REST if it is not live */
    column_tree_value live[COLUMN_TREE_MAX_LIVE];
    uint32_t n_live, score, borrow;
    bool accepted; /* score is its value: the models let it be made */
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

/* May the pivot be asked? */
static bool may_ask(const plain *w, const set *n, const slot *s)
{
    uint32_t largest = 0, rest = n->size;
    for (uint32_t b = 0; b < s->n_live; b++) {
        largest = s->live[b].count > largest ? s->live[b].count : largest;
        rest -= s->live[b].count;
    }
    return column_tree_score_may_ask(rest > largest ? rest : largest, n->size, w->k);
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
        if (column_tree_score_live(count[v], n->size, w->k))
            s->live[s->n_live++] =
                (column_tree_value){v, count[v], of->cost[s->common] - of->cost[v]};
    s->value = TRY_ALLOC(arena_array(w->memory, n->size, sizeof *s->value), error);
    for (uint32_t i = 0; i < n->size; i++) {
        const uint32_t v = column_tree_score_value(of->tree, w->cells[a][n->records[i]], s->level);
        const bool live = v != COLUMN_TREE_REST && column_tree_score_live(count[v], n->size, w->k);
        s->value[i] = live ? v : COLUMN_TREE_REST;
    }
    s->score = column_tree_score(&s->borrow, s->live, s->n_live, n->size, w->k, w->sites->unit);
    if (w->conditions && !may_ask(w, n, s))
        s->score = 0;
    return KITH_OK;
}

/* In how many other open slots of the owner a record is rare within its branch, and whether it
 * spoils one of them. */
static kith_status rate(const plain *w, const set *n, const slot *s, uint32_t *rarity, bool *spoils,
                        kith_error *error)
{
    const uint32_t k = w->k;
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

/* Records that spoil a slot of another site, within the whole set. */
static kith_status name(const plain *w, const set *n, const slot *s, bool *spoils,
                        kith_error *error)
{
    for (uint32_t a = 0; w->sites->name && a < w->p->n_attributes; a++) {
        const attribute *of = &w->p->attributes[a];
        const uint32_t level = column_tree_score_level(of, common_node(w, a, n));
        uint32_t *count = NULL, n_rare = 0;
        if (w->sites->holder[a] == w->sites->holder[s->attribute] || level == COLUMN_TREE_NO_SLOT)
            continue;
        TRY(count_values(&count, w, a, level, n, error));
        for (uint32_t pass = 0; pass < 2; pass++)
            for (uint32_t i = 0; i < n->size; i++) {
                const uint32_t v =
                    column_tree_score_value(of->tree, w->cells[a][n->records[i]], level);
                const bool rare = v == COLUMN_TREE_REST || count[v] < w->k;
                n_rare += pass == 0 && rare;
                spoils[i] |= pass == 1 && rare && n_rare < w->k && n_rare < n->size;
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

static void lend(slot *s, uint32_t i, uint32_t branch)
{
    s->value[i] = COLUMN_TREE_REST;
    s->live[branch].count--;
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
    const uint32_t k = w->k;
    uint32_t rest = k - s->borrow;
    uint32_t *rarity = TRY_ALLOC(arena_zalloc(w->memory, n->size, sizeof *rarity), error);
    bool *spoils = TRY_ALLOC(arena_zalloc(w->memory, n->size, sizeof *spoils), error);
    candidate *c = TRY_ALLOC(arena_zalloc(w->memory, n->size, sizeof *c), error);
    rng coins;
    rng_init(&coins, w->sites->seed, column_tree_score_stream(n->number, s->attribute, false));
    TRY(rate(w, n, s, rarity, spoils, error));
    TRY(name(w, n, s, spoils, error));
    for (uint32_t i = 0; i < n->size; i++) {
        const uint32_t b = find_branch(s, s->value[i]);
        if (b != COLUMN_TREE_REST && spoils[i] && s->live[b].count > k) {
            lend(s, i, b);
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
            lend(s, c[i].at, largest);
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

/* --- models that look at sensitive values --- */

/* Do the records of a part keep the models? A part is a node, or COLUMN_TREE_REST. */
static kith_status is_fit(bool *fit, const plain *w, const set *n, const slot *s, uint32_t node,
                          kith_error *error)
{
    uint32_t *records = TRY_ALLOC(arena_array(w->memory, n->size, sizeof *records), error),
             size = 0;
    for (uint32_t i = 0; i < n->size; i++)
        if (s->value[i] == node)
            records[size++] = n->records[i];
    *fit = size == 0 || class_rules_allow(&w->rules, records, size);
    return KITH_OK;
}

/* Do all parts? That is all that the pivot says. */
static kith_status all_fit(bool *fit, const plain *w, const set *n, const slot *s,
                           kith_error *error)
{
    TRY(is_fit(fit, w, n, s, COLUMN_TREE_REST, error));
    for (uint32_t b = 0; *fit && b < s->n_live; b++)
        TRY(is_fit(fit, w, n, s, s->live[b].node, error));
    return KITH_OK;
}

/* The smaller branches join the rest. */
static bool join(const plain *w, const set *n, slot *s)
{
    uint32_t count[COLUMN_TREE_MAX_LIVE], n_kept = 0;
    bool joins[COLUMN_TREE_MAX_LIVE];
    for (uint32_t b = 0; b < s->n_live; b++)
        count[b] = s->live[b].count;
    if (!column_tree_score_join(joins, count, s->n_live, w->k))
        return false;
    for (uint32_t b = 0; b < s->n_live; b++) {
        for (uint32_t i = 0; joins[b] && i < n->size; i++)
            if (s->value[i] == s->live[b].node)
                s->value[i] = COLUMN_TREE_REST;
        if (!joins[b])
            s->live[n_kept++] = s->live[b];
    }
    s->n_live = n_kept;
    return true;
}

/* Loans, each larger than the one before, until all parts are good. */
static kith_status dilute(plain *w, const set *n, slot *s, bool *good, kith_error *error)
{
    uint32_t kept = 0, loan = 0, lent = 0, told = 0, *order[COLUMN_TREE_MAX_LIVE];
    column_tree_value before[COLUMN_TREE_MAX_LIVE];
    rng coins;
    rng_init(&coins, w->sites->seed, column_tree_score_stream(n->number, s->attribute, true));
    for (uint32_t b = 0; b < s->n_live; b++) {
        uint32_t count = 0;
        order[b] = TRY_ALLOC(arena_array(w->memory, n->size, 4), error);
        for (uint32_t i = 0; i < n->size; i++)
            if (s->value[i] == s->live[b].node)
                order[b][count++] = i;
        rng_shuffle(&coins, order[b], count);
        kept += count;
        before[b] = s->live[b];
    }
    for (*good = false; !*good;) {
        loan = column_tree_score_loan(loan, n->size - kept, w->k);
        if (!column_tree_score_may_lend(loan, kept, n->size))
            return KITH_OK;
        lent = 0;
        for (uint32_t b = 0; b < s->n_live; b++) {
            const uint32_t given = column_tree_score_give(loan, before[b].count, kept, w->k);
            for (uint32_t i = 0; i < given; i++)
                s->value[order[b][i]] = COLUMN_TREE_REST;
            s->live[b].count = before[b].count - given;
            lent += given;
        }
        if (lent < told + w->k)
            continue; /* too little has changed to ask again */
        told = lent;
        if (!may_ask(w, n, s))
            return KITH_OK;
        TRY(all_fit(good, w, n, s, error));
    }
    return KITH_OK;
}

/* What the models make of a split: its score becomes its value, 0 if it is refused. */
static kith_status submit(plain *w, const set *n, slot *s, kith_error *error)
{
    bool fit = false, diluted = false;
    uint32_t ignored;
    TRY(all_fit(&fit, w, n, s, error));
    while (!fit && join(w, n, s) && may_ask(w, n, s))
        TRY(all_fit(&fit, w, n, s, error));
    if (!fit) {
        TRY(dilute(w, n, s, &fit, error));
        diluted = true;
    }
    s->accepted = true;
    s->score =
        fit ? column_tree_score(&ignored, s->live, s->n_live, n->size, w->k, w->sites->unit) : 0;
    s->score = diluted ? column_tree_score_diluted(s->score) : s->score;
    return KITH_OK;
}

/* D: the parts, in the order of their first records. */
static kith_status divide(plain *w, const set *n, const slot *s, kith_error *error)
{
    const tree *t = w->p->attributes[s->attribute].tree;
    uint32_t *cells = w->cells[s->attribute];
    for (uint32_t i = 0; i < n->size; i++) {
        const uint32_t v = column_tree_score_value(t, cells[n->records[i]], s->level);
        if (s->value[i] == COLUMN_TREE_REST && find_branch(s, v) != COLUMN_TREE_REST)
            cells[n->records[i]] = s->common; /* lent */
    }
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
    const uint32_t d = n.size >= 2 * w->k ? w->p->n_attributes : 0;
    slot *slots = TRY_ALLOC(arena_zalloc(w->memory, d + 1, sizeof *slots), error), *best;
    for (uint32_t a = 0; a < d; a++)
        TRY(look_at(&slots[a], w, a, &n, error));
    for (;;) {
        best = slots;
        for (uint32_t a = 1; a < d; a++)
            if (slots[a].score > best->score)
                best = &slots[a];
        if (best->score == 0)
            return close_set(w, &n, error);
        if (best->accepted)
            return divide(w, &n, best, error);
        if (best->borrow > 0)
            TRY(borrow(w, &n, best, error));
        if (w->conditions)
            TRY(submit(w, &n, best, error));
        else
            best->accepted = true;
    }
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
    w.k = class_rules_min_size(p);
    for (uint32_t i = 0; i < p->n_models; i++)
        w.conditions |= p->models[i].id != MODEL_K_ANONYMITY;
    TRY(class_rules_init(&w.rules, p, memory, error));
    TRY(search_feasible(p, memory, error));
    while (all.size < p->n_records) {
        all.records[all.size] = all.size;
        all.size++;
    }
    TRY(add_set(&w, all, error));
    for (size_t at = 0; at < w.n_sets; at++)
        TRY(grow(&w, at, error));
    return KITH_OK;
}

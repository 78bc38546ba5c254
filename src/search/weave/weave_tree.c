#include "search/weave/weave_tree.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "search/weave/weave_trim.h"
#include "search/weave/weave_score.h"

#define REST UINT32_MAX

static kith_status init_histograms(weave_tree *t, kith_error *error)
{
    const slots *s = t->slots;
    t->count = TRY_ALLOC(arena_array(t->memory, s->count, sizeof *t->count), error);
    t->seen = TRY_ALLOC(arena_array(t->memory, s->count, sizeof *t->seen), error);
    t->n_seen = TRY_ALLOC(arena_zalloc(t->memory, s->count, sizeof *t->n_seen), error);
    for (uint32_t i = 0; i < s->count; i++) {
        t->count[i] =
            TRY_ALLOC(arena_zalloc(t->memory, s->slots[i].n_ids, sizeof *t->count[i]), error);
        t->seen[i] =
            TRY_ALLOC(arena_array(t->memory, s->slots[i].n_ids, sizeof *t->seen[i]), error);
    }
    return KITH_OK;
}

static kith_status init_xlogx(weave_tree *t, kith_error *error)
{
    t->xlogx = TRY_ALLOC(arena_array(t->memory, WEAVE_XLOGX, sizeof *t->xlogx), error);
    t->xlogx[0] = 0;
    for (uint32_t i = 1; i < WEAVE_XLOGX; i++)
        t->xlogx[i] = i * log2(i);
    return KITH_OK;
}

kith_status weave_tree_init(weave_tree *t, const slots *s, const class_rules *a, uint32_t min_class,
                            uint32_t max_records, arena *memory, kith_error *error)
{
    *t = (weave_tree){.slots = s, .rules = a, .min_class = min_class, .memory = memory};
    for (uint32_t i = 0; i < s->count; i++)
        t->width += s->slots[i].above == SLOT_TOP;
    t->whole = 65535.0 / (t->width > 0 ? t->width : 1);
    t->spare = TRY_ALLOC(arena_array(memory, max_records, sizeof *t->spare), error);
    t->dropped = TRY_ALLOC(
        arena_array(memory, a->n_conditions > 0 ? max_records : 0, sizeof *t->dropped), error);
    t->rarity = TRY_ALLOC(arena_array(memory, max_records, sizeof *t->rarity), error);
    t->closure = TRY_ALLOC(arena_array(memory, s->stride, sizeof *t->closure), error);
    t->open =
        TRY_ALLOC(arena_array(memory, ((size_t)s->count + 1) * t->width, sizeof *t->open), error);
    t->single_slot = TRY_ALLOC(arena_array(memory, t->width, sizeof *t->single_slot), error);
    t->single_id = TRY_ALLOC(arena_array(memory, t->width, sizeof *t->single_id), error);
    TRY(init_xlogx(t, error));
    return init_histograms(t, error);
}

static void push(weave_tree *t, segments *list, segment item)
{
    if (list->count == list->capacity) {
        size_t more = arena_capacity(list->capacity, list->count + (size_t)1);
        segment *grown =
            arena_resize_array(t->memory, list->items, list->capacity, more, sizeof *grown);
        if (grown == NULL) {
            t->failed = true;
            return;
        }
        list->items = grown;
        list->capacity = (uint32_t)more;
    }
    list->items[list->count++] = item;
}

/* The slot one level down in the same attribute, or SLOT_TOP. */
static uint32_t below(const slots *s, uint32_t at)
{
    return at + 1 < s->count && s->slots[at + 1].above == at ? at + 1 : SLOT_TOP;
}

/* Goes down from slots on which the set agrees; attributes that it keeps to the end are closed. */
static uint32_t skip_uniform(const weave_tree *t, const segment set, uint32_t *open,
                             uint32_t opened)
{
    slots_close(t->slots, t->closure, t->members + set.first, set.size);
    uint32_t still = 0;
    for (uint32_t i = 0; i < opened; i++) {
        uint32_t at = open[i];
        while (at != SLOT_TOP && t->closure[at] != SLOT_NONE)
            at = below(t->slots, at);
        if (at != SLOT_TOP)
            open[still++] = at;
    }
    return still;
}

static void count_values(weave_tree *t, const segment set, const uint32_t *open, uint32_t opened)
{
    const uint32_t *members = t->members + set.first;
    for (uint32_t m = 0; m < set.size; m++) {
        const uint16_t *row = slots_row(t->slots, members[m]);
        for (uint32_t i = 0; i < opened; i++) {
            uint32_t at = open[i], id = row[at];
            if (t->count[at][id]++ == 0)
                t->seen[at][t->n_seen[at]++] = (uint16_t)id;
        }
    }
}

static void forget_counts(weave_tree *t, uint32_t at)
{
    for (uint32_t i = 0; i < t->n_seen[at]; i++)
        t->count[at][t->seen[at][i]] = 0;
    t->n_seen[at] = 0;
}

/* The id that enough records have, where there is one only. */
static uint16_t live_id(const weave_tree *t, uint32_t at)
{
    for (uint32_t i = 0; i < t->n_seen[at]; i++) {
        uint16_t id = t->seen[at][i];
        if (id != SLOT_DEAD && t->count[at][id] >= t->min_class)
            return id;
    }
    return SLOT_NONE;
}

/* Finds the best split and closes the slots that are dead in this set. Slots with one live value
 * and a small rest are collected as single ones. Histograms of open slots stay. */
static weave_split choose(weave_tree *t, const segment set, uint32_t *open, uint32_t *opened,
                          uint32_t *singles)
{
    weave_split best = {.slot = SLOT_TOP};
    uint32_t still = 0;
    *singles = 0;
    for (uint32_t i = 0; i < *opened; i++) {
        weave_split o = weave_score(t, open[i], set.size);
        if (o.live == 0) {
            forget_counts(t, open[i]);
            continue;
        }
        open[still++] = open[i];
        if (o.live == 1 && o.rest < t->min_class) {
            t->single_slot[*singles] = o.slot;
            t->single_id[(*singles)++] = live_id(t, o.slot);
        }
        if (o.score > best.score)
            best = o;
    }
    *opened = still;
    return best;
}

/* Reorders the set into branches, in order of first sight, and the rest, which is returned. The
 * branches are pushed; the slot's histogram is used up. */
static segment split(weave_tree *t, const segment set, uint32_t at, bool lent)
{
    uint32_t *members = t->members + set.first, *place = t->count[at], next = 0;
    for (uint32_t i = 0; i < t->n_seen[at]; i++) {
        uint32_t id = t->seen[at][i], n_records = place[id];
        bool live = id != SLOT_DEAD && n_records >= t->min_class;
        place[id] = live ? next : REST;
        if (!live)
            continue;
        push(t, &t->branch, (segment){set.first + next, n_records});
        next += n_records;
    }
    segment rest = {set.first + next, set.size - next};
    for (uint32_t m = 0; m < set.size; m++) {
        uint32_t *where = &place[slots_row(t->slots, members[m])[at]];
        bool left = *where == REST || (lent && t->rarity[m] == WEAVE_LENT);
        t->spare[left ? next++ : (*where)++] = members[m];
    }
    memcpy(members, t->spare, set.size * sizeof *members);
    return rest;
}

/* Moves the records that have all the single values to the front; returns how many. */
static uint32_t gather(weave_tree *t, const segment set, const uint32_t *at, const uint16_t *id,
                       uint32_t count)
{
    uint32_t *members = t->members + set.first, front = 0, back = set.size;
    for (uint32_t m = 0; m < set.size; m++) {
        const uint16_t *row = slots_row(t->slots, members[m]);
        bool all = true;
        for (uint32_t i = 0; i < count; i++)
            all &= row[at[i]] == id[i];
        t->spare[all ? front++ : --back] = members[m];
    }
    memcpy(members, t->spare, set.size * sizeof *members);
    return front;
}

/* Ejects what lacks the single values: of all single slots at once if enough records remain, else
 * (and where rests may borrow) of the chosen one alone. Returns the number of records kept, in
 * front. */
static uint32_t keep_single(weave_tree *t, const segment set, uint32_t at, uint32_t n_singles)
{
    if (!t->style.borrow) {
        uint32_t kept = gather(t, set, t->single_slot, t->single_id, n_singles);
        if (kept >= t->min_class)
            return kept;
    }
    for (uint32_t i = 0; i < n_singles; i++)
        if (t->single_slot[i] == at)
            return gather(t, set, &t->single_slot[i], &t->single_id[i], 1);
    return 0;
}

/* Trims a set to what satisfies the models; size 0 if too little is left. */
static segment trimmed(const weave_tree *t, const segment set)
{
    uint32_t fits = weave_trim(t->rules, t->members + set.first, set.size, t->spare);
    return (segment){set.first, fits >= t->min_class ? fits : 0};
}

/* Trims the branches that violate a model and drops those that get too small; what is left out
 * joins the rest. The stack keeps the others, in front of the set. */
static segment drop_unfit(weave_tree *t, uint32_t mark, const segment set, segment rest)
{
    uint32_t kept = mark, dropped = 0, *members = t->members, at = set.first;
    for (uint32_t b = mark; b < t->branch.count; b++) {
        segment branch = t->branch.items[b];
        uint32_t *first = members + branch.first;
        uint32_t fits = weave_trim(t->rules, first, branch.size, t->spare);
        fits = fits >= t->min_class ? fits : 0;
        memcpy(t->dropped + dropped, first + fits, (branch.size - fits) * sizeof *first);
        dropped += branch.size - fits;
        memmove(members + at, first, fits * sizeof *first);
        if (fits > 0)
            t->branch.items[kept++] = (segment){at, fits};
        at += fits;
    }
    memcpy(members + at, t->dropped, dropped * sizeof *members);
    t->branch.count = kept;
    return (segment){at, rest.size + dropped};
}

static void put_off(weave_tree *t, const segment set, const uint32_t *open, uint32_t opened)
{
    if (t->n_put_off == t->put_off_capacity) {
        size_t more = arena_capacity(t->put_off_capacity, t->n_put_off + (size_t)1);
        weave_node *grown =
            arena_resize_array(t->memory, t->put_off, t->put_off_capacity, more, sizeof *grown);
        t->failed |= grown == NULL;
        if (grown == NULL)
            return;
        t->put_off = grown;
        t->put_off_capacity = (uint32_t)more;
    }
    uint32_t *copy = arena_array(t->memory, opened, sizeof *copy);
    t->failed |= copy == NULL;
    if (copy == NULL)
        return;
    memcpy(copy, open, opened * sizeof *copy);
    t->put_off[t->n_put_off++] = (weave_node){set, opened, copy};
}

static void grow(weave_tree *t, const segment set, uint32_t depth, uint32_t opened);

/* Grows a child whose open slots are the parent's but for `closed`. */
static void grow_child(weave_tree *t, const segment set, uint32_t depth, uint32_t opened,
                       uint32_t closed)
{
    const uint32_t *open = t->open + (size_t)depth * t->width;
    uint32_t *child = t->open + (size_t)(depth + 1) * t->width, count = 0;
    for (uint32_t i = 0; i < opened; i++)
        if (open[i] != closed)
            child[count++] = open[i];
    grow(t, set, depth + 1, count);
}

/* Do the models leave enough in the branches to make the split worthwhile? */
static bool enough(const weave_tree *t, uint32_t mark, const segment set)
{
    if (t->rules->n_conditions == 0)
        return true;
    uint64_t kept = 0;
    for (uint32_t b = mark; b < t->branch.count; b++)
        kept += t->branch.items[b].size;
    return (double)kept >= t->style.keep * set.size;
}

/* Splits by the offer and grows the branches. Returns false, with the set intact but for its order,
 * if no branch satisfies the models. */
static bool branch_out(weave_tree *t, const segment set, uint32_t depth, uint32_t opened,
                       const weave_split *o)
{
    uint32_t mark = t->branch.count;
    segment rest = split(t, set, o->slot, o->borrow > 0);
    forget_counts(t, o->slot);
    if (t->rules->n_conditions > 0)
        rest = drop_unfit(t, mark, set, rest);
    if (t->branch.count == mark || !enough(t, mark, set)) {
        t->branch.count = mark;
        return false;
    }
    for (uint32_t b = mark; b < t->branch.count && !t->failed; b++)
        grow_child(t, t->branch.items[b], depth, opened, SLOT_TOP);
    t->branch.count = mark;
    if (rest.size < t->min_class)
        return true;
    rest = trimmed(t, rest);
    if (rest.size == 0)
        return true;
    if (o->borrow > 0)
        push(t, &t->leaf, rest);
    else
        grow_child(t, rest, depth, opened, o->slot);
    return true;
}

/* Ejects the records that would spoil the single slots and grows what remains. */
static bool narrow(weave_tree *t, const segment set, uint32_t depth, uint32_t opened,
                   const weave_split *o, uint32_t n_singles)
{
    forget_counts(t, o->slot);
    bool trims = t->rules->n_conditions > 0;
    segment kept = {set.first, keep_single(t, set, o->slot, n_singles)};
    if (kept.size < t->min_class)
        return false;
    kept = trimmed(t, kept);
    if (kept.size == 0 || (trims && kept.size < t->style.keep * set.size))
        return false;
    grow_child(t, kept, depth, opened, SLOT_TOP);
    return true;
}

static bool stopped(const weave_tree *t)
{
    return t->stop != NULL && atomic_load_explicit(t->stop, memory_order_relaxed);
}

static void forget_others(weave_tree *t, const uint32_t *open, uint32_t opened, uint32_t at)
{
    for (uint32_t i = 0; i < opened; i++)
        if (open[i] != at)
            forget_counts(t, open[i]);
}

static void grow(weave_tree *t, const segment set, uint32_t depth, uint32_t opened)
{
    uint32_t *open = t->open + (size_t)depth * t->width;
    if (set.size < t->cut) {
        put_off(t, set, open, opened);
        return;
    }
    while (!t->failed && !stopped(t)) {
        uint32_t n_singles;
        opened = skip_uniform(t, set, open, opened);
        count_values(t, set, open, opened);
        weave_split best = choose(t, set, open, &opened, &n_singles);
        if (best.borrow > 0)
            weave_score_lend(t, &best, set, open, opened);
        forget_others(t, open, opened, best.slot);
        if (best.slot == SLOT_TOP)
            break;
        bool eject = best.live == 1 && best.rest < t->min_class && best.borrow == 0;
        if (eject ? narrow(t, set, depth, opened, &best, n_singles)
                  : branch_out(t, set, depth, opened, &best))
            return;
        uint32_t still = 0; /* the models forbid this split: try without */
        for (uint32_t i = 0; i < opened; i++)
            if (open[i] != best.slot)
                open[still++] = open[i];
        opened = still;
    }
    push(t, &t->leaf, set);
}

void weave_tree_grow(weave_tree *t, uint32_t *members, uint32_t size, const weave_tree_style *style,
                     rng *r, uint32_t cut)
{
    t->members = members;
    t->style = *style;
    t->rng = r;
    t->cut = cut;
    t->leaf.count = t->branch.count = t->n_put_off = 0;
    uint32_t opened = 0;
    for (uint32_t i = 0; i < t->slots->count; i++)
        if (t->slots->slots[i].above == SLOT_TOP)
            t->open[opened++] = i;
    grow(t, (segment){0, size}, 0, opened);
}

void weave_tree_resume(weave_tree *t, uint32_t *members, const weave_node *node,
                       const weave_tree_style *style)
{
    t->members = members;
    t->style = *style;
    t->rng = NULL;
    t->cut = 0;
    t->branch.count = 0;
    memcpy(t->open, node->open, node->n_open * sizeof *t->open);
    grow(t, node->set, 0, node->n_open);
}

#include "search/weave/weave_tree.h"

#include <math.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "search/weave/weave_trim.h"
#include "search/weave/weave_score.h"

#define REST UINT32_MAX

kith_status weave_tree_init(weave_tree *t, const slots *s, const class_rules *a, uint32_t min_class,
                            uint32_t max_records, arena *memory, kith_error *error)
{
    *t = (weave_tree){.slots = s, .rules = a, .min_class = min_class, .memory = memory};
    for (uint32_t i = 0; i < s->count; i++)
        t->width += s->slots[i].above == SLOT_TOP;
    t->whole = 65535.0 / (t->width > 0 ? t->width : 1);
    t->spare = TRY_ARRAY(t->spare, memory, max_records, error);
    t->dropped = TRY_ARRAY(t->dropped, memory, a->n_conditions > 0 ? max_records : 0, error);
    t->rarity = TRY_ARRAY(t->rarity, memory, max_records, error);
    t->closure = TRY_ARRAY(t->closure, memory, s->stride, error);
    t->open = TRY_ARRAY(t->open, memory, ((size_t)s->count + 1) * t->width, error);
    t->singles.slots = TRY_ARRAY(t->singles.slots, memory, t->width, error);
    t->singles.ids = TRY_ARRAY(t->singles.ids, memory, t->width, error);
    t->xlogx = TRY_ARRAY(t->xlogx, memory, WEAVE_XLOGX, error);
    t->xlogx[0] = 0;
    for (uint32_t i = 1; i < WEAVE_XLOGX; i++)
        t->xlogx[i] = i * log2(i);
    t->values.count = TRY_ARRAY(t->values.count, t->memory, s->count, error);
    t->values.seen = TRY_ARRAY(t->values.seen, t->memory, s->count, error);
    t->values.n_seen = TRY_ZEROS(t->values.n_seen, t->memory, s->count, error);
    for (uint32_t i = 0; i < s->count; i++) {
        t->values.count[i] = TRY_ZEROS(t->values.count[i], t->memory, s->slots[i].n_ids, error);
        t->values.seen[i] =
            TRY_ARRAY(t->values.seen[i], t->memory, s->slots[i].n_ids + (size_t)1, error);
    }
    return KITH_OK;
}

/* Appends to a list; failing to do so is noted in t->failed, which callers look at later: growing
 * is recursive, and nothing needs to be undone. */
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

/* Replaces slots on which the set agrees by those below them; attributes in which it agrees on a
 * value of the lowest level are closed. Returns the new number of open slots. */
static uint32_t skip_uniform(const weave_tree *t, const segment set, uint32_t *open,
                             uint32_t n_open)
{
    slots_close(t->slots, t->closure, t->members + set.first, set.size);
    uint32_t still = 0;
    for (uint32_t i = 0; i < n_open; i++) {
        uint32_t at = open[i];
        while (at != SLOT_TOP && t->closure[at] != SLOT_NONE)
            at = below(t->slots, at);
        if (at != SLOT_TOP)
            open[still++] = at;
    }
    return still;
}

/* Fills the histogram of one slot. */
static void count_slot(weave_tree *t, const segment set, uint32_t at)
{
    const uint32_t *members = t->members + set.first;
    uint32_t *count = t->values.count[at], n_seen = t->values.n_seen[at];
    uint16_t *seen = t->values.seen[at];
    for (uint32_t m = 0; m < set.size; m++) {
        const uint16_t id = slots_row(t->slots, members[m])[at];
        seen[n_seen] = id; /* kept if it is new; there is room behind the last one */
        n_seen += count[id]++ == 0;
    }
    t->values.n_seen[at] = n_seen;
}

/* Clears the histogram of a slot. Only ids that were seen are touched: most sets have few. */
static void forget_counts(weave_tree *t, uint32_t at)
{
    for (uint32_t i = 0; i < t->values.n_seen[at]; i++)
        t->values.count[at][t->values.seen[at][i]] = 0;
    t->values.n_seen[at] = 0;
}

/* The first id that enough records have: the only one in a single slot. */
static uint16_t live_id(const weave_tree *t, uint32_t at)
{
    for (uint32_t i = 0; i < t->values.n_seen[at]; i++) {
        uint16_t id = t->values.seen[at][i];
        if (id != SLOT_DEAD && t->values.count[at][id] >= t->min_class)
            return id;
    }
    return SLOT_NONE;
}

/* Finds the best split and closes the slots without a live value. Collects t->singles. Histograms
 * of slots that stay open are kept. */
static weave_split choose_split(weave_tree *t, const segment set, uint32_t *open, uint32_t *n_open)
{
    weave_split best = {.slot = SLOT_TOP};
    uint32_t still = 0;
    t->singles.count = 0;
    for (uint32_t i = 0; i < *n_open; i++) {
        weave_split o = weave_score(t, open[i], set.size);
        if (o.live == 0) {
            forget_counts(t, open[i]);
            continue;
        }
        open[still++] = open[i];
        if (o.live == 1 && o.rest < t->min_class) {
            t->singles.slots[t->singles.count] = o.slot;
            t->singles.ids[t->singles.count++] = live_id(t, o.slot);
        }
        if (o.score > best.score)
            best = o;
    }
    *n_open = still;
    return best;
}

/* Reorders the set into branches, in order of first sight, and the rest, which is returned. The
 * branches are pushed; the slot's histogram is used up. */
static segment weave_tree_split(weave_tree *t, const segment set, uint32_t at, bool lent)
{
    uint32_t *members = t->members + set.first, *place = t->values.count[at], next = 0;
    for (uint32_t i = 0; i < t->values.n_seen[at]; i++) {
        uint32_t id = t->values.seen[at][i], n_records = place[id];
        bool live = id != SLOT_DEAD && n_records >= t->min_class;
        place[id] = live ? next : REST;
        if (!live)
            continue;
        push(t, &t->branches, (segment){set.first + next, n_records});
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

/* Moves the records that have all the ids in these slots to the front; returns how many. */
static uint32_t move_to_front(weave_tree *t, const segment set, const uint32_t *at,
                              const uint16_t *id, uint32_t count)
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

/* Ejects the records without the single value of a slot: of all single slots at once if enough
 * records remain, otherwise (and where rests may borrow) of this one. Returns the number of records
 * that are kept, in front. */
static uint32_t keep_singles(weave_tree *t, const segment set, uint32_t at)
{
    const weave_singles *one = &t->singles;
    if (!t->style.borrow) {
        uint32_t kept = move_to_front(t, set, one->slots, one->ids, one->count);
        if (kept >= t->min_class)
            return kept;
    }
    for (uint32_t i = 0; i < one->count; i++)
        if (one->slots[i] == at)
            return move_to_front(t, set, &one->slots[i], &one->ids[i], 1);
    return 0;
}

/* The records in front that satisfy the models; size 0 if too few do. */
static segment trim_set(const weave_tree *t, const segment set)
{
    uint32_t fits = weave_trim(t->rules, t->members + set.first, set.size, t->spare);
    return (segment){set.first, fits >= t->min_class ? fits : 0};
}

/* Trims the branches that violate a model and drops those that get too small. The stack keeps the
 * others, whose records move to the front of the set; records that are left out join the rest,
 * which is returned. */
static segment trim_branches(weave_tree *t, uint32_t mark, const segment set, segment rest)
{
    uint32_t kept = mark, dropped = 0, *members = t->members, at = set.first;
    for (uint32_t b = mark; b < t->branches.count; b++) {
        segment branch = t->branches.items[b];
        uint32_t *first = members + branch.first;
        uint32_t fits = weave_trim(t->rules, first, branch.size, t->spare);
        fits = fits >= t->min_class ? fits : 0;
        memcpy(t->dropped + dropped, first + fits, (branch.size - fits) * sizeof *first);
        dropped += branch.size - fits;
        memmove(members + at, first, fits * sizeof *first);
        if (fits > 0)
            t->branches.items[kept++] = (segment){at, fits};
        at += fits;
    }
    memcpy(members + at, t->dropped, dropped * sizeof *members);
    t->branches.count = kept;
    return (segment){at, rest.size + dropped};
}

/* Leaves a set to weave_tree_resume. Its open slots are copied, since the path goes on. */
static void put_off(weave_tree *t, const segment set, const uint32_t *open, uint32_t n_open)
{
    if (t->put_off.count == t->put_off.capacity) {
        size_t more = arena_capacity(t->put_off.capacity, t->put_off.count + (size_t)1);
        weave_node *grown = arena_resize_array(t->memory, t->put_off.items, t->put_off.capacity,
                                               more, sizeof *grown);
        t->failed |= grown == NULL;
        if (grown == NULL)
            return;
        t->put_off.items = grown;
        t->put_off.capacity = (uint32_t)more;
    }
    uint32_t *copy = arena_array(t->memory, n_open, sizeof *copy);
    t->failed |= copy == NULL;
    if (copy == NULL)
        return;
    memcpy(copy, open, n_open * sizeof *copy);
    t->put_off.items[t->put_off.count++] = (weave_node){set, n_open, copy};
}

static void grow(weave_tree *t, const segment set, uint32_t depth, uint32_t n_open);

/* Copies the open slots of a set, except for `closed`, to those of a child, and grows it. */
static void grow_child(weave_tree *t, const segment set, uint32_t depth, uint32_t n_open,
                       uint32_t closed)
{
    const uint32_t *open = t->open + (size_t)depth * t->width;
    uint32_t *child = t->open + (size_t)(depth + 1) * t->width, count = 0;
    for (uint32_t i = 0; i < n_open; i++)
        if (open[i] != closed)
            child[count++] = open[i];
    grow(t, set, depth + 1, count);
}

/* Do the branches keep enough of the set to make the split worthwhile? */
static bool branches_keep_enough(const weave_tree *t, uint32_t mark, const segment set)
{
    if (t->rules->n_conditions == 0)
        return true;
    uint64_t kept = 0;
    for (uint32_t b = mark; b < t->branches.count; b++)
        kept += t->branches.items[b].size;
    return (double)kept >= t->style.keep * set.size;
}

/* Splits the set and grows the branches, then a large rest. Returns false, with the same records in
 * another order, if the models leave too little in the branches. */
static bool grow_branches(weave_tree *t, const segment set, uint32_t depth, uint32_t n_open,
                          const weave_split *o)
{
    uint32_t mark = t->branches.count;
    segment rest = weave_tree_split(t, set, o->slot, o->borrow > 0);
    forget_counts(t, o->slot);
    if (t->rules->n_conditions > 0)
        rest = trim_branches(t, mark, set, rest);
    if (t->branches.count == mark || !branches_keep_enough(t, mark, set)) {
        t->branches.count = mark;
        return false;
    }
    for (uint32_t b = mark; b < t->branches.count && !t->failed; b++)
        grow_child(t, t->branches.items[b], depth, n_open, SLOT_TOP);
    t->branches.count = mark;
    if (rest.size < t->min_class)
        return true;
    rest = trim_set(t, rest);
    if (rest.size == 0)
        return true;
    if (o->borrow > 0) /* what it has borrowed has no value in common with it: a leaf */
        push(t, &t->leaves, rest);
    else
        grow_child(t, rest, depth, n_open, o->slot);
    return true;
}

/* Ejects the records without the single values and grows what remains. Returns false, as
 * grow_branches, if that is too little. */
static bool grow_singles(weave_tree *t, const segment set, uint32_t depth, uint32_t n_open,
                         const weave_split *o)
{
    forget_counts(t, o->slot);
    segment kept = {set.first, keep_singles(t, set, o->slot)};
    if (kept.size < t->min_class)
        return false;
    kept = trim_set(t, kept);
    if (kept.size == 0 || (t->rules->n_conditions > 0 && kept.size < t->style.keep * set.size))
        return false;
    grow_child(t, kept, depth, n_open, SLOT_TOP);
    return true;
}

/* Grows a set, whose open slots are row `depth` of t->open. If the models do not allow the best
 * split, the next best one is tried. */
static void grow(weave_tree *t, const segment set, uint32_t depth, uint32_t n_open)
{
    uint32_t *open = t->open + (size_t)depth * t->width;
    ASSERT(set.size >= t->min_class && depth <= t->slots->count && n_open <= t->width);
    if (set.size < t->cut) {
        put_off(t, set, open, n_open);
        return;
    }
    while (!t->failed &&
           !(t->stop != NULL && atomic_load_explicit(t->stop, memory_order_relaxed))) {
        n_open = skip_uniform(t, set, open, n_open);
        /* Fills the histograms of all open slots. */
        for (uint32_t i = 0; i < n_open; i++)
            count_slot(t, set, open[i]);
        weave_split best = choose_split(t, set, open, &n_open);
        if (best.borrow > 0)
            weave_score_lend(t, &best, set, open, n_open);
        for (uint32_t i = 0; i < n_open; i++)
            if (open[i] != best.slot)
                forget_counts(t, open[i]);
        if (best.slot == SLOT_TOP)
            break;
        bool ejects = best.live == 1 && best.rest < t->min_class && best.borrow == 0;
        if (ejects ? grow_singles(t, set, depth, n_open, &best)
                   : grow_branches(t, set, depth, n_open, &best))
            return;
        uint32_t still = 0;
        for (uint32_t i = 0; i < n_open; i++)
            if (open[i] != best.slot)
                open[still++] = open[i];
        n_open = still;
    }
    push(t, &t->leaves, set);
}

#if KITH_DEBUG
/* The invariants between calls. */
static void check_tree(const weave_tree *t)
{
    for (uint32_t at = 0; at < t->slots->count; at++) {
        ASSERT(t->values.n_seen[at] == 0);
        for (uint32_t id = 0; id < t->slots->slots[at].n_ids; id++)
            ASSERT(t->values.count[at][id] == 0);
    }
    ASSERT(t->branches.count == 0);
    for (uint32_t i = 0; i < t->leaves.count && !t->failed; i++)
        ASSERT(t->leaves.items[i].size >= t->min_class);
}
#endif

void weave_tree_grow(weave_tree *t, uint32_t *members, uint32_t size, const weave_tree_style *style,
                     rng *r, uint32_t cut)
{
    t->members = members;
    t->style = *style;
    t->rng = r;
    t->cut = cut;
    t->leaves.count = t->branches.count = t->put_off.count = 0;
    uint32_t n_open = 0;
    for (uint32_t i = 0; i < t->slots->count; i++)
        if (t->slots->slots[i].above == SLOT_TOP)
            t->open[n_open++] = i;
    grow(t, (segment){0, size}, 0, n_open);
    CHECK(check_tree(t));
}

void weave_tree_resume(weave_tree *t, uint32_t *members, const weave_node *node,
                       const weave_tree_style *style)
{
    t->members = members;
    t->style = *style;
    t->rng = NULL;
    t->cut = 0;
    t->branches.count = 0;
    memcpy(t->open, node->open, node->n_open * sizeof *t->open);
    grow(t, node->set, 0, node->n_open);
    CHECK(check_tree(t));
}

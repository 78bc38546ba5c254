/* needs: weave */
#include "audit_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, ROUNDS = 100 };
#define UNBOUNDED (INT64_C(1) << 36) /* far more than there are records; sums do not overflow */

/* The number of foreign records of a set lies in low … high. */
typedef struct variable {
    uint64_t name;
    int64_t low, high;
    uint32_t *rows, n_rows; /* own records */
    bool asked, small;
    bool void_set;          /* the rest of a slot whose values all live */
    uint32_t above;         /* the same value in a set that this one's set is a part of */
    bool apart;             /* ... and there is a pool between them */
    uint32_t within;        /* the slot that it is a value or the rest of */
    uint32_t node;          /* of the hierarchy, for values */
    uint32_t leaf;          /* number, or NONE */
    bool pool;              /* a set of ejected records: parts of it are parts of other sets, too */
    uint32_t value, joined; /* of a set that is a value and a rest: these; else NONE */
    uint32_t joined_axis;
} variable;

/* whole = values + none; rest = dead values + none. */
typedef struct slot {
    uint32_t whole, axis;
    uint32_t first, count; /* value variables: items[first …] */
    uint32_t rest, none;   /* rest: NONE if it was not asked */
    uint32_t above;        /* the same slot in the closest set above that showed it, or NONE */
    uint32_t next;         /* slot of the same set, or NONE */
    bool apart;            /* there is a pool between this slot and that above */
} slot;

struct audit_tree {
    arena *memory;
    uint32_t k, min_others;
    const problem *own; /* or NULL */
    variable *variables;
    uint32_t n_variables, variable_room;
    slot *slots;
    uint32_t n_slots, slot_room;
    uint32_t *items;
    uint32_t n_items, item_room;
    uint32_t *table, table_size; /* names to variables + 1 */
    uint32_t *slots_of;          /* [variable_room] first slot of a set, or NONE */
    uint32_t *parent;            /* [variable_room] the set that a set is a part of, or NONE */
    uint32_t host, pool;         /* the last pool, or the first root */
    uint32_t n_own_leftovers;
    bool changed;
};

static void *grow(arena *memory, void *block, uint32_t *room, size_t size)
{
    uint32_t more = 2 * *room + 1024;
    void *grown = arena_resize(memory, block, *room * size, more * size);
    if (grown == NULL)
        abort();
    *room = more;
    return grown;
}

audit_tree *audit_tree_new(arena *memory, uint32_t k, const problem *own, uint32_t min_others)
{
    audit_tree *a = arena_zalloc(memory, 1, sizeof *a);
    if (a == NULL)
        return NULL;
    a->memory = memory;
    a->k = k;
    a->own = own;
    a->min_others = min_others;
    a->host = a->pool = NONE;
    return a;
}

static void rehash(audit_tree *a)
{
    a->table_size = a->table_size == 0 ? 1 << 16 : 2 * a->table_size;
    a->table = arena_zalloc(a->memory, a->table_size, sizeof *a->table);
    if (a->table == NULL)
        abort();
    for (uint32_t v = 0; v < a->n_variables; v++) {
        uint32_t at = (uint32_t)a->variables[v].name & (a->table_size - 1);
        while (a->variables[v].name != 0 && a->table[at] != 0)
            at = (at + 1) & (a->table_size - 1);
        if (a->variables[v].name != 0)
            a->table[at] = v + 1;
    }
}

/* A new variable; name 0 is a set that nobody named. */
static uint32_t add_variable(audit_tree *a, uint64_t name)
{
    if (a->n_variables == a->variable_room) {
        uint32_t room = a->variable_room, same = a->variable_room;
        a->variables = grow(a->memory, a->variables, &a->variable_room, sizeof *a->variables);
        a->slots_of = grow(a->memory, a->slots_of, &room, sizeof *a->slots_of);
        a->parent = grow(a->memory, a->parent, &same, sizeof *a->parent);
    }
    const uint32_t v = a->n_variables++;
    a->variables[v] = (variable){.name = name, .high = UNBOUNDED, .above = NONE, .within = NONE};
    a->variables[v].leaf = a->variables[v].value = a->variables[v].joined = NONE;
    a->slots_of[v] = a->parent[v] = NONE;
    return v;
}

static uint32_t find_variable(audit_tree *a, uint64_t name)
{
    if (2 * (a->n_variables + 1) > a->table_size)
        rehash(a);
    uint32_t at = (uint32_t)name & (a->table_size - 1);
    while (a->table[at] != 0) {
        if (a->variables[a->table[at] - 1].name == name)
            return a->table[at] - 1;
        at = (at + 1) & (a->table_size - 1);
    }
    uint32_t v = add_variable(a, name);
    a->table[at] = v + 1;
    return v;
}

static uint32_t find_slot(const audit_tree *a, uint32_t whole, uint32_t axis)
{
    uint32_t s = whole == NONE ? NONE : a->slots_of[whole];
    while (s != NONE && a->slots[s].axis != axis)
        s = a->slots[s].next;
    return s;
}

static uint32_t find_value(const audit_tree *a, uint32_t s, uint32_t node)
{
    for (uint32_t i = 0; s != NONE && i < a->slots[s].count; i++)
        if (a->variables[a->items[a->slots[s].first + i]].node == node)
            return a->items[a->slots[s].first + i];
    return NONE;
}

/* The slot of the same attribute in the closest set above that showed it, or NONE; what joined a
 * value of it on the way, or NONE; and is there a pool on the way? */
static uint32_t find_above(const audit_tree *a, uint32_t whole, uint32_t axis, uint32_t *joined,
                           bool *apart)
{
    uint32_t s = NONE;
    *joined = NONE;
    *apart = false;
    for (uint32_t set = whole; set != NONE && s == NONE; set = a->parent[set]) {
        const variable *x = &a->variables[set];
        if (*joined == NONE && x->joined != NONE && x->joined_axis == axis)
            *joined = x->joined;
        *apart = *apart || x->pool;
        s = find_slot(a, a->parent[set], axis);
    }
    return s;
}

/* Slots and their values are told one after the other. */
static uint32_t open_slot(audit_tree *a, uint32_t whole, uint32_t axis, uint32_t node)
{
    uint32_t s = find_slot(a, whole, axis), joined;
    if (s != NONE)
        return s;
    if (a->n_slots == a->slot_room)
        a->slots = grow(a->memory, a->slots, &a->slot_room, sizeof *a->slots);
    s = a->n_slots++;
    a->slots[s] = (slot){whole, axis, a->n_items, 0, NONE, NONE, NONE, a->slots_of[whole], false};
    uint32_t above = find_above(a, whole, axis, &joined, &a->slots[s].apart);
    if (find_value(a, above, node) != NONE)
        a->slots[s].above = above;
    a->slots_of[whole] = s;
    uint32_t none = add_variable(a, 0);
    a->slots[s].none = none;
    const uint32_t rest = above == NONE ? NONE : a->slots[above].rest;
    if (a->slots[s].above != NONE && rest != NONE && a->variables[rest].void_set)
        a->variables[none].high = 0; /* there was nothing but live values above */
    if (a->slots[s].above == NONE)   /* all children were asked about */
        a->variables[none].high = joined != NONE ? a->variables[joined].high : 0;
    return s;
}

static void add_value(audit_tree *a, uint32_t s, uint32_t v, uint32_t node)
{
    if (a->n_items == a->item_room)
        a->items = grow(a->memory, a->items, &a->item_room, sizeof *a->items);
    a->items[a->n_items++] = v;
    a->slots[s].count++;
    a->variables[v].node = node;
    a->variables[v].within = s;
    a->variables[v].above = find_value(a, a->slots[s].above, node);
    a->variables[v].apart = a->slots[s].apart;
}

static void add_rest(audit_tree *a, slot *s, uint32_t v)
{
    bool parts = a->variables[s->none].high > 0;
    for (uint32_t i = 0; i < s->count; i++)
        parts = parts || a->variables[a->items[s->first + i]].small;
    s->rest = v;
    a->variables[v].void_set = !parts;
}

static void narrow(audit_tree *a, uint32_t v, int64_t low, int64_t high)
{
    variable *x = &a->variables[v];
    if (x->low > x->high)
        return; /* a contradiction: nothing more to learn */
    if (low > x->low) {
        x->low = low;
        a->changed = true;
    }
    if (high < x->high) {
        x->high = high;
        a->changed = true;
    }
}

/* One live value and a rest that is not big: phase C asks about these together. */
static bool is_single(const audit_tree *a, const slot *s, uint32_t *node)
{
    uint32_t n_live = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (!a->variables[a->items[s->first + i]].small) {
            *node = a->variables[a->items[s->first + i]].node;
            n_live++;
        }
    return n_live == 1 && s->rest != NONE && a->variables[s->rest].small;
}

/* Does the attacker's record of the set `of` belong to the set that was asked about? */
static bool belongs(const audit_tree *a, const joint_tree_opened *what, uint32_t whole,
                    uint32_t row)
{
    const attribute *of = a->own->attributes;
    if (what->event == JOINT_TREE_VALUE)
        return tree_covers(of[what->a].tree, what->node, of[what->a].cells[row]);
    if (what->event == JOINT_TREE_REST_IS_BIG) {
        const slot *s = &a->slots[find_slot(a, whole, what->a)];
        for (uint32_t i = 0; i < s->count; i++) {
            const variable *x = &a->variables[a->items[s->first + i]];
            if (!x->small && tree_covers(of[what->a].tree, x->node, of[what->a].cells[row]))
                return false;
        }
        return true;
    }
    if (what->event != JOINT_TREE_SINGLES)
        return true;
    for (uint32_t s = a->slots_of[whole]; s != NONE; s = a->slots[s].next) {
        const attribute *at = &of[a->slots[s].axis];
        uint32_t node;
        if (is_single(a, &a->slots[s], &node) && !tree_covers(at->tree, node, at->cells[row]))
            return false;
    }
    return true;
}

/* The attacker's records of the set. */
static void keep_own(audit_tree *a, uint32_t v, const joint_tree_opened *what, uint32_t whole)
{
    variable *x = &a->variables[v];
    if (a->own == NULL)
        return;
    x->rows = arena_array(a->memory, what->n_rows + (size_t)1, sizeof *x->rows);
    if (x->rows == NULL)
        abort();
    x->n_rows = 0;
    for (uint32_t i = 0; i < what->n_rows; i++)
        if (belongs(a, what, whole, what->rows[i]))
            x->rows[x->n_rows++] = what->rows[i];
}

/* What the answer says about foreign records. */
static void hear(audit_tree *a, uint32_t v, uint32_t min_size, bool bit)
{
    const int64_t c = a->variables[v].n_rows, f = a->min_others;
    const int64_t needed = min_size - c > f ? min_size - c : f;
    if (bit)
        narrow(a, v, needed, UNBOUNDED);
    else if (c >= f)
        narrow(a, v, 0, needed - 1);
}

static void hear_part(audit_tree *a, uint32_t v, const joint_tree_opened *what)
{
    const uint32_t whole = find_variable(a, what->of);
    a->parent[v] = whole;
    keep_own(a, v, what, whole);
    if (what->event == JOINT_TREE_VALUE) {
        add_value(a, open_slot(a, whole, what->a, what->node), v, what->node);
    } else if (what->event == JOINT_TREE_REST_IS_BIG) {
        add_rest(a, &a->slots[find_slot(a, whole, what->a)], v);
    } else if (what->event == JOINT_TREE_JOIN) {
        const uint32_t s = find_slot(a, whole, what->a);
        a->variables[v].value = find_value(a, s, what->node);
        a->variables[v].joined = a->slots[s].rest;
        a->variables[v].joined_axis = what->a;
    }
}

void audit_tree_opened(void *user, const joint_tree_opened *what)
{
    audit_tree *a = user;
    if (what->event == JOINT_TREE_LEFTOVERS || what->event == JOINT_TREE_TRIMMED ||
        what->event == JOINT_TREE_KEPT)
        return;
    if (what->event == JOINT_TREE_HOST) {
        a->host = (uint32_t)what->set;
        a->n_own_leftovers = a->own == NULL ? 0 : what->n_rows;
        return;
    }
    const uint32_t v = find_variable(a, what->set);
    if (what->event == JOINT_TREE_LEAF) {
        a->variables[v].leaf = (uint32_t)what->of;
        return;
    }
    if (what->event == JOINT_TREE_ALL) {
        keep_own(a, v, what, NONE);
        if (v != a->pool) {
            a->parent[v] = a->pool;
            a->variables[v].pool = a->pool != NONE;
            a->pool = v;
        }
    } else {
        hear_part(a, v, what);
    }
    if (what->event == JOINT_TREE_JOIN)
        return;
    hear(a, v, what->min_size, what->bit);
    a->variables[v].asked = true;
    a->variables[v].small = !what->bit && what->min_size == a->k;
}

/* A sum of variables: each is at least the sum's low minus the others' highs, and so on. */
static void balance(audit_tree *a, uint32_t sum, const uint32_t *part, size_t count)
{
    int64_t low = 0, high = 0;
    for (size_t i = 0; i < count; i++) {
        low += a->variables[part[i]].low;
        high += a->variables[part[i]].high;
    }
    narrow(a, sum, low, high);
    const variable total = a->variables[sum];
    for (size_t i = 0; i < count; i++) {
        const variable x = a->variables[part[i]];
        narrow(a, part[i], total.low - (high - x.high), total.high - (low - x.low));
    }
}

/* The slot's two sums, and what it inherits. */
static void balance_slot(audit_tree *a, const slot *s, uint32_t *part)
{
    size_t count = 0;
    memcpy(part, a->items + s->first, s->count * sizeof *part);
    part[s->count] = s->none;
    balance(a, s->whole, part, s->count + 1);
    if (s->rest != NONE) {
        for (uint32_t i = 0; i < s->count; i++)
            if (a->variables[a->items[s->first + i]].small)
                part[count++] = a->items[s->first + i];
        part[count] = s->none;
        balance(a, s->rest, part, count + 1);
        count = 0;
        for (uint32_t i = 0; i < s->count; i++)
            if (!a->variables[a->items[s->first + i]].small)
                part[count++] = a->items[s->first + i];
        part[count] = s->rest;
        balance(a, s->whole, part, count + 1);
    }
    if (s->above != NONE && a->slots[s->above].rest != NONE)
        narrow(a, s->none, 0, a->variables[a->slots[s->above].rest].high);
}

/* A value is no smaller than all its parts in different children together. */
static void balance_parts(audit_tree *a, int64_t *low)
{
    memset(low, 0, a->n_variables * sizeof *low);
    for (uint32_t v = 0; v < a->n_variables; v++)
        if (a->variables[v].above != NONE && !a->variables[v].apart)
            low[a->variables[v].above] += a->variables[v].low;
    for (uint32_t v = 0; v < a->n_variables; v++) {
        const variable *x = &a->variables[v];
        if (low[v] > 0)
            narrow(a, v, low[v], UNBOUNDED);
        if (x->above != NONE)
            narrow(a, v, 0, a->variables[x->above].high - (x->apart ? 0 : low[x->above] - x->low));
        if (x->joined != NONE)
            balance(a, v, (const uint32_t[]){x->value, x->joined}, 2);
    }
}

static void know_leaves(audit_tree *a, const uint64_t *size)
{
    for (uint32_t v = 0; size != NULL && v < a->n_variables; v++) {
        const uint32_t leaf = a->variables[v].leaf;
        if (leaf == NONE)
            continue;
        int64_t foreign = (int64_t)size[leaf] - a->variables[v].n_rows, leftovers = 0;
        if (leaf == a->host) { /* its size counts leftovers, too */
            foreign -= a->n_own_leftovers;
            leftovers = a->variables[a->pool].high;
        }
        narrow(a, v, foreign - leftovers, foreign);
    }
}

static void count_foreign(const audit_tree *a, audit_finding *f, const variable *x)
{
    if ((!x->asked && x->leaf == NONE) || x->void_set || x->low < 1 || x->high >= (int64_t)a->k)
        return;
    const bool is_class = x->leaf != NONE;
    f->some++;
    if (x->low != x->high)
        return;
    f->known++;
    f->known_not_class += !is_class;
    f->one += x->low == 1;
    f->one_not_class += x->low == 1 && !is_class;
}

/* Own records in sets without foreign ones. */
static size_t count_alone(const audit_tree *a)
{
    size_t n_alone = 0;
    if (a->own == NULL)
        return 0;
    uint8_t *alone = calloc(a->own->n_records + (size_t)1, 1);
    if (alone == NULL)
        abort();
    for (uint32_t v = 0; v < a->n_variables; v++)
        for (uint32_t i = 0; a->variables[v].high == 0 && i < a->variables[v].n_rows; i++) {
            n_alone += !alone[a->variables[v].rows[i]];
            alone[a->variables[v].rows[i]] = 1;
        }
    free(alone);
    return n_alone;
}

audit_finding audit_tree_deduce(audit_tree *a, const uint64_t *size)
{
    audit_finding f = {0};
    uint32_t max_count = 1;
    know_leaves(a, size);
    for (uint32_t s = 0; s < a->n_slots; s++)
        max_count = a->slots[s].count > max_count ? a->slots[s].count : max_count;
    uint32_t *part = malloc((max_count + 2) * sizeof *part);
    int64_t *low = malloc((a->n_variables + 1) * sizeof *low);
    if (part == NULL || low == NULL)
        abort();
    a->changed = true;
    for (int round = 0; round < ROUNDS && a->changed; round++) {
        a->changed = false;
        for (uint32_t s = 0; s < a->n_slots; s++)
            balance_slot(a, &a->slots[s], part);
        balance_parts(a, low);
    }
    free(part);
    free(low);
    for (uint32_t v = 0; v < a->n_variables; v++) {
        const variable *x = &a->variables[v];
        f.wrong += x->low > x->high;
        f.n_sets += x->asked;
        count_foreign(a, &f, x);
        if (!x->small || x->void_set || x->high >= (int64_t)a->k)
            continue;
        f.small++;
        f.present += x->low > 0;
        f.exact += x->low > 0 && x->low == x->high;
        f.empty += x->high == 0;
        f.bounded += x->high < (int64_t)a->k - 1;
    }
    f.alone = count_alone(a);
    return f;
}

void audit_tree_print(const audit_finding *f, uint32_t k, const char *source)
{
    printf("        audit, %s: %zu sets asked about, %zu have fewer than k = %u records; of these "
           "%zu provably have at least one, %zu a known number, %zu none, %zu fewer than k - 1%s\n",
           source, f->n_sets, f->small, k, f->present, f->exact, f->empty, f->bounded,
           f->wrong > 0 ? "; CONTRADICTIONS" : "");
}

void audit_tree_print_foreign(const audit_finding *f, uint32_t k)
{
    printf(
        "        a participant: %zu sets whose foreign records are known and 1 ... %u, %zu of them "
        "no classes; exactly one foreign person: %zu, no class: %zu; some and fewer than %u for "
        "certain: %zu; own records that nobody else has: %zu%s\n",
        f->known, k - 1, f->known_not_class, f->one, f->one_not_class, k, f->some, f->alone,
        f->wrong > 0 ? "; CONTRADICTIONS" : "");
}

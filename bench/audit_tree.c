#include "audit_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, ROUNDS = 100 };
#define UNBOUNDED (INT64_C(1) << 36) /* far more than there are records; sums do not overflow */

/* The size of a set lies in low … high. */
typedef struct variable {
    uint64_t name;
    int64_t low, high;
    bool asked, small;
    bool void_set;          /* the rest of a slot whose values all live */
    uint32_t above;         /* the same value in the set that this one's set is a part of */
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
    uint32_t above;        /* the same slot in the set above, or NONE */
    uint32_t next;         /* slot of the same set, or NONE */
} slot;

struct audit_tree {
    arena *memory;
    uint32_t k;
    variable *variable;
    uint32_t variables, variable_room;
    slot *slot;
    uint32_t slots, slot_room;
    uint32_t *item;
    uint32_t items, item_room;
    uint32_t *table, table_size; /* names to variables + 1 */
    uint32_t *slots_of;          /* [variable_room] first slot of a set, or NONE */
    uint32_t *parent;            /* [variable_room] the set that a set is a part of, or NONE */
    uint32_t host, pool;         /* the last pool, or the first root */
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

audit_tree *audit_tree_new(arena *memory, uint32_t k)
{
    audit_tree *a = arena_zalloc(memory, 1, sizeof *a);
    if (a == NULL)
        return NULL;
    a->memory = memory;
    a->k = k;
    a->host = a->pool = NONE;
    return a;
}

static void rehash(audit_tree *a)
{
    a->table_size = a->table_size == 0 ? 1 << 16 : 2 * a->table_size;
    a->table = arena_zalloc(a->memory, a->table_size, sizeof *a->table);
    if (a->table == NULL)
        abort();
    for (uint32_t v = 0; v < a->variables; v++) {
        uint32_t at = (uint32_t)a->variable[v].name & (a->table_size - 1);
        while (a->variable[v].name != 0 && a->table[at] != 0)
            at = (at + 1) & (a->table_size - 1);
        if (a->variable[v].name != 0)
            a->table[at] = v + 1;
    }
}

/* A new variable; name 0 is a set that nobody named. */
static uint32_t add_variable(audit_tree *a, uint64_t name)
{
    if (a->variables == a->variable_room) {
        uint32_t room = a->variable_room, same = a->variable_room;
        a->variable = grow(a->memory, a->variable, &a->variable_room, sizeof *a->variable);
        a->slots_of = grow(a->memory, a->slots_of, &room, sizeof *a->slots_of);
        a->parent = grow(a->memory, a->parent, &same, sizeof *a->parent);
    }
    const uint32_t v = a->variables++;
    a->variable[v] = (variable){.name = name, .high = UNBOUNDED, .above = NONE, .within = NONE};
    a->variable[v].leaf = a->variable[v].value = a->variable[v].joined = NONE;
    a->slots_of[v] = a->parent[v] = NONE;
    return v;
}

static uint32_t find_variable(audit_tree *a, uint64_t name)
{
    if (2 * (a->variables + 1) > a->table_size)
        rehash(a);
    uint32_t at = (uint32_t)name & (a->table_size - 1);
    while (a->table[at] != 0) {
        if (a->variable[a->table[at] - 1].name == name)
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
    while (s != NONE && a->slot[s].axis != axis)
        s = a->slot[s].next;
    return s;
}

static uint32_t find_value(const audit_tree *a, uint32_t s, uint32_t node)
{
    for (uint32_t i = 0; s != NONE && i < a->slot[s].count; i++)
        if (a->variable[a->item[a->slot[s].first + i]].node == node)
            return a->item[a->slot[s].first + i];
    return NONE;
}

/* Slots and their values are told one after the other. */
static uint32_t open_slot(audit_tree *a, uint32_t whole, uint32_t axis, uint32_t node)
{
    uint32_t s = find_slot(a, whole, axis);
    if (s != NONE)
        return s;
    if (a->slots == a->slot_room)
        a->slot = grow(a->memory, a->slot, &a->slot_room, sizeof *a->slot);
    s = a->slots++;
    a->slot[s] = (slot){whole, axis, a->items, 0, NONE, NONE, NONE, a->slots_of[whole]};
    uint32_t above = find_slot(a, a->parent[whole], axis);
    if (find_value(a, above, node) != NONE)
        a->slot[s].above = above;
    a->slots_of[whole] = s;
    uint32_t none = add_variable(a, 0);
    a->slot[s].none = none;
    const variable *x = &a->variable[whole];
    const uint32_t rest = above == NONE ? NONE : a->slot[above].rest;
    if (a->slot[s].above != NONE && rest != NONE && a->variable[rest].void_set)
        a->variable[none].high = 0; /* there was nothing but live values above */
    if (a->slot[s].above == NONE)   /* all children were asked about */
        a->variable[none].high =
            x->joined != NONE && x->joined_axis == axis ? a->variable[x->joined].high : 0;
    return s;
}

static void add_value(audit_tree *a, uint32_t s, uint32_t v, uint32_t node)
{
    if (a->items == a->item_room)
        a->item = grow(a->memory, a->item, &a->item_room, sizeof *a->item);
    a->item[a->items++] = v;
    a->slot[s].count++;
    a->variable[v].node = node;
    a->variable[v].within = s;
    a->variable[v].above = find_value(a, a->slot[s].above, node);
}

static void add_rest(audit_tree *a, slot *s, uint32_t v)
{
    bool parts = a->variable[s->none].high > 0;
    for (uint32_t i = 0; i < s->count; i++)
        parts = parts || a->variable[a->item[s->first + i]].small;
    s->rest = v;
    a->variable[v].void_set = !parts;
}

static void narrow(audit_tree *a, uint32_t v, int64_t low, int64_t high)
{
    variable *x = &a->variable[v];
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

void audit_tree_opened(void *user, tree_event event, uint64_t set, uint64_t of, uint32_t axis,
                       uint32_t node, uint32_t least, bool bit)
{
    audit_tree *a = user;
    if (event == TREE_HOST)
        a->host = (uint32_t)set;
    if (event == TREE_HOST || event == TREE_LEFTOVERS)
        return;
    uint32_t v = find_variable(a, set);
    if (event == TREE_LEAF) {
        a->variable[v].leaf = (uint32_t)of;
        return;
    }
    if (event == TREE_ALL && v != a->pool) {
        a->parent[v] = a->pool;
        a->variable[v].pool = a->pool != NONE;
        a->pool = v;
    }
    if (event == TREE_JOIN) {
        const uint32_t whole = find_variable(a, of), s = find_slot(a, whole, axis);
        a->parent[v] = whole;
        a->variable[v].value = find_value(a, s, node);
        a->variable[v].joined = a->slot[s].rest;
        a->variable[v].joined_axis = axis;
        return;
    }
    if (event != TREE_ALL) {
        uint32_t whole = find_variable(a, of);
        a->parent[v] = whole;
        if (event == TREE_VALUE)
            add_value(a, open_slot(a, whole, axis, node), v, node);
        if (event == TREE_REST)
            add_rest(a, &a->slot[find_slot(a, whole, axis)], v);
    }
    narrow(a, v, bit ? least : 0, bit ? UNBOUNDED : (int64_t)least - 1);
    a->variable[v].asked = true;
    a->variable[v].small = !bit && least == a->k;
}

/* A sum of variables: each is at least the sum's low minus the others' highs, and so on. */
static void balance(audit_tree *a, uint32_t sum, const uint32_t *part, size_t count)
{
    int64_t low = 0, high = 0;
    for (size_t i = 0; i < count; i++) {
        low += a->variable[part[i]].low;
        high += a->variable[part[i]].high;
    }
    narrow(a, sum, low, high);
    const variable total = a->variable[sum];
    for (size_t i = 0; i < count; i++) {
        const variable x = a->variable[part[i]];
        narrow(a, part[i], total.low - (high - x.high), total.high - (low - x.low));
    }
}

/* The slot's two sums, and what it inherits. */
static void balance_slot(audit_tree *a, const slot *s, uint32_t *part)
{
    size_t count = 0;
    memcpy(part, a->item + s->first, s->count * sizeof *part);
    part[s->count] = s->none;
    balance(a, s->whole, part, s->count + 1);
    if (s->rest != NONE) {
        for (uint32_t i = 0; i < s->count; i++)
            if (a->variable[a->item[s->first + i]].small)
                part[count++] = a->item[s->first + i];
        part[count] = s->none;
        balance(a, s->rest, part, count + 1);
        count = 0;
        for (uint32_t i = 0; i < s->count; i++)
            if (!a->variable[a->item[s->first + i]].small)
                part[count++] = a->item[s->first + i];
        part[count] = s->rest;
        balance(a, s->whole, part, count + 1);
    }
    if (s->above != NONE && a->slot[s->above].rest != NONE)
        narrow(a, s->none, 0, a->variable[a->slot[s->above].rest].high);
}

static bool in_pool(const audit_tree *a, uint32_t v)
{
    return a->variable[a->slot[a->variable[v].within].whole].pool;
}

/* A value is no smaller than all its parts in different children together. */
static void balance_parts(audit_tree *a, int64_t *low)
{
    memset(low, 0, a->variables * sizeof *low);
    for (uint32_t v = 0; v < a->variables; v++)
        if (a->variable[v].above != NONE && !in_pool(a, v))
            low[a->variable[v].above] += a->variable[v].low;
    for (uint32_t v = 0; v < a->variables; v++) {
        const variable *x = &a->variable[v];
        if (low[v] > 0)
            narrow(a, v, low[v], UNBOUNDED);
        if (x->above != NONE)
            narrow(a, v, 0,
                   a->variable[x->above].high - (in_pool(a, v) ? 0 : low[x->above] - x->low));
        if (x->joined != NONE)
            balance(a, v, (const uint32_t[]){x->value, x->joined}, 2);
    }
}

static void know_leaves(audit_tree *a, const uint64_t *size)
{
    for (uint32_t v = 0; size != NULL && v < a->variables; v++) {
        const uint32_t leaf = a->variable[v].leaf;
        if (leaf != NONE) {
            int64_t slack = leaf == a->host ? a->k - 1 : 0;
            narrow(a, v, (int64_t)size[leaf] - slack, (int64_t)size[leaf]);
        }
    }
}

audit_finding audit_tree_deduce(audit_tree *a, const uint64_t *size)
{
    audit_finding f = {0};
    uint32_t most = 1;
    know_leaves(a, size);
    for (uint32_t s = 0; s < a->slots; s++)
        most = a->slot[s].count > most ? a->slot[s].count : most;
    uint32_t *part = malloc((most + 2) * sizeof *part);
    int64_t *low = malloc((a->variables + 1) * sizeof *low);
    if (part == NULL || low == NULL)
        abort();
    a->changed = true;
    for (int round = 0; round < ROUNDS && a->changed; round++) {
        a->changed = false;
        for (uint32_t s = 0; s < a->slots; s++)
            balance_slot(a, &a->slot[s], part);
        balance_parts(a, low);
    }
    free(part);
    free(low);
    for (uint32_t v = 0; v < a->variables; v++) {
        const variable *x = &a->variable[v];
        f.wrong += x->low > x->high;
        f.sets += x->asked;
        if (!x->small || x->void_set)
            continue;
        f.small++;
        f.present += x->low > 0;
        f.exact += x->low > 0 && x->low == x->high;
        f.empty += x->high == 0;
        f.bounded += x->high < (int64_t)a->k - 1;
    }
    return f;
}

void audit_tree_print(const audit_finding *f, uint32_t k, const char *source)
{
    printf("        audit, %s: %zu sets asked about, %zu have fewer than k = %u records; of these "
           "%zu provably have at least one, %zu a known number, %zu none, %zu fewer than k - 1%s\n",
           source, f->sets, f->small, k, f->present, f->exact, f->empty, f->bounded,
           f->wrong > 0 ? "; CONTRADICTIONS" : "");
}

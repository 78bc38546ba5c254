#include "search/slots/slots.h"

#include <math.h>
#include <string.h>

#include "core/error.h"

enum { LANES = 16, MAX_LIVE = 65534, MAX_COST = 65535 };

/* What slots_build knows of one attribute while it works. */
typedef struct draft {
    const attribute *a;
    const tree *t;
    uint16_t *fixed; /* [n_nodes] cost in units */
    uint32_t *count; /* [n_nodes] records at or below the node */
    uint16_t *id;    /* [n_nodes] id in its level, SLOT_DEAD if it has none */
} draft;

static double slots_cheapest(const attribute *a)
{
    double low = a->cost[0];
    for (uint32_t node = 1; node < a->tree->n_nodes; node++)
        low = a->cost[node] < low ? a->cost[node] : low;
    return low;
}

static double max_cost(const attribute *a)
{
    double high = a->cost[0];
    for (uint32_t node = 1; node < a->tree->n_nodes; node++)
        high = a->cost[node] > high ? a->cost[node] : high;
    return high;
}

/* The smallest count, at least live_from, that leaves at most MAX_LIVE nodes of a level alive. */
static uint32_t live_threshold(const draft *d, uint32_t level, uint32_t live_from)
{
    uint32_t first = d->t->level_start[level], end = d->t->level_start[level + 1];
    uint32_t low = live_from < 1 ? 1 : live_from, high = UINT32_MAX;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint64_t alive = 0;
        for (uint32_t node = first; node < end; node++)
            alive += d->count[node] >= middle;
        if (alive <= MAX_LIVE)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Numbers the nodes of a level; returns the number of ids, 1 if all nodes are dead. Whole slots
 * number all nodes, others only those with enough records. */
static uint32_t number_whole_level(draft *d, uint32_t level)
{
    uint32_t first = d->t->level_start[level], end = d->t->level_start[level + 1];
    bool alive = end - first <= SLOTS_WIDE;
    for (uint32_t node = first; node < end; node++)
        d->id[node] = alive ? (uint16_t)(node - first + 1) : SLOT_DEAD;
    return alive ? end - first + 1 : 1;
}

static uint32_t number_level(draft *d, uint32_t level, uint32_t live_from)
{
    uint32_t first = d->t->level_start[level], end = d->t->level_start[level + 1];
    if (end - first > MAX_LIVE)
        live_from = live_threshold(d, level, live_from);
    uint32_t n_ids = 1;
    for (uint32_t node = first; node < end; node++)
        d->id[node] = d->count[node] >= live_from && d->count[node] > 0 ? (uint16_t)n_ids++ : 0;
    return n_ids;
}

/* Fills the slot of a level, and sets *useful if giving it up costs something. */
static kith_status make_slot(slot *made, const draft *d, uint32_t level, uint32_t n_ids,
                             bool *useful, arena *memory, kith_error *error)
{
    uint16_t *weight = TRY_ZEROS(weight, memory, n_ids, error);
    int32_t *worth = TRY_ZEROS(worth, memory, n_ids, error);
    for (uint32_t node = d->t->level_start[level]; node < d->t->level_start[level + 1]; node++) {
        if (d->id[node] == SLOT_DEAD)
            continue;
        int32_t own = d->fixed[d->t->parent[node]] - (int32_t)d->fixed[node];
        weight[d->id[node]] = (uint16_t)own;
        worth[d->id[node]] = own;
        *useful |= own != 0;
    }
    *made = (slot){.level = level, .n_ids = n_ids, .weight = weight, .worth = worth};
    return KITH_OK;
}

/* Do costs rise along all paths that records take? */
static bool rises(const draft *d, bool whole)
{
    for (uint32_t node = 0; node + 1 < d->t->n_nodes; node++)
        if ((whole || d->count[node] > 0) && d->fixed[d->t->parent[node]] < d->fixed[node])
            return false;
    return true;
}

/* Fills the draft of one attribute and appends its slots, highest level first. */
static kith_status add_attribute(slots *s, slot *list, draft *d, uint32_t index, uint32_t live_from,
                                 arena *memory, kith_error *error)
{
    double low = slots_cheapest(d->a);
    for (uint32_t node = 0; node < d->t->n_nodes; node++)
        d->fixed[node] = (uint16_t)lrint((d->a->cost[node] - low) * s->unit);
    memset(d->count, 0, d->t->n_nodes * sizeof *d->count);
    for (uint32_t i = 0; i < s->n_records; i++)
        d->count[d->a->cells[i]]++;
    for (uint32_t node = 0; node + 1 < d->t->n_nodes; node++) /* parents have larger ids */
        d->count[d->t->parent[node]] += d->count[node];
    d->id[tree_root(d->t)] = SLOT_DEAD;
    uint32_t above = SLOT_TOP;
    for (uint32_t level = d->t->n_levels - 1; level-- > 0;) {
        uint32_t n_ids =
            s->whole ? number_whole_level(d, level) : number_level(d, level, live_from);
        bool useful = s->whole && n_ids > 1;
        TRY(make_slot(&list[s->count], d, level, n_ids, &useful, memory, error));
        if (!useful)
            continue;
        list[s->count].attribute = index;
        list[s->count].above = above;
        above = s->count++;
    }
    s->monotone &= rises(d, s->whole);
    s->top = (uint16_t)(s->top + d->fixed[tree_root(d->t)]);
    return KITH_OK;
}

/* Ids of a node in the slots first … end-1 (all of one attribute), and its cost with the dead ones
 * given up: that of the lowest node on its path that is alive. */
static uint16_t node_ids(const slots *s, const draft *d, uint32_t first, uint32_t end,
                         uint32_t node, uint16_t *ids)
{
    uint32_t at = end;
    uint32_t root = tree_root(d->t);
    uint32_t lowest = root;
    for (uint32_t i = first; i < end; i++)
        ids[i - first] = SLOT_DEAD;
    for (uint32_t up = node; up != root; up = d->t->parent[up]) {
        if (d->id[up] == SLOT_DEAD)
            continue;
        if (lowest == root)
            lowest = up;
        while (at > first && s->slots[at - 1].level < d->t->level[up])
            at--;
        if (at > first && s->slots[at - 1].level == d->t->level[up])
            ids[at - 1 - first] = d->id[up];
    }
    return d->fixed[lowest];
}

static uint32_t max_slots(const problem *p)
{
    uint64_t max = 0;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        max += p->attributes[j].tree->n_levels - 1;
    return max > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)max;
}

static void *cleared_lines(arena *memory, uint64_t count, size_t size)
{
    if (count > (SIZE_MAX - 64) / size)
        return NULL;
    char *block = arena_zalloc(memory, 1, (size_t)count * size + 64);
    return block == NULL ? NULL : block + (64 - (uintptr_t)block % 64) % 64;
}

static kith_status make_rows(slots *s, const problem *p, const draft *drafts, arena *memory,
                             kith_error *error)
{
    s->stride = (s->count + LANES - 1) / LANES * LANES;
    s->stride = s->stride == 0 ? LANES : s->stride;
    uint16_t *rows =
        TRY_ALLOC(cleared_lines(memory, (uint64_t)s->n_records * s->stride, sizeof *rows), error);
    uint16_t *base = TRY_ZEROS(base, memory, s->n_records, error);
    uint32_t first = 0;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        uint32_t end = first;
        while (end < s->count && s->slots[end].attribute == j)
            end++;
        /* Writes the lanes of one attribute into all rows. */
        uint32_t n_lanes = end - first;
        uint16_t *path = TRY_ALLOC(
            arena_array(memory, (size_t)drafts[j].t->n_nodes, (n_lanes + 1) * sizeof *path), error);
        for (uint32_t node = 0; node < drafts[j].t->n_nodes; node++)
            if (drafts[j].count[node] > 0)
                path[(size_t)node * (n_lanes + 1) + n_lanes] =
                    node_ids(s, &drafts[j], first, end, node, path + (size_t)node * (n_lanes + 1));
        for (uint32_t i = 0; i < s->n_records; i++) {
            const uint16_t *from = path + (size_t)drafts[j].a->cells[i] * (n_lanes + 1);
            uint16_t *to = rows + (uint64_t)i * s->stride + first;
            for (uint32_t lane = 0; lane < n_lanes; lane++)
                to[lane] = from[lane];
            base[i] = (uint16_t)(base[i] + from[n_lanes]);
        }
        arena_release(memory, path, (size_t)drafts[j].t->n_nodes * (n_lanes + 1) * sizeof *path);
        first = end;
    }
    s->ids = rows;
    s->base = base;
    CHECK(slots_check(s));
    return KITH_OK;
}

static kith_status slots_build_table(slots *s, const problem *p, uint32_t live_from, arena *memory,
                                     kith_error *error)
{
    /* The unit is such that the most expensive closure costs at most MAX_COST. */
    double range = 0;
    s->offset = 0;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        double low = slots_cheapest(&p->attributes[j]);
        range += max_cost(&p->attributes[j]) - low;
        s->offset += low;
    }
    double room = (double)MAX_COST - (double)p->n_attributes; /* rounding adds at most 1/2 each */
    s->unit = range > 0 && room > 0 ? room / range : 1;
    slot *list = TRY_ARRAY(list, memory, max_slots(p), error);
    draft *drafts = TRY_ARRAY(drafts, memory, p->n_attributes, error);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        draft *d = &drafts[j];
        *d = (draft){.a = &p->attributes[j], .t = p->attributes[j].tree};
        d->fixed = TRY_ARRAY(d->fixed, memory, d->t->n_nodes, error);
        d->count = TRY_ARRAY(d->count, memory, d->t->n_nodes, error);
        d->id = TRY_ARRAY(d->id, memory, d->t->n_nodes, error);
        TRY(add_attribute(s, list, d, j, live_from, memory, error));
    }
    s->slots = list;
    return make_rows(s, p, drafts, memory, error);
}

kith_status slots_build(slots *s, const problem *p, uint32_t live_from, arena *memory,
                        kith_error *error)
{
    *s = (slots){.n_records = p->n_records, .monotone = true};
    return slots_build_table(s, p, live_from, memory, error);
}

kith_status slots_build_whole(slots *s, const problem *p, arena *memory, kith_error *error)
{
    *s = (slots){.n_records = p->n_records, .monotone = true, .whole = true};
    return slots_build_table(s, p, 1, memory, error);
}

void slots_to_nodes(const slots *s, const problem *p, const uint16_t *closure, uint32_t *node)
{
    for (uint32_t j = 0; j < p->n_attributes; j++)
        node[j] = tree_root(p->attributes[j].tree);
    for (uint32_t i = 0; i < s->count; i++) { /* highest level first */
        const slot *at = &s->slots[i];
        const tree *t = p->attributes[at->attribute].tree;
        if (closure[i] != SLOT_NONE)
            node[at->attribute] = t->level_start[at->level] + closure[i] - 1;
    }
}

void slots_from_nodes(const slots *s, const problem *p, uint16_t *closure, const uint32_t *node)
{
    for (uint32_t i = 0; i < s->stride; i++)
        closure[i] = SLOT_NONE;
    for (uint32_t i = 0; i < s->count; i++) {
        const slot *at = &s->slots[i];
        const tree *t = p->attributes[at->attribute].tree;
        uint32_t own = node[at->attribute];
        if (at->level >= t->level[own])
            closure[i] =
                (uint16_t)(tree_up(t, t->first[own], at->level) - t->level_start[at->level] + 1);
    }
}

#if KITH_DEBUG
void slots_check(const slots *s)
{
    ASSERT(s->stride >= s->count && s->stride % LANES == 0);
    for (uint32_t i = 0; i < s->count; i++) {
        const slot *at = &s->slots[i];
        ASSERT(at->above == SLOT_TOP ||
               (at->above < i && s->slots[at->above].attribute == at->attribute &&
                s->slots[at->above].level > at->level));
        for (uint32_t id = 0; id < at->n_ids; id++) {
            ASSERT(at->weight[id] == (uint16_t)at->worth[id]);
            ASSERT(!s->monotone || at->worth[id] >= 0);
        }
    }
    for (uint32_t record = 0; record < s->n_records; record++) {
        const uint16_t *row = slots_row(s, record);
        for (uint32_t i = 0; i < s->count; i++) {
            ASSERT(row[i] < s->slots[i].n_ids);
            /* A record that is alive in a slot is alive above it, unless a level was cut short. */
            uint32_t above = s->slots[i].above;
            ASSERT(row[i] == SLOT_DEAD || above == SLOT_TOP || row[above] != SLOT_DEAD ||
                   s->slots[above].n_ids > MAX_LIVE / 2);
        }
        for (uint32_t i = s->count; i < s->stride; i++)
            ASSERT(row[i] == SLOT_DEAD);
    }
}
#endif

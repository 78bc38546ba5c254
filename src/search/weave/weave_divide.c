#include "search/weave/weave_divide.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "search/weave/weave_score.h"

/* One way to split a set: by the children of the node on which it agrees in an attribute. */
typedef struct divide_offer {
    uint32_t attribute;
    uint32_t common;      /* that node */
    uint32_t first_child; /* its children follow each other */
    uint32_t n_children;
    double score; /* 0: the attribute does not split the set */
} divide_offer;

typedef struct divider {
    const problem *p;
    uint32_t limit, min_class;
    class_rules rules;
    arena *scratch;
    uint32_t **count;  /* [n_attributes][n_nodes] records of the set below each node */
    uint32_t *members; /* [n_records] sets are segments of it */
    uint32_t *spare;   /* [n_records] */
    uint32_t *group;   /* [largest number of nodes] of each child; then where it goes on */
    bool *tried;       /* [n_attributes] in vain for the present set */
    segments sets;     /* stack of sets to be split */
    segments groups;   /* of one split */
    segments done;     /* pieces */
} divider;

static kith_status push(divider *d, segments *list, segment item, kith_error *error)
{
    if (list->count == list->capacity) {
        const size_t more = arena_capacity(list->capacity, list->count + (size_t)1);
        list->items = TRY_ALLOC(
            arena_resize_array(d->scratch, list->items, list->capacity, more, sizeof *list->items),
            error);
        list->capacity = (uint32_t)more;
    }
    list->items[list->count++] = item;
    return KITH_OK;
}

static void count_nodes(const divider *d, const segment set, uint32_t at)
{
    const attribute *a = &d->p->attributes[at];
    const uint32_t *members = d->members + set.first;
    uint32_t *count = d->count[at];
    memset(count, 0, a->tree->n_nodes * sizeof *count);
    for (uint32_t m = 0; m < set.size; m++)
        count[a->cells[members[m]]]++;
    for (uint32_t node = 0; node + 1 < a->tree->n_nodes; node++) /* children before parents */
        count[a->tree->parent[node]] += count[node];
}

static double xlogx(double count)
{
    return count > 0 ? count * log2(count) : 0;
}

/* What the split would keep, as weave_score says it of a slot. */
static double score(const divider *d, const divide_offer *o, uint32_t set_size)
{
    const attribute *a = &d->p->attributes[o->attribute];
    const uint32_t *count = d->count[o->attribute] + o->first_child;
    const double *cost = a->cost + o->first_child;
    double kept = 0, bits = xlogx(set_size);
    uint32_t rest = set_size;
    for (uint32_t i = 0; i < o->n_children; i++) {
        if (count[i] < d->min_class)
            continue;
        kept += count[i] * (a->cost[o->common] - cost[i]);
        bits -= xlogx(count[i]);
        rest -= count[i];
    }
    return kept > 0 ? weave_score_rate(kept / set_size, (bits - xlogx(rest)) / set_size) : 0;
}

static divide_offer make_offer(const divider *d, const segment set, uint32_t at)
{
    const tree *t = d->p->attributes[at].tree;
    divide_offer o = {.attribute = at};
    o.common = d->p->attributes[at].cells[d->members[set.first]];
    while (d->count[at][o.common] < set.size)
        o.common = t->parent[o.common];
    if (t->level[o.common] == 0)
        return o;
    const uint32_t level = t->level[o.common] - 1u;
    o.first_child = tree_up(t, t->first[o.common], level);
    o.n_children = tree_up(t, t->end[o.common] - 1, level) - o.first_child + 1;
    o.score = score(d, &o, set.size);
    return o;
}

static divide_offer best_offer(const divider *d, const segment set)
{
    divide_offer best = {.score = 0};
    for (uint32_t a = 0; a < d->p->n_attributes; a++) {
        if (d->tried[a])
            continue;
        const divide_offer o = make_offer(d, set, a);
        if (o.score > best.score)
            best = o;
    }
    return best;
}

/* Gathers children into groups of at most `limit` records, but for single larger ones. Wildcards
 * are a last child. */
static kith_status gather(divider *d, const segment set, const divide_offer *o, kith_error *error)
{
    const uint32_t *count = d->count[o->attribute] + o->first_child;
    uint32_t seen = 0;
    segment now = {set.first, 0};
    d->groups.count = 0;
    for (uint32_t i = 0; i <= o->n_children; i++) {
        const uint32_t more = i < o->n_children ? count[i] : set.size - seen;
        if (now.size > 0 && more > 0 && (uint64_t)now.size + more > d->limit) {
            TRY(push(d, &d->groups, now, error));
            now = (segment){now.first + now.size, 0};
        }
        d->group[i] = d->groups.count;
        now.size += more;
        seen += more;
    }
    return push(d, &d->groups, now, error);
}

/* Puts the records of each group together. */
static void distribute(divider *d, const segment set, const divide_offer *o)
{
    const attribute *a = &d->p->attributes[o->attribute];
    const uint32_t level = a->tree->level[o->common] - 1u;
    uint32_t *members = d->members + set.first;
    for (uint32_t m = 0; m < set.size; m++) {
        const uint32_t cell = a->cells[members[m]];
        const bool below = a->tree->level[cell] <= level;
        const uint32_t child =
            below ? tree_up(a->tree, a->tree->first[cell], level) - o->first_child : o->n_children;
        segment *g = &d->groups.items[d->group[child]];
        d->spare[g->first++] = members[m];
    }
    for (uint32_t g = 0; g < d->groups.count; g++)
        d->groups.items[g].first -= d->groups.items[g].size;
    memcpy(members, d->spare + set.first, set.size * sizeof *members);
}

static bool may_be_class(const divider *d, const segment set)
{
    return set.size >= d->min_class &&
           class_rules_allow(&d->rules, d->members + set.first, set.size);
}

/* Unites groups that may not be a class with their neighbours; returns how many are left. */
static uint32_t unite(divider *d)
{
    segment *g = d->groups.items;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < d->groups.count; i++) {
        if (kept > 0 && !may_be_class(d, g[kept - 1]))
            g[kept - 1].size += g[i].size;
        else
            g[kept++] = g[i];
    }
    while (kept > 1 && !may_be_class(d, g[kept - 1])) {
        kept--;
        g[kept - 1].size += g[kept].size;
    }
    return kept;
}

static kith_status split(divider *d, const segment set, kith_error *error)
{
    for (uint32_t a = 0; a < d->p->n_attributes; a++) {
        count_nodes(d, set, a);
        d->tried[a] = false;
    }
    for (divide_offer o; (o = best_offer(d, set)).score > 0; d->tried[o.attribute] = true) {
        TRY(gather(d, set, &o, error));
        if (d->groups.count < 2)
            continue;
        distribute(d, set, &o);
        const uint32_t n_groups = unite(d);
        if (n_groups < 2)
            continue;
        for (uint32_t g = n_groups; g-- > 0;) /* the first one on top */
            TRY(push(d, &d->sets, d->groups.items[g], error));
        return KITH_OK;
    }
    return push(d, &d->done, set, error);
}

static kith_status open_divider(divider *d, const problem *p, uint32_t min_class, uint32_t limit,
                                kith_error *error)
{
    uint32_t most = 0;
    d->p = p;
    d->min_class = min_class;
    d->limit = limit;
    TRY(class_rules_init(&d->rules, p, d->scratch, error));
    d->count = TRY_ALLOC(arena_array(d->scratch, p->n_attributes, sizeof *d->count), error);
    d->tried = TRY_ALLOC(arena_array(d->scratch, p->n_attributes, sizeof *d->tried), error);
    for (uint32_t a = 0; a < p->n_attributes; a++) {
        const uint32_t n = p->attributes[a].tree->n_nodes;
        d->count[a] = TRY_ALLOC(arena_array(d->scratch, n, sizeof *d->count[a]), error);
        most = n > most ? n : most;
    }
    d->group = TRY_ALLOC(arena_array(d->scratch, most + (size_t)1, sizeof *d->group), error);
    d->members = TRY_ALLOC(arena_array(d->scratch, p->n_records, sizeof *d->members), error);
    d->spare = TRY_ALLOC(arena_array(d->scratch, p->n_records, sizeof *d->spare), error);
    for (uint32_t i = 0; i < p->n_records; i++)
        d->members[i] = i;
    return push(d, &d->sets, (segment){0, p->n_records}, error);
}

/* Records by piece, and in their own order within it. */
static kith_status write_pieces(weave_partition *pieces, const divider *d, arena *memory,
                                kith_error *error)
{
    uint32_t *piece_of = d->spare;
    pieces->count = d->done.count;
    pieces->members = TRY_ALLOC(arena_array(memory, d->p->n_records, sizeof(uint32_t)), error);
    pieces->start =
        TRY_ALLOC(arena_zalloc(memory, pieces->count + (size_t)2, sizeof(uint32_t)), error);
    for (uint32_t i = 0; i < pieces->count; i++) {
        const segment s = d->done.items[i];
        for (uint32_t m = 0; m < s.size; m++)
            piece_of[d->members[s.first + m]] = i;
        pieces->start[i + 2] = pieces->start[i + 1] + s.size;
    }
    /* start[i + 1] is where piece i goes on, and in the end where it ends. */
    for (uint32_t r = 0; r < d->p->n_records; r++)
        pieces->members[pieces->start[piece_of[r] + 1]++] = r;
    return KITH_OK;
}

static kith_status divide_all(divider *d, context *c, kith_error *error)
{
    while (d->sets.count > 0) {
        const segment set = d->sets.items[--d->sets.count];
        if (set.size <= d->limit || !context_progress(c, "divide", -1))
            TRY(push(d, &d->done, set, error));
        else
            TRY(split(d, set, error));
    }
    return KITH_OK;
}

kith_status weave_divide(weave_partition *pieces, const problem *p, uint32_t min_class,
                         uint32_t limit, context *c, kith_error *error)
{
    ASSERT(limit > 0);
    divider d = {0};
    d.scratch = TRY_ALLOC(arena_new_like(c->memory), error);
    kith_status status = open_divider(&d, p, min_class, limit, error);
    if (status == KITH_OK)
        status = divide_all(&d, c, error);
    if (status == KITH_OK)
        status = write_pieces(pieces, &d, c->memory, error);
    arena_free(d.scratch);
    return status;
}

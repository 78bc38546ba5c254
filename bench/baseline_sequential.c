#include "baseline_sequential.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"

typedef struct group {
    uint32_t size, room;
    uint32_t *member;
    uint32_t *closure; /* [attributes] */
    double cost;       /* per record */
} group;

/* Lowest common ancestors and costs of one attribute, made ready for many questions. */
typedef struct ancestors {
    const double *cost;
    const uint32_t *table; /* [nodes * nodes]; NULL: suppression, two values meet at the root */
    uint32_t nodes, root;
} ancestors;

typedef struct plain {
    const problem *p;
    ancestors *ancestors; /* [attributes] */
    uint32_t *rows;       /* [records * attributes] */
    arena *memory;
    uint32_t groups, room;
    group *group;
    uint32_t *of;   /* [records] */
    uint32_t *rest; /* [attributes] closure without a record */
} plain;

/* Without branches on the values, which no processor could foresee. */
static inline uint32_t common(const ancestors *a, uint32_t x, uint32_t y)
{
    return a->table == NULL ? (x == y ? x : a->root) : a->table[x * a->nodes + y];
}

static kith_status prepare_ancestors(plain *s, kith_error *error)
{
    s->ancestors = arena_zalloc(s->memory, s->p->attributes, sizeof *s->ancestors);
    TRY_ALLOC(s->ancestors, error);
    for (uint32_t j = 0; j < s->p->attributes; j++) {
        const tree *t = s->p->attribute[j].tree;
        ancestors *a = &s->ancestors[j];
        *a = (ancestors){.cost = s->p->attribute[j].cost, .nodes = t->nodes, .root = tree_root(t)};
        if (t->levels == 2)
            continue;
        uint32_t *table = arena_array(s->memory, (size_t)t->nodes * t->nodes, sizeof *table);
        TRY_ALLOC(table, error);
        for (uint32_t x = 0; x < t->nodes; x++)
            for (uint32_t y = 0; y < t->nodes; y++)
                table[x * t->nodes + y] = tree_lca(t, x, y);
        a->table = table;
    }
    return KITH_OK;
}

static kith_status prepare_rows(plain *s, kith_error *error)
{
    const problem *p = s->p;
    s->rows = arena_array(s->memory, (size_t)p->records * p->attributes, sizeof *s->rows);
    TRY_ALLOC(s->rows, error);
    for (uint32_t j = 0; j < p->attributes; j++)
        for (uint32_t i = 0; i < p->records; i++)
            s->rows[(size_t)i * p->attributes + j] = p->attribute[j].cells[i];
    return KITH_OK;
}

static const uint32_t *row(const plain *s, uint32_t record)
{
    return s->rows + (size_t)record * s->p->attributes;
}

static double closure_cost(const problem *p, const uint32_t *closure)
{
    double sum = 0;
    for (uint32_t j = 0; j < p->attributes; j++)
        sum += p->attribute[j].cost[closure[j]];
    return sum;
}

static void widen(const plain *s, uint32_t *closure, const uint32_t *other)
{
    for (uint32_t j = 0; j < s->p->attributes; j++)
        closure[j] = common(&s->ancestors[j], closure[j], other[j]);
}

static void start(const plain *s, uint32_t *closure, uint32_t record)
{
    memcpy(closure, row(s, record), s->p->attributes * sizeof *closure);
}

static kith_status add_member(plain *s, uint32_t at, uint32_t record, kith_error *error)
{
    group *g = &s->group[at];
    if (g->size == g->room) {
        uint32_t room = g->room == 0 ? 8 : 2 * g->room;
        uint32_t *member =
            arena_resize(s->memory, g->member, g->room * sizeof *member, room * sizeof *member);
        TRY_ALLOC(member, error);
        g->member = member;
        g->room = room;
    }
    g->member[g->size++] = record;
    s->of[record] = at;
    return KITH_OK;
}

static kith_status add_group(plain *s, uint32_t *at, kith_error *error)
{
    if (s->groups == s->room) {
        uint32_t room = s->room == 0 ? 64 : 2 * s->room;
        group *g = arena_resize(s->memory, s->group, s->room * sizeof *g, room * sizeof *g);
        TRY_ALLOC(g, error);
        s->group = g;
        s->room = room;
    }
    group g = {.closure = arena_array(s->memory, s->p->attributes, sizeof(uint32_t))};
    TRY_ALLOC(g.closure, error);
    s->group[s->groups] = g;
    *at = s->groups++;
    return KITH_OK;
}

static void close_group(plain *s, group *g)
{
    start(s, g->closure, g->member[0]);
    for (uint32_t m = 1; m < g->size; m++)
        widen(s, g->closure, row(s, g->member[m]));
    g->cost = closure_cost(s->p, g->closure);
}

/* Step 1. */
static kith_status random_groups(plain *s, rng *r, kith_error *error)
{
    uint32_t n = s->p->records, k0 = s->p->k / 2 > 0 ? s->p->k / 2 : 1, t = n / k0, at;
    uint32_t *order = arena_array(s->memory, n, sizeof *order);
    TRY_ALLOC(order, error);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    rng_shuffle(r, order, n);
    for (uint32_t i = 0; i < t; i++)
        TRY(add_group(s, &at, error));
    for (uint32_t i = 0; i < n; i++)
        TRY(add_member(s, i % t, order[i], error));
    for (uint32_t i = 0; i < t; i++)
        close_group(s, &s->group[i]);
    return KITH_OK;
}

/* Cost per record of a group without one of its records; its closure goes to s->rest. */
static double cost_without(plain *s, const group *g, uint32_t record)
{
    bool first = true;
    for (uint32_t m = 0; m < g->size; m++) {
        if (g->member[m] == record)
            continue;
        if (first)
            start(s, s->rest, g->member[m]);
        else
            widen(s, s->rest, row(s, g->member[m]));
        first = false;
    }
    return closure_cost(s->p, s->rest);
}

/* Cost per record of two closures, or of a closure and a record, taken together. */
static double joint_cost(const plain *s, const uint32_t *a, const uint32_t *b)
{
    double sum = 0;
    for (uint32_t j = 0; j < s->p->attributes; j++)
        sum += s->ancestors[j].cost[common(&s->ancestors[j], a[j], b[j])];
    return sum;
}

/* Steps 3-7 for one record; *moved tells whether it went elsewhere. */
static kith_status visit(plain *s, uint32_t i, bool *moved, kith_error *error)
{
    uint32_t own = s->of[i], best = UINT32_MAX;
    double least = INFINITY;
    group *from = &s->group[own];
    bool single = from->size == 1;
    double without = single ? 0 : cost_without(s, from, i);
    double gain = from->cost * from->size - without * (from->size - 1);
    for (uint32_t h = 0; h < s->groups; h++) {
        const group *g = &s->group[h];
        if (h == own || g->size == 0)
            continue;
        double growth = joint_cost(s, g->closure, row(s, i)) * (g->size + 1) - g->cost * g->size;
        if (growth < least) {
            least = growth;
            best = h;
        }
    }
    *moved = best != UINT32_MAX && (single || least - gain < -1e-9);
    if (!*moved)
        return KITH_OK;
    for (uint32_t m = 0; m < from->size; m++)
        if (from->member[m] == i)
            from->member[m] = from->member[--from->size];
    memcpy(from->closure, s->rest, s->p->attributes * sizeof *s->rest);
    from->cost = without;
    TRY(add_member(s, best, i, error));
    widen(s, s->group[best].closure, row(s, i));
    s->group[best].cost = closure_cost(s->p, s->group[best].closure);
    return KITH_OK;
}

/* Step 9. */
static kith_status split_large(plain *s, rng *r, kith_error *error)
{
    uint32_t groups = s->groups, other;
    for (uint32_t h = 0; h < groups; h++) {
        uint32_t size = s->group[h].size;
        if (size <= 1.5 * s->p->k)
            continue;
        TRY(add_group(s, &other, error));
        rng_shuffle(r, s->group[h].member, size);
        s->group[h].size = size / 2;
        for (uint32_t m = size / 2; m < size; m++)
            TRY(add_member(s, other, s->group[h].member[m], error));
        close_group(s, &s->group[h]);
        close_group(s, &s->group[other]);
    }
    return KITH_OK;
}

static void drop_empty(plain *s)
{
    uint32_t kept = 0;
    for (uint32_t h = 0; h < s->groups; h++) {
        if (s->group[h].size == 0)
            continue;
        s->group[kept] = s->group[h];
        for (uint32_t m = 0; m < s->group[kept].size; m++)
            s->of[s->group[kept].member[m]] = kept;
        kept++;
    }
    s->groups = kept;
}

static double total(const plain *s)
{
    double sum = 0;
    for (uint32_t h = 0; h < s->groups; h++)
        sum += s->group[h].cost * s->group[h].size;
    return sum;
}

/* Steps 2-10. */
static kith_status improve(plain *s, rng *r, uint32_t *passes, kith_error *error)
{
    double before = total(s);
    for (*passes = 1;; ++*passes) {
        uint32_t moves = 0;
        for (uint32_t i = 0; i < s->p->records; i++) {
            bool moved;
            TRY(visit(s, i, &moved, error));
            moves += moved;
        }
        TRY(split_large(s, r, error));
        drop_empty(s);
        double now = total(s);
        if (moves == 0 || *passes >= 200 || (*passes >= 5 && before - now < 1e-5 * before))
            return KITH_OK;
        before = now;
    }
}

static double distance(const plain *s, const group *a, const group *b)
{
    return joint_cost(s, a->closure, b->closure) * (a->size + b->size) - a->cost * a->size -
           b->cost * b->size;
}

static kith_status unify(plain *s, uint32_t into, uint32_t from, kith_error *error)
{
    widen(s, s->group[into].closure, s->group[from].closure);
    s->group[into].cost = closure_cost(s->p, s->group[into].closure);
    for (uint32_t m = 0; m < s->group[from].size; m++)
        TRY(add_member(s, into, s->group[from].member[m], error));
    s->group[from].size = 0;
    return KITH_OK;
}

static bool is_small(const plain *s, uint32_t h)
{
    return s->group[h].size > 0 && s->group[h].size < s->p->k;
}

/* Closest other group, among the small ones or among all; UINT32_MAX if there is none. */
static uint32_t closest(const plain *s, uint32_t a, bool among_small, double *least)
{
    uint32_t best = UINT32_MAX;
    *least = INFINITY;
    for (uint32_t b = 0; b < s->groups; b++) {
        if (b == a || s->group[b].size == 0 || (among_small && !is_small(s, b)))
            continue;
        double d = distance(s, &s->group[a], &s->group[b]);
        if (d < *least) {
            *least = d;
            best = b;
        }
    }
    return best;
}

/* Steps 11-14, with a nearest neighbour kept for every small group. */
static kith_status merge_small(plain *s, kith_error *error)
{
    uint32_t *near = arena_array(s->memory, s->groups, sizeof *near);
    double *least = arena_array(s->memory, s->groups, sizeof *least);
    TRY_ALLOC(near, error);
    TRY_ALLOC(least, error);
    for (uint32_t a = 0; a < s->groups; a++)
        if (is_small(s, a))
            near[a] = closest(s, a, true, &least[a]);
    for (;;) {
        uint32_t a = UINT32_MAX, last = UINT32_MAX;
        for (uint32_t h = 0; h < s->groups; h++) {
            if (!is_small(s, h))
                continue;
            last = h;
            if (near[h] != UINT32_MAX && (a == UINT32_MAX || least[h] < least[a]))
                a = h;
        }
        if (a == UINT32_MAX)
            return last == UINT32_MAX
                       ? KITH_OK
                       : unify(s, closest(s, last, false, &least[last]), last, error);
        uint32_t b = near[a];
        TRY(unify(s, a, b, error));
        for (uint32_t h = 0; h < s->groups; h++) {
            if (!is_small(s, h))
                continue;
            if (h == a || near[h] == a || near[h] == b) {
                near[h] = closest(s, h, true, &least[h]);
            } else if (is_small(s, a)) {
                double d = distance(s, &s->group[h], &s->group[a]);
                near[h] = d < least[h] ? a : near[h];
                least[h] = d < least[h] ? d : least[h];
            }
        }
    }
}

kith_status baseline_sequential(baseline_result *result, const problem *p, uint64_t seed,
                                arena *memory, kith_error *error)
{
    plain s = {.p = p, .memory = memory};
    rng r;
    rng_init(&r, seed, 0);
    s.of = arena_array(memory, p->records, sizeof *s.of);
    s.rest = arena_array(memory, p->attributes, sizeof *s.rest);
    TRY_ALLOC(s.of, error);
    TRY_ALLOC(s.rest, error);
    TRY(prepare_ancestors(&s, error));
    TRY(prepare_rows(&s, error));
    TRY(random_groups(&s, &r, error));
    TRY(improve(&s, &r, &result->passes, error));
    TRY(merge_small(&s, error));
    result->partition = (partition){.classes = s.groups, .class_of = s.of};
    return partition_close(&result->partition, p, memory, error);
}

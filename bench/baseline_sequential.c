#include "baseline_sequential.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"

typedef struct group {
    uint32_t size, room;
    uint32_t *member;
    uint32_t *closure; /* [n_attributes] */
    double cost;       /* per record */
} group;

/* Lowest common ancestors and costs of one attribute, made ready for many questions. */
typedef struct ancestors {
    const double *cost;
    const uint32_t *table; /* [n_nodes * n_nodes]; NULL: suppression, two values meet at the root */
    uint32_t n_nodes, root;
} ancestors;

typedef struct plain {
    const problem *p;
    ancestors *ancestors; /* [n_attributes] */
    uint32_t *rows;       /* [n_records * n_attributes] */
    arena *memory;
    uint32_t n_groups, room;
    group *groups;
    uint32_t *of;   /* [n_records] */
    uint32_t *rest; /* [n_attributes] closure without a record */
} plain;

/* Without branches on the values, which no processor could foresee. */
static inline uint32_t common(const ancestors *a, uint32_t x, uint32_t y)
{
    return a->table == NULL ? (x == y ? x : a->root) : a->table[x * a->n_nodes + y];
}

static kith_status prepare_ancestors(plain *s, kith_error *error)
{
    s->ancestors = arena_zalloc(s->memory, s->p->n_attributes, sizeof *s->ancestors);
    TRY_ALLOC(s->ancestors, error);
    for (uint32_t j = 0; j < s->p->n_attributes; j++) {
        const tree *t = s->p->attributes[j].tree;
        ancestors *a = &s->ancestors[j];
        *a = (ancestors){
            .cost = s->p->attributes[j].cost, .n_nodes = t->n_nodes, .root = tree_root(t)};
        if (t->n_levels == 2)
            continue;
        uint32_t *table = arena_array(s->memory, (size_t)t->n_nodes * t->n_nodes, sizeof *table);
        TRY_ALLOC(table, error);
        for (uint32_t x = 0; x < t->n_nodes; x++)
            for (uint32_t y = 0; y < t->n_nodes; y++)
                table[x * t->n_nodes + y] = tree_lca(t, x, y);
        a->table = table;
    }
    return KITH_OK;
}

static kith_status prepare_rows(plain *s, kith_error *error)
{
    const problem *p = s->p;
    s->rows = arena_array(s->memory, (size_t)p->n_records * p->n_attributes, sizeof *s->rows);
    TRY_ALLOC(s->rows, error);
    for (uint32_t j = 0; j < p->n_attributes; j++)
        for (uint32_t i = 0; i < p->n_records; i++)
            s->rows[(size_t)i * p->n_attributes + j] = p->attributes[j].cells[i];
    return KITH_OK;
}

static const uint32_t *row(const plain *s, uint32_t record)
{
    return s->rows + (size_t)record * s->p->n_attributes;
}

static double closure_cost(const problem *p, const uint32_t *closure)
{
    double sum = 0;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        sum += p->attributes[j].cost[closure[j]];
    return sum;
}

static void widen(const plain *s, uint32_t *closure, const uint32_t *other)
{
    for (uint32_t j = 0; j < s->p->n_attributes; j++)
        closure[j] = common(&s->ancestors[j], closure[j], other[j]);
}

static void start(const plain *s, uint32_t *closure, uint32_t record)
{
    memcpy(closure, row(s, record), s->p->n_attributes * sizeof *closure);
}

static kith_status add_member(plain *s, uint32_t at, uint32_t record, kith_error *error)
{
    group *g = &s->groups[at];
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
    if (s->n_groups == s->room) {
        uint32_t room = s->room == 0 ? 64 : 2 * s->room;
        group *g = arena_resize(s->memory, s->groups, s->room * sizeof *g, room * sizeof *g);
        TRY_ALLOC(g, error);
        s->groups = g;
        s->room = room;
    }
    group g = {.closure = arena_array(s->memory, s->p->n_attributes, sizeof(uint32_t))};
    TRY_ALLOC(g.closure, error);
    s->groups[s->n_groups] = g;
    *at = s->n_groups++;
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
    uint32_t n = s->p->n_records, k0 = s->p->k / 2 > 0 ? s->p->k / 2 : 1, t = n / k0, at;
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
        close_group(s, &s->groups[i]);
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
    for (uint32_t j = 0; j < s->p->n_attributes; j++)
        sum += s->ancestors[j].cost[common(&s->ancestors[j], a[j], b[j])];
    return sum;
}

/* Steps 3-7 for one record; *moved tells whether it went elsewhere. */
static kith_status visit(plain *s, uint32_t i, bool *moved, kith_error *error)
{
    uint32_t own = s->of[i], best = UINT32_MAX;
    double min_growth = INFINITY;
    group *from = &s->groups[own];
    bool single = from->size == 1;
    double without = single ? 0 : cost_without(s, from, i);
    double gain = from->cost * from->size - without * (from->size - 1);
    for (uint32_t h = 0; h < s->n_groups; h++) {
        const group *g = &s->groups[h];
        if (h == own || g->size == 0)
            continue;
        double growth = joint_cost(s, g->closure, row(s, i)) * (g->size + 1) - g->cost * g->size;
        if (growth < min_growth) {
            min_growth = growth;
            best = h;
        }
    }
    *moved = best != UINT32_MAX && (single || min_growth - gain < -1e-9);
    if (!*moved)
        return KITH_OK;
    for (uint32_t m = 0; m < from->size; m++)
        if (from->member[m] == i)
            from->member[m] = from->member[--from->size];
    memcpy(from->closure, s->rest, s->p->n_attributes * sizeof *s->rest);
    from->cost = without;
    TRY(add_member(s, best, i, error));
    widen(s, s->groups[best].closure, row(s, i));
    s->groups[best].cost = closure_cost(s->p, s->groups[best].closure);
    return KITH_OK;
}

/* Step 9. */
static kith_status split_large(plain *s, rng *r, kith_error *error)
{
    uint32_t n_groups = s->n_groups, other;
    for (uint32_t h = 0; h < n_groups; h++) {
        uint32_t size = s->groups[h].size;
        if (size <= 1.5 * s->p->k)
            continue;
        TRY(add_group(s, &other, error));
        rng_shuffle(r, s->groups[h].member, size);
        s->groups[h].size = size / 2;
        for (uint32_t m = size / 2; m < size; m++)
            TRY(add_member(s, other, s->groups[h].member[m], error));
        close_group(s, &s->groups[h]);
        close_group(s, &s->groups[other]);
    }
    return KITH_OK;
}

static void drop_empty(plain *s)
{
    uint32_t kept = 0;
    for (uint32_t h = 0; h < s->n_groups; h++) {
        if (s->groups[h].size == 0)
            continue;
        s->groups[kept] = s->groups[h];
        for (uint32_t m = 0; m < s->groups[kept].size; m++)
            s->of[s->groups[kept].member[m]] = kept;
        kept++;
    }
    s->n_groups = kept;
}

static double total(const plain *s)
{
    double sum = 0;
    for (uint32_t h = 0; h < s->n_groups; h++)
        sum += s->groups[h].cost * s->groups[h].size;
    return sum;
}

/* Steps 2-10. */
static kith_status improve(plain *s, rng *r, uint32_t *passes, kith_error *error)
{
    double before = total(s);
    for (*passes = 1;; ++*passes) {
        uint32_t n_moves = 0;
        for (uint32_t i = 0; i < s->p->n_records; i++) {
            bool moved;
            TRY(visit(s, i, &moved, error));
            n_moves += moved;
        }
        TRY(split_large(s, r, error));
        drop_empty(s);
        double now = total(s);
        if (n_moves == 0 || *passes >= 200 || (*passes >= 5 && before - now < 1e-5 * before))
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
    widen(s, s->groups[into].closure, s->groups[from].closure);
    s->groups[into].cost = closure_cost(s->p, s->groups[into].closure);
    for (uint32_t m = 0; m < s->groups[from].size; m++)
        TRY(add_member(s, into, s->groups[from].member[m], error));
    s->groups[from].size = 0;
    return KITH_OK;
}

static bool is_small(const plain *s, uint32_t h)
{
    return s->groups[h].size > 0 && s->groups[h].size < s->p->k;
}

/* Closest other group, among the small ones or among all; UINT32_MAX if there is none. */
static uint32_t closest(const plain *s, uint32_t a, bool among_small, double *min_distance)
{
    uint32_t best = UINT32_MAX;
    *min_distance = INFINITY;
    for (uint32_t b = 0; b < s->n_groups; b++) {
        if (b == a || s->groups[b].size == 0 || (among_small && !is_small(s, b)))
            continue;
        double d = distance(s, &s->groups[a], &s->groups[b]);
        if (d < *min_distance) {
            *min_distance = d;
            best = b;
        }
    }
    return best;
}

/* Steps 11-14, with a nearest neighbour kept for every small group. */
static kith_status merge_small(plain *s, kith_error *error)
{
    uint32_t *near = arena_array(s->memory, s->n_groups, sizeof *near);
    double *min_distance = arena_array(s->memory, s->n_groups, sizeof *min_distance);
    TRY_ALLOC(near, error);
    TRY_ALLOC(min_distance, error);
    for (uint32_t a = 0; a < s->n_groups; a++)
        if (is_small(s, a))
            near[a] = closest(s, a, true, &min_distance[a]);
    for (;;) {
        uint32_t a = UINT32_MAX, last = UINT32_MAX;
        for (uint32_t h = 0; h < s->n_groups; h++) {
            if (!is_small(s, h))
                continue;
            last = h;
            if (near[h] != UINT32_MAX && (a == UINT32_MAX || min_distance[h] < min_distance[a]))
                a = h;
        }
        if (a == UINT32_MAX)
            return last == UINT32_MAX
                       ? KITH_OK
                       : unify(s, closest(s, last, false, &min_distance[last]), last, error);
        uint32_t b = near[a];
        TRY(unify(s, a, b, error));
        for (uint32_t h = 0; h < s->n_groups; h++) {
            if (!is_small(s, h))
                continue;
            if (h == a || near[h] == a || near[h] == b) {
                near[h] = closest(s, h, true, &min_distance[h]);
            } else if (is_small(s, a)) {
                double d = distance(s, &s->groups[h], &s->groups[a]);
                near[h] = d < min_distance[h] ? a : near[h];
                min_distance[h] = d < min_distance[h] ? d : min_distance[h];
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
    s.of = arena_array(memory, p->n_records, sizeof *s.of);
    s.rest = arena_array(memory, p->n_attributes, sizeof *s.rest);
    TRY_ALLOC(s.of, error);
    TRY_ALLOC(s.rest, error);
    TRY(prepare_ancestors(&s, error));
    TRY(prepare_rows(&s, error));
    TRY(random_groups(&s, &r, error));
    TRY(improve(&s, &r, &result->n_passes, error));
    TRY(merge_small(&s, error));
    result->partition = (partition){.n_classes = s.n_groups, .class_of = s.of};
    return partition_close(&result->partition, p, memory, error);
}

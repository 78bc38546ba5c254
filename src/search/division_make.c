#include <math.h>
#include <string.h>

#include "core/crew.h"
#include "core/error.h"
#include "search/division_internal.h"
#include "search/split_score.h"

/* Counts that are kept at a time: 64 MB. More sets take more scans. */
enum { MAX_COUNTS = 8 << 20 };

static double xlogx(double count)
{
    return count > 0 ? count * log2(count) : 0;
}

/* What the split would keep, as the tree of weave rates it. */
static double score(const division_work *w, const division_split *o, uint32_t common,
                    const uint64_t *counts, uint64_t set_size)
{
    const attribute *a = &w->p->attributes[o->attribute];
    const uint64_t *count = counts + o->first_child;
    const double *cost = a->cost + o->first_child;
    const double size = (double)set_size;
    double kept = 0, bits = xlogx(size);
    uint64_t rest = set_size;
    for (uint32_t i = 0; i < o->n_children; i++) {
        if (count[i] < w->min_class)
            continue;
        kept += (double)count[i] * (a->cost[common] - cost[i]);
        bits -= xlogx((double)count[i]);
        rest -= count[i];
    }
    return kept > 0 ? split_score(kept / size, (bits - xlogx((double)rest)) / size) : 0;
}

/* The split that an attribute offers: below the lowest node that all records of the set have. */
static void make_offer(const division_work *w, division_set *set, uint32_t at)
{
    const tree *t = w->p->attributes[at].tree;
    const uint64_t *counts = set->counts + w->first_count[at];
    const uint64_t size = w->plan->nodes[set->node].size;
    uint32_t common = 0;
    while (counts[common] < size) /* lower levels come first */
        common++;
    division_split *o = &set->offers[at];
    *o = (division_split){.attribute = at};
    set->scores[at] = 0;
    if (t->level[common] == 0)
        return;
    o->level = t->level[common] - 1u;
    o->first_child = tree_up(t, t->first[common], o->level);
    o->n_children = tree_up(t, t->end[common] - 1, o->level) - o->first_child + 1;
    set->scores[at] = score(w, o, common, counts, size);
}

static const division_split *best_offer(const division_work *w, const division_set *set)
{
    uint32_t best = 0;
    for (uint32_t a = 1; a < w->p->n_attributes; a++)
        if (set->scores[a] > set->scores[best])
            best = a;
    return set->scores[best] > 0 ? &set->offers[best] : NULL;
}

static kith_status add_group(division_set *set, uint64_t size, arena *memory, kith_error *error)
{
    TRY_GROW(set->groups, set->capacity, set->n_groups + (size_t)1, memory, error);
    set->groups[set->n_groups++] = (division_group){.size = size};
    return KITH_OK;
}

/* Gathers children into groups of at most `limit` records, but for single larger ones. Wildcards
 * are a last child. */
static kith_status gather(const division_work *w, division_set *set, const division_split *offer,
                          arena *memory, kith_error *error)
{
    const uint64_t *count = set->counts + w->first_count[offer->attribute] + offer->first_child;
    const uint64_t size = w->plan->nodes[set->node].size;
    uint64_t seen = 0, now = 0;
    set->n_groups = 0;
    set->split = *offer;
    uint32_t *to = TRY_ALLOC(arena_array(memory, offer->n_children + (size_t)1, sizeof *to), error);
    for (uint32_t i = 0; i <= offer->n_children; i++) {
        const uint64_t more = i < offer->n_children ? count[i] : size - seen;
        if (now > 0 && more > 0 && now + more > w->limit) {
            TRY(add_group(set, now, memory, error));
            now = 0;
        }
        to[i] = set->n_groups;
        now += more;
        seen += more;
    }
    set->split.to = to;
    return add_group(set, now, memory, error);
}

static bool may_be_class(const division_work *w, const division_group *g)
{
    if (g->size < w->min_class || w->rules.n_conditions == 0)
        return g->size >= w->min_class;
    for (uint32_t v = 0; v < w->n_values; v++)
        w->value_count[v] = (uint32_t)g->counts[v];
    const class_view view = {(uint32_t)g->size, w->view, g->closure};
    return class_rules_allow_view(&w->rules, &view);
}

static void unite_two(const division_work *w, division_group *g, const division_group *with)
{
    g->size += with->size;
    for (uint32_t v = 0; g->counts != NULL && v < w->n_values; v++)
        g->counts[v] += with->counts[v];
    for (uint32_t a = 0; g->closure != NULL && a < w->p->n_attributes; a++)
        g->closure[a] = tree_lca(w->plan->trees[a], g->closure[a], with->closure[a]);
}

/* Unites groups that may not be a class with their neighbours. */
static kith_status unite(const division_work *w, division_set *set, arena *memory,
                         kith_error *error)
{
    division_group *g = set->groups;
    uint32_t kept = 0;
    uint32_t *now = TRY_ALLOC(arena_array(memory, set->n_groups, sizeof *now), error);
    for (uint32_t i = 0; i < set->n_groups; i++) {
        if (kept > 0 && !may_be_class(w, &g[kept - 1]))
            unite_two(w, &g[kept - 1], &g[i]);
        else
            g[kept++] = g[i];
        now[i] = kept - 1;
    }
    for (; kept > 1 && !may_be_class(w, &g[kept - 1]); kept--)
        unite_two(w, &g[kept - 2], &g[kept - 1]);
    for (uint32_t i = 0; i <= set->split.n_children; i++) {
        const uint32_t group = now[set->split.to[i]];
        set->split.to[i] = group < kept ? group : kept - 1;
    }
    set->n_groups = kept;
    return KITH_OK;
}

static kith_status add_node(division_work *w, uint64_t size, kith_error *error)
{
    division *d = w->plan;
    TRY_GROW(d->nodes, d->capacity, d->n_nodes + (size_t)1, w->context->memory, error);
    d->nodes[d->n_nodes] = (division_node){.size = size, .slot = DIVISION_NONE};
    if (size > w->limit && d->n_attributes > 0) {
        TRY_GROW(w->open, w->open_capacity, w->n_open + (size_t)1, w->memory, error);
        w->open[w->n_open++] = d->n_nodes;
    }
    d->n_nodes++;
    return KITH_OK;
}

/* The split under trial becomes part of the plan. */
static kith_status adopt(division_work *w, const division_set *set, kith_error *error)
{
    division *d = w->plan;
    const uint32_t n_to = set->split.n_children + 1, first = d->n_nodes;
    uint32_t *to = TRY_ALLOC(arena_array(w->context->memory, n_to, sizeof *to), error);
    for (uint32_t i = 0; i < n_to; i++)
        to[i] = first + set->split.to[i];
    for (uint32_t g = 0; g < set->n_groups; g++)
        TRY(add_node(w, set->groups[g].size, error));
    d->nodes[set->node].split = set->split;
    d->nodes[set->node].split.to = to;
    d->nodes[set->node].n_below = set->n_groups;
    return KITH_OK;
}

/* Puts the best offer that makes groups under trial; false: there is none, the set is a piece. */
static kith_status try_offer(const division_work *w, division_set *set, bool *found, arena *memory,
                             kith_error *error)
{
    *found = false;
    for (const division_split *o; !*found && (o = best_offer(w, set)) != NULL;) {
        TRY(gather(w, set, o, memory, error));
        set->scores[o->attribute] = 0; /* it is not tried twice */
        *found = set->n_groups > 1;
    }
    return KITH_OK;
}

/* How many of the sets can be judged by one scan: at least one. */
static uint32_t fit_groups(const division_work *w, const division_set *sets, uint32_t n_sets)
{
    uint32_t n = 0;
    for (uint64_t room = MAX_COUNTS; n < n_sets; n++) {
        const uint64_t more = (uint64_t)sets[n].n_groups * w->n_values;
        if (n > 0 && more > room)
            break;
        room -= more < room ? more : room;
    }
    return n;
}

/* Splits sets by their best offers; those whose offers fail try others, until none is left. */
static kith_status split_sets(division_work *w, division_set *sets, uint32_t n_sets, arena *memory,
                              kith_error *error)
{
    uint32_t n_trying = 0;
    bool found;
    for (uint32_t s = 0; s < n_sets; s++) {
        TRY(try_offer(w, &sets[s], &found, memory, error));
        if (found)
            sets[n_trying++] = sets[s];
    }
    while (n_trying > 0) {
        const uint32_t n = fit_groups(w, sets, n_trying);
        uint32_t left = 0;
        if (w->rules.n_conditions > 0)
            TRY(division_scan_groups(w, sets, n, memory, error));
        for (uint32_t s = 0; s < n_trying; s++) {
            found = s >= n; /* not judged yet */
            if (!found) {
                TRY(unite(w, &sets[s], memory, error));
                if (sets[s].n_groups > 1)
                    TRY(adopt(w, &sets[s], error));
                else
                    TRY(try_offer(w, &sets[s], &found, memory, error));
            }
            if (found)
                sets[left++] = sets[s];
        }
        n_trying = left;
    }
    return KITH_OK;
}

/* Counts and splits the sets that are open, as many as fit into one scan. */
static kith_status split_some(division_work *w, arena *memory, kith_error *error)
{
    const uint32_t fit = w->n_counts < MAX_COUNTS ? MAX_COUNTS / w->n_counts : 1;
    const uint32_t open = w->n_open - w->next_open, n = open < fit ? open : fit;
    const uint32_t n_attributes = w->p->n_attributes;
    division_set *sets = TRY_ALLOC(arena_zalloc(memory, n, sizeof *sets), error);
    for (uint32_t s = 0; s < n; s++) {
        sets[s].node = w->open[w->next_open++];
        sets[s].offers =
            TRY_ALLOC(arena_array(memory, n_attributes, sizeof *sets[s].offers), error);
        sets[s].scores =
            TRY_ALLOC(arena_array(memory, n_attributes, sizeof *sets[s].scores), error);
    }
    TRY(division_scan_sets(w, sets, n, memory, error));
    for (uint32_t s = 0; s < n; s++)
        for (uint32_t a = 0; a < n_attributes; a++)
            make_offer(w, &sets[s], a);
    return split_sets(w, sets, n, memory, error);
}

/* Has the caller asked to stop, on any rank? */
static kith_status ask_to_go_on(context *c, kith_error *error)
{
    uint64_t n_cancelled = !context_progress(c, "divide", -1);
    TRY(crew_sum(c->crew, &n_cancelled, 1, error));
    c->cancelled = n_cancelled > 0;
    return KITH_OK;
}

static kith_status split_all(division_work *w, kith_error *error)
{
    while (w->next_open < w->n_open) {
        TRY(ask_to_go_on(w->context, error));
        if (w->context->cancelled)
            break;
        arena *memory = TRY_ALLOC(arena_new_like(w->memory), error);
        const kith_status status = split_some(w, memory, error);
        arena_free(memory);
        TRY(status);
    }
    return KITH_OK;
}

/* Numbers the sets that are not split, depth-first. */
static kith_status number_pieces(division *d, arena *scratch, arena *memory, kith_error *error)
{
    uint32_t n_waiting = 0;
    uint32_t *waiting = TRY_ALLOC(arena_array(scratch, d->n_nodes, sizeof *waiting), error);
    d->node_of_piece = TRY_ALLOC(arena_array(memory, d->n_nodes, sizeof *d->node_of_piece), error);
    waiting[n_waiting++] = 0;
    while (n_waiting > 0) {
        const uint32_t at = waiting[--n_waiting];
        division_node *node = &d->nodes[at];
        for (uint32_t i = node->n_below; i-- > 0;) /* the first one on top */
            waiting[n_waiting++] = node->split.to[0] + i;
        if (node->n_below > 0)
            continue;
        node->piece = d->n_pieces;
        d->node_of_piece[d->n_pieces++] = at;
    }
    return KITH_OK;
}

static kith_status open_work(division_work *w, kith_error *error)
{
    const problem *p = w->p;
    const uint32_t n_sensitive = p->n_sensitive;
    TRY(class_rules_init(&w->rules, p, w->memory, error));
    w->first_count =
        TRY_ALLOC(arena_array(w->memory, p->n_attributes, sizeof *w->first_count), error);
    for (uint32_t a = 0; a < p->n_attributes; a++) {
        w->first_count[a] = w->n_counts;
        w->n_counts += p->attributes[a].tree->n_nodes;
        w->plan->trees[a] = p->attributes[a].tree;
    }
    for (uint32_t s = 0; s < n_sensitive; s++)
        w->n_values += w->rules.uses_sensitive[s] ? p->sensitive[s].count : 0;
    w->value_count = TRY_ALLOC(arena_array(w->memory, w->n_values, sizeof *w->value_count), error);
    w->view = TRY_ALLOC(arena_zalloc(w->memory, n_sensitive, sizeof *w->view), error);
    uint32_t *counts = w->value_count;
    for (uint32_t s = 0; s < n_sensitive; s++) {
        if (!w->rules.uses_sensitive[s])
            continue;
        w->view[s] = (histogram){counts, p->sensitive[s].count};
        counts += p->sensitive[s].count;
    }
    return KITH_OK;
}

kith_status division_make(division **d, const problem *p, uint64_t n_records, uint32_t min_class,
                          uint32_t limit, const record_scan *scan, context *c, kith_error *error)
{
    ASSERT(limit > 0);
    if (n_records > UINT32_MAX) /* models count in 32 bits */
        return error_set(error, KITH_INVALID, "a table of more than %u records cannot be divided",
                         UINT32_MAX);
    division *plan = *d = TRY_ALLOC(arena_zalloc(c->memory, 1, sizeof *plan), error);
    plan->n_attributes = p->n_attributes;
    plan->trees = TRY_ALLOC(arena_array(c->memory, p->n_attributes, sizeof *plan->trees), error);
    division_work w = {.plan = plan,
                       .p = p,
                       .min_class = min_class > 0 ? min_class : 1,
                       .limit = limit,
                       .scan = scan,
                       .context = c};
    w.memory = TRY_ALLOC(arena_new_like(c->memory), error);
    kith_status status = open_work(&w, error);
    if (status == KITH_OK)
        status = add_node(&w, n_records, error);
    if (status == KITH_OK)
        status = split_all(&w, error);
    if (status == KITH_OK)
        status = number_pieces(plan, w.memory, c->memory, error);
    arena_free(w.memory);
    return status;
}

#include <string.h>

#include "core/check.h"
#include "core/run/ranks.h"
#include "core/error.h"
#include "search/records/division_internal.h"
#include "search/unit_homes.h"

/* Counts that are kept at a time: 64 MB. More sets take more scans. */
enum { MAX_COUNTS = 8 << 20 };

static kith_status add_group(division_set *set, uint64_t size, arena *memory, kith_error *error)
{
    TRY_GROW(set->groups, set->capacity, set->n_groups + (size_t)1, memory, error);
    set->groups[set->n_groups++] = (division_group){.size = size};
    return KITH_OK;
}

static kith_status may_be_class(bool *may, const division_work *w, const division_group *g,
                                arena *memory, kith_error *error)
{
    *may = g->size >= w->min_class;
    if (!*may || w->rules.n_conditions == 0)
        return KITH_OK;
    if (w->rules.by_units) {
        class_view view;
        class_counts_add(w->counts, g->members, g->n_members);
        TRY(unit_homes_view(&view, w->counts, g->closure, g->members, g->n_members,
                            w->context->ranks, memory, error));
        *may = class_rules_allow_view(&w->rules, &view);
        class_counts_clear(w->counts, g->members, g->n_members);
        return KITH_OK;
    }
    for (uint32_t v = 0; v < w->n_values; v++)
        w->value_count[v] = (uint32_t)g->counts[v];
    const class_view view = {
        .size = (uint32_t)g->size, .sensitive = w->view, .closure = g->closure};
    *may = class_rules_allow_view(&w->rules, &view);
    return KITH_OK;
}

static void unite_two(const division_work *w, division_group *g, const division_group *with)
{
    ASSERT((g->counts == NULL) == (with->counts == NULL)); /* all groups of a set are alike */
    g->size += with->size;
    g->n_members += with->n_members;
    for (uint32_t v = 0; g->counts != NULL && v < w->n_values; v++)
        g->counts[v] += with->counts[v];
    for (uint32_t a = 0; g->closure != NULL && a < w->p->n_attributes; a++)
        g->closure[a] = tree_lca(w->plan->trees[a], g->closure[a], with->closure[a]);
}

/* Unites groups that may not be a class with their neighbours. */
static kith_status division_make_unite(const division_work *w, division_set *set, arena *memory,
                                       kith_error *error)
{
    division_group *g = set->groups;
    uint32_t kept = 0;
    uint32_t *now = TRY_ARRAY(now, memory, set->n_groups, error);
    bool may = true;
    for (uint32_t i = 0; i < set->n_groups; i++) {
        if (kept > 0)
            TRY(may_be_class(&may, w, &g[kept - 1], memory, error));
        if (!may)
            unite_two(w, &g[kept - 1], &g[i]);
        else
            g[kept++] = g[i];
        now[i] = kept - 1;
    }
    for (may = false; kept > 1 && !may; kept -= !may) {
        TRY(may_be_class(&may, w, &g[kept - 1], memory, error));
        if (!may)
            unite_two(w, &g[kept - 2], &g[kept - 1]);
    }
    for (uint32_t i = 0; i <= set->split.n_children; i++) {
        const uint32_t group = now[set->split.to[i]];
        set->split.to[i] = group < kept ? group : kept - 1;
    }
    set->n_groups = kept;
    return KITH_OK;
}

/* `common` is copied if the set is too large for a piece. */
static kith_status add_node(division_work *w, uint64_t size, const uint32_t *common,
                            kith_error *error)
{
    division *d = w->plan;
    TRY_GROW(d->nodes, d->capacity, d->n_nodes + (size_t)1, w->context->memory, error);
    d->nodes[d->n_nodes] = (division_node){.size = size, .slot = DIVISION_NONE};
    if (size > w->limit && d->n_attributes > 0) {
        TRY_GROW(w->open, w->open_capacity, w->n_open + (size_t)1, w->memory, error);
        uint32_t *own = TRY_ARRAY(own, w->memory, d->n_attributes, error);
        memcpy(own, common, d->n_attributes * sizeof *own);
        w->open[w->n_open++] = (division_open){d->n_nodes, own};
    }
    d->n_nodes++;
    return KITH_OK;
}

/* The node that covers the records of a group in the attribute of the split: the only child that
 * leads to it, else that of the whole set. Its children begin at *next, which moves behind them. */
static uint32_t group_node(const division_set *set, uint32_t group, uint32_t *next)
{
    const division_split *s = &set->split;
    const uint64_t *count = set->counts[s->attribute];
    uint32_t n = 0, child = s->n_children;
    for (; *next <= s->n_children && s->to[*next] == group; ++*next)
        if (count[*next] > 0) {
            child = *next;
            n++;
        }
    return n == 1 && child < s->n_children ? s->first_child + child : set->common[s->attribute];
}

/* The split under trial becomes part of the plan. */
static kith_status adopt(division_work *w, division_set *set, kith_error *error)
{
    division *d = w->plan;
    const uint32_t n_to = set->split.n_children + 1, first = d->n_nodes, at = set->split.attribute;
    const uint32_t whole = set->common[at];
    uint32_t next = 0;
    uint32_t *to = TRY_ARRAY(to, w->context->memory, n_to, error);
    for (uint32_t i = 0; i < n_to; i++)
        to[i] = first + set->split.to[i];
    for (uint32_t g = 0; g < set->n_groups; g++) {
        set->common[at] = group_node(set, g, &next);
        TRY(add_node(w, set->groups[g].size, set->common, error));
        set->common[at] = whole;
    }
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
    for (const division_split *o; !*found && (o = division_best_offer(w, set)) != NULL;) {
        /* Gathers children into groups of at most `limit` records, but for single larger ones.
         * Wildcards are a last child. */
        const uint64_t *count = set->counts[o->attribute];
        uint64_t now = 0;
        set->n_groups = 0;
        set->split = *o;
        uint32_t *to = TRY_ARRAY(to, memory, o->n_children + (size_t)1, error);
        for (uint32_t i = 0; i <= o->n_children; i++) {
            if (now > 0 && count[i] > 0 && now + count[i] > w->limit) {
                TRY(add_group(set, now, memory, error));
                now = 0;
            }
            to[i] = set->n_groups;
            now += count[i];
        }
        set->split.to = to;
        TRY(add_group(set, now, memory, error));
        set->scores[o->attribute] = 0; /* it is not tried twice */
        *found = set->n_groups > 1;
    }
    return KITH_OK;
}

/* Counts that a scan keeps for a set: below its nodes, and of the values of its groups. */
static uint64_t counts_of_set(const division_work *w, const division_set *set)
{
    return division_counts_wanted(w, set) + w->p->n_attributes;
}

static uint64_t counts_of_groups(const division_work *w, const division_set *set)
{
    return (uint64_t)set->n_groups * w->n_values;
}

/* How many of the sets can be counted by one scan: at least one. */
static uint32_t fit(const division_work *w, const division_set *sets, uint32_t n_sets,
                    uint64_t (*counts)(const division_work *w, const division_set *set))
{
    uint32_t n = 0;
    for (uint64_t room = MAX_COUNTS; n < n_sets; n++) {
        const uint64_t more = counts(w, &sets[n]);
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
        const uint32_t n = fit(w, sets, n_trying, counts_of_groups);
        uint32_t left = 0;
        if (w->rules.n_conditions > 0)
            TRY(division_scan_groups(w, sets, n, memory, error));
        for (uint32_t s = 0; s < n_trying; s++) {
            found = s >= n; /* not judged yet */
            if (!found) {
                TRY(division_make_unite(w, &sets[s], memory, error));
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

/* Counts once more what lies below nodes that some of the sets turned out to have in common. */
static kith_status count_lower(const division_work *w, division_set *sets, uint32_t n_sets,
                               arena *memory, kith_error *error)
{
    uint32_t n_lower = 0;
    for (uint32_t s = 0; s < n_sets; s++)
        if (division_counts_wanted(w, &sets[s]) > 0) { /* they come first */
            const division_set set = sets[s];
            sets[s] = sets[n_lower];
            sets[n_lower++] = set;
        }
    for (uint32_t done = 0, n; done < n_lower; done += n) {
        n = fit(w, sets + done, n_lower - done, counts_of_set);
        TRY(division_scan_sets(w, sets + done, n, memory, error));
    }
    return KITH_OK;
}

static kith_status split_all(division_work *w, kith_error *error)
{
    while (w->next_open < w->n_open) {
        /* Has the caller asked to stop, on any rank? */
        uint64_t n_cancelled = !context_progress(w->context, "divide", -1);
        TRY(ranks_sum(w->context->ranks, &n_cancelled, 1, error));
        w->context->cancelled = n_cancelled > 0;
        if (w->context->cancelled)
            break;
        arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(w->memory), error);
        /* Counts and splits the sets that are open, as many as fit into one scan. */
        uint32_t n = w->n_open - w->next_open;
        division_set *sets = TRY_ARRAY(sets, memory, n, error);
        for (uint32_t s = 0; s < n; s++) {
            division_set *set = &sets[s];
            const division_open *open = &w->open[w->next_open + s];
            const uint32_t n_attributes = w->p->n_attributes;
            *set = (division_set){.node = open->node};
            set->common = TRY_ARRAY(set->common, memory, n_attributes, error);
            set->offers = TRY_ARRAY(set->offers, memory, n_attributes, error);
            set->counts = TRY_ARRAY(set->counts, memory, n_attributes, error);
            set->scores = TRY_ARRAY(set->scores, memory, n_attributes, error);
            for (uint32_t a = 0; a < n_attributes; a++)
                division_set_common(w, set, a, open->common[a]);
        }
        n = fit(w, sets, n, counts_of_set);
        w->next_open += n;
        TRY(division_scan_sets(w, sets, n, memory, error));
        TRY(count_lower(w, sets, n, memory, error));
        for (uint32_t s = 0; s < n; s++)
            division_rate_offers(w, &sets[s]);
        TRY(split_sets(w, sets, n, memory, error));
    }
    return KITH_OK;
}

/* The whole table, of which nothing is known yet. */
static kith_status add_root(division_work *w, uint64_t n_records, kith_error *error)
{
    const uint32_t n = w->p->n_attributes;
    uint32_t *common = TRY_ARRAY(common, w->memory, n, error);
    for (uint32_t a = 0; a < n; a++)
        common[a] = tree_root(w->plan->trees[a]);
    return add_node(w, n_records, common, error);
}

/* Numbers the sets that are not split, depth-first. */
static kith_status number_pieces(division *d, arena *scratch, arena *memory, kith_error *error)
{
    uint32_t n_waiting = 0;
    uint32_t *waiting = TRY_ARRAY(waiting, scratch, d->n_nodes, error);
    d->node_of_piece = TRY_ARRAY(d->node_of_piece, memory, d->n_nodes, error);
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
    /* Over ranks units are counted in records that come for that. */
    w->counts = w->rules.counts;
    if (w->rules.by_units && ranks_count(w->context->ranks) != 1) {
        w->counts = TRY_ALLOC(arena_alloc(w->memory, sizeof *w->counts), error);
        w->counted = TRY_ALLOC(arena_alloc(w->memory, sizeof *w->counted), error);
        *w->counted = *w->p;
        TRY(class_counts_init(w->counts, w->counted, w->rules.uses_sensitive, w->memory, error));
    }
    for (uint32_t a = 0; a < p->n_attributes; a++)
        w->plan->trees[a] = p->attributes[a].tree;
    for (uint32_t s = 0; s < n_sensitive; s++)
        w->n_values += w->rules.uses_sensitive[s] && !w->rules.by_units ? p->sensitive[s].count : 0;
    w->value_count = TRY_ARRAY(w->value_count, w->memory, w->n_values, error);
    w->view = TRY_ZEROS(w->view, w->memory, n_sensitive, error);
    uint32_t *counts = w->value_count;
    for (uint32_t s = 0; s < n_sensitive; s++) {
        if (!w->rules.uses_sensitive[s] || w->rules.by_units)
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
    plan->fits = n_records <= limit;
    plan->n_attributes = p->n_attributes;
    plan->trees = TRY_ARRAY(plan->trees, c->memory, p->n_attributes, error);
    division_work w = {.plan = plan,
                       .p = p,
                       .min_class = min_class > 0 ? min_class : 1,
                       .limit = limit,
                       .scan = scan,
                       .context = c};
    w.memory = TRY_ALLOC(arena_new_like(c->memory), error);
    kith_status status = open_work(&w, error);
    if (status == KITH_OK)
        status = add_root(&w, n_records, error);
    if (status == KITH_OK)
        status = split_all(&w, error);
    if (status == KITH_OK)
        status = number_pieces(plan, w.memory, c->memory, error);
    arena_free(w.memory);
    return status;
}

#include "search/lattice_search.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"

enum {
    BATCH = 64
}; /* nodes checked between two looks at the best one; not by threads, so that the
      number of checks does not depend on them */

kith_status lattice_search_init(lattice_search *s, const problem *p, context *c, kith_error *error)
{
    *s = (lattice_search){.problem = p, .context = c, .best_loss = INFINITY};
    TRY(lattice_init(&s->lattice, p, c->memory, error));
    TRY(checker_new(&s->checker, p, threads_count(c->pool), c->memory, error));
    s->loss = arena_array(c->memory, s->lattice.nodes, sizeof *s->loss);
    TRY_ALLOC(s->loss, error);
    for (uint32_t i = 0; i < s->lattice.nodes; i++)
        s->loss[i] = NAN;
    if (checker_kept_bounds(s->checker)) {
        s->kept = arena_zalloc(c->memory, s->lattice.nodes, sizeof *s->kept);
        TRY_ALLOC(s->kept, error);
    }
    return KITH_OK;
}

static bool better(const lattice_search *s, double loss, uint32_t node)
{
    if (!s->found || loss < s->best_loss)
        return true;
    if (loss > s->best_loss)
        return false;
    uint32_t mine = lattice_sum(&s->lattice, node), other = lattice_sum(&s->lattice, s->best);
    return mine < other || (mine == other && node < s->best);
}

/* Enters the answer of a check. */
static void learn(lattice_search *s, uint32_t node, const node_value *value)
{
    lattice *l = &s->lattice;
    s->checked++;
    if (!value->satisfied) {
        if (checker_monotone(s->checker))
            lattice_tag_down(l, node);
        lattice_tag_one(l, node, TAG_VIOLATED);
        return;
    }
    if (checker_monotone(s->checker))
        lattice_tag_up(l, node);
    lattice_tag_one(l, node, TAG_SATISFIED);
    s->loss[node] = (float)value->loss;
    if (s->kept != NULL && value->kept > s->kept[node])
        s->kept[node] = value->kept;
    if (better(s, value->loss, node)) {
        s->found = true;
        s->best = node;
        s->best_loss = value->loss;
    }
}

static bool go_on(lattice_search *s)
{
    if (!s->stopped &&
        !context_progress(s->context, "search", (double)s->lattice.decided / s->lattice.nodes))
        s->stopped = true;
    return !s->stopped;
}

bool lattice_search_satisfied(lattice_search *s, uint32_t node)
{
    lattice *l = &s->lattice;
    if (l->tag[node] != TAG_UNKNOWN)
        return l->tag[node] == TAG_SATISFIED;
    if (!go_on(s))
        return false;
    uint8_t levels[LATTICE_MAX_ATTRIBUTES];
    node_value value;
    lattice_levels(l, node, levels);
    checker_node(s->checker, 0, levels, &value);
    checker_trim(s->checker);
    learn(s, node, &value);
    return value.satisfied;
}

/* What the node loses at least: from its levels alone, or from checked nodes below it. */
static double bound_of(lattice_search *s, uint32_t node)
{
    uint8_t levels[LATTICE_MAX_ATTRIBUTES];
    lattice_levels(&s->lattice, node, levels);
    double bound = checker_bounded(s->checker) ? checker_estimate(s->checker, levels) : -INFINITY;
    if (s->kept == NULL)
        return bound;
    for (uint32_t j = 0; j < s->lattice.attributes; j++) {
        uint32_t down = lattice_down(&s->lattice, node, j);
        if (down != UINT32_MAX && s->kept[down] > s->kept[node])
            s->kept[node] = s->kept[down];
    }
    return s->kept[node] > bound ? s->kept[node] : bound;
}

/* Bounds and losses are sums in different orders: what differs by rounding alone counts as equal,
 * and equal nodes are checked because of the tie rule. */
static bool hopeless(const lattice_search *s, double bound)
{
    return s->found && bound > s->best_loss * (1 + 1e-9) + 1e-9;
}

typedef struct batch {
    lattice_search *search;
    uint32_t count;
    uint32_t node[BATCH];
    node_value value[BATCH];
} batch;

static void check_one(void *user, size_t index, unsigned worker)
{
    batch *b = user;
    uint8_t levels[LATTICE_MAX_ATTRIBUTES];
    lattice_levels(&b->search->lattice, b->node[index], levels);
    checker_node(b->search->checker, worker, levels, &b->value[index]);
}

static void run_batch(lattice_search *s, batch *b)
{
    threads_run(s->context->pool, b->count, check_one, b);
    for (uint32_t i = 0; i < b->count; i++)
        learn(s, b->node[i], &b->value[i]);
    checker_trim(s->checker);
    b->count = 0;
}

typedef struct candidate {
    double estimate;
    uint32_t node;
} candidate;

static int by_estimate(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->estimate != y->estimate)
        return x->estimate < y->estimate ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* All nodes, those first that generalize least. */
static kith_status order_by_estimate(lattice_search *s, uint32_t **result, kith_error *error)
{
    const lattice *l = &s->lattice;
    arena *memory = s->context->memory;
    candidate *list = arena_array(memory, l->nodes, sizeof *list);
    uint32_t *order = arena_array(memory, l->nodes, sizeof *order);
    TRY_ALLOC(list, error);
    TRY_ALLOC(order, error);
    for (uint32_t node = 0; node < l->nodes; node++) {
        uint8_t levels[LATTICE_MAX_ATTRIBUTES];
        lattice_levels(l, node, levels);
        list[node] = (candidate){checker_estimate(s->checker, levels), node};
    }
    qsort(list, l->nodes, sizeof *list, by_estimate);
    for (uint32_t i = 0; i < l->nodes; i++)
        order[i] = list[i].node;
    arena_release(memory, list, l->nodes * sizeof *list);
    *result = order;
    return KITH_OK;
}

/* Prices the nodes that generalize least of those known to satisfy the models: a good best node
 * early makes the bounds bite. */
static void price_promising(lattice_search *s, const uint32_t *order)
{
    batch b = {.search = s};
    for (uint32_t i = 0; i < s->lattice.nodes && b.count < BATCH / 4; i++)
        if (s->lattice.tag[order[i]] == TAG_SATISFIED && isnan(s->loss[order[i]]))
            b.node[b.count++] = order[i];
    run_batch(s, &b);
}

kith_status lattice_search_finish(lattice_search *s, kith_error *error)
{
    uint32_t *order = NULL, *start;
    TRY(order_by_estimate(s, &order, error));
    price_promising(s, order);
    /* Where only nodes below bound a node, they must come first. */
    if (!checker_bounded(s->checker))
        TRY(lattice_by_sum(&s->lattice, &order, &start, s->context->memory, error));
    batch b = {.search = s};
    for (uint32_t i = 0; i < s->lattice.nodes && go_on(s); i++) {
        uint32_t node = order[i];
        bool hopeless_node = hopeless(s, bound_of(s, node)); /* hands bounds on to nodes above */
        if (hopeless_node || s->lattice.tag[node] == TAG_VIOLATED || !isnan(s->loss[node]))
            continue;
        b.node[b.count++] = node;
        if (b.count == BATCH)
            run_batch(s, &b);
    }
    if (!s->stopped)
        run_batch(s, &b);
    return KITH_OK;
}

static kith_status infeasible(const lattice_search *s, kith_error *error)
{
    uint8_t levels[LATTICE_MAX_ATTRIBUTES];
    node_value value;
    lattice_levels(&s->lattice, s->lattice.nodes - 1, levels);
    checker_node(s->checker, 0, levels, &value);
    return error_set(
        error, KITH_INFEASIBLE,
        "no generalization meets the privacy models with at most %u records suppressed; "
        "with everything generalized %u would have to be",
        s->problem->may_suppress, value.suppressed);
}

kith_status lattice_search_result(lattice_search *s, search_result *result, kith_error *error)
{
    if (!s->found)
        return s->stopped ? error_set(error, KITH_CANCELLED, "interrupted") : infeasible(s, error);
    arena *memory = s->context->memory;
    uint32_t *levels = arena_array(memory, s->lattice.attributes, sizeof *levels);
    TRY_ALLOC(levels, error);
    uint8_t narrow[LATTICE_MAX_ATTRIBUTES];
    lattice_levels(&s->lattice, s->best, narrow);
    for (uint32_t j = 0; j < s->lattice.attributes; j++)
        levels[j] = narrow[j];
    result->levels = levels;
    result->transformations = s->lattice.nodes;
    result->checked = s->checked;
    result->interrupted = s->stopped;
    result->stopped = s->stopped ? "interrupted" : "optimum proven";
    return checker_partition(s->checker, narrow, &result->partition, memory, error);
}

#include "search/lattice/lattice_search.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/error.h"
#include "core/sort.h"
#include "search/lattice/node_loss.h"

/* BATCH nodes are checked between two comparisons with the best one, or, sweeping, between
 * MIN_SWEEP and MAX_SWEEP. These are constants, so that the number of checks does not depend on the
 * number of threads. */
enum { BATCH = 64, MIN_SWEEP = 64, MAX_SWEEP = 1024 };

kith_status lattice_search_init(lattice_search *s, const problem *p, const search_spec *spec,
                                context *c, kith_error *error)
{
    *s = (lattice_search){.problem = p, .context = c, .best_loss = INFINITY};
    TRY(lattice_init(&s->lattice, p, c->memory, error));
    TRY(checker_new(&s->checker, p, c->ranks, spec->small, c->pool, c->memory, error));
    uint32_t n_nodes = s->lattice.n_nodes;
    s->answer = TRY_ALLOC(arena_zalloc(c->memory, n_nodes, sizeof *s->answer), error);
    s->loss = TRY_ALLOC(arena_array(c->memory, n_nodes, sizeof *s->loss), error);
    s->smallest = TRY_ALLOC(arena_zalloc(c->memory, n_nodes, sizeof *s->smallest), error);
    s->bound = TRY_ALLOC(arena_array(c->memory, n_nodes, sizeof *s->bound), error);
    for (uint32_t node = 0; node < n_nodes; node++) {
        uint8_t levels[LATTICE_MAX_ATTRIBUTES];
        lattice_levels(&s->lattice, node, levels);
        s->bound[node] = checker_bound(s->checker, levels);
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

/* Records the answer of a check. */
static void lattice_search_record(lattice_search *s, uint32_t node, const node_value *value)
{
    ASSERT(s->answer[node] == ANSWER_UNKNOWN);
    s->checked++;
    s->answer[node] = value->satisfied ? ANSWER_SATISFIED : ANSWER_VIOLATED;
    if (!value->satisfied)
        return;
    s->loss[node] = value->loss;
    s->smallest[node] = value->smallest;
    if (checker_kept_bounds(s->checker) && value->kept > s->bound[node])
        s->bound[node] = value->kept;
    if (better(s, value->loss, node)) {
        s->found = true;
        s->best = node;
        s->best_loss = value->loss;
    }
}

/* Tags the nodes above or below a checked node: what the monotone part says of this one holds for
 * them. */
static void predict(lattice_search *s, uint32_t node, const node_value *value)
{
    if (value->possible)
        lattice_tag_up(&s->lattice, node);
    else
        lattice_tag_down(&s->lattice, node);
}

/* Reports progress. False if the search ends. Ranks end it together: at their next common step. */
static bool go_on(lattice_search *s)
{
    const lattice *l = &s->lattice;
    char phase[96];
    if (s->stopped)
        return false;
    snprintf(phase, sizeof phase, "search: %" PRIu64 " checked, %u of %u decided", s->checked,
             l->decided, l->n_nodes);
    s->asks_stop = !context_progress(s->context, phase, (double)l->decided / l->n_nodes);
    s->stopped = s->asks_stop && ranks_count(s->context->ranks) == 1;
    return !s->stopped;
}

/* Checks nodes. False if the search ends before there are answers. */
static bool check_nodes(lattice_search *s, const checker_batch *b)
{
    bool stop = s->asks_stop;
    s->status = checker_nodes(s->checker, b, &stop, &s->failure);
    s->stopped = stop || s->status != KITH_OK;
    return s->status == KITH_OK;
}

static bool check_node(lattice_search *s, uint32_t node, node_value *value)
{
    uint8_t levels[1][LATTICE_MAX_ATTRIBUTES];
    const checker_batch b = {.count = 1, .levels = levels, .value = value};
    lattice_levels(&s->lattice, node, levels[0]);
    if (!go_on(s) || !check_nodes(s, &b))
        return false;
    lattice_search_record(s, node, value);
    predict(s, node, value);
    return true;
}

bool lattice_search_possible(lattice_search *s, uint32_t node)
{
    node_value value;
    if (s->lattice.tag[node] != TAG_UNKNOWN)
        return s->lattice.tag[node] == TAG_SATISFIED;
    return check_node(s, node, &value) && value.possible;
}

bool lattice_search_satisfied(lattice_search *s, uint32_t node)
{
    node_value value;
    if (s->answer[node] != ANSWER_UNKNOWN)
        return s->answer[node] == ANSWER_SATISFIED;
    return check_node(s, node, &value) && value.satisfied;
}

/* Bounds and losses are sums in different orders: what differs by rounding alone counts as equal,
 * and equal nodes are checked because of the tie rule. */
bool lattice_search_hopeless(const lattice_search *s, uint32_t node)
{
    return s->found && s->bound[node] > s->best_loss * (1 + 1e-9) + 1e-9;
}

void lattice_search_inherit(lattice_search *s, uint32_t above, uint32_t below)
{
    if (checker_rising(s->checker) && s->bound[below] > s->bound[above])
        s->bound[above] = s->bound[below];
}

/* Raises all bounds from below in one pass: a node's lower neighbours have smaller numbers. */
static void spread_bounds(lattice_search *s)
{
    const lattice *l = &s->lattice;
    if (!checker_kept_bounds(s->checker))
        return;
    for (uint32_t node = 0; node < l->n_nodes; node++)
        for (uint32_t j = 0; j < l->n_attributes; j++) {
            uint32_t down = lattice_down(l, node, j);
            if (down != UINT32_MAX)
                lattice_search_inherit(s, node, down);
        }
}

/* Nodes that are checked together. */
typedef struct batch {
    lattice_search *search;
    bool sweeping;
    uint32_t count;
    uint32_t node[MAX_SWEEP];
    uint8_t levels[MAX_SWEEP][LATTICE_MAX_ATTRIBUTES];
    node_value value[MAX_SWEEP];
} batch;

static void run_batch(batch *b)
{
    lattice_search *s = b->search;
    const checker_batch nodes = {.count = b->count,
                                 .levels = (const uint8_t(*)[LATTICE_MAX_ATTRIBUTES])b->levels,
                                 .value = b->value,
                                 .sweeping = b->sweeping};
    for (uint32_t i = 0; i < b->count; i++)
        lattice_levels(&s->lattice, b->node[i], b->levels[i]);
    if (!check_nodes(s, &nodes))
        return;
    for (uint32_t i = 0; i < b->count; i++) {
        lattice_search_record(s, b->node[i], &b->value[i]);
        if (b->sweeping)
            lattice_tag_one(&s->lattice, b->node[i],
                            b->value[i].possible ? TAG_SATISFIED : TAG_VIOLATED);
        else
            predict(s, b->node[i], &b->value[i]);
    }
    b->count = 0;
}

/* The order in which a sweep is fast. */
static int by_axes(const void *a, const void *b, void *user)
{
    const lattice_search *s = user;
    uint8_t x[LATTICE_MAX_ATTRIBUTES], y[LATTICE_MAX_ATTRIBUTES];
    lattice_levels(&s->lattice, *(const uint32_t *)a, x);
    lattice_levels(&s->lattice, *(const uint32_t *)b, y);
    return checker_order(s->checker, x, y);
}

/* The error of a check that has failed. */
static kith_status failed(const lattice_search *s, kith_error *error)
{
    if (s->status != KITH_OK && error != NULL)
        *error = s->failure;
    return s->status;
}

kith_status lattice_search_all(lattice_search *s, const uint32_t *order, uint32_t count,
                               kith_error *error)
{
    TRY(checker_begin_sweep(s->checker, error));
    batch *b = TRY_ALLOC(arena_array(s->context->memory, 1, sizeof *b), error);
    *b = (batch){.search = s, .sweeping = true};
    /* Batches are smaller where there are many tuples, so that the search soon answers a stop. */
    uint64_t at_once = (1U << 26) / (checker_n_tuples(s->checker) + 1);
    at_once = at_once < MIN_SWEEP ? MIN_SWEEP : at_once > MAX_SWEEP ? MAX_SWEEP : at_once;
    for (uint32_t i = 0; i < count && go_on(s);) {
        while (i < count && b->count < at_once)
            b->node[b->count++] = order[i++];
        qsort_r(b->node, b->count, sizeof *b->node, by_axes, s);
        run_batch(b);
    }
    arena_release(s->context->memory, b, sizeof *b);
    return failed(s, error);
}

typedef struct candidate {
    double bound;
    uint32_t node;
} candidate;

/* May the node be the optimum, for all that is known? */
static bool open_node(const lattice_search *s, uint32_t node)
{
    return s->answer[node] == ANSWER_UNKNOWN && s->lattice.tag[node] != TAG_VIOLATED &&
           !lattice_search_hopeless(s, node);
}

kith_status lattice_search_finish(lattice_search *s, kith_error *error)
{
    CHECK(lattice_search_check(s));
    TRY(failed(s, error));
    uint32_t count = 0, spread = 0, done = 0;
    uint32_t often = s->lattice.n_nodes / 256 > BATCH ? s->lattice.n_nodes / 256 : BATCH;
    spread_bounds(s);
    /* Lists the open nodes, those with the smallest bound first. */
    const lattice *l = &s->lattice;
    uint32_t n = 0;
    for (uint32_t node = 0; node < l->n_nodes; node++)
        n += open_node(s, node);
    candidate *list = TRY_ALLOC(arena_array(s->context->memory, n, sizeof *list), error);
    for (uint32_t node = 0; node < l->n_nodes; node++) {
        uint8_t levels[LATTICE_MAX_ATTRIBUTES];
        lattice_levels(l, node, levels);
        if (open_node(s, node))
            list[count++] =
                (candidate){fmax(s->bound[node], checker_estimate(s->checker, levels)), node};
    }
    qsort(list, count, sizeof *list, sort_double_uint32);
    batch *b = TRY_ALLOC(arena_array(s->context->memory, 1, sizeof *b), error);
    *b = (batch){.search = s};
    for (uint32_t i = 0; i <= count && go_on(s); i++) {
        if (i < count && open_node(s, list[i].node))
            b->node[b->count++] = list[i].node;
        /* Batches start small: once a good node is found, most others need no check. */
        if (b->count < BATCH && b->count < 4 + done / 4 && i < count)
            continue;
        spread += b->count;
        done += b->count;
        run_batch(b);
        if (spread >= often) {
            spread_bounds(s);
            spread = 0;
        }
    }
    return failed(s, error);
}

static kith_status infeasible(const lattice_search *s, kith_error *error)
{
    uint8_t levels[LATTICE_MAX_ATTRIBUTES];
    uint32_t suppressed;
    bool is_bounded = false; /* may no node be the top of the trees? */
    for (uint32_t j = 0; j < s->problem->n_attributes; j++)
        is_bounded = is_bounded || s->problem->attributes[j].n_forbidden > 0;
    lattice_levels(&s->lattice, s->lattice.n_nodes - 1, levels);
    TRY(checker_count_suppressed(s->checker, levels, &suppressed, error));
    return error_set(
        error, KITH_INFEASIBLE,
        "no generalization meets the privacy models with at most %u records suppressed; "
        "%s %u would have to be",
        s->problem->may_suppress,
        is_bounded ? "at the highest levels allowed" : "with everything generalized", suppressed);
}

/* Writes down what is known about every node, for the file of the lattice. */
static kith_status describe_lattice(lattice_search *s, search_result *result, kith_error *error)
{
    searched_lattice *l = TRY_ALLOC(arena_zalloc(s->context->memory, 1, sizeof *l), error);
    *l = (searched_lattice){.n_nodes = s->lattice.n_nodes,
                            .n_attributes = s->lattice.n_attributes,
                            .low = s->lattice.low,
                            .height = s->lattice.height,
                            .stride = s->lattice.stride,
                            .answer = s->answer,
                            .loss = s->loss,
                            .smallest = s->smallest};
    const uint32_t n_records = checker_n_records(s->checker);
    for (uint32_t node = 0; node < l->n_nodes; node++) {
        if (s->answer[node] == ANSWER_UNKNOWN) {
            s->loss[node] = NAN;
            if (s->lattice.tag[node] == TAG_VIOLATED)
                s->answer[node] = ANSWER_PREDICTED_VIOLATED;
            else if (s->lattice.tag[node] == TAG_SATISFIED && checker_monotone(s->checker))
                s->answer[node] = ANSWER_PREDICTED_SATISFIED;
        }
        s->loss[node] = s->answer[node] == ANSWER_SATISFIED
                            ? node_loss_objective(s->problem, n_records, s->loss[node])
                            : NAN;
    }
    result->lattice = l;
    return KITH_OK;
}

kith_status lattice_search_result(lattice_search *s, search_result *result, kith_error *error)
{
    CHECK(lattice_search_check(s));
    TRY(failed(s, error));
    /* If one rank was asked to stop there is no result. */
    kith_ranks *ranks = s->context->ranks;
    uint64_t n_stopped = s->stopped || s->asks_stop;
    if (ranks_count(ranks) != 1) {
        TRY(ranks_sum(ranks, &n_stopped, 1, error));
        if (n_stopped != 0)
            return error_set(error, KITH_CANCELLED, "interrupted");
    }
    if (!s->found)
        return s->stopped ? error_set(error, KITH_CANCELLED, "interrupted") : infeasible(s, error);
    arena *memory = s->context->memory;
    uint32_t *levels = TRY_ARRAY(levels, memory, s->lattice.n_attributes, error);
    uint8_t narrow[LATTICE_MAX_ATTRIBUTES];
    lattice_levels(&s->lattice, s->best, narrow);
    for (uint32_t j = 0; j < s->lattice.n_attributes; j++)
        levels[j] = narrow[j];
    result->levels = levels;
    result->n_transformations = s->lattice.n_nodes;
    result->checked = s->checked;
    result->interrupted = s->stopped;
    result->stopped = s->stopped ? "interrupted" : "optimum proven";
    TRY(describe_lattice(s, result, error));
    return checker_partition(s->checker, narrow, &result->partition, memory, error);
}

#if KITH_DEBUG
void lattice_search_check(const lattice_search *s)
{
    const lattice *l = &s->lattice;
    uint64_t n_checked = 0;
    bool found = false;
    lattice_check(l);
    for (uint32_t node = 0; node < l->n_nodes; node++) {
        n_checked += s->answer[node] != ANSWER_UNKNOWN;
        if (s->answer[node] != ANSWER_SATISFIED)
            continue;
        found = true;
        ASSERT(s->bound[node] <= s->loss[node] + 1e-9 * (fabs(s->loss[node]) + 1));
        ASSERT(node == s->best || !better(s, s->loss[node], node));
    }
    ASSERT(n_checked == s->checked && found == s->found);
    ASSERT(!found || s->answer[s->best] == ANSWER_SATISFIED);
}
#endif

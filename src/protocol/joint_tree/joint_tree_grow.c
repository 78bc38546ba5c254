#include "protocol/joint_tree/joint_tree_grow.h"

#include <string.h>

#include "core/error.h"
#include "protocol/joint_tree/joint_tree_internal.h"

/* --- what trees share --- */

static kith_status price_slots(joint_tree *f, uint32_t a, kith_error *error)
{
    const attribute *axis = &f->problem->attributes[a];
    f->worth[a] =
        TRY_ALLOC(arena_array(f->memory, axis->tree->n_nodes, sizeof *f->worth[a]), error);
    for (uint32_t node = 0; node < axis->tree->n_nodes; node++)
        f->worth[a][node] =
            joint_tree_score_has_slot(axis, node) ? joint_tree_score_worth(axis, node) : -1;
    return KITH_OK;
}

kith_status joint_tree_grow_init(joint_tree *f, kith_error *error)
{
    const problem *p = f->problem;
    f->cells = TRY_ALLOC(arena_zalloc(f->memory, p->n_attributes, sizeof *f->cells), error);
    f->forbidden = TRY_ALLOC(arena_zalloc(f->memory, p->n_attributes, sizeof *f->forbidden), error);
    f->worth = TRY_ALLOC(arena_zalloc(f->memory, p->n_attributes, sizeof *f->worth), error);
    f->alive = TRY_ALLOC(arena_zalloc(f->memory, p->n_attributes, sizeof *f->alive), error);
    f->n_alive = TRY_ALLOC(arena_zalloc(f->memory, p->n_attributes, sizeof *f->n_alive), error);
    f->pool = TRY_ALLOC(arena_array(f->memory, p->n_records, sizeof *f->pool), error);
    f->class_of = TRY_ALLOC(arena_array(f->memory, p->n_records, sizeof *f->class_of), error);
    memset(f->class_of, 0xFF, p->n_records * sizeof *f->class_of);
    f->loose_from = f->rules->grows ? UINT32_MAX : 0;
    for (uint32_t a = 0; a < p->n_attributes; a++) {
        f->cells[a] = p->attributes[a].cells;
        TRY(price_slots(f, a, error));
    }
    return KITH_OK;
}

/* --- answers --- */

static bool answer(const joint_tree_growth *g, const joint_tree_node *n, size_t i)
{
    return smc_bit(g->batch.bits, n->question + i);
}

static void notify_recorder(const joint_tree_growth *g, const joint_tree_node *n,
                            joint_tree_event event, uint32_t a, uint32_t node, size_t i)
{
    const joint_tree_recorder *r = g->tree->recorder;
    if (r != NULL)
        r->opened(r->user, event, g->batch.names[n->question + i], n->name, a, node,
                  g->tree->rules->k, answer(g, n, i));
}

/* The values of the first root that live: no other one is ever asked about again. */
static kith_status save_live_values(joint_tree *f, uint32_t a, const joint_tree_axis *axis,
                                    kith_error *error)
{
    f->n_alive[a] = axis->n_values;
    f->alive[a] = TRY_ALLOC(arena_array(f->memory, axis->n_values, sizeof *f->alive[a]), error);
    memcpy(f->alive[a], axis->values, axis->n_values * sizeof *f->alive[a]);
    return KITH_OK;
}

/* A: keeps the live values of one slot, and the tally of all other records. */
static kith_status keep_live(joint_tree_growth *g, joint_tree_node *n, uint32_t a, size_t from,
                             const uint32_t *whole, kith_error *error)
{
    const uint32_t width = g->tree->rules->width;
    const uint32_t *tally = g->batch.tallies + (n->question + from) * width;
    joint_tree_axis *axis = &n->axis[a];
    uint32_t *rest = n->rest + (size_t)a * width, live = 0;
    for (uint32_t v = 0; v < axis->n_values; v++)
        live += answer(g, n, from + v);
    uint32_t *value = TRY_ALLOC(arena_array(g->memory, live, sizeof *value), error);
    memcpy(rest, whole, width * sizeof *rest);
    live = 0;
    for (uint32_t v = 0; v < axis->n_values; v++) {
        notify_recorder(g, n, JOINT_TREE_VALUE, a, axis->values[v], from + v);
        if (!answer(g, n, from + v))
            continue;
        value[live++] = axis->values[v];
        for (uint32_t i = 0; i < width; i++)
            rest[i] -= tally[v * width + i];
    }
    axis->values = value;
    axis->n_values = live;
    axis->dead = live == 0;
    return KITH_OK;
}

static kith_status take_values(joint_tree_growth *g, joint_tree_node *n, kith_error *error)
{
    joint_tree *f = g->tree;
    const uint32_t width = f->rules->width;
    uint32_t *whole = TRY_ALLOC(arena_zalloc(g->kept, width, sizeof *whole), error);
    n->rest = TRY_ALLOC(
        arena_array(g->kept, (size_t)width * f->problem->n_attributes, sizeof *n->rest), error);
    for (uint32_t i = n->first; i < n->first + n->size; i++)
        joint_tree_count_row(f, whole, g->rows[i]);
    size_t from = 0;
    bool any = false;
    for (uint32_t a = 0; a < f->problem->n_attributes; a++) {
        if (!joint_tree_axis_has_slot(g, n, a))
            continue;
        const uint32_t asked = n->axis[a].n_values;
        TRY(keep_live(g, n, a, from, whole, error));
        from += asked;
        any = any || !n->axis[a].dead;
        if (g->first_root)
            TRY(save_live_values(f, a, &n->axis[a], error));
    }
    n->phase = PHASE_RESTS;
    return any ? joint_tree_split_open(g, n, error) : joint_tree_split_leaf(g, n, error);
}

/* B: with the rests known, every slot has its score. */
static kith_status take_rests(joint_tree_growth *g, joint_tree_node *n, kith_error *error)
{
    const joint_tree *f = g->tree;
    double highest = -1;
    uint32_t n_singles = 0;
    size_t from = 0;
    for (uint32_t a = 0; a < f->problem->n_attributes; a++) {
        joint_tree_axis *axis = &n->axis[a];
        if (!joint_tree_axis_has_slot(g, n, a))
            continue;
        notify_recorder(g, n, JOINT_TREE_REST_IS_BIG, a, axis->node, from);
        axis->big = answer(g, n, from++);
        n_singles += joint_tree_axis_is_single(axis);
        double score = joint_tree_score(f->worth[a][axis->node], axis->n_values, axis->big,
                                        g->root_set.last, f->rules->grows);
        if (score > highest) {
            highest = score;
            n->best = a;
        }
    }
    if (highest < 0)
        return joint_tree_split_leaf(g, n, error);
    if (!joint_tree_axis_is_single(&n->axis[n->best]) || n_singles == 1)
        return joint_tree_split_values(g, n, n->best, error);
    n->phase = PHASE_JOINT;
    return joint_tree_split_open(g, n, error);
}

/* C. */
static kith_status take_joint(joint_tree_growth *g, joint_tree_node *n, kith_error *error)
{
    notify_recorder(g, n, JOINT_TREE_SINGLES, UINT32_MAX, 0, 0);
    return answer(g, n, 0) ? joint_tree_split_singles(g, n, error)
                           : joint_tree_split_values(g, n, n->best, error);
}

/* --- the tree --- */

static kith_status ask(joint_tree_growth *g, kith_error *error)
{
    joint_tree *f = g->tree;
    joint_tree_batch *b = &g->batch;
    TRY(joint_tree_count(g, error));
    if (b->count > b->bit_room) {
        TRY_RESIZE(b->bits, g->memory, smc_words(b->bit_room), smc_words(b->room), error);
        b->bit_room = b->room;
    }
    TRY(joint_tree_rules_ask(f->rules, f->party, b->bits,
                             &(joint_tree_questions){b->count, b->tallies, b->names, NULL, false},
                             error));
    f->n_questions += b->count;
    f->n_batches++;
    return KITH_OK;
}

/* What the parties learn, by kind. */
static void record_disclosures(const joint_tree_growth *g)
{
    uint64_t asked[3] = {0};
    for (size_t i = 0; i < g->n_open; i++) {
        size_t end = i + 1 < g->n_open ? g->open[i + 1].question : g->batch.count;
        asked[g->open[i].phase] += end - g->open[i].question;
    }
    static const char *const what[] = {"values are live", "rests are big",
                                       "records with all single values are enough"};
    for (int phase = 0; phase < 3; phase++)
        if (asked[phase] > 0)
            party_learns(g->tree->party, DISCLOSE_AGGREGATE, what[phase], asked[phase]);
}

static kith_status step(joint_tree_growth *g, kith_error *error)
{
    TRY(ask(g, error));
    record_disclosures(g);
    arena_free(g->kept);
    g->kept = TRY_ALLOC(arena_new(), error);
    g->n_next = 0;
    for (size_t i = 0; i < g->n_open; i++) {
        joint_tree_node *n = &g->open[i];
        TRY(n->phase == PHASE_VALUES  ? take_values(g, n, error)
            : n->phase == PHASE_RESTS ? take_rests(g, n, error)
                                      : take_joint(g, n, error));
    }
    g->first_root = false;
    joint_tree_split_advance(g);
    return KITH_OK;
}

static kith_status add_leaf(joint_tree_growth *g, const joint_tree_result_node *b, uint32_t area,
                            kith_error *error)
{
    joint_tree *f = g->tree;
    const size_t n = f->problem->n_attributes;
    if (f->n_leaves == f->leaf_room) {
        size_t room = arena_capacity(f->leaf_room, f->n_leaves + (size_t)1);
        TRY_RESIZE(f->closure, f->memory, f->leaf_room * n, room * n, error);
        TRY_RESIZE(f->area, f->memory, f->leaf_room, room, error);
        f->leaf_room = (uint32_t)room;
    }
    if (f->recorder != NULL)
        f->recorder->opened(f->recorder->user, JOINT_TREE_LEAF, b->name, f->n_leaves, 0, 0, 0,
                            true);
    f->area[f->n_leaves] = area;
    memcpy(f->closure + f->n_leaves * n, b->closure, n * sizeof *b->closure);
    for (uint32_t i = b->first; i < b->first + b->size; i++)
        f->class_of[g->rows[i]] = f->n_leaves;
    f->n_leaves++;
    return KITH_OK;
}

/* Leaves from the first child to the last, whenever they were finished. */
static kith_status collect_leaves(joint_tree_growth *g, kith_error *error)
{
    uint32_t *stack = TRY_ALLOC(arena_array(g->memory, g->n_result_nodes, sizeof *stack), error);
    uint32_t top = 0;
    for (uint32_t root = 0; root < g->root_set.n_roots; root++) {
        stack[top++] = root;
        while (top > 0) {
            const joint_tree_result_node *b = &g->result_nodes[stack[--top]];
            for (uint32_t c = b->children; c-- > 0;)
                stack[top++] = b->child + c;
            if (b->closure != NULL)
                TRY(add_leaf(g, b, g->root_set.roots[root].area, error));
        }
    }
    return KITH_OK;
}

static kith_status grow(joint_tree_growth *g, kith_error *error)
{
    joint_tree *f = g->tree;
    const uint32_t count = g->root_set.count;
    uint32_t max_nodes = 1;
    for (uint32_t a = 0; a < f->problem->n_attributes; a++)
        max_nodes = f->problem->attributes[a].tree->n_nodes > max_nodes
                        ? f->problem->attributes[a].tree->n_nodes
                        : max_nodes;
    g->spare = TRY_ALLOC(arena_array(g->memory, count, sizeof *g->spare), error);
    g->bucket = TRY_ALLOC(arena_array(g->memory, count, sizeof *g->bucket), error);
    g->where = TRY_ALLOC(arena_zalloc(g->memory, max_nodes, sizeof *g->where), error);
    TRY(joint_tree_split_roots(g, error));
    while (g->n_open > 0) {
        if (!context_progress(f->context, "joint tree", -1))
            return error_set(error, KITH_CANCELLED, "the joint tree was interrupted");
        TRY(step(g, error));
    }
    return collect_leaves(g, error);
}

kith_status joint_tree_grow(joint_tree *f, joint_tree_root_set seed, kith_error *error)
{
    joint_tree_growth g = {.tree = f, .root_set = seed, .rows = seed.rows};
    g.first_root = seed.first;
    if (seed.n_roots == 0)
        return KITH_OK;
    g.memory = TRY_ALLOC(arena_new(), error);
    g.kept = arena_new();
    if (seed.last)
        f->loose_from = f->n_leaves;
    kith_status status = g.kept == NULL ? error_nomem(error) : grow(&g, error);
    if (g.kept != NULL)
        arena_free(g.kept);
    arena_free(g.memory);
    return status;
}

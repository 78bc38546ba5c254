#include "protocol/joint_tree/joint_tree_grow.h"

#include <string.h>

#include "core/error.h"
#include "protocol/joint_tree/joint_tree_internal.h"

/* --- what trees share --- */

static kith_status price_slots(tree_forest *f, uint32_t a, kith_error *error)
{
    const attribute *axis = &f->problem->attribute[a];
    f->worth[a] = TRY_ALLOC(arena_array(f->memory, axis->tree->nodes, sizeof *f->worth[a]), error);
    for (uint32_t node = 0; node < axis->tree->nodes; node++)
        f->worth[a][node] = weave_bits_offers(axis, node) ? weave_bits_worth(axis, node) : -1;
    return KITH_OK;
}

kith_status tree_forest_init(tree_forest *f, kith_error *error)
{
    const problem *p = f->problem;
    f->cells = TRY_ALLOC(arena_zalloc(f->memory, p->attributes, sizeof *f->cells), error);
    f->forbidden = TRY_ALLOC(arena_zalloc(f->memory, p->attributes, sizeof *f->forbidden), error);
    f->worth = TRY_ALLOC(arena_zalloc(f->memory, p->attributes, sizeof *f->worth), error);
    f->alive = TRY_ALLOC(arena_zalloc(f->memory, p->attributes, sizeof *f->alive), error);
    f->alive_count =
        TRY_ALLOC(arena_zalloc(f->memory, p->attributes, sizeof *f->alive_count), error);
    f->pool = TRY_ALLOC(arena_array(f->memory, p->records, sizeof *f->pool), error);
    f->class_of = TRY_ALLOC(arena_array(f->memory, p->records, sizeof *f->class_of), error);
    memset(f->class_of, 0xFF, p->records * sizeof *f->class_of);
    f->loose_from = f->rules->grows ? UINT32_MAX : 0;
    for (uint32_t a = 0; a < p->attributes; a++) {
        f->cells[a] = p->attribute[a].cells;
        TRY(price_slots(f, a, error));
    }
    return KITH_OK;
}

/* --- answers --- */

static bool answer(const tree_growth *g, const tree_node *n, size_t i)
{
    return smc_bit(g->batch.bits, n->question + i);
}

static void tell(const tree_growth *g, const tree_node *n, tree_event event, uint32_t a,
                 uint32_t node, size_t i)
{
    const tree_record *r = g->forest->record;
    if (r != NULL)
        r->opened(r->user, event, g->batch.name[n->question + i], n->name, a, node,
                  g->forest->rules->k, answer(g, n, i));
}

/* The values of the first root that live: no other one is ever asked about again. */
static kith_status remember_alive(tree_forest *f, uint32_t a, const tree_axis *axis,
                                  kith_error *error)
{
    f->alive_count[a] = axis->values;
    f->alive[a] = TRY_ALLOC(arena_array(f->memory, axis->values, sizeof *f->alive[a]), error);
    memcpy(f->alive[a], axis->value, axis->values * sizeof *f->alive[a]);
    return KITH_OK;
}

/* A: keeps the live values of one slot, and the tally of all other records. */
static kith_status keep_live(tree_growth *g, tree_node *n, uint32_t a, size_t from,
                             const uint32_t *whole, kith_error *error)
{
    const uint32_t width = g->forest->rules->width;
    const uint32_t *tally = g->batch.tally + (n->question + from) * width;
    tree_axis *axis = &n->axis[a];
    uint32_t *rest = n->rest + (size_t)a * width, live = 0;
    for (uint32_t v = 0; v < axis->values; v++)
        live += answer(g, n, from + v);
    uint32_t *value = TRY_ALLOC(arena_array(g->memory, live, sizeof *value), error);
    memcpy(rest, whole, width * sizeof *rest);
    live = 0;
    for (uint32_t v = 0; v < axis->values; v++) {
        tell(g, n, TREE_VALUE, a, axis->value[v], from + v);
        if (!answer(g, n, from + v))
            continue;
        value[live++] = axis->value[v];
        for (uint32_t i = 0; i < width; i++)
            rest[i] -= tally[v * width + i];
    }
    axis->value = value;
    axis->values = live;
    axis->dead = live == 0;
    return KITH_OK;
}

static kith_status take_values(tree_growth *g, tree_node *n, kith_error *error)
{
    tree_forest *f = g->forest;
    const uint32_t width = f->rules->width;
    uint32_t *whole = TRY_ALLOC(arena_zalloc(g->kept, width, sizeof *whole), error);
    n->rest = TRY_ALLOC(
        arena_array(g->kept, (size_t)width * f->problem->attributes, sizeof *n->rest), error);
    for (uint32_t i = n->first; i < n->first + n->size; i++)
        tree_count_row(f, whole, g->rows[i]);
    size_t from = 0;
    bool any = false;
    for (uint32_t a = 0; a < f->problem->attributes; a++) {
        if (!tree_axis_offers(g, n, a))
            continue;
        const uint32_t asked = n->axis[a].values;
        TRY(keep_live(g, n, a, from, whole, error));
        from += asked;
        any = any || !n->axis[a].dead;
        if (g->first_root)
            TRY(remember_alive(f, a, &n->axis[a], error));
    }
    n->phase = PHASE_RESTS;
    return any ? tree_split_open(g, n, error) : tree_split_leaf(g, n, error);
}

/* B: with the rests known, every slot has its score. */
static kith_status take_rests(tree_growth *g, tree_node *n, kith_error *error)
{
    const tree_forest *f = g->forest;
    double highest = -1;
    uint32_t singles = 0;
    size_t from = 0;
    for (uint32_t a = 0; a < f->problem->attributes; a++) {
        tree_axis *axis = &n->axis[a];
        if (!tree_axis_offers(g, n, a))
            continue;
        tell(g, n, TREE_REST, a, axis->node, from);
        axis->big = answer(g, n, from++);
        singles += tree_axis_single(axis);
        double score = weave_bits_score(f->worth[a][axis->node], axis->values, axis->big,
                                        g->seed.last, f->rules->grows);
        if (score > highest) {
            highest = score;
            n->best = a;
        }
    }
    if (highest < 0)
        return tree_split_leaf(g, n, error);
    if (!tree_axis_single(&n->axis[n->best]) || singles == 1)
        return tree_split_values(g, n, n->best, error);
    n->phase = PHASE_JOINT;
    return tree_split_open(g, n, error);
}

/* C. */
static kith_status take_joint(tree_growth *g, tree_node *n, kith_error *error)
{
    tell(g, n, TREE_JOINT, UINT32_MAX, 0, 0);
    return answer(g, n, 0) ? tree_split_singles(g, n, error)
                           : tree_split_values(g, n, n->best, error);
}

/* --- the tree --- */

static kith_status ask(tree_growth *g, kith_error *error)
{
    tree_forest *f = g->forest;
    tree_batch *b = &g->batch;
    TRY(tree_count(g, error));
    if (b->count > b->bit_room) {
        TRY_RESIZE(b->bits, g->memory, smc_words(b->bit_room), smc_words(b->room), error);
        b->bit_room = b->room;
    }
    TRY(tree_rules_ask(f->rules, f->party, b->bits,
                       &(tree_questions){b->count, b->tally, b->name, NULL, false}, error));
    f->questions += b->count;
    f->batches++;
    return KITH_OK;
}

/* What the parties learn, by kind. */
static void admit_answers(const tree_growth *g)
{
    uint64_t asked[3] = {0};
    for (size_t i = 0; i < g->opened; i++) {
        size_t end = i + 1 < g->opened ? g->open[i + 1].question : g->batch.count;
        asked[g->open[i].phase] += end - g->open[i].question;
    }
    static const char *const what[] = {"values are live", "rests are big",
                                       "records with all single values are enough"};
    for (int phase = 0; phase < 3; phase++)
        if (asked[phase] > 0)
            party_learns(g->forest->party, DISCLOSE_AGGREGATE, what[phase], asked[phase]);
}

static kith_status step(tree_growth *g, kith_error *error)
{
    TRY(ask(g, error));
    admit_answers(g);
    arena_free(g->kept);
    g->kept = TRY_ALLOC(arena_new(), error);
    g->nexts = 0;
    for (size_t i = 0; i < g->opened; i++) {
        tree_node *n = &g->open[i];
        TRY(n->phase == PHASE_VALUES  ? take_values(g, n, error)
            : n->phase == PHASE_RESTS ? take_rests(g, n, error)
                                      : take_joint(g, n, error));
    }
    g->first_root = false;
    tree_split_advance(g);
    return KITH_OK;
}

static kith_status add_leaf(tree_growth *g, const tree_bone *b, uint32_t area, kith_error *error)
{
    tree_forest *f = g->forest;
    const size_t n = f->problem->attributes;
    if (f->leaves == f->leaf_room) {
        size_t room = arena_capacity(f->leaf_room, f->leaves + (size_t)1);
        TRY_RESIZE(f->closure, f->memory, f->leaf_room * n, room * n, error);
        TRY_RESIZE(f->area, f->memory, f->leaf_room, room, error);
        f->leaf_room = (uint32_t)room;
    }
    if (f->record != NULL)
        f->record->opened(f->record->user, TREE_LEAF, b->name, f->leaves, 0, 0, 0, true);
    f->area[f->leaves] = area;
    memcpy(f->closure + f->leaves * n, b->closure, n * sizeof *b->closure);
    for (uint32_t i = b->first; i < b->first + b->size; i++)
        f->class_of[g->rows[i]] = f->leaves;
    f->leaves++;
    return KITH_OK;
}

/* Leaves from the first child to the last, whenever they were finished. */
static kith_status harvest(tree_growth *g, kith_error *error)
{
    uint32_t *stack = TRY_ALLOC(arena_array(g->memory, g->bones, sizeof *stack), error);
    uint32_t top = 0;
    for (uint32_t root = 0; root < g->seed.roots; root++) {
        stack[top++] = root;
        while (top > 0) {
            const tree_bone *b = &g->bone[stack[--top]];
            for (uint32_t c = b->children; c-- > 0;)
                stack[top++] = b->child + c;
            if (b->closure != NULL)
                TRY(add_leaf(g, b, g->seed.root[root].area, error));
        }
    }
    return KITH_OK;
}

static kith_status grow(tree_growth *g, kith_error *error)
{
    tree_forest *f = g->forest;
    const uint32_t count = g->seed.count;
    uint32_t most = 1;
    for (uint32_t a = 0; a < f->problem->attributes; a++)
        most = f->problem->attribute[a].tree->nodes > most ? f->problem->attribute[a].tree->nodes
                                                           : most;
    g->spare = TRY_ALLOC(arena_array(g->memory, count, sizeof *g->spare), error);
    g->bucket = TRY_ALLOC(arena_array(g->memory, count, sizeof *g->bucket), error);
    g->where = TRY_ALLOC(arena_zalloc(g->memory, most, sizeof *g->where), error);
    TRY(tree_split_roots(g, error));
    while (g->opened > 0) {
        if (!context_progress(f->context, "joint tree", -1))
            return error_set(error, KITH_CANCELLED, "the joint tree was interrupted");
        TRY(step(g, error));
    }
    return harvest(g, error);
}

kith_status tree_grow(tree_forest *f, tree_seed seed, kith_error *error)
{
    tree_growth g = {.forest = f, .seed = seed, .rows = seed.rows};
    g.first_root = seed.first;
    if (seed.roots == 0)
        return KITH_OK;
    g.memory = TRY_ALLOC(arena_new(), error);
    g.kept = arena_new();
    if (seed.last)
        f->loose_from = f->leaves;
    kith_status status = g.kept == NULL ? error_nomem(error) : grow(&g, error);
    if (g.kept != NULL)
        arena_free(g.kept);
    arena_free(g.memory);
    return status;
}

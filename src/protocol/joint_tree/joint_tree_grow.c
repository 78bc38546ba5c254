#include "protocol/joint_tree/joint_tree_grow.h"

#include <string.h>

#include "protocol/joint_tree/joint_tree_internal.h"
#include "protocol/joint_tree/joint_tree_trim.h"

kith_status joint_tree_grow_init(joint_tree *j, kith_error *error)
{
    const problem *p = j->problem;
    const uint32_t n = p->n_attributes;
    j->cells = TRY_ZEROS(j->cells, j->memory, n, error);
    j->forbidden = TRY_ZEROS(j->forbidden, j->memory, n, error);
    j->worth = TRY_ZEROS(j->worth, j->memory, n, error);
    j->live_values = TRY_ZEROS(j->live_values, j->memory, n, error);
    j->n_live_values = TRY_ZEROS(j->n_live_values, j->memory, n, error);
    for (uint32_t a = 0; a < n; a++) {
        const attribute *of = &p->attributes[a];
        const uint32_t n_nodes = of->tree->n_nodes;
        j->cells[a] = of->cells;
        j->worth[a] = TRY_ALLOC(arena_array(j->memory, n_nodes, sizeof *j->worth[a]), error);
        for (uint32_t node = 0; node < n_nodes; node++)
            j->worth[a][node] =
                joint_tree_score_has_slot(of, node) ? joint_tree_score_worth(of, node) : -1;
    }
    return joint_tree_grow_restart(j, j->memory, error);
}

kith_status joint_tree_grow_restart(joint_tree *j, arena *memory, kith_error *error)
{
    const uint32_t n_records = j->problem->n_records;
    j->memory = memory;
    j->pool = (joint_tree_pool){0};
    j->pool.rows = TRY_ARRAY(j->pool.rows, memory, n_records, error);
    j->leaves = (joint_tree_leaves){.loose_from = j->rules->n_frequencies > 0 ? 0 : UINT32_MAX};
    j->leaves.class_of = TRY_ARRAY(j->leaves.class_of, memory, n_records, error);
    memset(j->leaves.class_of, 0xFF, n_records * sizeof *j->leaves.class_of);
    return KITH_OK;
}

kith_status joint_tree_remove_leaves(joint_tree *j, const uint8_t *gone, arena *memory,
                                     kith_error *error)
{
    joint_tree_leaves *l = &j->leaves;
    const size_t n = j->problem->n_attributes;
    uint32_t *place = TRY_ARRAY(place, memory, l->count, error);
    uint32_t kept = 0;
    for (uint32_t leaf = 0; leaf < l->count; leaf++) {
        if (gone[leaf])
            continue;
        place[leaf] = kept;
        memmove(l->closures + kept * n, l->closures + leaf * n, n * sizeof *l->closures);
        l->areas[kept] = l->areas[leaf];
        l->names[kept] = l->names[leaf];
        kept++;
    }
    for (uint32_t i = 0; i < j->problem->n_records; i++)
        if (l->class_of[i] != JOINT_TREE_NONE)
            l->class_of[i] = place[l->class_of[i]];
    l->count = kept;
    return KITH_OK;
}

void joint_tree_sort_pool(joint_tree *j)
{
    uint32_t n = 0;
    if (!j->rules->by_persons)
        return;
    for (uint32_t i = 0; i < j->problem->n_records; i++)
        if (j->leaves.class_of[i] == JOINT_TREE_NONE)
            j->pool.rows[n++] = i;
    ASSERT(n == j->pool.count);
}

#if KITH_DEBUG
void joint_tree_check(const joint_tree *j)
{
    const problem *p = j->problem;
    uint32_t n_pooled = 0;
    for (uint32_t i = 0; i < p->n_records; i++) {
        const uint32_t leaf = j->leaves.class_of[i];
        n_pooled += leaf == JOINT_TREE_NONE;
        for (uint32_t a = 0; leaf != JOINT_TREE_NONE && a < p->n_attributes; a++)
            ASSERT(
                tree_covers(p->attributes[a].tree, joint_tree_closure(j, leaf)[a], j->cells[a][i]));
    }
    ASSERT(n_pooled == j->pool.count);
    for (uint32_t i = 0; i < j->pool.count; i++)
        ASSERT(j->leaves.class_of[j->pool.rows[i]] == JOINT_TREE_NONE);
    ASSERT(!j->pool.known_empty || j->pool.count == 0);
    for (uint32_t a = 0; a < p->n_attributes; a++)
        for (uint32_t v = 1; v < j->n_live_values[a]; v++)
            ASSERT(j->live_values[a][v - 1] < j->live_values[a][v]);
}

/* What a set must be like when it asks. */
static void check_set(const joint_tree_growth *g, const joint_tree_set *set)
{
    ASSERT(set->id < g->result.count);
    ASSERT(set->first <= g->roots.n_rows && set->size <= g->roots.n_rows - set->first);
    ASSERT((set->rests != NULL) == (set->phase == JOINT_TREE_PHASE_RESTS));
    for (uint32_t a = 0; a < g->tree->problem->n_attributes; a++) {
        const tree *t = g->tree->problem->attributes[a].tree;
        const joint_tree_slot *slot = &set->slots[a];
        ASSERT(tree_covers(t, slot->bound, slot->node));
        ASSERT(!slot->big || set->phase == JOINT_TREE_PHASE_SINGLES ||
               set->phase == JOINT_TREE_PHASE_LOANS);
        if (!joint_tree_has_slot(g, set, a))
            continue;
        ASSERT(slot->n_values > 0);
        for (uint32_t v = 0; v < slot->n_values; v++)
            ASSERT(t->parent[slot->values[v]] == slot->node && g->positions[slot->values[v]] == 0 &&
                   (v == 0 || slot->values[v - 1] < slot->values[v]));
    }
}
#endif

/* --- the trees --- */

static const struct {
    joint_tree_phase_step *ask, *answered;
    const char *learned; /* what the answers to questions of the batch tell all parties */
} phases[JOINT_TREE_N_PHASES] = {
    [JOINT_TREE_PHASE_VALUES] = {joint_tree_values_ask, joint_tree_values_answered,
                                 "values are live"},
    [JOINT_TREE_PHASE_RESTS] = {joint_tree_rests_ask, joint_tree_rests_answered, "rests are big"},
    [JOINT_TREE_PHASE_SINGLES] = {joint_tree_singles_ask, joint_tree_singles_answered,
                                  "records with all single values are enough"},
    [JOINT_TREE_PHASE_CHOICE] = {joint_tree_choice_ask, joint_tree_choice_answered, NULL},
    [JOINT_TREE_PHASE_LOANS] = {joint_tree_loans_ask, joint_tree_loans_answered, NULL},
};

/* The sets of the next call become those of this one; their array is used again. */
static void advance(joint_tree_growth *g)
{
    joint_tree_set_list done = g->open;
    g->open = g->next;
    g->next = done;
    g->next.count = 0;
}

/* One secure call, quiet two: the questions of all open sets, then what follows from the answers.
 */
static kith_status joint_tree_grow_step(joint_tree_growth *g, kith_error *error)
{
    uint64_t asked[JOINT_TREE_N_PHASES] = {0};
    g->batch.count = g->choices.count = g->choices.n_opened = 0;
    g->loans.count = g->loans.n_slots = 0;
    for (size_t i = 0; i < g->open.count; i++) {
        joint_tree_set *set = &g->open.sets[i];
        CHECK(check_set(g, set));
        set->question = g->batch.count;
        TRY(phases[set->phase].ask(g, set, error));
        asked[set->phase] += g->batch.count - set->question;
    }
    if (g->batch.count > 0)
        TRY(joint_tree_batch_open(g, error));
    if (g->choices.count > 0)
        TRY(joint_tree_choice_open(g, error));
    if (g->loans.count > 0)
        TRY(joint_tree_loans_open(g, error));
    for (int phase = 0; phase < JOINT_TREE_N_PHASES; phase++)
        if (asked[phase] > 0)
            party_learns(g->tree->party, DISCLOSE_AGGREGATE, phases[phase].learned, asked[phase]);
    if (g->tree->rules->shares && !g->roots.last && asked[JOINT_TREE_PHASE_RESTS] > 0)
        party_learns(g->tree->party, DISCLOSE_AGGREGATE, "splits keep most records",
                     asked[JOINT_TREE_PHASE_RESTS]);
    arena_free(g->rest_memory);
    g->rest_memory = arena_new(); /* NULL or new: the old one is never freed twice */
    TRY_ALLOC(g->rest_memory, error);
    for (size_t i = 0; i < g->open.count; i++)
        TRY(phases[g->open.sets[i].phase].answered(g, &g->open.sets[i], error));
    g->at_first_root = false;
    advance(g);
    return KITH_OK;
}

static kith_status add_leaf(joint_tree_growth *g, const joint_tree_result_node *node, uint32_t area,
                            kith_error *error)
{
    joint_tree *j = g->tree;
    joint_tree_leaves *l = &j->leaves;
    const size_t n = j->problem->n_attributes;
    if (l->count == l->room) {
        size_t room = arena_capacity(l->room, l->count + (size_t)1);
        TRY_RESIZE(l->closures, j->memory, l->room * n, room * n, error);
        TRY_RESIZE(l->areas, j->memory, l->room, room, error);
        TRY_RESIZE(l->names, j->memory, l->room, room, error);
        l->room = (uint32_t)room;
    }
    joint_tree_record(j, (joint_tree_opened){.event = JOINT_TREE_LEAF,
                                             .set = node->name,
                                             .of = l->count,
                                             .bit = true,
                                             .rows = g->roots.rows + node->first,
                                             .n_rows = node->size});
    l->areas[l->count] = area;
    l->names[l->count] = node->name;
    memcpy(l->closures + l->count * n, node->closure, n * sizeof *node->closure);
    for (uint32_t i = node->first; i < node->first + node->size; i++)
        l->class_of[g->roots.rows[i]] = l->count;
    l->count++;
    return KITH_OK;
}

/* The order of leaves is that of the shape, from the first child to the last: it does not depend on
 * when each of them was finished. */
static kith_status collect_leaves(joint_tree_growth *g, kith_error *error)
{
    uint32_t *stack = TRY_ARRAY(stack, g->memory, g->result.count, error);
    uint32_t top = 0;
    for (uint32_t root = 0; root < g->roots.count; root++) {
        stack[top++] = root;
        while (top > 0) {
            const joint_tree_result_node *node = &g->result.nodes[stack[--top]];
            for (uint32_t c = node->children; c-- > 0;)
                stack[top++] = node->child + c;
            if (node->closure != NULL)
                TRY(add_leaf(g, node, g->roots.roots[root].area, error));
        }
    }
    return KITH_OK;
}

static kith_status joint_tree_grow_all(joint_tree_growth *g, kith_error *error)
{
    joint_tree *j = g->tree;
    joint_tree_result *r = &g->result;
    uint32_t max_nodes = 1;
    for (uint32_t a = 0; a < j->problem->n_attributes; a++) {
        const uint32_t n_nodes = j->problem->attributes[a].tree->n_nodes;
        max_nodes = n_nodes > max_nodes ? n_nodes : max_nodes;
    }
    g->sorted = TRY_ARRAY(g->sorted, g->memory, g->roots.n_rows, error);
    g->buckets = TRY_ARRAY(g->buckets, g->memory, g->roots.n_rows, error);
    g->positions = TRY_ZEROS(g->positions, g->memory, max_nodes, error);
    r->nodes = TRY_ZEROS(r->nodes, g->memory, g->roots.count, error);
    r->count = r->room = g->roots.count;
    for (uint32_t id = 0; id < g->roots.count; id++) {
        const joint_tree_root *root = &g->roots.roots[id];
        const uint32_t n_attributes = j->problem->n_attributes;
        joint_tree_set set = {
            .id = id, .name = root->name, .first = root->first, .size = root->size};
        set.slots = TRY_ZEROS(set.slots, g->memory, n_attributes, error);
        for (uint32_t a = 0; a < n_attributes; a++) {
            joint_tree_slot *slot = &set.slots[a];
            slot->node = slot->bound = tree_root(j->problem->attributes[a].tree);
            slot->values = j->live_values[a];
            slot->n_values = j->n_live_values[a];
            if (root->shown != NULL && slot->n_values > JOINT_TREE_WIDE_VALUES) {
                slot->values = root->shown[a];
                slot->n_values = root->n_shown[a];
            }
            if (g->roots.first) /* later roots ask about the values that were live there */
                TRY(joint_tree_split_ask_children(g, slot, a, error));
        }
        TRY(joint_tree_split_begin(g, &set, error));
    }
    advance(g);
    while (g->open.count > 0) {
        if (!context_progress(j->context, "joint tree", -1))
            return error_set(error, KITH_CANCELLED, "the joint tree was interrupted");
        TRY(joint_tree_grow_step(g, error));
    }
    return collect_leaves(g, error);
}

kith_status joint_tree_grow(joint_tree *j, joint_tree_roots roots, kith_error *error)
{
    if (roots.count == 0)
        return KITH_OK;
    joint_tree_growth g = {.tree = j, .roots = roots, .at_first_root = roots.first};
    g.memory = TRY_ALLOC(arena_new(), error);
    g.rest_memory = arena_new();
    if (roots.last)
        j->leaves.loose_from = j->leaves.count;
    const uint32_t n_before = j->leaves.count;
    kith_status status =
        g.rest_memory == NULL ? error_nomem(error) : joint_tree_grow_all(&g, error);
    if (g.rest_memory != NULL)
        arena_free(g.rest_memory);
    arena_free(g.memory);
    if (status == KITH_OK && (j->rules->n_frequencies > 0 || joint_tree_rules_asks_again(j->rules)))
        status = joint_tree_trim_leaves(j, n_before, error);
    if (status == KITH_OK)
        CHECK(joint_tree_check(j));
    return status;
}

/* Trimming leaves and sweeping leftovers, with diversity by frequency. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "reference/joint_tree_plain_internal.h"

uint32_t joint_tree_plain_site(const plain_grower *g, uint32_t record)
{
    return g->sites == NULL ? 0 : g->sites->site_of[record];
}

uint64_t joint_tree_plain_draw(const plain_grower *g, uint64_t set, uint32_t record)
{
    const joint_tree_draws d =
        joint_tree_score_seeded_draws(g->coins, joint_tree_plain_site(g, record));
    return joint_tree_score_draw(&d, set, g->local[record]);
}

/* How many records of each value may be in the class. */
static uint32_t most_of_a_value(const plain_grower *g, const plain_frequency *f, plain_list rows,
                                plain_list comers)
{
    const uint32_t max =
        joint_tree_score_max_count(g->problem->k, joint_tree_diversity_l(&f->rule));
    uint32_t most = 0;
    for (uint32_t i = 0; i < rows.count + comers.count; i++)
        g->count[f->of->values[i < rows.count ? rows.items[i] : comers.items[i - rows.count]]]++;
    for (uint32_t bound = 1; bound <= max; bound++) {
        uint64_t sum = 0;
        for (uint32_t s = 0; s < f->of->count; s++)
            sum += g->count[s] < bound ? g->count[s] : bound;
        if (joint_tree_plain_may_have(f, bound, sum))
            most = bound;
    }
    memset(g->count, 0, f->of->count * sizeof *g->count);
    return most;
}

/* A record in the order in which those of its value are let in. */
typedef struct place_in_line {
    uint32_t position; /* of its site */
    uint64_t drawn;
    uint32_t record;
} place_in_line;

static int compare_places(const void *a, const void *b)
{
    const place_in_line *x = a, *y = b;
    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    if (x->drawn != y->drawn)
        return x->drawn < y->drawn ? -1 : 1;
    return (x->record > y->record) - (x->record < y->record);
}

/* One turn: of `comers`, those that may join `rows` stay; the others are added to *left, and `why`
 * says for which attribute each of them left. */
static kith_status take_turn(plain_grower *g, uint64_t name, uint32_t at, plain_list rows,
                             plain_list *comers, plain_list *left, uint32_t *why, kith_error *error)
{
    const plain_frequency *f = &g->frequencies[at];
    const uint32_t m = g->sites == NULL ? 1 : g->sites->count, n = comers->count;
    const uint32_t most = most_of_a_value(g, f, rows, *comers);
    place_in_line *line = TRY_ALLOC(arena_array(g->memory, n + (size_t)1, sizeof *line), error);
    uint32_t *order = TRY_ALLOC(arena_array(g->memory, m, sizeof *order), error);
    uint32_t *position = TRY_ALLOC(arena_array(g->memory, m, sizeof *position), error);
    joint_tree_score_site_order(order, g->coins, name, m);
    for (uint32_t i = 0; i < m; i++)
        position[order[i]] = i;
    for (uint32_t i = 0; i < n; i++)
        line[i] =
            (place_in_line){position[joint_tree_plain_site(g, comers->items[i])],
                            joint_tree_plain_draw(g, name, comers->items[i]), comers->items[i]};
    qsort(line, n, sizeof *line, compare_places);
    for (uint32_t i = 0; i < rows.count; i++)
        g->count[f->of->values[rows.items[i]]]++;
    comers->count = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *count = &g->count[f->of->values[line[i].record]];
        if (*count < most) {
            comers->items[comers->count++] = line[i].record;
        } else {
            why[left->count] = at;
            left->items[left->count++] = line[i].record;
        }
        ++*count;
    }
    memset(g->count, 0, f->of->count * sizeof *g->count);
    return KITH_OK;
}

/* Of `comers`, those that may join `rows` are *kept; *left gets the others, why [left->count] the
 * attributes for which they left. */
static kith_status trim(plain_grower *g, uint64_t name, plain_list rows, plain_list comers,
                        plain_list *kept, plain_list *left, uint32_t **why, kith_error *error)
{
    *kept = *left = (plain_list){0};
    kept->items = TRY_ALLOC(arena_array(g->memory, comers.count + (size_t)1, 4), error);
    left->items = TRY_ALLOC(arena_array(g->memory, comers.count + (size_t)1, 4), error);
    *why = TRY_ALLOC(arena_array(g->memory, comers.count + (size_t)1, sizeof **why), error);
    kept->count = comers.count;
    memcpy(kept->items, comers.items, comers.count * sizeof *kept->items);
    for (uint32_t i = 0; i < g->n_frequencies; i++)
        TRY(take_turn(g, joint_tree_score_turn_name(name, i), i, rows, kept, left, *why, error));
    return KITH_OK;
}

kith_status joint_tree_plain_trim_leaves(plain_grower *g, uint32_t first, kith_error *error)
{
    const uint32_t end = g->n_leaves;
    g->n_leaves = first;
    for (uint32_t l = first; l < end; l++) {
        plain_leaf leaf = g->leaves[l];
        plain_list left;
        uint32_t *why;
        TRY(trim(g, leaf.name, (plain_list){0}, leaf.rows, &leaf.rows, &left, &why, error));
        TRY(joint_tree_plain_eject(g, left, error));
        if (joint_tree_plain_good(g, leaf.rows, g->problem->k))
            g->leaves[g->n_leaves++] = leaf;
        else
            TRY(joint_tree_plain_eject(g, leaf.rows, error));
    }
    return KITH_OK;
}

/* --- leftovers --- */

typedef struct sweeps {
    uint32_t *closure; /* [n_leaves * n_attributes] before the sweep */
    uint8_t **full;    /* [n_frequencies][sites * n_leaves * n_values] what sites know to be full */
    uint32_t *asked;   /* [pool] leaf that each leftover asks, or UINT32_MAX */
} sweeps;

/* What the site of a record knows of its value of attribute i, for the first leaf. */
static uint8_t *known_full(const plain_grower *g, const sweeps *s, uint32_t i, uint32_t record)
{
    const sensitive_attribute *of = g->frequencies[i].of;
    return s->full[i] + (size_t)joint_tree_plain_site(g, record) * g->n_leaves * of->count +
           of->values[record];
}

static uint32_t choose_leaf(const plain_grower *g, const sweeps *s, uint32_t record)
{
    uint8_t *closed = arena_zalloc(g->memory, g->n_leaves, 1);
    const uint8_t *const at[] = {closed};
    for (uint32_t i = 0; i < g->n_frequencies; i++)
        for (uint32_t l = 0; l < g->n_leaves; l++)
            closed[l] |= known_full(g, s, i, record)[(size_t)l * g->frequencies[i].of->count];
    return joint_tree_score_nearest_leaf(g->problem, g->cells, record, s->closure, g->n_leaves,
                                         (joint_tree_full){at, 1, 1});
}

/* The records that ask one leaf. */
static kith_status admit(plain_grower *g, sweeps *s, uint32_t sweep, uint32_t leaf,
                         plain_list *stay, kith_error *error)
{
    plain_list comers = {0}, kept, left;
    uint32_t *why;
    comers.items = TRY_ALLOC(arena_array(g->memory, g->pool.count, sizeof *comers.items), error);
    for (uint32_t i = 0; i < g->pool.count; i++)
        if (s->asked[i] == leaf)
            comers.items[comers.count++] = g->pool.items[i];
    if (comers.count == 0)
        return KITH_OK;
    TRY(trim(g, joint_tree_score_sweep_name(sweep, leaf), g->leaves[leaf].rows, comers, &kept,
             &left, &why, error));
    plain_leaf joined = g->leaves[leaf];
    TRY(joint_tree_plain_unite(g, &joined, kept, error));
    if (joint_tree_plain_good(g, joined.rows, g->problem->k))
        g->leaves[leaf] = joined;
    else
        for (uint32_t i = 0; i < kept.count; i++) {
            why[left.count] = 0;
            left.items[left.count++] = kept.items[i];
        }
    for (uint32_t i = 0; i < left.count; i++)
        known_full(g, s, why[i], left.items[i])[(size_t)leaf * g->frequencies[why[i]].of->count] =
            1;
    memcpy(stay->items + stay->count, left.items, left.count * sizeof *left.items);
    stay->count += left.count;
    return KITH_OK;
}

static kith_status sweep_once(plain_grower *g, sweeps *s, uint32_t sweep, kith_error *error)
{
    const uint32_t n = g->problem->n_attributes;
    plain_list stay = {arena_array(g->memory, g->pool.count + (size_t)1, 4), 0};
    TRY_ALLOC(stay.items, error);
    for (uint32_t l = 0; l < g->n_leaves; l++)
        memcpy(s->closure + (size_t)l * n, g->leaves[l].closure, n * sizeof *s->closure);
    for (uint32_t i = 0; i < g->pool.count; i++) {
        s->asked[i] = choose_leaf(g, s, g->pool.items[i]);
        if (s->asked[i] == UINT32_MAX)
            stay.items[stay.count++] = g->pool.items[i];
    }
    for (uint32_t l = 0; l < g->n_leaves; l++)
        TRY(admit(g, s, sweep, l, &stay, error));
    g->pool = stay;
    return KITH_OK;
}

kith_status joint_tree_plain_sweep(plain_grower *g, kith_error *error)
{
    const uint32_t n = g->problem->n_attributes, m = g->sites == NULL ? 1 : g->sites->count;
    sweeps s;
    s.closure =
        TRY_ALLOC(arena_array(g->memory, (size_t)g->n_leaves * n, sizeof *s.closure), error);
    s.full = TRY_ALLOC(arena_array(g->memory, g->n_frequencies, sizeof *s.full), error);
    for (uint32_t i = 0; i < g->n_frequencies; i++)
        s.full[i] = TRY_ALLOC(
            arena_zalloc(g->memory, (size_t)m * g->n_leaves * g->frequencies[i].of->count, 1),
            error);
    s.asked = TRY_ALLOC(arena_array(g->memory, g->pool.count, sizeof *s.asked), error);
    const uint32_t max_sweeps = g->n_frequencies > 1 ? JOINT_TREE_MORE_SWEEPS : JOINT_TREE_SWEEPS;
    for (uint32_t sweep = 0; sweep < max_sweeps && g->pool.count > 0; sweep++)
        TRY(sweep_once(g, &s, sweep, error));
    return KITH_OK;
}

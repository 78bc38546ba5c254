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

static uint32_t value_of(const plain_grower *g, uint32_t record)
{
    return g->problem->sensitive[g->sensitive].values[record];
}

/* How many records of each value may be in the class. */
static uint32_t most_of_a_value(const plain_grower *g, plain_list rows, plain_list comers)
{
    const uint32_t n_values = g->problem->sensitive[g->sensitive].count;
    const uint32_t max =
        joint_tree_score_max_count(g->problem->k, joint_tree_diversity_l(&g->frequency));
    uint32_t most = 0;
    for (uint32_t i = 0; i < rows.count + comers.count; i++)
        g->count[value_of(g, i < rows.count ? rows.items[i] : comers.items[i - rows.count])]++;
    for (uint32_t bound = 1; bound <= max; bound++) {
        uint64_t sum = 0;
        for (uint32_t s = 0; s < n_values; s++)
            sum += g->count[s] < bound ? g->count[s] : bound;
        if (joint_tree_plain_may_have(g, bound, sum))
            most = bound;
    }
    memset(g->count, 0, n_values * sizeof *g->count);
    return most;
}

/* A record in the order in which those of its value are let in. */
typedef struct place_in_line {
    uint32_t seat; /* of its site */
    uint64_t drawn;
    uint32_t record;
} place_in_line;

static int compare_places(const void *a, const void *b)
{
    const place_in_line *x = a, *y = b;
    if (x->seat != y->seat)
        return x->seat < y->seat ? -1 : 1;
    if (x->drawn != y->drawn)
        return x->drawn < y->drawn ? -1 : 1;
    return (x->record > y->record) - (x->record < y->record);
}

kith_status joint_tree_plain_trim(plain_grower *g, uint64_t name, plain_list rows,
                                  plain_list comers, plain_list *kept, plain_list *left,
                                  kith_error *error)
{
    const uint32_t m = g->sites == NULL ? 1 : g->sites->count;
    const uint32_t n_values = g->problem->sensitive[g->sensitive].count;
    const uint32_t most = most_of_a_value(g, rows, comers);
    place_in_line *line =
        TRY_ALLOC(arena_array(g->memory, comers.count + (size_t)1, sizeof *line), error);
    uint32_t *order = TRY_ALLOC(arena_array(g->memory, m, sizeof *order), error);
    uint32_t *seat = TRY_ALLOC(arena_array(g->memory, m, sizeof *seat), error);
    *kept = *left = (plain_list){0};
    kept->items = TRY_ALLOC(arena_array(g->memory, comers.count + (size_t)1, 4), error);
    left->items = TRY_ALLOC(arena_array(g->memory, comers.count + (size_t)1, 4), error);
    joint_tree_score_site_order(order, g->coins, name, m);
    for (uint32_t i = 0; i < m; i++)
        seat[order[i]] = i;
    for (uint32_t i = 0; i < comers.count; i++)
        line[i] = (place_in_line){seat[joint_tree_plain_site(g, comers.items[i])],
                                  joint_tree_plain_draw(g, name, comers.items[i]), comers.items[i]};
    qsort(line, comers.count, sizeof *line, compare_places);
    for (uint32_t i = 0; i < rows.count; i++)
        g->count[value_of(g, rows.items[i])]++;
    for (uint32_t i = 0; i < comers.count; i++) {
        uint32_t *count = &g->count[value_of(g, line[i].record)];
        plain_list *to = *count < most ? kept : left;
        to->items[to->count++] = line[i].record;
        ++*count;
    }
    memset(g->count, 0, n_values * sizeof *g->count);
    return KITH_OK;
}

kith_status joint_tree_plain_trim_leaves(plain_grower *g, uint32_t first, kith_error *error)
{
    const uint32_t end = g->n_leaves;
    g->n_leaves = first;
    for (uint32_t l = first; l < end; l++) {
        plain_leaf leaf = g->leaves[l];
        plain_list left;
        TRY(joint_tree_plain_trim(g, leaf.name, (plain_list){0}, leaf.rows, &leaf.rows, &left,
                                  error));
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
    uint8_t *full;     /* [sites][n_leaves * n_values] what sites know to be full */
    uint32_t *asked;   /* [pool] leaf that each leftover asks, or UINT32_MAX */
} sweeps;

static void note_refused(const plain_grower *g, uint8_t *full, plain_list refused, uint32_t leaf)
{
    const uint32_t n_values = g->problem->sensitive[g->sensitive].count;
    for (uint32_t i = 0; i < refused.count; i++) {
        const uint32_t site = joint_tree_plain_site(g, refused.items[i]);
        full[((size_t)site * g->n_leaves + leaf) * n_values + value_of(g, refused.items[i])] = 1;
    }
}

/* The records that ask one leaf. */
static kith_status admit(plain_grower *g, sweeps *s, uint32_t sweep, uint32_t leaf,
                         plain_list *stay, kith_error *error)
{
    plain_list comers = {0}, kept, left;
    comers.items = TRY_ALLOC(arena_array(g->memory, g->pool.count, sizeof *comers.items), error);
    for (uint32_t i = 0; i < g->pool.count; i++)
        if (s->asked[i] == leaf)
            comers.items[comers.count++] = g->pool.items[i];
    if (comers.count == 0)
        return KITH_OK;
    TRY(joint_tree_plain_trim(g, joint_tree_score_sweep_name(sweep, leaf), g->leaves[leaf].rows,
                              comers, &kept, &left, error));
    TRY(joint_tree_plain_unite(g, &g->leaves[leaf], kept, error));
    note_refused(g, s->full, left, leaf);
    memcpy(stay->items + stay->count, left.items, left.count * sizeof *left.items);
    stay->count += left.count;
    return KITH_OK;
}

static kith_status sweep_once(plain_grower *g, sweeps *s, uint32_t sweep, kith_error *error)
{
    const uint32_t n_values = g->problem->sensitive[g->sensitive].count;
    const uint32_t n = g->problem->n_attributes;
    plain_list stay = {arena_array(g->memory, g->pool.count + (size_t)1, 4), 0};
    TRY_ALLOC(stay.items, error);
    for (uint32_t l = 0; l < g->n_leaves; l++)
        memcpy(s->closure + (size_t)l * n, g->leaves[l].closure, n * sizeof *s->closure);
    for (uint32_t i = 0; i < g->pool.count; i++) {
        const uint32_t record = g->pool.items[i];
        const uint8_t *full =
            s->full + (size_t)joint_tree_plain_site(g, record) * g->n_leaves * n_values;
        s->asked[i] =
            joint_tree_score_nearest_leaf(g->problem, g->cells, record, s->closure, g->n_leaves,
                                          full + value_of(g, record), n_values);
        if (s->asked[i] == UINT32_MAX)
            stay.items[stay.count++] = record;
    }
    for (uint32_t l = 0; l < g->n_leaves; l++)
        TRY(admit(g, s, sweep, l, &stay, error));
    g->pool = stay;
    return KITH_OK;
}

kith_status joint_tree_plain_sweep(plain_grower *g, kith_error *error)
{
    const uint32_t n = g->problem->n_attributes, m = g->sites == NULL ? 1 : g->sites->count;
    const uint32_t n_values = g->problem->sensitive[g->sensitive].count;
    sweeps s;
    s.closure =
        TRY_ALLOC(arena_array(g->memory, (size_t)g->n_leaves * n, sizeof *s.closure), error);
    s.full = TRY_ALLOC(arena_zalloc(g->memory, (size_t)m * g->n_leaves * n_values, 1), error);
    s.asked = TRY_ALLOC(arena_array(g->memory, g->pool.count, sizeof *s.asked), error);
    for (uint32_t sweep = 0; sweep < JOINT_TREE_SWEEPS && g->pool.count > 0; sweep++)
        TRY(sweep_once(g, &s, sweep, error));
    return KITH_OK;
}

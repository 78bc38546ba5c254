#include "protocol/joint_tree/joint_tree_spread.h"

#include <string.h>

#include "core/error.h"
#include "protocol/joint_tree/joint_tree_votes.h"

typedef struct spread_state {
    arena *memory;
    uint32_t *tallies;      /* [n_leaves * width] this party's records of every leaf */
    uint32_t *with_comers;  /* the same together with the leftovers that ask in this part */
    uint32_t *asked;        /* [pool] leaf that a leftover asks in this part, or JOINT_TREE_NONE */
    uint32_t *refused;      /* [pool] leaf that has refused it, or JOINT_TREE_NONE */
    uint32_t *own_closures; /* [n_leaves * n_attributes] with this party's newcomers */
    uint64_t *names;        /* [n_leaves] all zero: these questions are not blurred */
    uint64_t *bits;
} spread_state;

static kith_status spread_init(spread_state *s, const joint_tree *j, kith_error *error)
{
    const uint32_t n_leaves = j->leaves.count, n_pooled = j->pool.count;
    const size_t n_counts = (size_t)n_leaves * j->rules->width;
    const size_t n_closures = (size_t)n_leaves * j->problem->n_attributes;
    s->tallies = TRY_ALLOC(arena_zalloc(s->memory, n_counts, sizeof *s->tallies), error);
    s->with_comers = TRY_ALLOC(arena_array(s->memory, n_counts, sizeof *s->with_comers), error);
    s->asked = TRY_ALLOC(arena_array(s->memory, n_pooled, sizeof *s->asked), error);
    s->refused = TRY_ALLOC(arena_array(s->memory, n_pooled, sizeof *s->refused), error);
    s->own_closures = TRY_ALLOC(arena_array(s->memory, n_closures, sizeof *s->own_closures), error);
    s->names = TRY_ALLOC(arena_zalloc(s->memory, n_leaves, sizeof *s->names), error);
    s->bits = TRY_ALLOC(arena_zalloc(s->memory, smc_words(n_leaves), sizeof *s->bits), error);
    memset(s->refused, 0xFF, n_pooled * sizeof *s->refused);
    memcpy(s->own_closures, j->leaves.closures, n_closures * sizeof *s->own_closures);
    for (uint32_t i = 0; i < j->problem->n_records; i++)
        if (j->leaves.class_of[i] != JOINT_TREE_NONE)
            joint_tree_count_row(j, s->tallies + (size_t)j->leaves.class_of[i] * j->rules->width,
                                 i);
    return KITH_OK;
}

/* The leftovers of one part choose the leaves that they ask. */
static void choose_leaves(spread_state *s, const joint_tree *j, uint32_t bucket)
{
    const size_t width = j->rules->width;
    memcpy(s->with_comers, s->tallies, j->leaves.count * width * sizeof *s->with_comers);
    for (uint32_t i = 0; i < j->pool.count; i++) {
        const uint32_t row = j->pool.rows[i];
        s->asked[i] = JOINT_TREE_NONE;
        if (joint_tree_score_bucket(j->problem, j->cells, row) == bucket)
            s->asked[i] = joint_tree_score_nearest_leaf(
                j->problem, j->cells, row, j->leaves.closures, j->leaves.count, s->refused[i]);
        if (s->asked[i] != JOINT_TREE_NONE)
            joint_tree_count_row(j, s->with_comers + s->asked[i] * width, row);
    }
}

static void add_to_leaf(spread_state *s, const joint_tree *j, uint32_t row, uint32_t leaf)
{
    const uint32_t n = j->problem->n_attributes;
    uint32_t *closure = s->own_closures + (size_t)leaf * n;
    joint_tree_count_row(j, s->tallies + (size_t)leaf * j->rules->width, row);
    j->leaves.class_of[row] = leaf;
    for (uint32_t a = 0; a < n; a++)
        closure[a] = tree_lca(j->problem->attributes[a].tree, closure[a], j->cells[a][row]);
}

/* One part: leaves take all that ask them, or none. */
static kith_status spread_part(spread_state *s, joint_tree *j, uint32_t bucket, kith_error *error)
{
    const uint32_t n_leaves = j->leaves.count;
    choose_leaves(s, j, bucket);
    const joint_tree_questions q = {
        .count = n_leaves, .tallies = s->with_comers, .names = s->names, .exact = true};
    TRY(joint_tree_rules_ask(j->rules, j->party, s->bits, &q, error));
    party_learns(j->party, DISCLOSE_AGGREGATE, "classes stay good with the leftovers", n_leaves);
    for (uint32_t l = 0; l < n_leaves; l++)
        joint_tree_record(j, (joint_tree_opened){.event = JOINT_TREE_LEFTOVERS,
                                                 .set = l,
                                                 .min_size = j->rules->k,
                                                 .bit = smc_bit(s->bits, l)});
    uint32_t left = 0;
    for (uint32_t i = 0; i < j->pool.count; i++) {
        const uint32_t leaf = s->asked[i];
        if (leaf != JOINT_TREE_NONE && smc_bit(s->bits, leaf)) {
            add_to_leaf(s, j, j->pool.rows[i], leaf);
            continue;
        }
        s->refused[left] = leaf == JOINT_TREE_NONE ? s->refused[i] : leaf;
        j->pool.rows[left++] = j->pool.rows[i];
    }
    j->pool.count = left;
    return KITH_OK;
}

/* Until here closures are those before the first part: what a party's newcomers need is its own
 * secret. One AND tells all parties the closures that all newcomers need. */
static kith_status raise_closures(const spread_state *s, joint_tree *j, kith_error *error)
{
    const size_t n = j->problem->n_attributes, n_closures = j->leaves.count * n;
    uint32_t *closures = j->leaves.closures;
    joint_tree_votes v = {.memory = s->memory};
    for (size_t i = 0; i < n_closures; i++)
        TRY(joint_tree_votes_ask_raised(&v, j->problem->attributes[i % n].tree, closures[i],
                                        s->own_closures[i], error));
    TRY(joint_tree_votes_join(&v, j->party, error));
    for (size_t i = 0; i < n_closures; i++)
        closures[i] = joint_tree_votes_raised(&v, j->problem->attributes[i % n].tree, closures[i]);
    party_learns(j->party, DISCLOSE_AGGREGATE, "closures", n_closures);
    return KITH_OK;
}

static kith_status spread(spread_state *s, joint_tree *j, kith_error *error)
{
    TRY(spread_init(s, j, error));
    for (uint32_t part = 0; part < JOINT_TREE_SWEEPS * JOINT_TREE_BUCKETS; part++)
        TRY(spread_part(s, j, part % JOINT_TREE_BUCKETS, error));
    return raise_closures(s, j, error);
}

kith_status joint_tree_spread(joint_tree *j, kith_error *error)
{
    spread_state s = {.memory = arena_new()};
    TRY_ALLOC(s.memory, error);
    kith_status status = spread(&s, j, error);
    arena_free(s.memory);
    if (status == KITH_OK)
        CHECK(joint_tree_check(j));
    return status;
}

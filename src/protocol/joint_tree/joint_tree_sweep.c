#include "protocol/joint_tree/joint_tree_steps.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "protocol/joint_tree/joint_tree_trim.h"
#include "protocol/joint_tree/joint_tree_votes.h"
#include "smc/compare/logic.h"

typedef struct sweep_state {
    uint32_t number;         /* of this sweep */
    uint8_t *full;           /* [n_leaves * width] what this party knows to be full */
    const uint8_t **full_at; /* [n_frequencies] of one record's values */
    uint32_t *counts;        /* [n_leaves * width] tallies of this party's records, before it */
    uint32_t *asked;         /* [pool] leaf that a leftover asks, or JOINT_TREE_NONE */
    uint32_t *own_closures;  /* [n_leaves * n_attributes] with this party's newcomers */
    uint64_t *bits;          /* packed: leaves that some party asks */
    /* Of these leaves only. */
    uint32_t n_asked;
    uint32_t *leaves; /* [n_asked] */
    uint32_t *place;  /* [n_leaves] */
} sweep_state;

/* The leaf that a leftover asks: none that is full for a value of it. */
static uint32_t choose_leaf(sweep_state *s, const joint_tree *j, uint32_t row)
{
    const joint_tree_full full = {s->full_at, j->rules->n_frequencies, j->rules->width};
    for (uint32_t i = 0; i < full.n; i++)
        s->full_at[i] = s->full + joint_tree_trim_place(j, i, row);
    return joint_tree_score_nearest_leaf(j->problem, j->cells, row, j->leaves.closures,
                                         j->leaves.count, full);
}

/* The leftovers choose; all parties learn which leaves are asked. */
static kith_status choose_leaves(sweep_state *s, joint_tree *j, kith_error *error)
{
    const uint32_t n_leaves = j->leaves.count;
    memset(s->bits, 0, smc_words(n_leaves) * sizeof *s->bits);
    for (uint32_t i = 0; i < j->pool.count; i++) {
        s->asked[i] = choose_leaf(s, j, j->pool.rows[i]);
        if (s->asked[i] != JOINT_TREE_NONE)
            smc_set_bit(s->bits, s->asked[i], 1);
    }
    TRY(logic_or(j->party, s->bits, s->bits, n_leaves, SMC_ALL, error)); /* message 11 */
    s->n_asked = 0;
    for (uint32_t l = 0; l < n_leaves; l++) {
        s->place[l] = s->n_asked;
        if (smc_bit(s->bits, l))
            s->leaves[s->n_asked++] = l;
    }
    for (uint32_t i = 0; i < j->pool.count; i++)
        if (s->asked[i] != JOINT_TREE_NONE && !smc_bit(s->bits, s->asked[i]))
            return error_set(error, KITH_PEER,
                             "nobody is said to ask for a class that is asked for");
    return KITH_OK;
}

static void joint_tree_sweep_join(sweep_state *s, joint_tree *j, uint32_t row, uint32_t leaf)
{
    const uint32_t n = j->problem->n_attributes;
    uint32_t *closure = s->own_closures + (size_t)leaf * n;
    j->leaves.class_of[row] = leaf;
    for (uint32_t a = 0; a < n; a++)
        closure[a] = tree_lca(j->problem->attributes[a].tree, closure[a], j->cells[a][row]);
}

/* Trimming for one attribute may have made a value of another one too frequent, and it is weaker
 * than conditions on persons: then the class takes none of the leftovers. */
static kith_status turn_away(const sweep_state *s, const joint_tree *j, uint32_t *stays,
                             const joint_tree_trim_sets *sets, arena *memory, kith_error *error)
{
    const uint32_t width = j->rules->width;
    const size_t n_counts = (size_t)s->n_asked * width;
    uint32_t *tallies = TRY_ALLOC(secret_memory_array(memory, n_counts, sizeof *tallies), error);
    uint64_t *good = TRY_ZEROS(good, memory, smc_words(s->n_asked), error);
    uint32_t *leaf_of = TRY_ARRAY(leaf_of, memory, j->problem->n_records, error);
    memcpy(leaf_of, j->leaves.class_of, j->problem->n_records * sizeof *leaf_of);
    for (uint32_t i = 0; i < sets->n_rows; i++)
        if (stays[i] == JOINT_TREE_STAYS)
            leaf_of[sets->rows[i]] = s->leaves[sets->set_of[i]];
    for (uint32_t i = 0; i < j->problem->n_records; i++)
        if (leaf_of[i] != JOINT_TREE_NONE && smc_bit(s->bits, leaf_of[i]))
            joint_tree_count_row(j, tallies + (size_t)s->place[leaf_of[i]] * width, i);
    const joint_tree_questions q = {
        .count = s->n_asked, .tallies = tallies, .names = sets->names, .exact = true};
    TRY(joint_tree_rules_ask(j->rules, j->party, good, &q, error)); /* message 12 */
    party_learns(j->party, DISCLOSE_AGGREGATE, "classes stay good with the leftovers", s->n_asked);
    for (uint32_t i = 0; i < sets->n_rows; i++)
        if (stays[i] == JOINT_TREE_STAYS && !smc_bit(good, sets->set_of[i]))
            stays[i] = 0;
    return KITH_OK;
}

/* The classes let in whom they can; the others stay in the pool. */
static kith_status admit(sweep_state *s, joint_tree *j, arena *memory, kith_error *error)
{
    const uint32_t width = j->rules->width, n_pooled = j->pool.count;
    uint64_t *names = TRY_ARRAY(names, memory, s->n_asked, error);
    uint32_t *fixed = TRY_ARRAY(fixed, memory, (size_t)s->n_asked * width, error);
    uint32_t *rows = TRY_ARRAY(rows, memory, n_pooled, error);
    uint32_t *set_of = TRY_ARRAY(set_of, memory, n_pooled, error);
    uint32_t *stays = TRY_ARRAY(stays, memory, n_pooled, error);
    joint_tree_trim_sets sets = {
        .count = s->n_asked, .names = names, .fixed = fixed, .rows = rows, .set_of = set_of};
    for (uint32_t i = 0; i < s->n_asked; i++) {
        names[i] = joint_tree_score_sweep_name(s->number, s->leaves[i]);
        memcpy(fixed + (size_t)i * width, s->counts + (size_t)s->leaves[i] * width,
               width * sizeof *fixed);
    }
    uint32_t left = 0;
    for (uint32_t i = 0; i < n_pooled; i++) {
        if (s->asked[i] == JOINT_TREE_NONE) {
            j->pool.rows[left++] = j->pool.rows[i];
            continue;
        }
        set_of[sets.n_rows] = s->place[s->asked[i]];
        rows[sets.n_rows++] = j->pool.rows[i];
    }
    TRY(joint_tree_trim(j, stays, &sets, error));
    if (j->rules->n_frequencies > 1 || joint_tree_rules_asks_again(j->rules))
        TRY(turn_away(s, j, stays, &sets, memory, error));
    for (uint32_t i = 0; i < sets.n_rows; i++) {
        const uint32_t leaf = s->leaves[set_of[i]];
        if (stays[i] == JOINT_TREE_STAYS) {
            joint_tree_sweep_join(s, j, rows[i], leaf);
            continue;
        }
        s->full[(size_t)leaf * width + joint_tree_trim_place(j, stays[i], rows[i])] = 1;
        j->pool.rows[left++] = rows[i];
    }
    j->pool.count = left;
    return KITH_OK;
}

/* What a party's newcomers need is its own secret; one AND tells all parties what all of them need.
 */
static kith_status raise_closures(const sweep_state *s, joint_tree *j, arena *memory,
                                  kith_error *error)
{
    const size_t n = j->problem->n_attributes, n_closures = s->n_asked * n;
    joint_tree_votes v = {.memory = memory};
    for (size_t i = 0; i < n_closures; i++) {
        const size_t at = s->leaves[i / n] * n + i % n;
        TRY(joint_tree_votes_ask_raised(&v, j->problem->attributes[i % n].tree,
                                        j->leaves.closures[at], s->own_closures[at], error));
    }
    TRY(joint_tree_votes_join(&v, j->party, error));
    for (size_t i = 0; i < n_closures; i++) {
        uint32_t *closure = &j->leaves.closures[s->leaves[i / n] * n + i % n];
        *closure = joint_tree_votes_raised(&v, j->problem->attributes[i % n].tree, *closure);
    }
    party_learns(j->party, DISCLOSE_AGGREGATE, "closures", n_closures);
    return KITH_OK;
}

static kith_status sweep_once(sweep_state *s, joint_tree *j, kith_error *error)
{
    const size_t n_closures = (size_t)j->leaves.count * j->problem->n_attributes;
    const size_t width = j->rules->width;
    memcpy(s->own_closures, j->leaves.closures, n_closures * sizeof *s->own_closures);
    joint_tree_sort_pool(j);
    memset(s->counts, 0, j->leaves.count * width * sizeof *s->counts);
    for (uint32_t i = 0; i < j->problem->n_records; i++)
        if (j->leaves.class_of[i] != JOINT_TREE_NONE)
            joint_tree_count_row(j, s->counts + j->leaves.class_of[i] * width, i);
    TRY(choose_leaves(s, j, error));
    if (s->n_asked == 0)
        return KITH_OK;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    TRY(admit(s, j, memory, error));
    return raise_closures(s, j, memory, error);
}

kith_status joint_tree_sweep(joint_tree *j, kith_error *error)
{
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    sweep_state s = {.number = 0};
    const uint32_t max_sweeps =
        j->rules->n_frequencies > 1 ? JOINT_TREE_MORE_SWEEPS : JOINT_TREE_SWEEPS;
    const uint32_t n_leaves = j->leaves.count, width = j->rules->width;
    const size_t n_counts = (size_t)n_leaves * width;
    const size_t n_closures = (size_t)n_leaves * j->problem->n_attributes;
    s.full = TRY_ALLOC(arena_zalloc(memory, n_counts, 1), error);
    s.full_at = TRY_ARRAY(s.full_at, memory, j->rules->n_frequencies, error);
    s.counts = TRY_ARRAY(s.counts, memory, n_counts, error);
    s.asked = TRY_ARRAY(s.asked, memory, j->pool.count, error);
    s.own_closures = TRY_ARRAY(s.own_closures, memory, n_closures, error);
    s.bits = TRY_ZEROS(s.bits, memory, smc_words(n_leaves), error);
    s.leaves = TRY_ARRAY(s.leaves, memory, n_leaves, error);
    s.place = TRY_ARRAY(s.place, memory, n_leaves, error);
    s.n_asked = 1;
    for (; s.number < max_sweeps && s.n_asked > 0; s.number++) {
        if (!context_progress(j->context, "joint tree", -1))
            return error_set(error, KITH_CANCELLED, "the joint tree was interrupted");
        TRY(sweep_once(&s, j, error));
    }
    CHECK(joint_tree_check(j));
    return KITH_OK;
}

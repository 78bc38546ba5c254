#include "protocol/joint_tree/joint_tree_spread.h"

#include <string.h>

#include "core/error.h"
#include "protocol/joint_tree/joint_tree_internal.h"
#include "protocol/joint_tree/joint_tree_votes.h"

enum { NONE = UINT32_MAX };

typedef struct spread_state {
    arena *memory;
    uint32_t *tally;   /* [n_leaves * width] this party's records of every leaf */
    uint32_t *with;    /* the same with those that come */
    uint32_t *to;      /* [pool] leaf that a leftover asks now, or NONE */
    uint32_t *refused; /* [pool] leaf that has refused it, or NONE */
    uint32_t *closure; /* [n_leaves * n_attributes] of leaves with the newcomers that I know */
    uint64_t *name;    /* [n_leaves] of questions: no blur, no matter */
    uint64_t *bits;
} spread_state;

static kith_status spread_init(spread_state *s, const joint_tree *f, kith_error *error)
{
    const size_t tallies = (size_t)f->n_leaves * f->rules->width;
    const size_t n_cells = (size_t)f->n_leaves * f->problem->n_attributes;
    s->tally = TRY_ALLOC(arena_zalloc(s->memory, tallies, sizeof *s->tally), error);
    s->with = TRY_ALLOC(arena_array(s->memory, tallies, sizeof *s->with), error);
    s->to = TRY_ALLOC(arena_array(s->memory, f->pooled, sizeof *s->to), error);
    s->refused = TRY_ALLOC(arena_array(s->memory, f->pooled, sizeof *s->refused), error);
    s->closure = TRY_ALLOC(arena_array(s->memory, n_cells, sizeof *s->closure), error);
    s->name = TRY_ALLOC(arena_zalloc(s->memory, f->n_leaves, sizeof *s->name), error);
    s->bits = TRY_ALLOC(arena_zalloc(s->memory, smc_words(f->n_leaves), sizeof *s->bits), error);
    memset(s->refused, 0xFF, f->pooled * sizeof *s->refused);
    memcpy(s->closure, f->closure, n_cells * sizeof *s->closure);
    for (uint32_t i = 0; i < f->problem->n_records; i++)
        if (f->class_of[i] != NONE)
            joint_tree_count_row(f, s->tally + (size_t)f->class_of[i] * f->rules->width, i);
    return KITH_OK;
}

static void choose(spread_state *s, const joint_tree *f, uint32_t bucket)
{
    const size_t width = f->rules->width;
    memcpy(s->with, s->tally, f->n_leaves * width * sizeof *s->with);
    for (uint32_t i = 0; i < f->pooled; i++) {
        const uint32_t row = f->pool[i];
        s->to[i] = NONE;
        if (joint_tree_score_bucket(f->problem, f->cells, row) == bucket)
            s->to[i] = joint_tree_score_nearest_leaf(f->problem, f->cells, row, f->closure,
                                                     f->n_leaves, s->refused[i]);
        if (s->to[i] != NONE)
            joint_tree_count_row(f, s->with + s->to[i] * width, row);
    }
}

static void add_to_leaf(spread_state *s, const joint_tree *f, uint32_t row, uint32_t leaf)
{
    uint32_t *closure = s->closure + (size_t)leaf * f->problem->n_attributes;
    joint_tree_count_row(f, s->tally + (size_t)leaf * f->rules->width, row);
    f->class_of[row] = leaf;
    for (uint32_t a = 0; a < f->problem->n_attributes; a++)
        closure[a] = tree_lca(f->problem->attributes[a].tree, closure[a], f->cells[a][row]);
}

/* Those that no leaf took stay in the pool. */
static void move(spread_state *s, joint_tree *f)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < f->pooled; i++) {
        const uint32_t to = s->to[i];
        if (to != NONE && smc_bit(s->bits, to)) {
            add_to_leaf(s, f, f->pool[i], to);
            continue;
        }
        s->refused[left] = to == NONE ? s->refused[i] : to;
        f->pool[left++] = f->pool[i];
    }
    f->pooled = left;
}

static kith_status spread_part(spread_state *s, joint_tree *f, uint32_t bucket, kith_error *error)
{
    choose(s, f, bucket);
    joint_tree_questions q = {f->n_leaves, s->with, s->name, NULL, true};
    TRY(joint_tree_rules_ask(f->rules, f->party, s->bits, &q, error));
    party_learns(f->party, DISCLOSE_AGGREGATE, "classes stay good with the leftovers", f->n_leaves);
    for (uint32_t l = 0; f->recorder != NULL && l < f->n_leaves; l++)
        f->recorder->opened(f->recorder->user, JOINT_TREE_LEFTOVERS, l, 0, 0, 0, f->rules->k,
                            smc_bit(s->bits, l));
    move(s, f);
    return KITH_OK;
}

static kith_status raise_closures(const spread_state *s, joint_tree *f, kith_error *error)
{
    const size_t n = f->problem->n_attributes, n_cells = f->n_leaves * n;
    joint_tree_votes v = {.memory = s->memory};
    size_t read = 0;
    for (size_t i = 0; i < n_cells; i++)
        TRY(joint_tree_votes_raise(&v, NULL, f->problem->attributes[i % n].tree, &f->closure[i],
                                   s->closure[i], error));
    TRY(joint_tree_votes_join(&v, f->party, error));
    for (size_t i = 0; i < n_cells; i++)
        TRY(joint_tree_votes_raise(&v, &read, f->problem->attributes[i % n].tree, &f->closure[i], 0,
                                   error));
    party_learns(f->party, DISCLOSE_AGGREGATE, "closures", n_cells);
    return KITH_OK;
}

static kith_status run(spread_state *s, joint_tree *f, kith_error *error)
{
    TRY(spread_init(s, f, error));
    for (uint32_t part = 0; part < JOINT_TREE_SWEEPS * JOINT_TREE_BUCKETS; part++)
        TRY(spread_part(s, f, part % JOINT_TREE_BUCKETS, error));
    return raise_closures(s, f, error);
}

kith_status joint_tree_spread(joint_tree *f, kith_error *error)
{
    spread_state s = {.memory = arena_new()};
    TRY_ALLOC(s.memory, error);
    kith_status status = run(&s, f, error);
    arena_free(s.memory);
    return status;
}

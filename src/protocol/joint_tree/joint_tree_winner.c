#include "protocol/joint_tree/joint_tree_winner.h"

#include <stdlib.h>

#include "core/error.h"
#include "smc/circuits/circuit_numbers.h"

/* --- ranks --- */

/* A score that a slot may have. */
typedef struct candidate {
    double score;
    uint32_t slot, live, rank;
    bool big;
} candidate;

/* By score; of equal ones that of the first slot is the highest. */
static int compare_candidates(const void *x, const void *y)
{
    const candidate *a = x, *b = y;
    if (a->score != b->score)
        return a->score < b->score ? -1 : 1;
    return (a->slot < b->slot) - (a->slot > b->slot);
}

/* A slot in the circuit. */
typedef struct choice_slot {
    uint32_t a, n_values;
    circuit_wire *live;      /* [n_values] */
    circuit_wire *n_live_is; /* [n_values + 1] are so many live? */
    circuit_wire big, single, usable, wins;
    uint32_t *ranks[2]; /* [n_values + 1] with a small and with a big rest; 0: cannot be used */
    circuit_wire rank[32];
} choice_slot;

/* A set in the circuit. */
typedef struct choice_set {
    choice_slot *slots;
    uint32_t count;
    uint32_t rank_width;
} choice_set;

/* Ranks of all scores; neighbours of the same slot need not be told apart. */
static kith_status rank_scores(const joint_tree_growth *g, const joint_tree_set *set, choice_set *s,
                               arena *memory, kith_error *error)
{
    const joint_tree *j = g->tree;
    size_t n = 0, room = 0;
    for (uint32_t i = 0; i < s->count; i++)
        room += 2 * (size_t)s->slots[i].n_values;
    candidate *all = TRY_ALLOC(arena_array(memory, room, sizeof *all), error);
    for (uint32_t i = 0; i < s->count; i++) {
        choice_slot *slot = &s->slots[i];
        const double worth = j->worth[slot->a][set->slots[slot->a].node];
        for (int big = 0; big < 2; big++) {
            slot->ranks[big] = TRY_ALLOC(
                arena_zalloc(memory, slot->n_values + (size_t)1, sizeof(uint32_t)), error);
            for (uint32_t live = 1; live <= slot->n_values; live++) {
                const double score = joint_tree_score(worth, live, big, g->roots.last);
                if (score >= 0)
                    all[n++] = (candidate){.score = score, .slot = i, .live = live, .big = big};
            }
        }
    }
    qsort(all, n, sizeof *all, compare_candidates);
    uint32_t rank = 0;
    for (size_t i = 0; i < n; i++) {
        rank += i == 0 || all[i].slot != all[i - 1].slot;
        s->slots[all[i].slot].ranks[all[i].big][all[i].live] = rank;
    }
    s->rank_width = circuit_numbers_width(rank);
    return KITH_OK;
}

/* --- the circuit --- */

/* Of a public table for a small and one for a big rest, by number of live values: the bit. */
static circuit_wire joint_tree_winner_look_up(circuit *c, const choice_slot *slot, uint32_t mask)
{
    circuit_wire found[2] = {CIRCUIT_ZERO, CIRCUIT_ZERO};
    for (int big = 0; big < 2; big++)
        for (uint32_t live = 1; live <= slot->n_values; live++)
            if (slot->ranks[big][live] & mask)
                found[big] = circuit_xor(c, found[big], slot->n_live_is[live]);
    const circuit_wire differ = circuit_xor(c, found[0], found[1]);
    return circuit_xor(c, found[0], circuit_and(c, slot->big, differ));
}

/* Live values, the size of the rest and the number of live values of a slot, whose tallies begin
 * with `first`. */
static kith_status build_slot(const joint_tree_fit *f, choice_slot *slot, size_t first,
                              kith_error *error)
{
    circuit *c = f->circuit;
    const uint32_t n = slot->n_values, width = circuit_numbers_width(n);
    joint_tree_fit_set *parts = TRY_ARRAY(parts, f->memory, n + (size_t)1, error);
    circuit_wire *dead = TRY_ALLOC(arena_array(f->memory, n, sizeof *dead), error);
    circuit_wire n_live[32];
    slot->live = TRY_ALLOC(arena_array(f->memory, n, sizeof *slot->live), error);
    slot->n_live_is = TRY_ARRAY(slot->n_live_is, f->memory, n + (size_t)1, error);
    for (uint32_t v = 0; v <= n; v++)
        TRY(joint_tree_fit_read(f, &parts[v], (first + v) * f->n_bits, error));
    for (uint32_t v = 0; v < n; v++) {
        TRY(joint_tree_fit_ask(f, &slot->live[v], &parts[v], error));
        dead[v] = circuit_not(c, slot->live[v]);
    }
    joint_tree_fit_set rest;
    TRY(joint_tree_fit_unite(f, &rest, &parts[n], parts, dead, n, error));
    TRY(joint_tree_fit_ask(f, &slot->big, &rest, error));
    TRY(circuit_numbers_sum(c, n_live, width, slot->live, n, 1, f->memory, error));
    circuit_numbers_decode(c, slot->n_live_is, n_live, width, n);
    slot->single = circuit_and(c, slot->n_live_is[1], circuit_not(c, slot->big));
    return KITH_OK;
}

/* A slot wins if it can be used and its rank is higher than those of all others. No two slots that
 * can be used have the same rank, so one comparison serves both. */
static kith_status find_winner(circuit *c, choice_set *s, arena *memory, kith_error *error)
{
    const uint32_t n = s->count;
    circuit_wire *beats = TRY_ALLOC(arena_array(memory, (size_t)n * n, sizeof *beats), error);
    for (uint32_t i = 0; i < n; i++) {
        choice_slot *slot = &s->slots[i];
        slot->usable = joint_tree_winner_look_up(c, slot, UINT32_MAX);
        for (uint32_t b = 0; b < s->rank_width; b++)
            slot->rank[b] = joint_tree_winner_look_up(c, slot, UINT32_C(1) << b);
    }
    for (uint32_t i = 0; i < n; i++) {
        beats[i * n + i] = s->slots[i].usable;
        for (uint32_t other = i + 1; other < n; other++) {
            beats[i * n + other] =
                circuit_numbers_greater(c, s->slots[i].rank, s->slots[other].rank, s->rank_width);
            beats[other * n + i] = circuit_not(c, beats[i * n + other]);
        }
    }
    for (uint32_t i = 0; i < n; i++)
        s->slots[i].wins = circuit_and_all(c, beats + (size_t)i * n, n);
    return KITH_OK;
}

/* The wires that are opened: 0 in everything that is not shown. */
static size_t joint_tree_winner_show(circuit *c, const choice_set *s, circuit_wire *opened)
{
    size_t n = 0;
    circuit_wire winner_is_single = CIRCUIT_ZERO;
    for (uint32_t i = 0; i < s->count; i++)
        winner_is_single =
            circuit_xor(c, winner_is_single, circuit_and(c, s->slots[i].wins, s->slots[i].single));
    for (uint32_t i = 0; i < s->count; i++) {
        const choice_slot *slot = &s->slots[i];
        const circuit_wire shown =
            circuit_or(c, slot->wins, circuit_and(c, winner_is_single, slot->single));
        opened[n++] = slot->wins;
        opened[n++] = shown;
        opened[n++] = circuit_and(c, slot->wins, slot->big);
        for (uint32_t v = 0; v < slot->n_values; v++)
            opened[n++] = circuit_and(c, shown, slot->live[v]);
    }
    return n;
}

kith_status joint_tree_winner_build(const joint_tree_growth *g, const joint_tree_fit *f,
                                    const joint_tree_set *set, size_t *first, circuit_wire *opened,
                                    size_t *n_opened, kith_error *error)
{
    const uint32_t n_attributes = g->tree->problem->n_attributes;
    choice_set s = {0};
    s.slots = TRY_ALLOC(arena_zalloc(f->memory, n_attributes, sizeof *s.slots), error);
    for (uint32_t a = 0; a < n_attributes; a++) {
        if (!joint_tree_has_slot(g, set, a))
            continue;
        choice_slot *slot = &s.slots[s.count++];
        slot->a = a;
        slot->n_values = set->slots[a].n_values;
        TRY(build_slot(f, slot, *first, error));
        *first += slot->n_values + (size_t)1;
    }
    TRY(rank_scores(g, set, &s, f->memory, error));
    TRY(find_winner(f->circuit, &s, f->memory, error));
    *n_opened += joint_tree_winner_show(f->circuit, &s, opened + *n_opened);
    return KITH_OK;
}

/* Phases A and B in one, for `quiet`: which values are live and which rests are big stays shared.
 * A circuit (joint_tree_winner.h) finds the slot with the highest score, and only what belongs to
 * it is opened. If phase C follows, all slots that it asks about are shown as well. */
#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "protocol/joint_tree/joint_tree_internal.h"
#include "protocol/joint_tree/joint_tree_winner.h"

enum { MAX_TALLIES = 1 << 14 }; /* in one circuit, unless a single set has more */

/* --- what is asked --- */

/* Adds the tallies of the values of every slot, and of all other records of the set. */
kith_status joint_tree_choice_ask(joint_tree_growth *g, joint_tree_set *set, kith_error *error)
{
    const joint_tree *j = g->tree;
    joint_tree_choices *all = &g->choices;
    const size_t width = j->rules->width;
    uint32_t *whole = TRY_ZEROS(whole, g->rest_memory, j->rules->width, error);
    for (uint32_t i = set->first; i < set->first + set->size; i++)
        joint_tree_count_row(j, whole, g->roots.rows[i]);
    for (uint32_t a = 0; a < j->problem->n_attributes; a++) {
        const size_t n = set->slots[a].n_values;
        if (!joint_tree_has_slot(g, set, a))
            continue;
        if (n + 1 > all->room - all->count) {
            const size_t room = arena_capacity(all->room, all->count + n + 1);
            TRY_RESIZE(all->tallies, g->memory, all->room * width, room * width, error);
            all->room = room;
        }
        uint32_t *tallies = all->tallies + all->count * width, *others = tallies + n * width;
        memset(tallies, 0, n * width * sizeof *tallies);
        joint_tree_values_count(g, set, a, tallies);
        memcpy(others, whole, width * sizeof *others);
        for (size_t i = 0; i < n * width; i++)
            others[i % width] -= tallies[i];
        all->count += n + 1;
        all->n_opened += n + JOINT_TREE_WINNER_BITS;
    }
    return KITH_OK;
}

/* --- the call --- */

static size_t count_tallies(const joint_tree_growth *g, const joint_tree_set *set, size_t *n_opened)
{
    size_t n = 0;
    for (uint32_t a = 0; a < g->tree->problem->n_attributes; a++)
        if (joint_tree_has_slot(g, set, a)) {
            n += set->slots[a].n_values + (size_t)1;
            *n_opened += set->slots[a].n_values + (size_t)JOINT_TREE_WINNER_BITS;
        }
    return n;
}

/* Open sets that one circuit is about; those in other phases are passed over. */
typedef struct piece {
    size_t first_set, end_set;
    size_t first, count; /* tallies */
    size_t n_opened;
} piece;

static piece next_piece(const joint_tree_growth *g, size_t first_set, size_t first)
{
    piece q = {.first_set = first_set, .end_set = first_set, .first = first};
    for (; q.end_set < g->open.count; q.end_set++) {
        size_t n_opened = 0, n;
        if (g->open.sets[q.end_set].phase != JOINT_TREE_PHASE_CHOICE)
            continue;
        n = count_tallies(g, &g->open.sets[q.end_set], &n_opened);
        if (q.count > 0 && q.count + n > MAX_TALLIES)
            break;
        q.count += n;
        q.n_opened += n_opened;
    }
    return q;
}

static kith_status open_piece(joint_tree_growth *g, const piece *q, uint64_t *out, arena *memory,
                              kith_error *error)
{
    const joint_tree_rules *r = g->tree->rules;
    joint_tree_fit f = joint_tree_fit_new(r, memory);
    const size_t n_inputs = q->count * f.n_bits;
    size_t first = 0, n_opened = 0;
    f.circuit = TRY_ALLOC(circuit_new(memory, r->n_parties, n_inputs), error);
    circuit_wire *opened = TRY_ALLOC(arena_array(memory, q->n_opened, sizeof *opened), error);
    uint64_t *mine =
        TRY_ALLOC(secret_memory_array(memory, smc_words(n_inputs), sizeof *mine), error);
    for (size_t i = 0; i < q->count; i++)
        joint_tree_fit_write(&f, mine, i * f.n_bits, g->choices.tallies + (q->first + i) * r->width,
                             0);
    for (size_t i = q->first_set; i < q->end_set; i++)
        if (g->open.sets[i].phase == JOINT_TREE_PHASE_CHOICE)
            TRY(joint_tree_winner_build(g, &f, &g->open.sets[i], &first, opened, &n_opened, error));
    ASSERT(first == q->count && n_opened == q->n_opened);
    /* message 5 */
    return circuit_open(f.circuit, g->tree->party, out, opened, n_opened, mine, error);
}

kith_status joint_tree_choice_open(joint_tree_growth *g, kith_error *error)
{
    joint_tree_choices *all = &g->choices;
    const size_t words = smc_words(all->n_opened);
    TRY_GROW(all->opened, all->opened_room, words, g->memory, error);
    memset(all->opened, 0, words * sizeof *all->opened);
    all->n_read = 0;
    size_t n_done = 0;
    for (piece q = next_piece(g, 0, 0); q.count > 0;
         q = next_piece(g, q.end_set, q.first + q.count)) {
        arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
        uint64_t *out = TRY_ALLOC(arena_array(memory, smc_words(q.n_opened), sizeof *out), error);
        TRY(open_piece(g, &q, out, memory, error));
        for (size_t i = 0; i < q.n_opened; i++)
            smc_set_bit(all->opened, n_done++, smc_bit(out, i));
    }
    g->tree->n_questions += all->count;
    g->tree->n_batches++;
    return KITH_OK;
}

/* --- what follows --- */

static bool next_bit(joint_tree_growth *g)
{
    ASSERT(g->choices.n_read < g->choices.n_opened);
    return smc_bit(g->choices.opened, g->choices.n_read++);
}

/* Reads what was opened of one slot; a slot that is shown keeps its live values only. Nothing may
 * be opened of one that is not. */
static kith_status read_slot(joint_tree_growth *g, joint_tree_set *set, uint32_t a, bool *wins,
                             bool *shown, kith_error *error)
{
    joint_tree_slot *slot = &set->slots[a];
    uint32_t n_live = 0;
    *wins = next_bit(g);
    *shown = next_bit(g);
    slot->big = next_bit(g);
    uint32_t *live = TRY_ALLOC(arena_array(g->memory, slot->n_values, sizeof *live), error);
    for (uint32_t v = 0; v < slot->n_values; v++) {
        const bool bit = next_bit(g);
        if (*shown)
            joint_tree_batch_record(g, set,
                                    joint_tree_score_part_name(set->name, a, slot->values[v]),
                                    JOINT_TREE_VALUE, a, slot->values[v], bit);
        if (bit)
            live[n_live++] = slot->values[v];
    }
    const double score =
        joint_tree_score(g->tree->worth[a][slot->node], n_live, slot->big, g->roots.last);
    const bool single = n_live == 1 && !slot->big;
    /* Shares come from two parties and pass through a third: which one is wrong is not known. */
    if (*shown ? (*wins ? score < 0 : !single) : *wins || slot->big || n_live > 0)
        return error_set(error, KITH_PEER, "the opened choice of a slot is impossible");
    if (!*shown)
        return KITH_OK;
    joint_tree_batch_record(g, set, joint_tree_score_part_name(set->name, a, JOINT_TREE_REST),
                            JOINT_TREE_REST_IS_BIG, a, slot->node, slot->big);
    party_learns(g->tree->party, DISCLOSE_AGGREGATE, "values are live", slot->n_values);
    party_learns(g->tree->party, DISCLOSE_AGGREGATE, "rests are big", 1);
    slot->values = live;
    slot->n_values = n_live;
    slot->known = true;
    return KITH_OK;
}

kith_status joint_tree_choice_answered(joint_tree_growth *g, joint_tree_set *set, kith_error *error)
{
    uint32_t n_winners = 0, n_shown = 0;
    for (uint32_t a = 0; a < g->tree->problem->n_attributes; a++) {
        bool wins, shown;
        if (!joint_tree_has_slot(g, set, a))
            continue;
        TRY(read_slot(g, set, a, &wins, &shown, error));
        if (wins)
            set->best = a;
        n_winners += wins;
        n_shown += shown;
    }
    party_learns(g->tree->party, DISCLOSE_AGGREGATE, "slots are chosen", 1);
    const bool single = n_winners == 1 && joint_tree_slot_is_single(&set->slots[set->best]);
    if (n_winners > 1 || (n_shown != n_winners && !single))
        return error_set(error, KITH_PEER, "the opened choice of a slot is impossible");
    if (n_winners == 0)
        return joint_tree_split_leaf(g, set, error);
    if (n_shown == 1)
        return joint_tree_split(g, set, set->best, error);
    set->phase = JOINT_TREE_PHASE_SINGLES;
    return joint_tree_split_later(g, set, error);
}

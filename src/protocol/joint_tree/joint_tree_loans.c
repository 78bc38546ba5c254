/* Phase L: where a rest that does not fit is too much to be lost, the live values of its slot lend
 * some of their records to it, drawn by each party's private coin. Which is the smallest loan with
 * which the rest and all values fit? With diversity by distinct values only. */
#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "protocol/joint_rules/joint_tree_fit.h"
#include "protocol/joint_tree/joint_tree_internal.h"

/* --- what is asked --- */

/* Counts the records of the set for all loans: loan, then value or rest. */
static void count_loans(joint_tree_growth *g, const joint_tree_set *set, uint32_t a,
                        uint32_t *tallies)
{
    const joint_tree *j = g->tree;
    const joint_tree_slot *slot = &set->slots[a];
    const tree *t = j->problem->attributes[a].tree;
    const size_t width = j->rules->width, n = slot->n_values;
    for (uint32_t v = 0; v < n; v++)
        g->positions[slot->values[v]] = v + 1;
    for (uint32_t i = set->first; i < set->first + set->size; i++) {
        const uint32_t row = g->roots.rows[i];
        const uint32_t child = joint_tree_child(t, slot->node, j->cells[a][row]);
        const uint32_t position = child == JOINT_TREE_NONE ? 0 : g->positions[child];
        const uint64_t drawn = joint_tree_loans_draw(g, set, a, row);
        for (uint32_t loan = 0; loan < JOINT_TREE_LOANS; loan++) {
            const bool in_rest = position == 0 || joint_tree_score_is_lent(drawn, loan);
            const size_t at = loan * (n + 1) + (in_rest ? n : position - 1);
            joint_tree_count_row(j, tallies + at * width, row);
        }
    }
    for (uint32_t v = 0; v < n; v++)
        g->positions[slot->values[v]] = 0;
}

kith_status joint_tree_loans_ask(joint_tree_growth *g, joint_tree_set *set, kith_error *error)
{
    joint_tree_loans *all = &g->loans;
    const size_t width = g->tree->rules->width;
    for (uint32_t a = 0; a < g->tree->problem->n_attributes; a++) {
        if (!joint_tree_may_borrow(g, set, a))
            continue;
        const size_t n = JOINT_TREE_LOANS * (set->slots[a].n_values + (size_t)1);
        if (n > all->room - all->count) {
            const size_t room = arena_capacity(all->room, all->count + n);
            TRY_RESIZE(all->tallies, g->memory, all->room * width, room * width, error);
            all->room = room;
        }
        TRY_GROW(all->n_values, all->slot_room, all->n_slots + 1, g->memory, error);
        uint32_t *tallies = all->tallies + all->count * width;
        memset(tallies, 0, n * width * sizeof *tallies);
        count_loans(g, set, a, tallies);
        all->n_values[all->n_slots++] = set->slots[a].n_values;
        all->count += n;
    }
    return KITH_OK;
}

/* --- the call --- */

/* Bits of one slot: is this the first loan with which everything fits? */
static kith_status build_slot(const joint_tree_fit *f, circuit_wire *opened, size_t first,
                              uint32_t n_values, kith_error *error)
{
    circuit *c = f->circuit;
    circuit_wire none_before = CIRCUIT_ONE;
    circuit_wire *fits = TRY_ARRAY(fits, f->memory, n_values + (size_t)1, error);
    for (uint32_t loan = 0; loan < JOINT_TREE_LOANS; loan++) {
        for (uint32_t i = 0; i <= n_values; i++) {
            joint_tree_fit_set set;
            TRY(joint_tree_fit_read(f, &set, first * f->n_bits, error));
            TRY(joint_tree_fit_ask(f, &fits[i], &set, error));
            first++;
        }
        const circuit_wire all = circuit_and_all(c, fits, n_values + (size_t)1);
        opened[loan] = circuit_and(c, all, none_before);
        none_before = circuit_xor(c, none_before, opened[loan]);
    }
    return KITH_OK;
}

kith_status joint_tree_loans_open(joint_tree_growth *g, kith_error *error)
{
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    g->tree->n_questions += g->loans.count;
    const joint_tree_rules *r = g->tree->rules;
    joint_tree_loans *all = &g->loans;
    joint_tree_fit f = joint_tree_fit_new(r, memory);
    const size_t n_inputs = all->count * f.n_bits, n_opened = all->n_slots * JOINT_TREE_LOANS;
    f.circuit = TRY_ALLOC(circuit_new(memory, r->n_parties, n_inputs), error);
    circuit_wire *opened = TRY_ALLOC(arena_array(memory, n_opened, sizeof *opened), error);
    uint64_t *mine =
        TRY_ALLOC(secret_memory_array(memory, smc_words(n_inputs), sizeof *mine), error);
    for (size_t i = 0; i < all->count; i++)
        joint_tree_fit_write(&f, mine, i * f.n_bits, all->tallies + i * r->width, 0);
    size_t first = 0;
    for (size_t s = 0; s < all->n_slots; s++) {
        TRY(build_slot(&f, opened + s * JOINT_TREE_LOANS, first, all->n_values[s], error));
        first += JOINT_TREE_LOANS * (all->n_values[s] + (size_t)1);
    }
    TRY_GROW(all->opened, all->opened_room, smc_words(n_opened), g->memory, error);
    all->n_read = 0;
    /* message 6 */
    TRY(circuit_open(f.circuit, g->tree->party, all->opened, opened, n_opened, mine, error));
    party_learns(g->tree->party, DISCLOSE_AGGREGATE, "loans fit", n_opened);
    return KITH_OK;
}

/* --- what follows --- */

kith_status joint_tree_loans_answered(joint_tree_growth *g, joint_tree_set *set, kith_error *error)
{
    joint_tree_loans *all = &g->loans;
    for (uint32_t a = 0; a < g->tree->problem->n_attributes; a++) {
        joint_tree_slot *slot = &set->slots[a];
        if (!joint_tree_may_borrow(g, set, a))
            continue;
        for (uint32_t loan = 0; loan < JOINT_TREE_LOANS; loan++) {
            if (!smc_bit(all->opened, all->n_read++))
                continue;
            if (slot->lent)
                return error_set(error, KITH_PEER, "two loans are said to be the first that fits");
            slot->lent = slot->big = true;
            slot->loan = loan;
        }
    }
    return joint_tree_rests_decide(g, set, error);
}

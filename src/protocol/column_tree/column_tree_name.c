/* `name`: before the owner of a set lends records, the other parties name those that would be too
 * few in one of their slots, by a secure OR that the owner alone learns. */

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "protocol/column_tree/column_tree_internal.h"
#include "smc/compare/logic.h"

static const message_type borrows_type = {"column.borrows", DISCLOSE_CHOICE}; /* message 13 */

/* One call for all sets of one owner. named[i] [size], at the owner, for those that borrow. */
static kith_status name_for(column_tree *w, uint32_t to, const uint32_t *owner,
                            const uint8_t *borrows, bool **named, arena *scratch, kith_error *error)
{
    const uint32_t self = party_self(w->party);
    size_t n_bits = 0, at = 0;
    for (size_t i = 0; i < w->open.count; i++)
        n_bits += owner[i] == to && borrows[i] ? w->open.items[i].size : 0;
    if (n_bits == 0)
        return KITH_OK;
    uint64_t *bits =
        TRY_ALLOC(secret_memory_array(scratch, smc_words(n_bits), sizeof *bits), error);
    bool *spoils = TRY_ARRAY(spoils, scratch, w->problem->n_records, error);
    for (size_t i = 0; i < w->open.count && self != to; i++) {
        const column_tree_set *n = &w->open.items[i];
        if (owner[i] != to || !borrows[i])
            continue;
        TRY(party_poll(w->party, error));
        TRY(column_tree_lend_spoils(w, spoils, n, error));
        for (uint32_t r = 0; r < n->size; r++)
            smc_set_bit(bits, at++, spoils[r]);
    }
    TRY(logic_or(w->party, bits, bits, n_bits, to, error)); /* message 14 */
    for (size_t i = 0; i < w->open.count && self == to; i++) {
        const column_tree_set *n = &w->open.items[i];
        if (owner[i] != to || !borrows[i])
            continue;
        named[i] = TRY_ALLOC(arena_array(scratch, n->size, sizeof **named), error);
        for (uint32_t r = 0; r < n->size; r++)
            named[i][r] = smc_bit(bits, at++) != 0;
    }
    return KITH_OK;
}

kith_status column_tree_name(column_tree *w, const uint32_t *owner, const column_tree_offer *mine,
                             bool **named, arena *scratch, kith_error *error)
{
    uint8_t *borrows = TRY_ALLOC(arena_zalloc(scratch, w->open.count, 1), error);
    for (size_t i = 0; i < w->open.count; i++)
        if (owner[i] == party_self(w->party)) {
            column_tree_slot slot = {.side = mine[i].side};
            TRY(party_poll(w->party, error));
            column_tree_offer_slot(w, &slot, &w->open.items[i]);
            borrows[i] = slot.borrow > 0;
        }
    /* Which of the sets of every owner have a rest that borrows: told by the owners. */
    const uint32_t m = party_count(w->party), self = party_self(w->party);
    const size_t n_sets = w->open.count;
    uint8_t *bytes = TRY_ALLOC(arena_array(scratch, n_sets, 1), error);
    for (uint32_t step = 0; step < 2; step++) /* first send, then receive */
        for (uint32_t j = 0; j < m; j++) {
            size_t count = 0, at = 0;
            for (size_t i = 0; i < n_sets; i++)
                if (owner[i] == (step == 0 ? self : j))
                    bytes[count++] = borrows[i];
            if (j == self || count == 0)
                continue;
            if (step == 0) {
                TRY(smc_send(w->party, j, &borrows_type, bytes, count, error));
                continue;
            }
            TRY(smc_recv(w->party, j, &borrows_type, bytes, count, error));
            party_learns(w->party, DISCLOSE_CHOICE, "sets that borrow", count);
            for (size_t i = 0; i < n_sets; i++)
                if (owner[i] == j)
                    borrows[i] = bytes[at++] != 0;
        }
    for (uint32_t to = 0; to < party_count(w->party); to++)
        TRY(name_for(w, to, owner, borrows, named, scratch, error));
    return KITH_OK;
}

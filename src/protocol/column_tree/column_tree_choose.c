/* B: which party has the highest offer for each set? Only that is opened, to all parties or to
 * one. */
#include "core/error.h"
#include "crypto/secret_memory.h"
#include "protocol/column_tree/column_tree_internal.h"
#include "smc/circuits/circuit.h"

/* A circuit compares so many pairs of offers at most; larger steps are cut into several. */
enum { MAX_PAIRS = 1 << 14 };

/* An offer is a number: the score, above a place for the attribute, so that ties go to the lower
 * attribute and no two offers are equal; 0 if there is none. The bit above says whether there is
 * one. */
typedef struct offers {
    uint32_t bits;        /* of an offer */
    uint32_t number_bits; /* of these for the attribute */
} offers;

static uint64_t offer_of(const offers *o, const column_tree *w, const column_tree_offer *mine)
{
    ASSERT(o->number_bits < 32 && o->bits < 63);
    if (mine->score == 0)
        return 0;
    const uint64_t last = (UINT64_C(1) << o->number_bits) - 1;
    return UINT64_C(1) << o->bits | (uint64_t)mine->score << o->number_bits |
           (last - w->sides[mine->side].number);
}

/* Is a above b? Both have n bits, the lowest first. *equal, if it is not NULL: are they equal? */
static circuit_wire above(circuit *c, const circuit_wire *a, const circuit_wire *b, uint32_t n,
                          circuit_wire *equal)
{
    if (n == 1) {
        if (equal != NULL)
            *equal = circuit_not(c, circuit_xor(c, a[0], b[0]));
        return circuit_and(c, a[0], circuit_not(c, b[0]));
    }
    const uint32_t half = n / 2;
    circuit_wire same_high, same_low;
    const circuit_wire high = above(c, a + half, b + half, n - half, &same_high);
    const circuit_wire low = above(c, a, b, half, equal == NULL ? NULL : &same_low);
    if (equal != NULL)
        *equal = circuit_and(c, same_high, same_low);
    return circuit_xor(c, high, circuit_and(c, same_high, low)); /* never both */
}

/* For one set: opened[i], is the offer of party i above all others? `wires` has room for all bits
 * of all offers and m x m more. */
static void compare_all(circuit *c, circuit_wire *opened, circuit_wire *wires, const offers *o,
                        uint32_t m, size_t at)
{
    const uint32_t width = o->bits + 1;
    circuit_wire *const wins = wires + (size_t)m * width;
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t bit = 0; bit < width; bit++)
            wires[i * width + bit] = circuit_input(c, i, at * width + bit);
    /* wins[i * m + j]: the offer of i is above that of j. Of equal offers, which are both 0, the
     * later party seems to win, so the last one must have an offer. */
    for (uint32_t i = 0; i < m; i++) {
        wins[i * m + i] = i + 1 == m ? wires[i * width + o->bits] : CIRCUIT_ONE;
        for (uint32_t j = i + 1; j < m; j++) {
            wins[i * m + j] = above(c, wires + i * width, wires + j * width, o->bits, NULL);
            wins[j * m + i] = circuit_not(c, wins[i * m + j]);
        }
    }
    for (uint32_t i = 0; i < m; i++)
        opened[i] = circuit_and_all(c, wins + i * m, m);
}

static kith_status choose_some(column_tree *w, uint32_t *owner, const column_tree_offer *mine,
                               size_t n_sets, uint32_t receiver, arena *scratch, kith_error *error)
{
    const uint32_t m = party_count(w->party);
    const uint32_t n_all = w->task->n_all;
    offers o = {0};
    while (o.number_bits < 31 && UINT32_C(1) << o.number_bits < n_all)
        o.number_bits++;
    o.bits = COLUMN_TREE_SCORE_BITS + o.number_bits;
    const uint32_t width = o.bits + 1;
    circuit *c = TRY_ALLOC(circuit_new(scratch, m, n_sets * width), error);
    circuit_wire *opened = TRY_ARRAY(opened, scratch, n_sets * m, error);
    circuit_wire *wires = TRY_ARRAY(wires, scratch, (size_t)m * (width + m), error);
    uint64_t *bits =
        TRY_ALLOC(secret_memory_array(scratch, smc_words(n_sets * width), sizeof *bits), error);
    uint64_t *out = TRY_ZEROS(out, scratch, smc_words(n_sets * m), error);
    for (size_t i = 0; i < n_sets; i++) {
        const uint64_t offer = offer_of(&o, w, &mine[i]);
        for (uint32_t bit = 0; bit < width; bit++)
            smc_set_bit(bits, i * width + bit, offer >> bit & 1);
        compare_all(c, opened + i * m, wires, &o, m, i);
    }
    /* message 7 */
    TRY(circuit_open_to(c, w->party, out, opened, n_sets * m, bits, receiver, error));
    w->n_compared += n_sets;
    if (!smc_receives(w->party, receiver))
        return KITH_OK;
    party_learns(w->party, DISCLOSE_AGGREGATE, "owners of sets", n_sets);
    /* A wrong share cannot be traced, but this party is no owner of a set that it cannot split. */
    for (size_t i = 0; i < n_sets; i++) {
        uint32_t n_winners = 0;
        owner[i] = COLUMN_TREE_NOBODY;
        for (uint32_t j = 0; j < m; j++)
            if (smc_bit(out, i * m + j)) {
                owner[i] = j;
                n_winners++;
            }
        if (n_winners > 1)
            return error_set(error, KITH_PEER, "a party sent a wrong share: two best offers");
        if (owner[i] == party_self(w->party) && mine[i].score == 0)
            return error_set(error, KITH_PEER,
                             "a party sent a wrong share: the best offer is one that %s did not "
                             "make",
                             party_name(w->party, owner[i]));
    }
    return KITH_OK;
}

kith_status column_tree_choose(column_tree *w, uint32_t *owner, const column_tree_offer *mine,
                               uint32_t receiver, kith_error *error)
{
    const uint32_t m = party_count(w->party);
    const size_t at_once = 1 + MAX_PAIRS / (m * (m - 1) / 2);
    for (size_t first = 0; first < w->open.count; first += at_once) {
        const size_t left = w->open.count - first, count = left < at_once ? left : at_once;
        arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
        TRY(choose_some(w, owner + first, mine + first, count, receiver, scratch, error));
    }
    return KITH_OK;
}

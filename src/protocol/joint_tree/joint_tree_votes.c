#include "protocol/joint_tree/joint_tree_votes.h"

#include <string.h>

#include "core/error.h"
#include "smc/compare/logic.h"

kith_status joint_tree_votes_add(joint_tree_votes *v, bool yes, kith_error *error)
{
    if (v->count == v->room) {
        size_t old = smc_words(v->room), new = arena_capacity(old, old + 1);
        TRY_RESIZE(v->bits, v->memory, old, new, error);
        memset(v->bits + old, 0, (new - old) * sizeof *v->bits);
        v->room = 64 * new;
    }
    smc_set_bit(v->bits, v->count++, yes);
    return KITH_OK;
}

kith_status joint_tree_votes_join(joint_tree_votes *v, party *p, kith_error *error)
{
    ASSERT(v->n_read == 0);
    if (v->count == 0)
        return KITH_OK;
    smc_call call;
    const size_t words = smc_words(v->count);
    uint64_t *mine = TRY_ALLOC(arena_array(v->memory, words, sizeof *mine), error);
    memcpy(mine, v->bits, words * sizeof *mine);
    TRY(smc_call_open(&call, p, "lca", (smc_output){SMC_ALL, NULL}, error));
    /* message 8 */
    kith_status status = logic_and_in_call(&call, v->bits, v->bits, v->count, error);
    TRY(smc_call_close(&call, status, v->count));
    /* Closures are built on the answers: they must cover this party's records, too. */
    uint64_t overruled = 0;
    for (size_t w = 0; w < words; w++)
        overruled |= v->bits[w] & ~mine[w];
    if (overruled != 0)
        return error_set(error, KITH_PEER, "all parties are said to agree where this one does not");
    return KITH_OK;
}

bool joint_tree_votes_next(joint_tree_votes *v)
{
    ASSERT(v->n_read < v->count);
    return smc_bit(v->bits, v->n_read++);
}

kith_status joint_tree_votes_ask_raised(joint_tree_votes *v, const tree *t, uint32_t closure,
                                        uint32_t mine, kith_error *error)
{
    for (uint32_t node = closure; node != tree_root(t); node = t->parent[node])
        TRY(joint_tree_votes_add(v, tree_covers(t, node, mine), error));
    return KITH_OK;
}

uint32_t joint_tree_votes_raised(joint_tree_votes *v, const tree *t, uint32_t closure)
{
    uint32_t lowest = tree_root(t);
    for (uint32_t node = closure; node != tree_root(t); node = t->parent[node])
        if (joint_tree_votes_next(v) && lowest == tree_root(t))
            lowest = node;
    return lowest;
}

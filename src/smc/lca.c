#include "smc/lca.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/logic.h"

static bool is_above(const lca_tree *t, uint32_t upper, uint32_t lower)
{
    return upper <= lower && lower <= t->last[upper];
}

/* What a party answers about one candidate. */
static unsigned covers(const lca_tree *t, uint32_t candidate, uint32_t node)
{
    return node == LCA_NONE || is_above(t, candidate, node);
}

/* No two leaves below: then all answers are yes both for the lowest node and for nobody at all, and
 * one more question tells them apart. */
static bool is_path(const lca_tree *t, uint32_t joint)
{
    for (uint32_t v = joint; v < t->last[joint]; v++)
        if (t->last[v] == v) /* a leaf, and more nodes follow */
            return false;
    return true;
}

static kith_status check(const lca_query *query, const uint32_t *node, size_t n, kith_error *error)
{
    for (size_t i = 0; i < n; i++) {
        const lca_tree *t = query[i].tree;
        if (query[i].joint >= t->nodes)
            return error_set(error, KITH_INVALID, "tree %zu has no node %u", i, query[i].joint);
        if (node[i] != LCA_NONE && !is_above(t, query[i].joint, node[i]))
            return error_set(error, KITH_INVALID, "the node of tree %zu is not below the joint one",
                             i);
    }
    return KITH_OK;
}

static size_t questions(const lca_query *q)
{
    return q->tree->last[q->joint] - q->joint + is_path(q->tree, q->joint);
}

static size_t answer_all(uint64_t *bit, size_t at, const lca_query *q, uint32_t node)
{
    for (uint32_t v = q->joint + 1; v <= q->tree->last[q->joint]; v++)
        smc_set_bit(bit, at++, covers(q->tree, v, node));
    if (is_path(q->tree, q->joint))
        smc_set_bit(bit, at++, node == LCA_NONE);
    return at;
}

/* The lowest common ancestor: candidates with yes lie on one path, unless nobody has a node. */
static size_t conclude(uint32_t *out, const uint64_t *bit, size_t at, const lca_query *q)
{
    *out = q->joint;
    for (uint32_t v = q->joint + 1; v <= q->tree->last[q->joint]; v++) {
        if (!smc_bit(bit, at++) || *out == LCA_NONE)
            continue;
        *out = is_above(q->tree, *out, v) ? v : LCA_NONE;
    }
    if (is_path(q->tree, q->joint) && smc_bit(bit, at++))
        *out = LCA_NONE;
    return at;
}

static kith_status at_once(party *p, uint32_t *out, const lca_query *query, const uint32_t *node,
                           size_t n, uint32_t receiver, arena *scratch, kith_error *error)
{
    size_t bits = 0, at = 0;
    for (size_t i = 0; i < n; i++)
        bits += questions(&query[i]);
    uint64_t *bit = TRY_ALLOC(secret_memory_array(scratch, smc_words(bits), sizeof *bit), error);
    for (size_t i = 0; i < n; i++)
        at = answer_all(bit, at, &query[i], node[i]);
    TRY(logic_and_part(p, bit, bit, bits, receiver, party_next_call(p, "lca"), error));
    at = 0;
    for (size_t i = 0; i < n && smc_receives(p, receiver); i++)
        at = conclude(&out[i], bit, at, &query[i]);
    return KITH_OK;
}

kith_status lca(party *p, uint32_t *out, const lca_query *query, const uint32_t *node, size_t n,
                uint32_t receiver, kith_error *error)
{
    TRY(smc_check_receiver(p, receiver, error));
    TRY(check(query, node, n, error));
    arena *scratch = TRY_ALLOC(arena_new(), error);
    kith_status status = at_once(p, out, query, node, n, receiver, scratch, error);
    arena_free(scratch);
    if (status == KITH_OK && smc_receives(p, receiver))
        party_learns(p, DISCLOSE_AGGREGATE, "lca", n);
    return status;
}

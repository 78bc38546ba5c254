#include "smc/compare/lca.h"

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/compare/logic.h"

/* 1 if a <= b, else 0, without a comparison that might become a branch. */
static unsigned at_most(uint32_t a, uint32_t b)
{
    return 1 ^ (unsigned)(((uint64_t)b - a) >> 63);
}

/* 1 or 0. Nodes that are compared may be private. */
static unsigned is_above(const lca_tree *t, uint32_t upper, uint32_t lower)
{
    return at_most(upper, lower) & at_most(lower, t->last_descendants[upper]);
}

/* 1 for LCA_NONE, which is the largest number. */
static unsigned is_none(uint32_t node)
{
    return (unsigned)(((uint64_t)node + 1) >> 32);
}

/* What a party answers about one candidate: a party without a node agrees with everything. */
static unsigned covers(const lca_tree *t, uint32_t candidate, uint32_t node)
{
    return is_none(node) | is_above(t, candidate, node);
}

/* There are no two leaves below: then all answers are yes if the result is the lowest node, but
 * also if no party has a node, and one more question tells these cases apart. */
static bool is_path(const lca_tree *t, uint32_t joint)
{
    for (uint32_t v = joint; v < t->last_descendants[joint]; v++)
        if (t->last_descendants[v] == v) /* a leaf, and more nodes follow */
            return false;
    return true;
}

/* All private nodes are looked at before the one branch that depends on them: a party whose nodes
 * are wrong ends the run. The list of exceptions from constant time names this function. */
static kith_status lca_check(const lca_query *queries, const uint32_t *nodes, size_t n,
                             kith_error *error)
{
    unsigned valid = 1;
    for (size_t i = 0; i < n; i++) {
        const lca_tree *t = queries[i].tree;
        if (queries[i].joint >= t->n_nodes)
            return error_set(error, KITH_INVALID, "tree %zu has no node %u", i, queries[i].joint);
        ASSERT(t->last_descendants[0] + 1 == t->n_nodes);
        ASSERT(t->last_descendants[queries[i].joint] < t->n_nodes);
        valid &= covers(t, queries[i].joint, nodes[i]);
    }
    if (valid == 0)
        return error_set(error, KITH_INVALID, "a node is not below the joint one of its tree");
    return KITH_OK;
}

/* Reads the joint answers in the same order. All nodes with "yes" are on one path, whose last node
 * is the result, unless no party has a node: then all nodes have "yes", and some of them are not
 * below each other. */
static size_t conclude(uint32_t *out, const uint64_t *bits, size_t at, const lca_query *q)
{
    *out = q->joint;
    for (uint32_t v = q->joint + 1; v <= q->tree->last_descendants[q->joint]; v++) {
        if (!smc_bit(bits, at++) || *out == LCA_NONE)
            continue;
        *out = is_above(q->tree, *out, v) ? v : LCA_NONE;
    }
    if (is_path(q->tree, q->joint) && smc_bit(bits, at++))
        *out = LCA_NONE;
    return at;
}

static kith_status at_once(const smc_call *call, uint32_t *out, const lca_query *queries,
                           const uint32_t *nodes, size_t n, kith_error *error)
{
    size_t n_bits = 0, at = 0;
    for (size_t i = 0; i < n; i++) { /* one bit per node below the joint node */
        const lca_query *q = &queries[i];
        n_bits += q->tree->last_descendants[q->joint] - q->joint + is_path(q->tree, q->joint);
    }
    uint64_t *bits =
        TRY_ALLOC(secret_memory_array(call->scratch, smc_words(n_bits), sizeof *bits), error);
    for (size_t i = 0; i < n; i++) {
        const lca_query *q = &queries[i];
        for (uint32_t v = q->joint + 1; v <= q->tree->last_descendants[q->joint]; v++)
            smc_set_bit(bits, at++, covers(q->tree, v, nodes[i]));
        if (is_path(q->tree, q->joint))
            smc_set_bit(bits, at++, is_none(nodes[i]));
    }
    TRY(logic_and_in_call(call, bits, bits, n_bits, error));
    at = 0;
    for (size_t i = 0; i < n && smc_receives(call->party, call->output.receiver); i++)
        at = conclude(&out[i], bits, at, &queries[i]);
    return KITH_OK;
}

kith_status lca(party *p, uint32_t *out, const lca_query *queries, const uint32_t *nodes, size_t n,
                uint32_t receiver, kith_error *error)
{
    smc_call call;
    TRY(smc_check_receiver(p, receiver, error));
    TRY(lca_check(queries, nodes, n, error));
    TRY(smc_call_open(&call, p, "lca", (smc_output){receiver, "lca"}, error));
    return smc_call_close(&call, at_once(&call, out, queries, nodes, n, error), n);
}

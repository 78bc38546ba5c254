/* The least common ancestor of private nodes in public trees.
 *
 * From:   SDC section 4.2; one vector AND over all nodes below the joint node takes the place of
 *         the paper's depth-first walk. By Proposition 8.3 every answer follows from the output: a
 *         node is a common ancestor if and only if it is the output or above it.
 * Model:  that of logic.h, whose AND it is. The nodes asked about depend on the trees and the
 *         joint nodes alone, which are public.
 * Output: "lca" (aggregate), n nodes, at the receiver.
 * Leaks:  nothing.
 * Cost:   that of one AND of as many bits as there are nodes below the joint nodes (one bit more
 *         where they form a single path): shared.share (masked) and logic.test (masked), or
 *         ot.columns (masked), logic.choice (masked), ot.trees (masked), ot.offer (blinded) and
 *         ot.answer (blinded) if m = 2; logic.result (aggregate) for SMC_ALL. */
#ifndef SMC_COMPARE_LCA_H
#define SMC_COMPARE_LCA_H

#include "smc/smc.h"

/* Nodes are numbered depth first from the root, 0: those below node v are
 * v+1 … last_descendants[v], which is v itself for a leaf. */
typedef struct lca_tree {
    uint32_t n_nodes;
    const uint32_t *last_descendants;
} lca_tree;

/* As a private node: "I have no record there", of which every node is an ancestor. As a result: no
 * party has one. */
#define LCA_NONE UINT32_MAX

/* One wanted ancestor: tree and joint node are public. The private node of each party is the joint
 * node or below it, or LCA_NONE. */
typedef struct lca_query {
    const lca_tree *tree;
    uint32_t joint;
} lca_query;

/* `out` is written at receivers only and may be NULL elsewhere. */
kith_status lca(party *p, uint32_t *out, const lca_query *queries, const uint32_t *nodes, size_t n,
                uint32_t receiver, kith_error *error) KITH_MUST_USE;

#endif

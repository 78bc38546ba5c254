/* The least common ancestor in very wide trees, by a test per level instead of one per node.
 *
 * From:   the level test of Kith's protocols, for near-unique attributes, where SDC section 4.2
 *         would ask about every node. For each level the pivot's ancestor c is compared with
 *         everyone's: party j gives rho and rho c_j for a random rho != 0; (0, 0) if it has no
 *         node; (0, random) if its node lies above the level. With E and F the sums, cE - F is the
 *         sum of rho_j (c - c_j): zero if all agree, else random.
 * Model:  semi-honest, m > 2: no two of A, B and the pivot C may collude (A, B: the two parties
 *         after C). "Agree" is wrong with probability 2^-61 per level.
 * Output: "lca" (aggregate), n nodes, at the pivot.
 * Leaks:  nothing: whether a level's ancestors agree follows from the output and the pivot's node.
 * Cost:   with N levels over all queries: shared.share (masked): m-2 messages of 16N bytes;
 *         level.deal (masked): 1 message of 16N bytes from C to B; level.open (masked): 8N bytes
 *         each way between A and B; level.test (masked): 2 messages of 8N bytes to C; 3 rounds. */
#ifndef SMC_LCA_LEVEL_H
#define SMC_LCA_LEVEL_H

#include "smc/lca.h"

/* Public: a tree's depth below the joint node, that is how many levels are asked about. Private:
 * the path of one's node from below the joint node down, `length` <= depth node numbers (any
 * numbers that are equal exactly for equal nodes, below 2^61 - 1); no path at all (`none`) for
 * parties without a node there. The pivot must have a node (it may be the joint one: length 0). */
typedef struct lca_path {
    const uint64_t *node;
    uint32_t length;
    bool none;
} lca_path;

/* common[i]: how many levels of the pivot's path i all parties share; 0 is the joint node. Written
 * at the pivot only. */
kith_status lca_level(party *p, uint32_t *common, const uint32_t *depth, const lca_path *path,
                      size_t n, uint32_t pivot, kith_error *error) KITH_MUST_USE;

#endif

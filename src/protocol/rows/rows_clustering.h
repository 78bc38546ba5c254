/* Sequential clustering of records that lie at several sites.
 *
 * From:   SDC Algorithm 3, with 6.1 for diversity, 6.2 for site diversity, 8.2.2 and 8.2.3 for
 *         private diversity and hidden sizes; several records at a time by the rule of
 *         search/turns.h, of which block 1 is the paper; small clusters as in search/hybrid_sites.h
 *         or, as printed, by uniting them with each other.
 * Model:  semi-honest, that of the primitives: m > 2: no two of the pivot (or party 0) and the two
 *         parties after it may collude. With two parties each subtracts its own part of what all
 *         learn and has the other's.
 * Output: sizes and closures of the final classes at all parties; to each the classes of its own
 *         records.
 * Leaks:  to all "sum" (aggregate), "lca" (aggregate) and, from these or from the party whose turn
 *         it was, "sizes and closures of clusters" (aggregate): of all clusters at first, of those
 *         that changed after every turn and split, as in Proposition 8.9, but for several
 *         clusterings. To all but the pivot "questions of the pivot" (choice): that it has a
 *         record in a cluster whose closure in an attribute could change by it. To the pivot the
 *         answers, "lca" again. To all with the hybrid finish "costs of dissolving clusters"
 *         (aggregate). Where models look at sensitive values "counts of sensitive values"
 *         (aggregate) in the same clusters; with private diversity only "dominates" (aggregate),
 *         whether classes of the end are diverse. For models about sites "threshold" (aggregate)
 *         and "or" (aggregate): whether a class, or a node of a hierarchy of theirs, has records of
 *         enough sites, of some site, or of too few others.
 * Cost:   sum.share (masked), sum.result (aggregate): one call for n and one for the report, one
 *         for the sizes of the first clusters and of those split in a pass, one for every round of
 *         the hybrid finish, with hidden sizes one per pass. One lca for the first clusters, for
 *         those split in a pass and for every block of questions: shared.share (masked), logic.test
 *         (masked), logic.result (aggregate) or, if m = 2, ot.columns (masked), logic.choice
 *         (masked), ot.offer (blinded), ot.answer (blinded). Per block cluster.count (choice),
 *         cluster.ask (choice): m-1 messages each, of 12 bytes per question; 3 rounds if m > 2. Per
 *         turn cluster.changes (aggregate), cluster.state (aggregate): m-1 messages of what has
 *         changed; 1 round. With diversity cluster.values (aggregate): 2m-2 messages, m rounds, for
 *         first and for split clusters; private, compare.result (aggregate), gmw.triple (masked),
 *         gmw.and (masked), gmw.open (masked). Before failing alike farewell.word (control). */
#ifndef PROTOCOL_ROWS_ROWS_CLUSTERING_H
#define PROTOCOL_ROWS_ROWS_CLUSTERING_H

#include "protocol/rows.h"

#endif

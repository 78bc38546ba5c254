/* Sequential clustering of records that lie at several sites.
 *
 * From:   SDC Algorithm 3 (sections 4, 6 and 8.2); several records at a time as in
 *         search/turns.h, small clusters dealt with as in search/hybrid_sites.h or, as printed, by
 *         uniting them with each other.
 * Model:  semi-honest, that of sum.h and lca.h: m > 2: no two of the pivot and the two parties
 *         after it may collude.
 * Output: sizes and closures of the final classes at all parties; to each the classes of its own
 *         records.
 * Leaks:  "sum" (aggregate), "lca" (aggregate), "sizes and closures of clusters" (aggregate): those
 *         of the clusters that there are at first, after every turn and after every split;
 *         "questions of the pivot" (choice): which clusters hold records of a party that could
 *         change their closures, when it is that party's turn. docs/protocols/clustering.md says
 *         how this compares with Proposition 8.9.
 * Cost:   sum.share (masked), sum.result (aggregate): four calls, one more per pass in which
 *         clusters are split and per round of the finish; shared.share (masked), logic.test
 *         (masked), logic.result (aggregate), and if m = 2 ot.columns (masked), logic.choice
 *         (masked), ot.offer (blinded), ot.answer (blinded): one lca at first, one per pass in
 * which clusters are split, and one per block of questions; cluster.count (choice), cluster.ask
 *         (choice): m-1 messages per block; cluster.changes (aggregate), cluster.state (aggregate):
 *         m-1 messages per turn. A block takes 3 rounds if m > 2, a turn one more. */
#ifndef PROTOCOL_CLUSTERING_HORIZONTAL_H
#define PROTOCOL_CLUSTERING_HORIZONTAL_H

#include "protocol/horizontal.h"

/* Can the model be kept while sites cluster together? Models about sites are asked about in the
 * same way. */
bool clustering_supports(const model_spec *model);

#endif

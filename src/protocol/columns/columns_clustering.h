/* Sequential clustering over columns at several sites.
 *
 * From:   SDC Algorithm 4, with 6.1 for diversity and 8.3 for noise. Records are decided in blocks;
 *         columns_sequential.h has the rule and the table of steps. With block 1 it is the paper's.
 * Model:  semi-honest. A coalition without the pivot learns the course of the clustering, that is
 *         to say which record is in which cluster at what time. The pivot learns sums over all
 *         parties; with all parties but one it learns that one's addends.
 * Output: which record is in which class: "clusters" (choice), n + 1 numbers, and every change of
 *         them: "moves" (choice), "splits" (choice), "unions" (choice), at all parties but the
 *         pivot.
 * Leaks:  to the pivot "sum" (aggregate): "prices.moves" (aggregate), the change of the total cost
 *         if a record of a block went to another cluster (step 7), for all clusters;
 *         "prices.unions" (aggregate), the same for two clusters that might be united (steps 25 and
 *         29) and, with the hybrid finish, for the members of a small cluster that might be
 *         dissolved; and "cost" (aggregate), the cost of all clusters together, once per pass from
 *         the fourth on. With two parties the pivot subtracts its own part of a sum and has the
 *         other's: changes of the cost in the other's columns. Such a change tells whether closures
 *         grow or shrink, and by how much: never a value by itself (SDC 8.3), but which of several
 *         values are possible. With noise every addend is off by a random amount that the same
 *         question gets again.
 *         To all others, what depends on sensitive values where a model looks at them: "terms"
 *         (choice), whether the models can be met and the size of class that they need; and
 *         "rows" (choice), which small clusters lost their nearest one by a union (finish merge).
 *         Also "decisions to stop" (choice): from the fifth pass on, whether it gained so little
 *         that it is the last one, and with restarts whether a start is the best so far.
 * Cost:   vertical.shape (control), exchanged: the parties' numbers of records must agree. With b
 *         records and t clusters, per block sum.share (masked): m-1 messages of 8 b t bytes to the
 *         pivot, and vertical.moves (choice): m-1 messages of 4 b bytes; 2 rounds. vertical.terms
 *         (choice) and vertical.clusters (choice) once; vertical.splits (choice) at most once per
 *         pass; vertical.cost (choice), one byte, after the fifth pass and later ones; for every
 *         union of the merge finish or round of the hybrid one sum with vertical.unions (choice)
 *         and vertical.rows (choice): m-1 messages each; where the models cannot be met,
 *         leave.together (control), exchanged. The paper makes one sum per record and pass. In the
 *         end vertical.classes (control), a hash, exchanged (columns_agree.h). */
#ifndef PROTOCOL_COLUMNS_COLUMNS_CLUSTERING_H
#define PROTOCOL_COLUMNS_COLUMNS_CLUSTERING_H

#include "protocol/columns.h"

columns_protocol columns_clustering;

#endif

/* The end of clustering over rows: SDC Algorithm 3, steps 26 to 31. */
#ifndef PROTOCOL_ROWS_ROWS_FINISH_H
#define PROTOCOL_ROWS_ROWS_FINISH_H

#include "protocol/rows/rows_turn.h"

/* Steps 26 to 30: removes the clusters that are too small, by merging them with each other as the
 * paper does (finish merge), or by the rounds of rows_finish_rounds.h (finish hybrid). */
kith_status rows_finish(rows_state *v, rows_turn *t, kith_error *error);

/* Step 31 without the sensitive values, which the caller publishes: writes the clusters, their
 * sizes and closures to the result, as classes. */
kith_status rows_finish_classes(rows_result *result, rows_state *v, kith_error *error);

/* Where wide levels of a hierarchy were left out (rows_trees.h), the closures of the classes are
 * searched there, if a class has few enough candidates. */
kith_status rows_finish_closures(rows_result *result, rows_state *v, kith_error *error);

#endif

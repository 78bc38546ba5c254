/* Promises that clusters do not keep while records move, but classes must: at least l sites in
 * every class, m-privacy, and diversity of which nobody may learn more than yes or no (SDC 8.2.2).
 *
 * They are asked about when everything else is done. A class that does not keep one is united with
 * the one that is nearest, until all keep them. */
#ifndef PROTOCOL_ROWS_ROWS_REPAIR_H
#define PROTOCOL_ROWS_ROWS_REPAIR_H

#include "protocol/rows/rows_state.h"

/* What is to be asked about, from the options and the models of the problem. With private diversity
 * v->mine becomes a problem whose models do not look at values. KITH_INVALID if something cannot be
 * kept. Before rows_state_init. */
kith_status rows_repair_plan(rows_state *v, kith_error *error);
/* KITH_INFEASIBLE if one class of all records would not do. */
kith_status rows_repair_check(rows_state *v, kith_error *error);
/* After the finish; cluster sizes and closures stay known to all. */
kith_status rows_repair(rows_state *v, kith_error *error);

#endif

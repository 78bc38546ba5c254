/* Models that clusters may violate while records move, but classes must satisfy: at least l sites
 * in every class, m-privacy, and private diversity, of which the parties learn yes or no only (SDC
 * 8.2.2). Where records belong to persons this holds for all models: clusters know records only.
 *
 * They are checked when everything else is done. A class that violates one is merged with the
 * nearest one, until none does: each check costs a secure computation about every class, which
 * would be too expensive for every move. */
#ifndef PROTOCOL_ROWS_ROWS_REPAIR_H
#define PROTOCOL_ROWS_ROWS_REPAIR_H

#include "protocol/rows/rows_state.h"

/* Finds the models to check in the options and in the problem. With private diversity, and where
 * persons count, v->mine becomes a problem whose models do not look at values. KITH_INVALID if the
 * protocol does not serve a model. Before rows_state_init. */
kith_status rows_repair_plan(rows_state *v, kith_error *error);
/* KITH_INFEASIBLE if even one class of all records would violate a model. */
kith_status rows_repair_check(rows_state *v, kith_error *error);
/* The same for the values of others, as soon as the counts of all records are known. */
kith_status rows_repair_check_values(rows_state *v, kith_error *error);
/* After the finish; cluster sizes and closures stay known to all. */
kith_status rows_repair(rows_state *v, kith_error *error);

#endif

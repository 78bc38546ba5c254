/* l-site-diversity by attributes that tell sites apart: SDC 6.2.
 *
 * A node of the hierarchy of such an attribute is not released if some, but fewer than l, sites
 * have records below it: it and its siblings are pruned, and records appear as their lowest
 * ancestor that remains. Nodes without any records tell nothing about sites and may stay. Where a
 * model names several attributes, combinations of nodes are checked, too: the closure of a class is
 * raised, in the least important attribute (the last one) first, until at least l sites have
 * records below each of its nodes. */
#ifndef PROTOCOL_ROWS_ROWS_SITE_MODELS_H
#define PROTOCOL_ROWS_ROWS_SITE_MODELS_H

#include "protocol/rows/rows_state.h"

/* v->mine becomes a problem with raised cells. KITH_INFEASIBLE if fewer than l sites have records.
 * Before rows_state_init. */
kith_status rows_site_models_prune(rows_state *v, kith_error *error);
/* Raises the closures of classes whose combinations of nodes too few sites have. */
kith_status rows_site_models_raise(rows_result *result, rows_state *v, kith_error *error);

#endif

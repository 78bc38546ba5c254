/* l-site-diversity by attributes that tell sites apart: SDC 6.2.
 *
 * Nodes of the hierarchies of these attributes that records of fewer than l sites (but some) lie
 * below are never shown: they and their siblings are cut off, so that records appear as their
 * lowest ancestor that is left. Nodes that nobody has records below do no harm. Where there are
 * several such attributes, closures of classes are raised, the least important attribute (the last
 * one) first, until the sites that have records below each of the nodes shown, one by one, are l at
 * least. */
#ifndef PROTOCOL_ROWS_ROWS_SITE_MODELS_H
#define PROTOCOL_ROWS_ROWS_SITE_MODELS_H

#include "protocol/rows/rows_state.h"

/* v->mine becomes a problem with raised cells. KITH_INFEASIBLE if fewer than l sites have records.
 * Before rows_state_init. */
kith_status rows_site_models_prune(rows_state *v, kith_error *error);
/* Raises the closures of the classes where combinations would tell too much. */
kith_status rows_site_models_raise(rows_result *result, rows_state *v, kith_error *error);

#endif

/* The cost model of the encrypted view (protocol/view_cost.h) fed from a table at hand. */
#ifndef JOB_SIMULATE_VIEW_ESTIMATE_H
#define JOB_SIMULATE_VIEW_ESTIMATE_H

#include "core/document.h"
#include "job/prepare/prepare.h"
#include "protocol/view/view_cost.h"

/* Columns and their values as the table has them; parties, partition and rows are the caller's to
 * set. Lives in the context's memory. */
kith_status view_estimate_columns(view_cost_task *task, const prepared *p, context *c,
                                  kith_error *error);

/* "phases": [{"phase", "n_operations", "n_messages", "bytes", "seconds"}, …, one for all]. */
void view_estimate_put(kith_document *d, document_node *parent, const view_cost *cost);

/* "encryption", … */
const char *view_estimate_phase(int phase);

#endif

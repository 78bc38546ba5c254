/* The cost model of the encrypted view (protocol/view/view_cost.h) applied to a table. */
#ifndef MODULES_ENCRYPTED_VIEW_VIEW_ESTIMATE_H
#define MODULES_ENCRYPTED_VIEW_VIEW_ESTIMATE_H

#include "core/document.h"
#include "job/prepare/prepare.h"
#include "protocol/view/view_cost.h"

/* Sets the columns of the task and their numbers of values from the table; the caller has set
 * parties, partition and rows. The columns live in the context's memory. */
kith_status view_estimate_columns(view_cost_task *task, const prepared *p, context *c,
                                  kith_error *error);

/* Sets how many values are released in each column from a release of the table: a search in one
 * place releases about as many as that of the view. */
void view_estimate_released(view_cost_task *task, const prepared *p, const kith_table *release);

/* Adds operations, messages, bytes and seconds of a phase. */
void view_estimate_put_cost(kith_document *d, document_node *to, const view_cost_phase *cost);

/* Adds "phases", one object for each phase and one for all, and "paper", the cost by the formulas
 * of the paper. */
void view_estimate_put(kith_document *d, document_node *parent, const view_cost *cost);

/* The name of a phase: "encryption", … */
const char *view_estimate_phase(int phase);

/* For protocol_module (view_estimate_run.c): the cost by the model, and the time of the search that the master runs; and
 * "phases" of a rehearsal, the estimate and the actual cost. */
kith_status view_estimate_run(struct estimation *e, kith_error *error);
kith_status view_estimate_put_phases(kith_document *d, document_node *parent,
                                     const struct simulation *s, kith_error *error);

#endif

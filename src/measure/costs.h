/* The additive measures: the cost of releasing a node, for every node of a tree.
 *
 * All take count[leaf], the number of records with that leaf; not every measure needs it. */
#ifndef MEASURE_COSTS_H
#define MEASURE_COSTS_H

#include <stdint.h>

#include "hierarchy/tree.h"
#include "measure/measure.h"

void lm_costs(double *cost, const tree *t, const uint64_t *count);
void em_costs(double *cost, const tree *t, const uint64_t *count);
void entropy_costs(double *cost, const tree *t, const uint64_t *count);
void height_costs(double *cost, const tree *t, const uint64_t *count);
/* ARX's: (|node| - 1) / (rows - 1), where the domain has as many values as the hierarchy's file has
 * rows; the root costs 1 whatever it covers. */
void arx_loss_costs(double *cost, const tree *t, uint64_t n_rows);
/* cost[node * distinct + value] = -log2 Pr(value | node) */
kith_status pmi_costs(double *cost, const sensitive_input *in, arena *memory, kith_error *error);
/* w times the node's part of mi and 1 - w times pmi. */
kith_status wmi_costs(double *cost, const sensitive_input *in, arena *memory, kith_error *error);

#endif

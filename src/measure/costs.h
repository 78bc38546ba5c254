/* The additive measures, one file each: the cost of releasing a node, for every node of a tree.
 *
 * All take count[leaf], the number of records with that leaf; not every measure needs it. */
#ifndef MEASURE_COSTS_H
#define MEASURE_COSTS_H

#include <stdint.h>

#include "hierarchy/tree.h"

void lm_costs(double *cost, const tree *t, const uint64_t *count);
void em_costs(double *cost, const tree *t, const uint64_t *count);
void entropy_costs(double *cost, const tree *t, const uint64_t *count);
void level_costs(double *cost, const tree *t, const uint64_t *count);

#endif
